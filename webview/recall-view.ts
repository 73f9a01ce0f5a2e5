import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import type { InjectedRecord, Injection, InjectionVerdict } from '../src/contract/injection';
import type { Aim } from './app';
import { PageElement, type PageContext } from './element';
import { button, emptyState, failure, goTo, icon, iconButton, loading, report } from './parts';
import './virtual-list';

const pageSize = 100;
const rowHeight = 44;
const maxKept = 5000;

/** What went along with each prompt, and why. */
@customElement('kl-recall')
export class RecallView extends PageElement {
  @property({ attribute: false }) ctx!: PageContext;
  @property() namespace: string | undefined;
  @property({ type: Boolean }) waits = false;
  @property({ type: Boolean }) readOnly = false;
  @property({ attribute: false }) aim: Aim | undefined;
  @state() private items: Injection[] = [];
  @state() private next: string | undefined;
  @state() private loaded = false;
  @state() private error: string | undefined;
  @state() private opened: string | undefined;
  private generation = 0;
  private endStream: (() => void) | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.endStream = this.ctx.port.onStream((event) => {
      if (event.stream === 'resync') void this.reload();
      if (event.stream !== 'injection') return;
      const { injection } = event;
      if (this.namespace !== undefined && injection.namespace !== this.namespace) return;
      const others = this.items.filter((item) => item.injection_id !== injection.injection_id);
      this.items = [injection, ...others].slice(0, maxKept);
    });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.endStream?.();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if ((changed.has('namespace') || changed.has('waits')) && !this.waits) void this.reload();
    if (changed.has('aim') && this.aim?.target.injection_id !== undefined) {
      this.opened = this.aim.target.injection_id;
    }
  }

  protected override render(): TemplateResult {
    const { words } = this.ctx;
    if (this.error !== undefined && !this.loaded) return failure(words, this.error, () => void this.reload());
    if (!this.loaded) return loading(words);
    if (this.items.length === 0) {
      return emptyState('sparkle', words.t('recall.empty'), words.t('recall.emptyDetail'));
    }
    return html`<div class="kl-split kl-split-open ${this.opened === undefined ? '' : 'kl-has-detail'}">
      <section class="kl-side">${this.list()}</section>
      <section class="kl-detail">${this.detail()}</section>
    </div>`;
  }

  private list(): TemplateResult {
    const { words } = this.ctx;
    return html`<kl-list
        class="kl-fill"
        .count=${this.items.length}
        .rowHeight=${rowHeight}
        .label=${words.t('recall.list')}
        .renderRow=${(index: number) => this.row(this.items[index])}
        .rowClass=${(index: number) => {
          const item = this.items[index];
          if (item === undefined) return '';
          return `kl-injection ${item.records.length === 0 ? 'kl-faded' : ''} ${item.injection_id === this.opened ? 'kl-opened' : ''}`;
        }}
        .isSelected=${(index: number) => this.items[index]?.injection_id === this.opened}
        @open=${(event: CustomEvent<{ index: number }>) => (this.opened = this.items[event.detail.index]?.injection_id)}
        @keydown=${(event: KeyboardEvent) => {
          if (event.key === 'Escape') this.opened = undefined;
        }}
      ></kl-list>
      ${this.next === undefined ? nothing : button(words.t('recall.more'), () => void this.loadMore())}`;
  }

  private row(item: Injection | undefined): TemplateResult {
    const { words } = this.ctx;
    if (item === undefined) return html``;
    const titles = item.records.map((record) => record.title).join(' · ');
    return html`<span class="kl-type">${icon(item.records.length === 0 ? 'circle-slash' : 'sparkle')}</span>
      <span class="kl-lines">
        <span class="kl-line1"
          ><span class="kl-ellipsis">${this.headline(item)}</span><span class="kl-grow"></span
          ><span class="kl-dim kl-shrink">${words.when(item.at)}</span></span
        >
        <span class="kl-line2 kl-dim kl-ellipsis">${titles || (item.abstained ?? '')}</span>
      </span>`;
  }

  private headline(item: Injection): string {
    const { words } = this.ctx;
    const count = item.records.length;
    if (count === 0) return words.t('recall.none');
    return count === 1 ? words.t('recall.countOne') : words.t('recall.count', count);
  }

  private detail(): TemplateResult {
    const { words } = this.ctx;
    const item = this.items.find((one) => one.injection_id === this.opened);
    if (item === undefined) return html`<div class="kl-hint kl-dim">${words.t('recall.pick')}</div>`;
    const event = item.event_id;
    return html`<div class="kl-detail-head">
        ${iconButton('arrow-left', words.t('common.back'), () => (this.opened = undefined))}
        <span class="kl-grow"></span>
        ${
          event === undefined
            ? nothing
            : button(words.t('recall.showPrompt'), () => goTo(this, { tab: 'events', event_id: event }))
        }
      </div>
      <article class="kl-article">
        <h2 class="kl-title">${this.headline(item)}</h2>
        <p class="kl-dim">
          ${words.moment(item.at)} · ${item.surface} ·
          ${words.t('recall.cost', item.tokens, item.bytes, Math.round(item.latency_ms))}
        </p>
        ${item.abstained === undefined ? nothing : html`<p>${words.t('recall.abstained', item.abstained)}</p>`}
        ${
          item.records.length === 0
            ? nothing
            : html`<h3>${words.t('recall.why')}</h3>
                <ul class="kl-plain">
                  ${item.records.map((record) => this.record(item, record, true))}
                </ul>`
        }
        ${
          item.left_out.length === 0
            ? nothing
            : html`<h3>${words.t('recall.leftOut')}</h3>
                <ul class="kl-plain">
                  ${item.left_out.map((record) => this.record(item, record, false))}
                </ul>`
        }
        ${
          item.context === ''
            ? nothing
            : html`<h3>${words.t('recall.text')}</h3>
                <pre class="kl-block kl-mono" tabindex="0">${item.context}</pre>`
        }
      </article>`;
  }

  private record(item: Injection, record: InjectedRecord, injected: boolean): TemplateResult {
    const { words } = this.ctx;
    const verdict = (value: InjectionVerdict, name: string, label: string) =>
      iconButton(name, label, () => void this.judge(item, record, record.verdict === value ? null : value), {
        pressed: record.verdict === value,
        disabled: this.readOnly,
      });
    return html`<li class="kl-card">
      <div class="kl-line1">
        <button
          class="kl-link kl-grow"
          type="button"
          @click=${() => goTo(this, { tab: 'memories', record_id: record.record_id })}
        >
          ${record.title}
        </button>
        ${
          injected
            ? html`${verdict('not_useful', 'thumbsdown', words.t('recall.notUseful'))}
              ${verdict('never_again', 'circle-slash', words.t('recall.neverAgain'))}`
            : nothing
        }
      </div>
      <div class="kl-dim">${record.reasons.join(' · ')}</div>
      <div class="kl-dim">${words.t('recall.score', Math.round(record.score * 100) / 100)}</div>
      ${
        record.verdict === undefined
          ? nothing
          : html`<div class="kl-warn" role="status">${words.t(`recall.verdict.${record.verdict}`)}</div>`
      }
    </li>`;
  }

  private async judge(
    item: Injection,
    record: InjectedRecord,
    verdict: InjectionVerdict | null,
  ): Promise<void> {
    try {
      await this.ctx.port.call('injectionFeedback', {
        injection_id: item.injection_id,
        record_id: record.record_id,
        verdict,
      });
      const { verdict: _old, ...rest } = record;
      const judged: InjectedRecord = verdict === null ? rest : { ...rest, verdict };
      const records = item.records.map((one) => (one.record_id === record.record_id ? judged : one));
      this.items = this.items.map((one) =>
        one.injection_id === item.injection_id ? { ...one, records } : one,
      );
    } catch (error) {
      report(this, error);
    }
  }

  private async reload(): Promise<void> {
    this.generation += 1;
    const generation = this.generation;
    try {
      const { items, next } = await this.fetch(undefined);
      if (generation !== this.generation) return;
      this.items = items;
      this.next = next;
      this.loaded = true;
      this.error = undefined;
    } catch (error) {
      if (generation !== this.generation) return;
      this.error = error instanceof Error ? error.message : String(error);
      if (this.loaded) report(this, error);
    }
  }

  private async loadMore(): Promise<void> {
    const generation = this.generation;
    try {
      const { items, next } = await this.fetch(this.next);
      if (generation !== this.generation) return;
      this.items = [...this.items, ...items].slice(0, maxKept);
      this.next = this.items.length >= maxKept ? undefined : next;
    } catch (error) {
      report(this, error);
    }
  }

  private fetch(before: string | undefined) {
    return this.ctx.port.call('listInjections', {
      limit: pageSize,
      ...(this.namespace === undefined ? {} : { namespace: this.namespace }),
      ...(before === undefined ? {} : { before }),
    });
  }
}
