import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import type { RecordFilter } from '../src/contract/local-api';
import type { MemoryRecord } from '../src/contract/memory-record';
import type { PageInit } from '../src/contract/webview-messages';
import type { Aim } from './app';
import { PageElement, type PageContext } from './element';
import './memory-detail';
import './memory-filters';
import { isFiltering, type MemoryFilters } from './memory-filters';
import { button, debounce, emptyState, failure, icon, iconButton, loading, report, valueOf } from './parts';
import { SparsePages } from './sparse-pages';
import type { StringKey } from './strings';
import type { ListRange, VirtualList } from './virtual-list';
import './virtual-list';

const rowHeight = 48;
const pageSize = 200;
const maxPages = 25;

export const typeIcons: Record<MemoryRecord['observation_type'], string> = {
  decision: 'milestone',
  error: 'bug',
  discovery: 'lightbulb',
  pattern: 'symbol-structure',
  preference: 'account',
  tool_use: 'tools',
  session_summary: 'comment-discussion',
};

interface Undo {
  text: string;
  changes: string[];
}

interface Found {
  sessions: number;
  bytes: number;
}

interface ImportJob {
  id: string;
  done: number;
  total: number;
}

/** The memories: instant search, filters, one long list, one detail. */
@customElement('kl-memories')
export class MemoriesView extends PageElement {
  @property({ attribute: false }) ctx!: PageContext;
  @property({ attribute: false }) init!: PageInit;
  @property() namespace: string | undefined;
  @property({ type: Boolean }) waits = false;
  @property({ type: Boolean }) readOnly = false;
  @property({ attribute: false }) aim: Aim | undefined;
  @state() private query = '';
  @state() private filters: MemoryFilters = {};
  @state() private showFilters = false;
  @state() private loaded = false;
  @state() private error: string | undefined;
  @state() private opened: string | undefined;
  @state() private undo: Undo | undefined;
  @state() private found: Found | undefined;
  @state() private job: ImportJob | undefined;
  @state() private version = 0;
  private readonly pages = new SparsePages<MemoryRecord>(pageSize, maxPages);
  private readonly selected = new Set<string>();
  private anchor = -1;
  private generation = 0;
  private readonly fetching = new Set<number>();
  private endStream: (() => void) | undefined;
  private readonly searchSoon = debounce(60, () => void this.reload(true));
  private readonly refreshSoon = debounce(150, () => void this.reload(false));
  private undoTimer: ReturnType<typeof setTimeout> | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.endStream = this.ctx.port.onStream((event) => {
      if (event.stream === 'records' || event.stream === 'resync') this.refreshSoon();
      if (event.stream === 'job' && event.job_id === this.job?.id) {
        this.job =
          event.state === 'running' ? { id: event.job_id, done: event.done, total: event.total } : undefined;
        if (event.state === 'failed') report(this, new Error(event.message ?? event.label));
        if (event.state !== 'running') this.refreshSoon();
      }
    });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.endStream?.();
    this.searchSoon.cancel();
    this.refreshSoon.cancel();
    clearTimeout(this.undoTimer);
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('namespace') || changed.has('waits')) {
      this.selected.clear();
      if (!this.waits) void this.reload(true);
    }
    if (changed.has('aim') && this.aim !== undefined) {
      const { record_id: id, query } = this.aim.target;
      if (query !== undefined) {
        this.query = query;
        this.searchSoon();
      }
      this.opened = id ?? this.opened;
    }
  }

  protected override render(): TemplateResult {
    const detail = this.opened !== undefined;
    return html`<div class="kl-split ${detail ? 'kl-has-detail' : ''}">
      <section class="kl-side">
        ${this.toolbar()} ${this.selectionBar()} ${this.list()} ${this.undoBar()}
      </section>
      <section class="kl-detail">${this.detail()}</section>
    </div>`;
  }

  private toolbar(): TemplateResult {
    const { words } = this.ctx;
    return html`<div class="kl-toolbar">
        <vscode-textfield
          class="kl-grow kl-search"
          type="search"
          .label=${words.t('memories.search')}
          .placeholder=${words.t('memories.search')}
          .value=${this.query}
          @input=${(event: Event) => {
            this.query = valueOf(event);
            this.searchSoon();
          }}
          @keydown=${this.searchKey}
        >
          <vscode-icon slot="content-before" name="search" aria-hidden="true"></vscode-icon>
        </vscode-textfield>
        ${iconButton('filter', words.t('memories.filters'), () => (this.showFilters = !this.showFilters), {
          pressed: this.showFilters || isFiltering(this.filters),
        })}
      </div>
      ${
        this.showFilters
          ? html`<kl-memory-filters
              .ctx=${this.ctx}
              .filters=${this.filters}
              @change=${(event: CustomEvent<MemoryFilters>) => {
                if (!(event instanceof CustomEvent)) return;
                this.filters = event.detail;
                this.searchSoon();
              }}
            ></kl-memory-filters>`
          : nothing
      }
      <div class="kl-count kl-dim" role="status">${this.countText()}</div>`;
  }

  private countText(): string {
    if (!this.loaded) return '';
    const total = this.pages.total;
    return total === 1 ? this.ctx.words.t('memories.countOne') : this.ctx.words.t('memories.count', total);
  }

  private list(): TemplateResult {
    const { words } = this.ctx;
    if (this.error !== undefined && !this.loaded)
      return failure(words, this.error, () => void this.reload(true));
    if (!this.loaded) return loading(words);
    if (this.pages.total === 0) return this.empty();
    return html`<kl-list
      class="kl-fill"
      .count=${this.pages.total}
      .rowHeight=${rowHeight}
      .multi=${true}
      .label=${words.t('memories.list')}
      .renderRow=${(index: number) => this.row(index)}
      .rowClass=${(index: number) => this.rowClass(index)}
      .isSelected=${(index: number) => this.isSelected(index)}
      @range=${(event: CustomEvent<ListRange>) => this.look(event.detail)}
      @open=${(event: CustomEvent<{ index: number }>) => this.open(event.detail.index)}
      @toggle=${(event: CustomEvent<{ index: number; extend: boolean }>) =>
        this.toggle(event.detail.index, event.detail.extend)}
      @move=${(event: CustomEvent<{ index: number; extend: boolean }>) => {
        if (event.detail.extend) this.toggle(event.detail.index, true);
      }}
      @keydown=${this.listKey}
    ></kl-list>`;
  }

  private row(index: number): TemplateResult {
    const { words } = this.ctx;
    const record = this.pages.at(index);
    if (record === undefined) return html`<span class="kl-skeleton"></span>`;
    const files = record.files_touched.length;
    const notes = [
      words.t(`type.${record.observation_type}`),
      words.when(record.valid_from),
      record.session_title ?? '',
      files === 0 ? '' : files === 1 ? words.t('memories.file') : words.t('memories.files', files),
    ].filter((note) => note !== '');
    const chosen = this.selected.has(record.record_id);
    return html`<span class="kl-check" title=${words.t('memories.select')}
        >${icon(chosen ? 'pass-filled' : 'circle-large')}</span
      >
      <span class="kl-type kl-type-${record.observation_type}"
        >${icon(typeIcons[record.observation_type])}</span
      >
      <span class="kl-lines">
        <span class="kl-line1"
          >${record.pinned ? html`<span title=${words.t('memories.pinned')}>${icon('pinned')}</span>` : nothing}<span
            class="kl-ellipsis"
            >${record.title}</span
          >${
            record.status === 'current'
              ? nothing
              : html`<span class="kl-chip">${words.t(`status.${record.status}`)}</span>`
          }</span
        >
        <span class="kl-line2 kl-dim kl-ellipsis">${notes.join(' · ')}</span>
      </span>`;
  }

  private rowClass(index: number): string {
    const record = this.pages.at(index);
    if (record === undefined) return 'kl-memory';
    const faded = record.status === 'current' ? '' : 'kl-faded';
    const opened = record.record_id === this.opened ? 'kl-opened' : '';
    return `kl-memory ${faded} ${opened} ${this.selected.has(record.record_id) ? 'kl-chosen' : ''}`;
  }

  private isSelected(index: number): boolean {
    const record = this.pages.at(index);
    return record !== undefined && this.selected.has(record.record_id);
  }

  private empty(): TemplateResult {
    const { words } = this.ctx;
    if (this.query.trim() !== '' || isFiltering(this.filters)) {
      const clear = () => {
        this.query = '';
        this.filters = {};
        void this.reload(true);
      };
      return emptyState(
        'search',
        words.t('memories.nothingFound'),
        words.t('memories.nothingFoundDetail'),
        button(words.t('memories.filter.clear'), clear),
      );
    }
    if (!this.init.set_up) {
      return emptyState(
        'plug',
        words.t('memories.empty'),
        words.t('memories.emptySetUp'),
        button(words.t('action.setUp'), () => this.run('kiro-learn.setUp'), { primary: true }),
      );
    }
    return emptyState('book', words.t('memories.empty'), words.t('memories.emptyDetail'), this.importOffer());
  }

  private importOffer(): TemplateResult | typeof nothing {
    const { words } = this.ctx;
    if (this.job !== undefined) {
      const { id, done, total } = this.job;
      return html`<p role="status">${words.t('memories.importDone', done, total)}</p>
        <vscode-progress-bar
          .value=${total === 0 ? 0 : Math.round((100 * done) / total)}
          .label=${words.t('memories.import')}
        ></vscode-progress-bar>
        ${button(words.t('common.cancel'), () => void this.ctx.port.call('cancelJob', { job_id: id }))}`;
    }
    if (this.found === undefined || this.found.sessions === 0) return nothing;
    const { sessions, bytes } = this.found;
    return html`<p>${words.t('memories.emptyImport', sessions, words.bytes(bytes))}</p>
      ${button(words.t('memories.import'), () => void this.startImport(), { primary: true })}`;
  }

  private selectionBar(): TemplateResult | typeof nothing {
    const { words } = this.ctx;
    const count = this.selected.size;
    if (count === 0) return nothing;
    const ids = [...this.selected];
    const off = { disabled: this.readOnly };
    return html`<div class="kl-selection" role="toolbar" aria-label=${words.t('memories.selected', count)}>
      <span class="kl-grow">${words.t('memories.selected', count)}</span>
      ${iconButton('pin', words.t('memory.pin'), () => void this.pin(ids, true), off)}
      ${iconButton('pinned', words.t('memory.unpin'), () => void this.pin(ids, false), off)}
      ${iconButton('eye-closed', words.t('memory.forget'), () => void this.forget(ids), off)}
      ${iconButton('trash', words.t('memory.erase'), () => void this.erase(ids), off)}
      ${iconButton('close', words.t('memories.clearSelection'), () => this.clearSelection())}
    </div>`;
  }

  private undoBar(): TemplateResult | typeof nothing {
    const { words } = this.ctx;
    const undo = this.undo;
    if (undo === undefined) return nothing;
    return html`<div class="kl-toast" role="status">
      <span class="kl-grow">${undo.text}</span>
      ${undo.changes.length > 0 ? button(words.t('common.undo'), () => void this.takeBack(undo.changes)) : nothing}
      ${iconButton('close', words.t('common.close'), () => (this.undo = undefined))}
    </div>`;
  }

  private detail(): TemplateResult {
    const { words } = this.ctx;
    if (this.opened === undefined) return html`<div class="kl-hint kl-dim">${words.t('memories.pick')}</div>`;
    return html`<kl-memory-detail
      .ctx=${this.ctx}
      .init=${this.init}
      .recordId=${this.opened}
      .readOnly=${this.readOnly}
      @close=${() => this.closeDetail()}
      @pin=${(event: CustomEvent<boolean>) => this.opened && void this.pin([this.opened], event.detail)}
      @forget=${() => this.opened && void this.forget([this.opened])}
      @restore=${() => this.opened && void this.restore([this.opened])}
      @erase=${() => this.opened && void this.erase([this.opened])}
      @saved=${(event: CustomEvent<string[]>) => this.say(words.t('memory.savedDone'), event.detail)}
      @openrecord=${(event: CustomEvent<string>) => (this.opened = event.detail)}
    ></kl-memory-detail>`;
  }

  private readonly searchKey = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowDown') {
      event.preventDefault();
      this.listElement()?.focusList();
    } else if (event.key === 'Escape' && this.query !== '') {
      this.query = '';
      this.searchSoon();
    }
  };

  private readonly listKey = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') {
      if (this.selected.size > 0) this.clearSelection();
      else this.closeDetail();
    } else if (event.key === '/' || (event.key === 'f' && (event.ctrlKey || event.metaKey))) {
      event.preventDefault();
      this.querySelector<HTMLElement>('.kl-search')?.focus();
    } else if (event.key === 'a' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      for (const [, record] of this.pages.known()) this.selected.add(record.record_id);
      this.version += 1;
    } else if (event.key === 'Delete' && !this.readOnly) {
      const active = this.pages.at(this.listElement()?.active ?? -1);
      const ids =
        this.selected.size > 0 ? [...this.selected] : active === undefined ? [] : [active.record_id];
      if (ids.length > 0) void this.forget(ids);
    }
  };

  private listElement(): VirtualList | null {
    return this.querySelector<VirtualList>('kl-list');
  }

  private open(index: number): void {
    const record = this.pages.at(index);
    if (record !== undefined) this.opened = record.record_id;
  }

  private closeDetail(): void {
    this.opened = undefined;
    void this.updateComplete.then(() => this.listElement()?.focusList());
  }

  private toggle(index: number, extend: boolean): void {
    const record = this.pages.at(index);
    if (record === undefined) return;
    if (extend && this.anchor >= 0) {
      const [from, to] = this.anchor < index ? [this.anchor, index] : [index, this.anchor];
      for (let at = from; at <= to; at++) {
        const between = this.pages.at(at);
        if (between !== undefined) this.selected.add(between.record_id);
      }
    } else {
      if (!this.selected.delete(record.record_id)) this.selected.add(record.record_id);
      this.anchor = index;
    }
    this.version += 1;
  }

  private clearSelection(): void {
    this.selected.clear();
    this.anchor = -1;
    this.version += 1;
  }

  private filter(): RecordFilter {
    const query = this.query.trim();
    return {
      statuses: ['current'],
      ...this.filters,
      ...(query === '' ? {} : { query }),
      ...(this.namespace === undefined ? {} : { namespace: this.namespace }),
    };
  }

  /** Asks anew; `fromTop` for another question, else what is in view stays where it is. */
  private async reload(fromTop: boolean): Promise<void> {
    this.generation += 1;
    const generation = this.generation;
    const range = fromTop ? { first: 0, last: 0 } : (this.listElement()?.range ?? { first: 0, last: 0 });
    const page = Math.floor(Math.max(0, range.first) / pageSize);
    try {
      const { items, total } = await this.fetch(page);
      if (generation !== this.generation) return;
      this.fetching.clear();
      this.pages.clear();
      this.pages.set(page, items, total);
      this.loaded = true;
      this.error = undefined;
      this.version += 1;
      if (fromTop) this.listElement()?.scrollToTop();
      if (total === 0 && this.init.set_up) void this.lookForSessions();
    } catch (error) {
      if (generation !== this.generation) return;
      this.error = error instanceof Error ? error.message : String(error);
      if (this.loaded) report(this, error);
    }
  }

  private fetch(page: number): Promise<{ items: MemoryRecord[]; total: number }> {
    return this.ctx.port.call('listMemories', { ...this.filter(), limit: pageSize, offset: page * pageSize });
  }

  private look(range: ListRange): void {
    for (const page of this.pages.missing(range.first, range.last)) {
      if (this.fetching.has(page)) continue;
      this.fetching.add(page);
      const generation = this.generation;
      void this.fetch(page)
        .then(({ items, total }) => {
          if (generation !== this.generation) return;
          this.pages.set(page, items, total);
          this.version += 1;
        })
        .catch((error: unknown) => report(this, error))
        .finally(() => this.fetching.delete(page));
    }
  }

  private async lookForSessions(): Promise<void> {
    const workspace = this.init.workspace;
    if (workspace === undefined) return;
    try {
      this.found = await this.ctx.port.call('findSessions', { workspace });
    } catch {
      this.found = undefined;
    }
  }

  private async startImport(): Promise<void> {
    const workspace = this.init.workspace;
    if (workspace === undefined) return;
    await this.guard(async () => {
      const { job_id: id } = await this.ctx.port.call('importSessions', { workspace });
      this.job = { id, done: 0, total: this.found?.sessions ?? 0 };
    });
  }

  private pin(ids: string[], pinned: boolean): Promise<void> {
    const key: StringKey = pinned ? 'memory.pinnedDone' : 'memory.unpinnedDone';
    return this.change(key, () => this.ctx.port.call('pinMemories', { record_ids: ids, pinned }));
  }

  private forget(ids: string[]): Promise<void> {
    return this.change('memory.forgottenDone', () =>
      this.ctx.port.call('forgetMemories', { record_ids: ids }),
    );
  }

  private restore(ids: string[]): Promise<void> {
    return this.change('memory.restoredDone', () =>
      this.ctx.port.call('restoreMemories', { record_ids: ids }),
    );
  }

  private async erase(ids: string[]): Promise<void> {
    await this.guard(async () => {
      const { erased } = await this.ctx.port.call('eraseMemories', { record_ids: ids });
      if (erased === 0) return;
      this.clearSelection();
      if (this.opened !== undefined && ids.includes(this.opened)) this.opened = undefined;
      this.say(this.ctx.words.t('memory.erasedDone', erased), []);
      this.refreshSoon();
    });
  }

  private async change(
    key: StringKey,
    work: () => Promise<{ changed: number; change_ids: string[] }>,
  ): Promise<void> {
    await this.guard(async () => {
      const { changed, change_ids: changes } = await work();
      this.clearSelection();
      this.say(this.ctx.words.t(key, changed), changes);
      this.refreshSoon();
    });
  }

  private async takeBack(changes: string[]): Promise<void> {
    await this.guard(async () => {
      await this.ctx.port.call('undo', { change_ids: changes });
      this.say(this.ctx.words.t('memory.undone'), []);
      this.refreshSoon();
    });
  }

  private async guard(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      report(this, error);
    }
  }

  private say(text: string, changes: string[]): void {
    this.undo = { text, changes };
    clearTimeout(this.undoTimer);
    this.undoTimer = setTimeout(() => (this.undo = undefined), 10_000);
  }

  private run(command: 'kiro-learn.setUp'): void {
    void this.ctx.port.act('runCommand', { command }).catch((error: unknown) => report(this, error));
  }
}
