import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import type { Insights } from '../src/contract/local-api';
import './chart';
import type { Series } from './chart';
import { PageElement, type PageContext } from './element';
import { debounce, emptyState, failure, loading, valueOf } from './parts';

const ranges = [7, 30, 90, 365] as const;

/** Counts over time: what was captured, learned and injected, and which tools fail. */
@customElement('kl-insights')
export class InsightsView extends PageElement {
  @property({ attribute: false }) ctx!: PageContext;
  @property() namespace: string | undefined;
  @property({ type: Boolean }) waits = false;
  @state() private data: Insights | undefined;
  @state() private error: string | undefined;
  @state() private range = 30;
  private endStream: (() => void) | undefined;
  private generation = 0;
  private readonly again = debounce(2000, () => void this.load());

  override connectedCallback(): void {
    super.connectedCallback();
    this.endStream = this.ctx.port.onStream((event) => {
      if (event.stream === 'records' || event.stream === 'injection' || event.stream === 'resync')
        this.again();
    });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.endStream?.();
    this.again.cancel();
  }

  protected override willUpdate(changed: PropertyValues): void {
    const asks = changed.has('namespace') || changed.has('waits') || changed.has('range');
    if (asks && !this.waits) void this.load();
  }

  protected override render(): TemplateResult {
    const { words } = this.ctx;
    if (this.error !== undefined) return failure(words, this.error, () => void this.load());
    if (this.data === undefined) return loading(words);
    const { days, tools, distillations } = this.data;
    if (days.length === 0 && tools.length === 0) {
      return emptyState('graph', words.t('insights.empty'), words.t('insights.emptyDetail'));
    }
    const column = (
      key: 'prompt' | 'tool_use' | 'session_summary' | 'note' | 'records' | 'tokens_injected',
    ) => days.map((day) => day[key]);
    return html`<div class="kl-scroll">
      <h2 class="kl-hidden">${words.t('tab.insights')}</h2>
      <div class="kl-toolbar">
        <span class="kl-dim">${words.t('insights.range')}</span>
        <vscode-single-select
          class="kl-range"
          .label=${words.t('insights.range')}
          .value=${String(this.range)}
          @change=${(event: Event) => (this.range = Number(valueOf(event)))}
        >
          ${ranges.map((range) => html`<vscode-option value=${String(range)}>${words.n(range)}</vscode-option>`)}
        </vscode-single-select>
      </div>
      <div class="kl-charts">
        ${this.chart(words.t('insights.days'), [
          { label: words.t('kind.prompt'), values: column('prompt'), color: 'blue' },
          { label: words.t('kind.tool_use'), values: column('tool_use'), color: 'orange' },
          { label: words.t('kind.session_summary'), values: column('session_summary'), color: 'green' },
          { label: words.t('kind.note'), values: column('note'), color: 'purple' },
        ])}
        ${this.chart(words.t('insights.records'), [
          { label: words.t('insights.made'), values: column('records'), color: 'green' },
        ])}
        ${this.chart(words.t('insights.tokens'), [
          { label: words.t('insights.tokens'), values: column('tokens_injected'), color: 'purple' },
        ])}
      </div>
      ${this.tools(tools)} ${this.distillations(distillations)}
    </div>`;
  }

  private chart(title: string, series: Series[]): TemplateResult {
    const { words } = this.ctx;
    const days = this.data?.days ?? [];
    const total = series.reduce((sum, one) => sum + one.values.reduce((a, b) => a + b, 0), 0);
    return html`<figure class="kl-figure">
      <figcaption>
        <strong>${title}</strong> <span class="kl-dim">${words.t('insights.total', total, days.length)}</span>
      </figcaption>
      <kl-chart
        .ctx=${this.ctx}
        .label=${title}
        .days=${days.map((day) => day.day)}
        .series=${series}
      ></kl-chart>
      <details class="kl-details">
        <summary>${words.t('insights.table')}</summary>
        <div class="kl-table-scroll" tabindex="0" role="region" aria-label=${title}>
          <table class="kl-grid">
            <thead>
              <tr>
                <th scope="col">${words.t('insights.day')}</th>
                ${series.map((one) => html`<th scope="col">${one.label}</th>`)}
              </tr>
            </thead>
            <tbody>
              ${days.map(
                (day, index) =>
                  html`<tr>
                    <th scope="row">${day.day}</th>
                    ${series.map((one) => html`<td>${words.n(one.values[index] ?? 0)}</td>`)}
                  </tr>`,
              )}
            </tbody>
          </table>
        </div>
      </details>
    </figure>`;
  }

  private tools(tools: Insights['tools']): TemplateResult | typeof nothing {
    const { words } = this.ctx;
    if (tools.length === 0) return nothing;
    return html`<h3>${words.t('insights.tools')}</h3>
      <table class="kl-grid">
        <thead>
          <tr>
            <th scope="col">${words.t('insights.tool')}</th>
            <th scope="col">${words.t('insights.used')}</th>
            <th scope="col">${words.t('insights.failed')}</th>
          </tr>
        </thead>
        <tbody>
          ${tools.map(
            (tool) =>
              html`<tr>
                <th scope="row" class="kl-mono">${tool.tool_name}</th>
                <td>${words.n(tool.used)}</td>
                <td class=${tool.failed > 0 ? 'kl-bad' : ''}>${words.n(tool.failed)}</td>
              </tr>`,
          )}
        </tbody>
      </table>`;
  }

  private distillations(runs: Insights['distillations']): TemplateResult | typeof nothing {
    const { words } = this.ctx;
    if (runs.length === 0) return nothing;
    return html`<h3>${words.t('insights.distillations')}</h3>
      <table class="kl-grid">
        <thead>
          <tr>
            <th scope="col">${words.t('insights.time')}</th>
            <th scope="col">${words.t('insights.events')}</th>
            <th scope="col">${words.t('insights.made')}</th>
            <th scope="col">${words.t('insights.ms')}</th>
          </tr>
        </thead>
        <tbody>
          ${runs.map(
            (run) =>
              html`<tr>
                <th scope="row">${words.moment(run.at)}</th>
                <td>${words.n(run.events)}</td>
                <td>${words.n(run.records)}</td>
                <td>${words.n(Math.round(run.ms))}</td>
              </tr>`,
          )}
        </tbody>
      </table>`;
  }

  private async load(): Promise<void> {
    this.generation += 1;
    const generation = this.generation;
    try {
      const data = await this.ctx.port.call('insights', {
        days: this.range,
        ...(this.namespace === undefined ? {} : { namespace: this.namespace }),
      });
      if (generation !== this.generation) return;
      this.data = data;
      this.error = undefined;
    } catch (error) {
      if (generation === this.generation) this.error = error instanceof Error ? error.message : String(error);
    }
  }
}
