import { html, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { PageElement } from './element';

export interface ListRange {
  first: number;
  /** Inclusive. */
  last: number;
}

const overscan = 6;

/**
 * A list of rows of one fixed height, of which only the visible ones exist. A list box for assistive technology:
 * arrows, Page Up and Down, Home and End move, Enter opens, Space selects.
 */
@customElement('kl-list')
export class VirtualList extends PageElement {
  @property({ type: Number }) count = 0;
  @property({ type: Number }) rowHeight = 28;
  @property({ attribute: false }) renderRow: (index: number) => TemplateResult = () => html``;
  /** Class names of a row, beside `kl-row`. */
  @property({ attribute: false }) rowClass: (index: number) => string = () => '';
  @property({ attribute: false }) isSelected: (index: number) => boolean = () => false;
  @property({ type: Boolean }) multi = false;
  @property() label = '';
  /** Row that the keyboard is on; -1 for none. */
  @property({ type: Number }) active = -1;
  @state() private top = 0;
  @state() private viewHeight = 400;
  private observer: ResizeObserver | undefined;
  private frame = 0;
  private rowId = `kl-row-${Math.random().toString(36).slice(2)}`;

  override connectedCallback(): void {
    super.connectedCallback();
    this.observer = new ResizeObserver(() => {
      const scroller = this.scroller();
      if (scroller !== null && scroller.clientHeight > 0) this.viewHeight = scroller.clientHeight;
    });
    void this.updateComplete.then(() => {
      const scroller = this.scroller();
      if (scroller !== null) this.observer?.observe(scroller);
    });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.observer?.disconnect();
    cancelAnimationFrame(this.frame);
  }

  get range(): ListRange {
    const first = Math.max(0, Math.floor(this.top / this.rowHeight) - overscan);
    const last = Math.min(
      this.count - 1,
      Math.ceil((this.top + this.viewHeight) / this.rowHeight) + overscan,
    );
    return { first, last };
  }

  /** Whether the last row is in view. */
  get atEnd(): boolean {
    const scroller = this.scroller();
    if (scroller === null) return true;
    return scroller.scrollTop + scroller.clientHeight >= this.count * this.rowHeight - this.rowHeight;
  }

  scrollToEnd(): void {
    const scroller = this.scroller();
    if (scroller === null) return;
    this.size();
    scroller.scrollTop = this.count * this.rowHeight;
    this.top = scroller.scrollTop;
  }

  scrollToTop(): void {
    const scroller = this.scroller();
    if (scroller !== null) scroller.scrollTop = 0;
    this.top = 0;
  }

  /** Keeps what is in view where it is after `rows` were put before it. */
  shift(rows: number): void {
    const scroller = this.scroller();
    if (scroller === null) return;
    this.size();
    scroller.scrollTop += rows * this.rowHeight;
    this.top = scroller.scrollTop;
  }

  reveal(index: number): void {
    const scroller = this.scroller();
    if (scroller === null || index < 0) return;
    this.size();
    const start = index * this.rowHeight;
    if (start < scroller.scrollTop) scroller.scrollTop = start;
    else if (start + this.rowHeight > scroller.scrollTop + scroller.clientHeight) {
      scroller.scrollTop = start + this.rowHeight - scroller.clientHeight;
    }
    this.top = scroller.scrollTop;
  }

  focusList(): void {
    this.scroller()?.focus();
  }

  protected override render(): TemplateResult {
    const { first, last } = this.range;
    const rows: TemplateResult[] = [];
    for (let index = first; index <= last; index++) rows.push(this.row(index));
    const activeId = this.active >= first && this.active <= last ? `${this.rowId}-${this.active}` : undefined;
    return html`<div
      class="kl-scroller"
      role="listbox"
      tabindex="0"
      aria-label=${this.label}
      aria-multiselectable=${this.multi ? 'true' : 'false'}
      aria-activedescendant=${activeId ?? ''}
      @scroll=${this.scrolled}
      @keydown=${this.key}
      @click=${this.clicked}
    >
      <div class="kl-space" role="presentation">
        <div class="kl-window" role="presentation">${rows}</div>
      </div>
    </div>`;
  }

  private row(index: number): TemplateResult {
    return html`<div
      id="${this.rowId}-${index}"
      class="kl-row ${this.rowClass(index)} ${index === this.active ? 'kl-active' : ''}"
      role="option"
      aria-selected=${this.isSelected(index) ? 'true' : 'false'}
      aria-setsize=${this.count}
      aria-posinset=${index + 1}
      data-index=${index}
    >
      ${this.renderRow(index)}
    </div>`;
  }

  protected override updated(changed: PropertyValues): void {
    this.size();
    const lastTop = Math.max(0, this.count * this.rowHeight - this.viewHeight);
    if (changed.has('count') && this.top > lastTop) this.scrolled();
    this.dispatchEvent(new CustomEvent<ListRange>('range', { detail: this.range }));
  }

  /** Styles are set from script: the page's policy forbids style attributes in markup. */
  private size(): void {
    const space = this.querySelector<HTMLElement>('.kl-space');
    const rows = this.querySelector<HTMLElement>('.kl-window');
    if (space === null || rows === null) return;
    space.style.height = `${this.count * this.rowHeight}px`;
    rows.style.transform = `translateY(${this.range.first * this.rowHeight}px)`;
    this.style.setProperty('--kl-row-height', `${this.rowHeight}px`);
  }

  private readonly scrolled = (): void => {
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => {
      const scroller = this.scroller();
      if (scroller === null) return;
      this.top = scroller.scrollTop;
      if (scroller.clientHeight > 0) this.viewHeight = scroller.clientHeight;
      this.dispatchEvent(new CustomEvent('moved'));
    });
  };

  private readonly key = (event: KeyboardEvent): void => {
    const page = Math.max(1, Math.floor(this.viewHeight / this.rowHeight) - 1);
    const moves: Record<string, number> = {
      ArrowDown: this.active + 1,
      ArrowUp: this.active - 1,
      PageDown: this.active + page,
      PageUp: this.active - page,
      Home: 0,
      End: this.count - 1,
    };
    const target = moves[event.key];
    if (target !== undefined && !event.altKey && !event.metaKey) {
      event.preventDefault();
      this.moveTo(Math.max(0, Math.min(this.count - 1, target)), event.shiftKey);
    } else if (event.key === 'Enter' && this.active >= 0) {
      event.preventDefault();
      this.tell('open', this.active, event);
    } else if (event.key === ' ' && this.active >= 0) {
      event.preventDefault();
      this.tell(this.multi ? 'toggle' : 'open', this.active, event);
    }
  };

  private moveTo(index: number, extend: boolean): void {
    if (this.count === 0) return;
    this.active = index;
    this.reveal(index);
    this.dispatchEvent(new CustomEvent('move', { detail: { index, extend } }));
  }

  private readonly clicked = (event: MouseEvent): void => {
    const target = event.target as Element;
    const row = target.closest<HTMLElement>('.kl-row');
    if (row === null) return;
    const index = Number(row.dataset['index']);
    this.active = index;
    const toggles =
      this.multi &&
      (target.closest('.kl-check') !== null || event.ctrlKey || event.metaKey || event.shiftKey);
    this.tell(toggles ? 'toggle' : 'open', index, event);
  };

  private tell(name: 'open' | 'toggle', index: number, event: KeyboardEvent | MouseEvent): void {
    this.dispatchEvent(new CustomEvent(name, { detail: { index, extend: event.shiftKey } }));
  }

  private scroller(): HTMLElement | null {
    return this.querySelector<HTMLElement>('.kl-scroller');
  }
}
