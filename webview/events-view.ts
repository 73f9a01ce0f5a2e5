import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { EVENT_KINDS, type EventKind } from '../src/contract/event';
import type { EventRow } from '../src/contract/local-api';
import type { Aim } from './app';
import { PageElement, type PageContext } from './element';
import './event-detail';
import { layoutEvents, type TailLayout, type TailLine } from './event-layout';
import { button, debounce, emptyState, failure, icon, loading, report, valueOf } from './parts';
import type { VirtualList } from './virtual-list';
import './virtual-list';

const pageSize = 500;
const rowHeight = 26;
/** Rows kept in the page; older ones are dropped while following and asked for again when scrolled to. */
const maxRows = 20_000;
const dropRows = 5000;

/** The live tail: oldest at the top, the newest at the end, followed while the end is in view. */
@customElement('kl-events')
export class EventsView extends PageElement {
  @property({ attribute: false }) ctx!: PageContext;
  @property() namespace: string | undefined;
  @property({ type: Boolean }) waits = false;
  @property({ attribute: false }) aim: Aim | undefined;
  @state() private layout: TailLayout = { lines: [], untyped: 0 };
  @state() private loaded = false;
  @state() private error: string | undefined;
  @state() private text = '';
  @state() private kinds = new Set<EventKind>();
  @state() private opened: string | undefined;
  @state() private following = true;
  @state() private unseen = 0;
  @state() private total = 0;
  private readonly rows = new Map<string, EventRow>();
  private older: string | undefined;
  private loadingOlder = false;
  private generation = 0;
  private frame = 0;
  private reportedUntyped = 0;
  private ends: (() => void)[] = [];
  private readonly filterSoon = debounce(120, () => void this.reload());

