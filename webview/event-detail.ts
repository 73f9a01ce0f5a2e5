import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { toolUseDataSchema, type EventBody } from '../src/contract/event';
import type { ApiResult, EventRow } from '../src/contract/local-api';
import { PageElement, type PageContext } from './element';
import { renderEvent } from './event-rendering';
import { button, debounce, failure, goTo, icon, iconButton, loading } from './parts';
import { typeIcons } from './memories-view';

type Answer = ApiResult<'getEvent'>;

/** Text beyond this is shown on request. */
const shownChars = 8000;

/** One event in full, and what was learned from it. */
@customElement('kl-event-detail')
export class EventDetail extends PageElement {
  @property({ attribute: false }) ctx!: PageContext;
  @property() eventId = '';
  @property({ attribute: false }) row: EventRow | undefined;
  @state() private answer: Answer | undefined;
  @state() private error: string | undefined;
  @state() private whole = new Set<string>();
  private endStream: (() => void) | undefined;
  private readonly again = debounce(150, () => void this.load());

  override connectedCallback(): void {
    super.connectedCallback();
    this.endStream = this.ctx.port.onStream((event) => {
      if (event.stream === 'records' || event.stream === 'resync') this.again();
    });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.endStream?.();
    this.again.cancel();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has('eventId')) return;
    this.answer = undefined;
    this.whole = new Set();
    void this.load();
  }

  protected override render(): TemplateResult {
    const { words } = this.ctx;
    if (this.error !== undefined) return failure(words, this.error, () => void this.load());
    if (this.answer === undefined) return loading(words);
    const event = this.answer.event;
    const back = iconButton('arrow-left', words.t('common.back'), () => this.tell('close'));
    if (event === null) {
      return html`<div class="kl-detail-head">${back}</div>
        <div class="kl-hint kl-dim">${words.t('events.gone')}</div>`;
    }
    const parent = event.parent_event_id;
    return html`<div class="kl-detail-head">
        ${back}<span class="kl-grow"></span>
        ${
          parent === undefined
            ? nothing
            : button(words.t('event.turn'), () => this.tell('openevent', parent), { icon: 'arrow-up' })
        }
      </div>
      <article class="kl-article">
        ${this.heading()}
        <dl class="kl-table">
          <dt>${words.t('event.time')}</dt>
          <dd>${words.moment(event.valid_time)}</dd>
          <dt>${words.t('event.surface')}</dt>
          <dd>${event.source.surface}</dd>
          ${
            event.source.project_path === undefined
              ? nothing
              : html`<dt>${words.t('event.folder')}</dt>
                  <dd class="kl-mono">${event.source.project_path}</dd>`
          }
        </dl>
        ${this.body(event.body)} ${this.learned(this.answer)}
      </article>`;
  }

  private heading(): TemplateResult {
    const { words } = this.ctx;
    const row = this.row;
    const drawn = row === undefined ? undefined : renderEvent(row).drawn;
    if (row === undefined || drawn === undefined) return html`<h2 class="kl-title">${this.eventId}</h2>`;
    return html`<h2 class="kl-title">${icon(drawn.icon)} ${drawn.name || words.t(drawn.label)}</h2>
      <p class="kl-chips">
        ${
          drawn.failed
            ? html`<span class="kl-chip kl-bad">${words.t('events.failed')}</span>`
            : row.success === true
              ? html`<span class="kl-chip">${words.t('event.succeeded')}</span>`
              : nothing
        }
        ${row.repeat_count > 1 ? html`<span class="kl-chip">×${words.n(row.repeat_count)}</span>` : nothing}
        ${
          row.duration_ms === undefined
            ? nothing
            : html`<span class="kl-chip">${words.duration(row.duration_ms)}</span>`
        }
      </p>`;
  }

  private body(body: EventBody): TemplateResult {
    const { words } = this.ctx;
    switch (body.type) {
      case 'text':
        return html`<h3>${words.t('event.body')}</h3>
          ${this.block('text', body.content, 'kl-prose')}`;
      case 'message':
        return html`${body.turns.map(
          (turn, index) =>
            html`<h3>${turn.role}</h3>
              ${this.block(`turn${index}`, turn.content, 'kl-prose')}`,
        )}`;
      case 'json': {
        const tool = toolUseDataSchema.safeParse(body.data);
        if (!tool.success) return this.block('json', JSON.stringify(body.data, null, 2), 'kl-mono');
        const result = tool.data.tool_response?.result;
        return html`<h3>${words.t('event.input')}</h3>
          ${this.block('input', pretty(tool.data.tool_input), 'kl-mono')}
          <h3>${words.t('event.result')}</h3>
          ${
            result === undefined || result === null || result === ''
              ? html`<p class="kl-dim">${words.t('event.noResult')}</p>`
              : this.block('result', pretty(result), 'kl-mono')
          }`;
      }
    }
  }

  private block(key: string, text: string, style: string): TemplateResult {
    const cut = text.length > shownChars && !this.whole.has(key);
    return html`<pre class="kl-block ${style}" tabindex="0">
${cut ? `${text.slice(0, shownChars)}…` : text}</pre>
      ${cut ? button(this.ctx.words.t('common.more'), () => (this.whole = new Set([...this.whole, key]))) : nothing}`;
  }

  private learned({ derived }: Answer): TemplateResult {
    const { words } = this.ctx;
    const never = this.row?.distil === 'never';
    return html`<h3>${words.t('event.learned')}</h3>
      ${
        derived.length === 0
          ? html`<p class="kl-dim">${words.t(never ? 'event.learnedNever' : 'event.learnedNothing')}</p>`
          : html`<ul class="kl-plain">
              ${derived.map(
                (record) =>
                  html`<li>
                    <button
                      class="kl-link"
                      type="button"
                      @click=${() => goTo(this, { tab: 'memories', record_id: record.record_id })}
                    >
                      ${icon(typeIcons[record.observation_type])} ${record.title}
                    </button>
                  </li>`,
              )}
            </ul>`
      }`;
  }

  private async load(): Promise<void> {
    const id = this.eventId;
    try {
      const answer = await this.ctx.port.call('getEvent', { event_id: id });
      if (id !== this.eventId) return;
      this.answer = answer;
      this.error = undefined;
    } catch (error) {
      if (id === this.eventId) this.error = error instanceof Error ? error.message : String(error);
    }
  }

  private tell(name: string, detail?: unknown): void {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}

function pretty(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}
