import { LitElement } from 'lit';
import type { HostPort } from './host-port';
import type { Words } from './text';

/** What every part of a page works with. */
export interface PageContext {
  port: HostPort;
  words: Words;
}

/**
 * Parts draw into the page itself, not into shadow roots: one style sheet, icons and labels reach everywhere.
 */
export abstract class PageElement extends LitElement {
  protected override createRenderRoot(): HTMLElement {
    return this;
  }
}
