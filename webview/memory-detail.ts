import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import type { ApiResult } from '../src/contract/local-api';
import type { MemoryRecord } from '../src/contract/memory-record';
import type { PageInit } from '../src/contract/webview-messages';
import { PageElement, type PageContext } from './element';
import { button, debounce, failure, goTo, icon, iconButton, loading, report, valueOf } from './parts';

type Memory = ApiResult<'getMemory'>;

interface Draft {
  title: string;
  summary: string;
  facts: string;
}

/** One memory: what it says, what it rests on, what became of it; edited in place. */
@customElement('kl-memory-detail')
export class MemoryDetail extends PageElement {
  @property({ attribute: false }) ctx!: PageContext;
  @property({ attribute: false }) init!: PageInit;
  @property() recordId = '';
  @property({ type: Boolean }) readOnly = false;
  @state() private memory: Memory | undefined;
  @state() private error: string | undefined;
  @state() private draft: Draft | undefined;
  private endStream: (() => void) | undefined;
  private readonly again = debounce(100, () => void this.load());

  override connectedCallback(): void {
    super.connectedCallback();
    this.endStream = this.ctx.port.onStream((event) => {
      if (event.stream === 'resync') this.again();
      if (event.stream === 'records' && event.record_ids.includes(this.recordId)) this.again();
    });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.endStream?.();
    this.again.cancel();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has('recordId')) return;
    this.memory = undefined;
    this.draft = undefined;
    void this.load();
  }

  protected override render(): TemplateResult {
    const { words } = this.ctx;
    if (this.error !== undefined) return failure(words, this.error, () => void this.load());
    if (this.memory === undefined) return loading(words);
    const record = this.memory.record;
    const back = iconButton('arrow-left', words.t('common.back'), () => this.tell('close'));
    if (record === null) {
      return html`<div class="kl-detail-head">${back}</div>
        <div class="kl-hint kl-dim">${words.t('memory.gone')}</div>`;
    }
    return html`<div class="kl-detail-head">${back}<span class="kl-grow"></span>${this.buttons(record)}</div>
      <article class="kl-article">
        ${this.draft === undefined ? this.text(record) : this.editor(this.draft)} ${this.files(record)}
        ${this.evidence(this.memory, record)} ${this.about(record)} ${this.history(this.memory)}
      </article>`;
  }

  private buttons(record: MemoryRecord): TemplateResult {
    const { words } = this.ctx;
    const off = { disabled: this.readOnly };
    const hidden = record.status === 'forgotten';
    return html`${iconButton('edit', words.t('memory.edit'), () => this.edit(record), off)}
    ${
      record.pinned
        ? iconButton('pinned', words.t('memory.unpin'), () => this.tell('pin', false), {
            ...off,
            pressed: true,
          })
        : iconButton('pin', words.t('memory.pin'), () => this.tell('pin', true), off)
    }
    ${
      hidden
        ? iconButton('eye', words.t('memory.restore'), () => this.tell('restore'), off)
        : iconButton('eye-closed', words.t('memory.forget'), () => this.tell('forget'), off)
    }
    ${iconButton('trash', words.t('memory.erase'), () => this.tell('erase'), off)}
    ${iconButton('copy', words.t('common.copy'), () => this.copy(record))}`;
  }

  private text(record: MemoryRecord): TemplateResult {
    const { words } = this.ctx;
    return html`<h2 class="kl-title">${record.title}</h2>
      <p class="kl-chips">
        <span class="kl-chip kl-type-${record.observation_type}"
          >${words.t(`type.${record.observation_type}`)}</span
        >
        ${
          record.status === 'current'
            ? nothing
            : html`<span class="kl-chip kl-warn">${words.t(`status.${record.status}`)}</span>`
        }
        <span class="kl-chip">${words.t(`origin.${record.origin}`)}</span>
        ${record.pinned ? html`<span class="kl-chip">${icon('pinned')} ${words.t('memories.pinned')}</span>` : nothing}
      </p>
      ${
        record.superseded_by === undefined
          ? nothing
          : html`<p>
              ${words.t('memory.supersededBy')}
              <button
                class="kl-link"
                type="button"
                @click=${() => this.tell('openrecord', record.superseded_by)}
              >
                ${record.superseded_by}
              </button>
            </p>`
      }
      <p class="kl-prose">${record.summary}</p>
      ${
        record.facts.length === 0
          ? nothing
          : html`<h3>${words.t('memory.facts')}</h3>
              <ul class="kl-facts">
                ${record.facts.map((fact) => html`<li>${fact}</li>`)}
              </ul>`
      }
      ${
        record.concepts.length === 0
          ? nothing
          : html`<h3>${words.t('memory.concepts')}</h3>
              <p class="kl-chips">
                ${record.concepts.map((concept) => html`<span class="kl-chip">${concept}</span>`)}
              </p>`
      }`;
  }

  private editor(draft: Draft): TemplateResult {
    const { words } = this.ctx;
    const change = (key: keyof Draft) => (event: Event) => (this.draft = { ...draft, [key]: valueOf(event) });
    return html`<h2 class="kl-hidden">${words.t('memory.edit')}</h2>
      <form
        class="kl-editor"
        @submit=${(event: Event) => event.preventDefault()}
        @keydown=${(event: KeyboardEvent) => {
          if (event.key === 'Escape') this.draft = undefined;
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void this.save();
        }}
      >
        <label class="kl-field"
          ><span class="kl-dim">${words.t('memory.title')}</span
          ><vscode-textfield
            maxlength="200"
            .label=${words.t('memory.title')}
            .value=${draft.title}
            @input=${change('title')}
          ></vscode-textfield
        ></label>
        <label class="kl-field"
          ><span class="kl-dim">${words.t('memory.summary')}</span
          ><vscode-textarea
            rows="6"
            maxlength="4000"
            .label=${words.t('memory.summary')}
            .value=${draft.summary}
            @input=${change('summary')}
          ></vscode-textarea
        ></label>
        <label class="kl-field"
          ><span class="kl-dim">${words.t('memory.facts')} · ${words.t('memory.factsHint')}</span
          ><vscode-textarea
            rows="6"
            .label=${words.t('memory.facts')}
            .value=${draft.facts}
            @input=${change('facts')}
          ></vscode-textarea
        ></label>
        <div class="kl-actions">
          ${button(words.t('common.save'), () => void this.save(), { primary: true, disabled: draft.title.trim() === '' })}
          ${button(words.t('common.cancel'), () => (this.draft = undefined))}
        </div>
      </form>`;
  }

  private files(record: MemoryRecord): TemplateResult | typeof nothing {
    const { words } = this.ctx;
    if (record.files_touched.length === 0) return nothing;
    return html`<h3>${words.t('memory.filesTouched')}</h3>
      <ul class="kl-plain">
        ${record.files_touched.map(
          (file) =>
            html`<li>
              <button class="kl-link kl-mono" type="button" @click=${() => void this.openFile(file)}>
                ${icon('file')} ${file}
              </button>
            </li>`,
        )}
      </ul>`;
  }

  private evidence(memory: Memory, record: MemoryRecord): TemplateResult {
    const { words } = this.ctx;
    const rows = new Map(memory.evidence.map((row) => [row.event_id, row]));
    if (record.evidence.length === 0) {
      return html`<h3>${words.t('memory.evidence')}</h3>
        <p class="kl-dim">
          ${words.t(record.strategy === 'user' ? 'memory.ownWords' : 'memory.noEvidence')}
        </p>`;
    }
    return html`<h3>${words.t('memory.evidence')}</h3>
      ${record.evidence.map((piece) => {
        const row = rows.get(piece.event_id);
        return html`<blockquote class="kl-quote">
          <p class="kl-prose">${piece.excerpt}</p>
          <footer class="kl-dim">
            ${
              row === undefined
                ? nothing
                : html`<span>${words.moment(row.valid_time)}</span>
                    <button
                      class="kl-link"
                      type="button"
                      @click=${() => goTo(this, { tab: 'events', event_id: piece.event_id })}
                    >
                      ${words.t('memory.showEvent')}
                    </button>`
            }
          </footer>
        </blockquote>`;
      })}`;
  }

  private about(record: MemoryRecord): TemplateResult {
    const { words } = this.ctx;
    const recalled =
      record.recall_count === 0
        ? words.t('memory.recalledNever')
        : words.t(
            'memory.recalledTimes',
            record.recall_count,
            record.last_recalled_at === undefined ? '' : words.moment(record.last_recalled_at),
          );
    const rows: [string, string | undefined][] = [
      [words.t('memory.validFrom'), words.moment(record.valid_from)],
      [words.t('memory.validTo'), record.valid_to === undefined ? undefined : words.moment(record.valid_to)],
      [
        words.t('memory.session'),
        record.strategy === 'user' ? undefined : (record.session_title ?? record.session_id),
      ],
      [words.t('memory.branch'), record.branch],
      [words.t('memory.madeBy'), words.t(`strategy.${record.strategy}`)],
      [words.t('memory.origin'), words.t(`origin.${record.origin}`)],
      [words.t('memory.recalled'), recalled],
      [
        words.t('memory.recurrence'),
        record.recurrence > 1 ? words.t('memory.recurrenceTimes', record.recurrence) : undefined,
      ],
      [words.t('memory.importance'), words.n(Math.round(record.importance * 100) / 100)],
      [words.t('memory.id'), record.record_id],
    ];
    return html`<h3>${words.t('memory.about')}</h3>
      <dl class="kl-table">
        ${rows.map(([name, value]) =>
          value === undefined
            ? nothing
            : html`<dt>${name}</dt>
                <dd>${value}</dd>`,
        )}
      </dl>`;
  }

  private history(memory: Memory): TemplateResult | typeof nothing {
    const { words } = this.ctx;
    if (memory.history.length === 0) return nothing;
    return html`<details class="kl-details">
      <summary>${words.t('memory.history')} (${words.n(memory.history.length)})</summary>
      <ol class="kl-history">
        ${[...memory.history].reverse().map(
          (entry) =>
            html`<li>
              <span>${words.tData('change', entry.change)}</span>
              <span class="kl-dim">${words.moment(entry.at)}</span>
              ${
                entry.change === 'edited' && entry.before !== undefined
                  ? html`<div class="kl-dim kl-prose kl-was">${entry.before.title}</div>`
                  : nothing
              }
            </li>`,
        )}
      </ol>
    </details>`;
  }

  private async load(): Promise<void> {
    const id = this.recordId;
    try {
      const memory = await this.ctx.port.call('getMemory', { record_id: id });
      if (id !== this.recordId) return;
      this.memory = memory;
      this.error = undefined;
    } catch (error) {
      if (id === this.recordId) this.error = error instanceof Error ? error.message : String(error);
    }
  }

  private edit(record: MemoryRecord): void {
    this.draft = { title: record.title, summary: record.summary, facts: record.facts.join('\n') };
    void this.updateComplete.then(() =>
      this.querySelector<HTMLElement>('.kl-editor vscode-textfield')?.focus(),
    );
  }

  private async save(): Promise<void> {
    const draft = this.draft;
    if (draft === undefined || draft.title.trim() === '') return;
    const facts = draft.facts
      .split('\n')
      .map((fact) => fact.trim())
      .filter((fact) => fact !== '');
    try {
      const { change_ids: changes } = await this.ctx.port.call('editMemory', {
        record_id: this.recordId,
        title: draft.title.trim(),
        summary: draft.summary.trim(),
        facts,
      });
      this.draft = undefined;
      this.tell('saved', changes);
      await this.load();
    } catch (error) {
      report(this, error);
    }
  }

  private async openFile(file: string): Promise<void> {
    const root = this.init.workspace;
    try {
      const { opened } = await this.ctx.port.act('openFile', {
        path: file,
        ...(root === undefined ? {} : { root }),
      });
      if (!opened) report(this, new Error(this.ctx.words.t('memory.openFailed')));
    } catch (error) {
      report(this, error);
    }
  }

  private copy(record: MemoryRecord): void {
    const text = [record.title, '', record.summary, ...record.facts.map((fact) => `- ${fact}`)].join('\n');
    void this.ctx.port.act('copy', { text }).catch((error: unknown) => report(this, error));
  }

  private tell(name: string, detail?: unknown): void {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}
