import { html, nothing, type TemplateResult } from 'lit';
import type { PanelTarget } from '../src/contract/webview-messages';
import type { Words } from './text';

/** A codicon; decoration only, the word beside it or the button's label says what it means. */
export function icon(name: string, more = ''): TemplateResult {
  return html`<i class="codicon codicon-${name} ${more}" aria-hidden="true"></i>`;
}

export function iconButton(
  name: string,
  label: string,
  act: () => void,
  options: { disabled?: boolean; pressed?: boolean } = {},
): TemplateResult {
  return html`<button
    class="kl-icon-button"
    type="button"
    title=${label}
    aria-label=${label}
    aria-pressed=${options.pressed === undefined ? nothing : String(options.pressed)}
    ?disabled=${options.disabled ?? false}
    @click=${act}
  >
    ${icon(name)}
  </button>`;
}

export function button(
  label: string,
  act: () => void,
  options: { primary?: boolean; disabled?: boolean; icon?: string } = {},
): TemplateResult {
  return html`<vscode-button
    ?secondary=${options.primary !== true}
    ?disabled=${options.disabled ?? false}
    icon=${options.icon ?? nothing}
    @click=${act}
    >${label}</vscode-button
  >`;
}

/** What stands where there is nothing to list. */
export function emptyState(
  iconName: string,
  title: string,
  detail: string,
  actions: unknown = nothing,
): TemplateResult {
  return html`<div class="kl-empty">
    <div class="kl-empty-icon">${icon(iconName)}</div>
    <h2>${title}</h2>
    <p>${detail}</p>
    <div class="kl-actions">${actions}</div>
  </div>`;
}

export function loading(words: Words): TemplateResult {
  return html`<div class="kl-empty" role="status" aria-label=${words.t('common.loading')}>
    <vscode-progress-ring></vscode-progress-ring>
  </div>`;
}

export function failure(words: Words, message: string, again: () => void): TemplateResult {
  return html`<div class="kl-empty" role="alert">
    <div class="kl-empty-icon kl-bad">${icon('error')}</div>
    <p>${words.t('common.failed', message)}</p>
    <div class="kl-actions">${button(words.t('common.retry'), again)}</div>
  </div>`;
}

/** Asks the panel to go to another tab, and there to one thing. */
export function goTo(from: HTMLElement, target: PanelTarget): void {
  from.dispatchEvent(new CustomEvent('kl-goto', { detail: target, bubbles: true, composed: true }));
}

/** Shows an error in the panel's head. */
export function report(from: HTMLElement, error: unknown): void {
  const detail = error instanceof Error ? error.message : String(error);
  from.dispatchEvent(new CustomEvent('kl-trouble', { detail, bubbles: true, composed: true }));
}

export function valueOf(event: Event): string {
  const { value } = event.target as HTMLElement & { value?: unknown };
  return typeof value === 'string' ? value : '';
}

/** Runs `work` once things have been still for `ms`. */
export function debounce(ms: number, work: () => void): { (): void; cancel(): void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const run = () => {
    clearTimeout(timer);
    timer = setTimeout(work, ms);
  };
  return Object.assign(run, { cancel: () => clearTimeout(timer) });
}
