import { html, nothing, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { z } from 'zod';
import type { CollectorStatus } from '../src/contract/status';
import {
  PANEL_TABS,
  type PageCommand,
  type PageInit,
  type PanelTab,
  type PanelTarget,
} from '../src/contract/webview-messages';
import { PageElement, type PageContext } from './element';
import { RequestError } from './host-port';
import { button, icon, iconButton } from './parts';
import './events-view';
import './health-view';
import './insights-view';
import './memories-view';
import './recall-view';

const savedSchema = z.object({
  tab: z.enum(PANEL_TABS),
  scope: z.enum(['project', 'all']),
});

/** A target and a count, so that the same target asked for twice is shown twice. */
export interface Aim {
  target: PanelTarget;
  turn: number;
}

const tabIcons: Record<PanelTab, string> = {
  memories: 'book',
  events: 'pulse',
  recall: 'sparkle',
  insights: 'graph',
  health: 'heart',
};

/** The panel: what the collector is doing, and five views of the memory. */
@customElement('kl-app')
export class PanelApp extends PageElement {
  @property({ attribute: false }) ctx!: PageContext;
  @property({ attribute: false }) init!: PageInit;
  @state() private status: CollectorStatus | undefined;
  @state() private tab: PanelTab = 'memories';
  @state() private scope: 'project' | 'all' = 'project';
  @state() private namespace: string | undefined;
  @state() private offline = false;
  @state() private trouble: string | undefined;
  @state() private aim: Aim | undefined;
  private ends: (() => void)[] = [];
  private turn = 0;
  private resolvedFor: string | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.restore();
    const { port } = this.ctx;
    this.ends = [
      port.onStream((event) => {
        if (event.stream === 'status') {
          this.status = event.status;
          this.offline = false;
        } else if (event.stream === 'resync') void this.ask();
      }),
      port.onShow((target) => this.goTo(target)),
    ];
    void this.ask();
    if (this.init.target !== undefined) this.goTo(this.init.target);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const end of this.ends) end();
  }

  protected override willUpdate(): void {
    if (this.init.workspace !== this.resolvedFor) void this.resolveNamespace();
  }

  protected override render(): TemplateResult {
    const { words } = this.ctx;
    return html`<main class="kl-page">
      <h1 class="kl-hidden">kiro-learn</h1>
      <div class="kl-head">
        ${this.stateLine()}
        <span class="kl-grow"></span>
        ${this.scopeSwitch()} ${this.pauseButton()}
        ${iconButton('settings-gear', words.t('action.settings'), () => this.run('kiro-learn.openSettings'))}
      </div>
      ${this.banner()} ${this.tabs()}
      <div
        class="kl-main"
        role="tabpanel"
        id="kl-panel"
        aria-labelledby="kl-tab-${this.tab}"
        @kl-goto=${(event: CustomEvent<PanelTarget>) => this.goTo(event.detail)}
        @kl-trouble=${(event: CustomEvent<string>) => (this.trouble = event.detail)}
      >
        ${this.view()}
      </div>
    </main>`;
  }

  private stateLine(): TemplateResult {
    const { words } = this.ctx;
    const status = this.status;
    if (this.offline)
      return html`<span class="kl-state kl-bad">${icon('error')}${words.t('state.error')}</span>`;
    if (status === undefined) {
      return html`<span class="kl-state"
        >${icon('loading', 'codicon-modifier-spin')}${words.t('state.starting')}</span
      >`;
    }
    const pending =
      status.pending_model > 0
        ? html`<span class="kl-dim" title=${words.t('state.pendingModel', status.pending_model)}
            >+${words.n(status.pending_model)}</span
          >`
        : nothing;
    const current = this.shown(status);
    switch (current.state) {
      case 'starting':
        return html`<span class="kl-state" role="status"
          >${icon('loading', 'codicon-modifier-spin')}${words.t('state.starting')}</span
        >`;
      case 'idle':
        return html`<span class="kl-state" role="status"
          >${icon('database')}${words.t('state.idle')}${pending}</span
        >`;
      case 'capturing':
        return html`<span class="kl-state" role="status"
          >${icon('database')}${words.t('state.capturing', current.buffered)}${pending}
          ${iconButton('zap', words.t('action.distil'), () => this.run('kiro-learn.distilNow'))}</span
        >`;
      case 'distilling':
        return html`<span class="kl-state" role="status"
          >${icon('sync', 'codicon-modifier-spin')}${words.t('state.distilling', current.buffered)}${pending}</span
        >`;
      case 'paused':
        return html`<span class="kl-state kl-warn" role="status"
          >${icon('debug-pause')}${words.t(`state.paused.${current.scope}`)}</span
        >`;
      case 'degraded':
        return html`<span class="kl-state kl-warn" role="status" title=${current.message}
          >${icon('warning')}${words.t('state.degraded')}</span
        >`;
      case 'error':
        return html`<span class="kl-state kl-bad" role="status" title=${current.message}
          >${icon('error')}${words.t('state.error')}</span
        >`;
    }
  }

  private shown(status: CollectorStatus): CollectorStatus['state'] {
    return this.init.window_paused ? { state: 'paused', scope: 'window' } : status.state;
  }

  private scopeSwitch(): TemplateResult {
    const { words } = this.ctx;
    if (this.init.workspace === undefined) return html``;
    return html`<vscode-single-select
      class="kl-scope"
      .label=${words.t('scope.label')}
      .value=${this.scope}
      @change=${(event: Event) => {
        this.scope = (event.target as HTMLElement & { value: string }).value === 'all' ? 'all' : 'project';
        this.save();
      }}
    >
      <vscode-option value="project">${this.init.project_name ?? words.t('scope.project')}</vscode-option>
      <vscode-option value="all">${words.t('scope.all')}</vscode-option>
    </vscode-single-select>`;
  }

  private pauseButton(): TemplateResult {
    const { words } = this.ctx;
    const paused = this.status !== undefined && this.shown(this.status).state === 'paused';
    return paused
      ? iconButton('debug-start', words.t('action.resume'), () => this.run('kiro-learn.resume'))
      : iconButton('debug-pause', words.t('action.pause'), () => this.run('kiro-learn.pause'));
  }

  private banner(): TemplateResult | typeof nothing {
    const { words } = this.ctx;
    const line = (kind: 'warn' | 'bad' | 'info', text: string, actions: unknown = nothing) =>
      html`<div class="kl-banner kl-banner-${kind}" role="alert">
        ${icon(kind === 'info' ? 'info' : kind === 'warn' ? 'warning' : 'error')}<span class="kl-grow"
          >${text}</span
        >${actions}
      </div>`;
    if (this.trouble !== undefined) {
      return line(
        'bad',
        words.t('common.failed', this.trouble),
        iconButton('close', words.t('common.close'), () => (this.trouble = undefined)),
      );
    }
    if (this.offline) {
      return line(
        'bad',
        words.t('state.offline'),
        button(words.t('action.openLog'), () => this.run('kiro-learn.openLog')),
      );
    }
    const current = this.status?.state;
    if (current?.state === 'error' || current?.state === 'degraded') {
      const show = button(words.t('tab.health'), () => this.goTo({ tab: 'health' }));
      return line(current.state === 'error' ? 'bad' : 'warn', current.message, show);
    }
    if (!this.init.trusted) return line('warn', words.t('state.untrusted'));
    if (this.status?.store?.read_only === true) return line('warn', words.t('state.readOnlyDetail'));
    return nothing;
  }

  private tabs(): TemplateResult {
    const { words } = this.ctx;
    return html`<div
      class="kl-tabs"
      role="tablist"
      aria-label=${words.t('tabs.label')}
      @keydown=${this.tabKey}
    >
      ${PANEL_TABS.map(
        (tab) =>
          html`<button
            id="kl-tab-${tab}"
            class="kl-tab"
            role="tab"
            type="button"
            aria-selected=${tab === this.tab ? 'true' : 'false'}
            aria-controls="kl-panel"
            tabindex=${tab === this.tab ? 0 : -1}
            title=${words.t(`tab.${tab}`)}
            @click=${() => this.select(tab)}
          >
            ${icon(tabIcons[tab])}<span class="kl-tab-text">${words.t(`tab.${tab}`)}</span
            >${this.tabBadge(tab)}
          </button>`,
      )}
    </div>`;
  }

  private tabBadge(tab: PanelTab): TemplateResult | typeof nothing {
    const { words } = this.ctx;
    const problems = this.status?.problems.length ?? 0;
    if (tab === 'health' && problems > 0) return html`<vscode-badge>${words.n(problems)}</vscode-badge>`;
    return nothing;
  }

  private view(): TemplateResult {
    const readOnly = this.status?.store?.read_only === true;
    const namespace = this.scope === 'project' ? this.namespace : undefined;
    const waits =
      this.scope === 'project' && this.init.workspace !== undefined && this.namespace === undefined;
    const aim = this.aim?.target.tab === this.tab ? this.aim : undefined;
    switch (this.tab) {
      case 'memories':
        return html`<kl-memories
          .ctx=${this.ctx}
          .init=${this.init}
          .namespace=${namespace}
          .waits=${waits}
          .readOnly=${readOnly}
          .aim=${aim}
        ></kl-memories>`;
      case 'events':
        return html`<kl-events
          .ctx=${this.ctx}
          .namespace=${namespace}
          .waits=${waits}
          .aim=${aim}
        ></kl-events>`;
      case 'recall':
        return html`<kl-recall
          .ctx=${this.ctx}
          .namespace=${namespace}
          .waits=${waits}
          .readOnly=${readOnly}
          .aim=${aim}
        ></kl-recall>`;
      case 'insights':
        return html`<kl-insights .ctx=${this.ctx} .namespace=${namespace} .waits=${waits}></kl-insights>`;
      case 'health':
        return html`<kl-health .ctx=${this.ctx} .init=${this.init} .status=${this.status}></kl-health>`;
    }
  }

  private readonly tabKey = (event: KeyboardEvent): void => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const current = PANEL_TABS.indexOf(this.tab);
    let next: PanelTab | undefined;
    if (step !== undefined) next = PANEL_TABS[(current + step + PANEL_TABS.length) % PANEL_TABS.length];
    if (event.key === 'Home') next = PANEL_TABS[0];
    if (event.key === 'End') next = PANEL_TABS.at(-1);
    if (next === undefined) return;
    event.preventDefault();
    this.select(next);
    void this.updateComplete.then(() => this.querySelector<HTMLElement>(`#kl-tab-${this.tab}`)?.focus());
  };

  private select(tab: PanelTab): void {
    this.tab = tab;
    this.save();
  }

  private goTo(target: PanelTarget): void {
    this.turn += 1;
    this.aim = { target, turn: this.turn };
    this.select(target.tab);
  }

  private run(command: PageCommand): void {
    void this.ctx.port
      .act('runCommand', { command })
      .catch((error: unknown) => (this.trouble = error instanceof Error ? error.message : String(error)));
  }

  private async ask(): Promise<void> {
    const { port } = this.ctx;
    const workspace = this.init.workspace;
    try {
      this.status = await port.call('status', workspace === undefined ? {} : { workspace });
      this.offline = false;
      if (this.namespace === undefined) await this.resolveNamespace();
    } catch (error) {
      if (error instanceof RequestError && error.code === 'unavailable') this.offline = true;
      else this.trouble = error instanceof Error ? error.message : String(error);
    }
  }

  private async resolveNamespace(): Promise<void> {
    const path = this.init.workspace;
    this.resolvedFor = path;
    this.namespace = undefined;
    if (path === undefined) return;
    try {
      const { namespace } = await this.ctx.port.call('resolveProject', { path });
      if (this.init.workspace === path) this.namespace = namespace;
    } catch {
      // `ask` reports a collector that is away, and asks again when it is back.
    }
  }

  private restore(): void {
    const parsed = savedSchema.safeParse(this.ctx.port.savedState() ?? this.init.state);
    if (!parsed.success) return;
    this.tab = parsed.data.tab;
    this.scope = parsed.data.scope;
  }

  private save(): void {
    this.ctx.port.saveState({ tab: this.tab, scope: this.scope });
  }
}
