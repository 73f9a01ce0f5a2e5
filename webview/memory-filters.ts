import { html, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { RecordFilter } from '../src/contract/local-api';
import { OBSERVATION_TYPES, ORIGINS, RECORD_STATUSES } from '../src/contract/memory-record';
import { PageElement, type PageContext } from './element';
import { button, valueOf } from './parts';

/** Everything of a record filter that the user sets beside the search box. */
export type MemoryFilters = Omit<RecordFilter, 'query' | 'namespace'>;

export function isFiltering(filters: MemoryFilters): boolean {
  return Object.keys(filters).length > 0;
}

/** The filter row; tells every change as a whole new set of filters. */
@customElement('kl-memory-filters')
export class MemoryFiltersBar extends PageElement {
  @property({ attribute: false }) ctx!: PageContext;
  @property({ attribute: false }) filters: MemoryFilters = {};

  protected override render(): TemplateResult {
    const { words } = this.ctx;
    const { filters } = this;
    return html`<div class="kl-filters">
      ${this.choice(words.t('memories.filter.type'), OBSERVATION_TYPES, 'type', filters.types?.[0], (value) =>
        this.set('types', value === undefined ? undefined : [value]),
      )}
      ${this.choice(
        words.t('memories.filter.status'),
        RECORD_STATUSES,
        'status',
        filters.statuses?.[0],
        (value) => this.set('statuses', value === undefined ? undefined : [value]),
      )}
      ${this.choice(words.t('memories.filter.origin'), ORIGINS, 'origin', filters.origins?.[0], (value) =>
        this.set('origins', value === undefined ? undefined : [value]),
      )}
      ${this.field(words.t('memories.filter.file'), 'text', filters.file ?? '', (value) => this.set('file', value))}
      ${this.field(words.t('memories.filter.session'), 'text', filters.session_id ?? '', (value) =>
        this.set('session_id', value),
      )}
      ${this.field(words.t('memories.filter.from'), 'date', dayShown(filters.from), (value) =>
        this.set('from', value === undefined ? undefined : dayStart(value)),
      )}
      ${this.field(words.t('memories.filter.to'), 'date', dayShown(filters.to), (value) =>
        this.set('to', value === undefined ? undefined : dayEnd(value)),
      )}
      <vscode-checkbox
        .label=${words.t('memories.filter.pinned')}
        ?checked=${filters.pinned === true}
        @change=${(event: Event) =>
          this.set('pinned', (event.target as HTMLElement & { checked: boolean }).checked ? true : undefined)}
      ></vscode-checkbox>
      ${button(words.t('memories.filter.clear'), () => this.tell({}), { disabled: !isFiltering(filters) })}
    </div>`;
  }

  private choice<T extends string>(
    label: string,
    values: readonly T[],
    prefix: 'type' | 'status' | 'origin',
    current: T | undefined,
    change: (value: T | undefined) => void,
  ): TemplateResult {
    const { words } = this.ctx;
    return html`<label class="kl-field"
      ><span class="kl-dim">${label}</span>
      <vscode-single-select
        .label=${label}
        .value=${current ?? ''}
        @change=${(event: Event) => {
          event.stopPropagation();
          change(values.find((value) => value === valueOf(event)));
        }}
      >
        <vscode-option value="">${words.t('common.all')}</vscode-option>
        ${values.map((value) => html`<vscode-option value=${value}>${words.tData(prefix, value)}</vscode-option>`)}
      </vscode-single-select></label
    >`;
  }

  private field(
    label: string,
    type: 'text' | 'date',
    value: string,
    change: (value: string | undefined) => void,
  ): TemplateResult {
    return html`<label class="kl-field"
      ><span class="kl-dim">${label}</span>
      <vscode-textfield
        type=${type}
        .label=${label}
        .value=${value}
        @change=${(event: Event) => {
          event.stopPropagation();
          change(valueOf(event) || undefined);
        }}
      ></vscode-textfield
    ></label>`;
  }

  private set<K extends keyof MemoryFilters>(key: K, value: MemoryFilters[K] | undefined): void {
    const { [key]: _old, ...others } = this.filters;
    this.tell(value === undefined ? others : { ...others, [key]: value });
  }

  private tell(filters: MemoryFilters): void {
    this.dispatchEvent(new CustomEvent('change', { detail: filters }));
  }
}

function dayStart(day: string): string {
  return new Date(`${day}T00:00:00`).toISOString();
}

function dayEnd(day: string): string {
  return new Date(`${day}T23:59:59.999`).toISOString();
}

function dayShown(iso: string | undefined): string {
  if (iso === undefined) return '';
  const date = new Date(iso);
  const pad = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
}
