import { html, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import uPlot from 'uplot';
import { PageElement, type PageContext } from './element';

export interface Series {
  label: string;
  values: number[];
  /** Name of a chart color of the theme. */
  color: 'blue' | 'orange' | 'green' | 'purple';
}

const height = 160;

/** Stacked bars, one a day, in the theme's colors; as wide as its place. The numbers stand in a table beside. */
@customElement('kl-chart')
export class Chart extends PageElement {
  @property({ attribute: false }) ctx!: PageContext;
  @property() label = '';
  @property({ attribute: false }) days: string[] = [];
  @property({ attribute: false }) series: Series[] = [];
  private plot: uPlot | undefined;
  private resize: ResizeObserver | undefined;
  private theme: MutationObserver | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.resize = new ResizeObserver(() => {
      const width = this.clientWidth;
      if (width > 0) this.plot?.setSize({ width, height });
    });
    this.resize.observe(this);
    this.theme = new MutationObserver(() => this.draw());
    this.theme.observe(document.body, { attributes: true, attributeFilter: ['class'] });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.resize?.disconnect();
    this.theme?.disconnect();
    this.plot?.destroy();
    this.plot = undefined;
  }

  protected override render(): TemplateResult {
    return html`<div class="kl-plot" role="img" aria-label=${this.label}></div>
      <ul class="kl-legend" aria-hidden="true">
        ${
          this.series.length > 1
            ? this.series.map(
                (one) => html`<li><span class="kl-swatch kl-swatch-${one.color}"></span>${one.label}</li>`,
              )
            : ''
        }
      </ul>`;
  }

  protected override updated(_changed: PropertyValues): void {
    this.draw();
  }

  private draw(): void {
    const target = this.querySelector<HTMLElement>('.kl-plot');
    if (target === null) return;
    this.plot?.destroy();
    const style = getComputedStyle(document.body);
    const color = (name: string) => style.getPropertyValue(name).trim();
    const text = color('--vscode-foreground') || color('color') || '#888';
    const grid =
      color('--vscode-widget-border') || color('--vscode-contrastBorder') || 'rgba(128,128,128,0.3)';
    const font = `11px ${style.fontFamily}`;
    const axis: uPlot.Axis = { stroke: text, font, grid: { stroke: grid, width: 1 }, ticks: { show: false } };
    const bars = uPlot.paths.bars?.({ size: [0.7, 24], align: 0 });
    const stacked = stack(this.series);
    const x = this.days.map((_day, index) => index);
    this.plot = new uPlot(
      {
        width: Math.max(120, this.clientWidth),
        height,
        legend: { show: false },
        cursor: { show: false },
        scales: {
          x: { time: false, range: [-0.6, Math.max(0.6, x.length - 0.4)] },
          y: { range: (_u, _min, max) => [0, Math.max(1, max * 1.08)] },
        },
        axes: [
          {
            ...axis,
            grid: { show: false },
            space: 64,
            size: 30,
            incrs: [1, 2, 5, 7, 10, 14, 30, 60, 90],
            values: (_u, ticks) => ticks.map((tick) => this.days[tick]?.slice(5) ?? ''),
          },
          {
            ...axis,
            size: 46,
            values: (_u, ticks) =>
              ticks.map((tick) => (Number.isInteger(tick) ? this.ctx.words.n(tick) : '')),
          },
        ],
        series: [
          {},
          ...stacked.map(({ color: name }) => ({
            fill: color(`--vscode-charts-${name}`) || text,
            stroke: color(`--vscode-charts-${name}`) || text,
            width: 0,
            points: { show: false },
            ...(bars === undefined ? {} : { paths: bars }),
          })),
        ],
      },
      [x, ...stacked.map((one) => one.values)],
      target,
    );
  }
}

/** The topmost sum first, so that later, lower bars are painted over it. */
function stack(series: Series[]): Series[] {
  const sums: Series[] = [];
  let below: number[] = [];
  for (const one of series) {
    below = one.values.map((value, index) => value + (below[index] ?? 0));
    sums.unshift({ ...one, values: below });
  }
  return sums;
}