  override connectedCallback(): void {
    super.connectedCallback();
    this.ends = [
      this.ctx.port.onStream((event) => {
        if (event.stream === 'event') this.arrived(event.row);
        else if (event.stream === 'resync') void this.reload();
        else if (event.stream === 'records') this.refreshStates();
      }),
    ];
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const end of this.ends) end();
    this.filterSoon.cancel();
    cancelAnimationFrame(this.frame);
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if ((changed.has('namespace') || changed.has('waits')) && !this.waits) void this.reload();
    if (changed.has('aim') && this.aim?.target.event_id !== undefined) this.opened = this.aim.target.event_id;
  }

  protected override render(): TemplateResult {
    return html`<div class="kl-split kl-split-open ${this.opened === undefined ? '' : 'kl-has-detail'}">
      <section class="kl-side">${this.toolbar()} ${this.list()} ${this.newest()}</section>
      <section class="kl-detail">${this.detail()}</section>
    </div>`;
  }

  private toolbar(): TemplateResult {
    const { words } = this.ctx;
    return html`<div class="kl-toolbar">
        <vscode-textfield
          class="kl-grow kl-search"
          type="search"
          .label=${words.t('events.search')}
          .placeholder=${words.t('events.search')}
          .value=${this.text}
          @input=${(event: Event) => {
            this.text = valueOf(event);
            this.filterSoon();
          }}
        >
          <vscode-icon slot="content-before" name="search" aria-hidden="true"></vscode-icon>
        </vscode-textfield>
        <span class="kl-live ${this.following ? '' : 'kl-dim'}" role="status"
          ><span class="kl-dot" aria-hidden="true"></span>${
            this.following ? words.t('events.live') : words.t('events.paused')
          }</span
        >
      </div>
      <div class="kl-kinds" role="group" aria-label=${words.t('events.kinds')}>
        ${EVENT_KINDS.map(
          (kind) =>
            html`<button
              class="kl-toggle"
              type="button"
              aria-pressed=${this.kinds.has(kind) ? 'true' : 'false'}
              @click=${() => this.toggleKind(kind)}
            >
              ${words.t(`kind.${kind}`)}
            </button>`,
        )}
        <span class="kl-grow"></span>
        <span class="kl-dim">${this.loaded ? words.t('events.count', this.total) : ''}</span>
      </div>`;
  }

  private list(): TemplateResult {
    const { words } = this.ctx;
    if (this.error !== undefined && !this.loaded) return failure(words, this.error, () => void this.reload());
    if (!this.loaded) return loading(words);
    const { lines } = this.layout;
    if (lines.length === 0) {
      return this.text !== '' || this.kinds.size > 0
        ? emptyState('search', words.t('memories.nothingFound'), words.t('events.nothingFound'))
        : emptyState('pulse', words.t('events.empty'), words.t('events.emptyDetail'));
    }
    return html`<kl-list
      class="kl-fill"
      .count=${lines.length}
      .rowHeight=${rowHeight}
      .label=${words.t('events.list')}
      .renderRow=${(index: number) => this.row(lines[index])}
      .rowClass=${(index: number) => rowClass(lines[index], this.opened)}
      .isSelected=${(index: number) => lineId(lines[index]) === this.opened && this.opened !== undefined}
      @moved=${this.moved}
      @open=${(event: CustomEvent<{ index: number }>) => {
        const id = lineId(lines[event.detail.index]);
        if (id !== undefined) this.opened = id;
      }}
      @keydown=${(event: KeyboardEvent) => {
        if (event.key === 'Escape') this.closeDetail();
      }}
    ></kl-list>`;
  }

  private row(line: TailLine | undefined): TemplateResult {
    const { words } = this.ctx;
    if (line === undefined) return html``;
    if (line.line === 'session') {
      return html`${icon('history')}<span class="kl-ellipsis kl-strong"
          >${line.title ?? words.t('events.session')}</span
        >
        <span class="kl-dim kl-shrink">${line.surface} · ${words.when(line.at)}</span>`;
    }
    const { row, rendering, grouped } = line;
    const repeats = Math.max(row.repeat_count, grouped);
    return html`<time class="kl-time kl-dim" datetime=${row.valid_time}>${words.clock(row.valid_time)}</time>
      <span class="kl-event-icon">${icon(rendering.failed ? 'error' : rendering.icon)}</span>
      <span class="kl-event-label">${rendering.name || words.t(rendering.label)}</span>
      <span class="kl-ellipsis kl-preview">${previewOf(row)}</span>
      ${rendering.open ? html`<span class="kl-chip">${words.t('events.running')}</span>` : nothing}
      ${
        rendering.failed && rendering.tone === 'tool'
          ? html`<span class="kl-chip kl-bad">${words.t('events.failed')}</span>`
          : nothing
      }
      ${repeats > 1 ? html`<span class="kl-chip kl-repeat">×${words.n(repeats)}</span>` : nothing}
      ${
        row.duration_ms === undefined || row.duration_ms < 1000
          ? nothing
          : html`<span class="kl-dim kl-shrink kl-duration">${words.duration(row.duration_ms)}</span>`
      }
      ${
        row.distil === 'pending'
          ? html`<span class="kl-pending" title=${words.t('events.waiting')}
              >${icon('circle-small-filled')}</span
            >`
          : nothing
      }`;
  }

  private newest(): TemplateResult | typeof nothing {
    const { words } = this.ctx;
    if (this.following || !this.loaded) return nothing;
    const label = this.unseen > 0 ? words.t('events.newCount', this.unseen) : words.t('events.newest');
    return html`<div class="kl-newest">
      ${button(label, () => this.follow(), { icon: 'arrow-down', primary: this.unseen > 0 })}
    </div>`;
  }

  private detail(): TemplateResult {
    const { words } = this.ctx;
    if (this.opened === undefined) return html`<div class="kl-hint kl-dim">${words.t('events.pick')}</div>`;
    return html`<kl-event-detail
      .ctx=${this.ctx}
      .eventId=${this.opened}
      .row=${this.rows.get(this.opened)}
      @close=${() => this.closeDetail()}
      @openevent=${(event: CustomEvent<string>) => (this.opened = event.detail)}
    ></kl-event-detail>`;
  }

  private closeDetail(): void {
    this.opened = undefined;
    void this.updateComplete.then(() => this.listElement()?.focusList());
  }

  private toggleKind(kind: EventKind): void {
    const kinds = new Set(this.kinds);
    if (!kinds.delete(kind)) kinds.add(kind);
    this.kinds = kinds;
    void this.reload();
  }

  private listElement(): VirtualList | null {
    return this.querySelector<VirtualList>('kl-list');
  }

  private readonly moved = (): void => {
    const list = this.listElement();
    if (list === null) return;
    this.following = list.atEnd;
    if (this.following) this.unseen = 0;
    if (list.range.first < 50) void this.loadOlder();
  };

  private follow(): void {
    this.following = true;
    this.unseen = 0;
    if (this.rows.size >= maxRows) void this.reload();
    else this.listElement()?.scrollToEnd();
  }

  private arrived(row: EventRow): void {
    if (!this.loaded || !this.fits(row)) return;
    if (!this.rows.has(row.event_id)) {
      this.total += 1;
      if (!this.following) this.unseen += 1;
    }
    this.rows.set(row.event_id, row);
    this.drawSoon();
  }

  /** The same conditions that the collector applies; a text filter is left to it. */
  private fits(row: EventRow): boolean {
    if (this.namespace !== undefined && row.namespace !== this.namespace) return false;
    if (this.kinds.size > 0 && !this.kinds.has(row.kind)) return false;
    const text = this.text.trim().toLowerCase();
    return text === '' || `${row.preview} ${row.tool_name ?? ''}`.toLowerCase().includes(text);
  }

  private drawSoon(): void {
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => this.draw());
  }

  private draw(): void {
    if (this.following && this.rows.size > maxRows) {
      const oldest = [...this.rows.keys()].sort().slice(0, dropRows);
      for (const id of oldest) this.rows.delete(id);
      this.older = [...this.rows.keys()].sort()[0];
    }
    this.layout = layoutEvents([...this.rows.values()]);
    if (this.layout.untyped > this.reportedUntyped) {
      this.reportedUntyped = this.layout.untyped;
      this.ctx.port.trouble(`${this.layout.untyped} events without a type are not drawn`);
    }
    if (this.following) {
      void this.updateComplete
        .then(() => this.listElement()?.updateComplete)
        .then(() => {
          if (this.following) this.listElement()?.scrollToEnd();
        });
    }
  }

  private async reload(): Promise<void> {
    this.generation += 1;
    const generation = this.generation;
    try {
      const { items, next, total } = await this.fetch(undefined);
      if (generation !== this.generation) return;
      this.rows.clear();
      for (const row of items) this.rows.set(row.event_id, row);
      this.older = next;
      this.total = total;
      this.loaded = true;
      this.error = undefined;
      this.following = true;
      this.unseen = 0;
      this.draw();
    } catch (error) {
      if (generation !== this.generation) return;
      this.error = error instanceof Error ? error.message : String(error);
      if (this.loaded) report(this, error);
    }
  }

  private async loadOlder(): Promise<void> {
    if (this.loadingOlder || this.older === undefined) return;
    this.loadingOlder = true;
    const generation = this.generation;
    try {
      const { items, next } = await this.fetch(this.older);
      if (generation !== this.generation) return;
      const before = this.layout.lines.length;
      for (const row of items) this.rows.set(row.event_id, row);
      this.older = next;
      this.draw();
      const added = this.layout.lines.length - before;
      await this.updateComplete;
      const list = this.listElement();
      await list?.updateComplete;
      list?.shift(added);
    } catch (error) {
      report(this, error);
    } finally {
      this.loadingOlder = false;
    }
  }

  /** A distillation has run: what waited does not wait any more. Only the newest page can have changed. */
  private refreshStates(): void {
    const generation = this.generation;
    void this.fetch(undefined)
      .then(({ items }) => {
        if (generation !== this.generation) return;
        for (const row of items) if (this.rows.has(row.event_id)) this.rows.set(row.event_id, row);
        this.drawSoon();
      })
      .catch((error: unknown) => report(this, error));
  }

  private fetch(before: string | undefined) {
    const text = this.text.trim();
    return this.ctx.port.call('listEvents', {
      limit: pageSize,
      ...(this.namespace === undefined ? {} : { namespace: this.namespace }),
      ...(this.kinds.size === 0 ? {} : { kinds: [...this.kinds] }),
      ...(text === '' ? {} : { text }),
      ...(before === undefined ? {} : { before }),
    });
  }
}

/** The tool's name stands before it already. */
function previewOf(row: EventRow): string {
  const text = row.display_message ?? row.preview;
  const head = row.tool_name === undefined ? '' : `${row.tool_name} · `;
  return head !== '' && text.startsWith(head) ? text.slice(head.length) : text;
}

function lineId(line: TailLine | undefined): string | undefined {
  return line?.line === 'event' ? line.row.event_id : undefined;
}

function rowClass(line: TailLine | undefined, opened: string | undefined): string {
  if (line === undefined) return '';
  if (line.line === 'session') return 'kl-session';
  const { rendering, depth, row } = line;
  const classes = ['kl-event', `kl-tone-${rendering.tone}`, `kl-depth-${Math.min(depth, 3)}`];
  if (rendering.failed) classes.push('kl-failed');
  if (line.startsTurn) classes.push('kl-turn');
  if (row.event_id === opened) classes.push('kl-opened');
  return classes.join(' ');
}
