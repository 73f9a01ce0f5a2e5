import { html, nothing, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import type { Health } from '../src/contract/local-api';
import type { CollectorStatus, Problem } from '../src/contract/status';
import type { PageCommand, PageInit } from '../src/contract/webview-messages';
import { PageElement, type PageContext } from './element';
import { button, debounce, failure, icon, loading, report } from './parts';
import type { StringKey } from './strings';

/** The button that helps with a problem, by its code; others get the log. */
const FIXES: Record<string, [StringKey, PageCommand]> = {
  hook_silent: ['health.fix.setUp', 'kiro-learn.setUp'],
  hook_not_installed: ['health.fix.setUp', 'kiro-learn.setUp'],
  hook_output_dropped: ['health.fix.setUp', 'kiro-learn.setUp'],
  hook_set_aside: ['health.fix.setUp', 'kiro-learn.setUp'],
  store_quarantined: ['health.fix.storage', 'kiro-learn.openStorageFolder'],
  disk_full: ['health.fix.storage', 'kiro-learn.openStorageFolder'],
  image_newer: ['health.fix.storage', 'kiro-learn.openStorageFolder'],
  model_failed: ['health.fix.settings', 'kiro-learn.openSettings'],
  model_budget: ['health.fix.settings', 'kiro-learn.openSettings'],
  worker_crashed: ['health.fix.restart', 'kiro-learn.restartCollector'],
};

const hookIcons: Record<Health['hooks'][number]['state'], [string, string]> = {
  fired: ['pass', 'kl-good'],
  silent: ['warning', 'kl-warn'],
  output_dropped: ['warning', 'kl-warn'],
  prompt_empty: ['info', ''],
  set_aside: ['warning', 'kl-warn'],
  not_installed: ['circle-slash', 'kl-dim'],
};

/** Whether it works: hooks, store, window, model, problems with the button that helps. */
@customElement('kl-health')
export class HealthView extends PageElement {
  @property({ attribute: false }) ctx!: PageContext;
  @property({ attribute: false }) init!: PageInit;
  /** Heard on the stream; newer than the one inside `health`. */
  @property({ attribute: false }) status: CollectorStatus | undefined;
  @state() private health: Health | undefined;
  @state() private error: string | undefined;
  private endStream: (() => void) | undefined;
  private readonly again = debounce(1000, () => void this.load());

  override connectedCallback(): void {
    super.connectedCallback();
    this.endStream = this.ctx.port.onStream(() => this.again());
    void this.load();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.endStream?.();
    this.again.cancel();
  }

  protected override render(): TemplateResult {
    const { words } = this.ctx;
    if (this.error !== undefined) return failure(words, this.error, () => void this.load());
    if (this.health === undefined) return loading(words);
    const status = this.status ?? this.health.status;
    return html`<div class="kl-scroll kl-health">
      <h2 class="kl-hidden">${words.t('tab.health')}</h2>
      ${this.problems(status.problems)} ${this.hooks(this.health)}
      <h3>${words.t('health.store')}</h3>
      ${this.table([
        [words.t('health.counts'), words.t('health.countsDetail', status.events, status.records)],
        ...Object.entries(this.health.sizes).map(([name, bytes]): [string, string] => [
          words.tData('health.size', name),
          words.bytes(bytes),
        ]),
        [words.t('health.storePath'), status.store?.path],
        [words.t('health.storeHost'), status.store?.host],
        [
          words.t('state.readOnly'),
          status.store?.read_only === true ? words.t('state.readOnlyDetail') : undefined,
        ],
        [words.t('health.spool'), words.n(this.health.spool.waiting)],
        [words.t('health.spoolDropped'), words.n(this.health.spool.dropped)],
      ])}
      <h3>${words.t('health.window')}</h3>
      ${this.table([
        [words.t('health.role'), words.t(`health.role.${status.role}`)],
        [
          words.t('health.leader'),
          status.leader === undefined
            ? undefined
            : words.t(
                'health.leaderDetail',
                String(status.leader.pid),
                status.leader.version,
                status.leader.epoch,
              ),
        ],
        [
          words.t('health.provider'),
          status.provider === 'none' ? words.t('health.provider.none') : status.provider,
        ],
        [
          words.t('health.pendingModel'),
          status.pending_model > 0 ? words.n(status.pending_model) : undefined,
        ],
        [words.t('health.version'), this.init.version],
      ])}
      ${this.notRead(this.health)}
      <div class="kl-actions kl-actions-left">
        ${button(words.t('health.diagnose'), () => this.run('kiro-learn.diagnose'), { icon: 'pulse' })}
        ${button(words.t('action.setUp'), () => this.run('kiro-learn.setUp'), { icon: 'plug' })}
        ${button(words.t('action.openLog'), () => this.run('kiro-learn.openLog'), { icon: 'output' })}
        ${button(words.t('health.fix.storage'), () => this.run('kiro-learn.openStorageFolder'), { icon: 'folder' })}
      </div>
    </div>`;
  }

  private problems(problems: Problem[]): TemplateResult {
    const { words } = this.ctx;
    return html`<h3>${words.t('health.problems')}</h3>
      ${
        problems.length === 0
          ? html`<p class="kl-good">${icon('pass')} ${words.t('health.noProblems')}</p>`
          : html`<ul class="kl-plain">
              ${problems.map((problem) => {
                const [label, command] =
                  FIXES[problem.code] ?? (['health.fix.log', 'kiro-learn.openLog'] as const);
                return html`<li class="kl-card">
                  <div class="kl-line1">
                    <span class="kl-warn">${icon('warning')}</span
                    ><span class="kl-grow">${problem.message}</span>
                  </div>
                  <div class="kl-line1">
                    <span class="kl-dim kl-grow">${words.moment(problem.at)}</span>
                    ${button(words.t(label), () => this.run(command))}
                  </div>
                </li>`;
              })}
            </ul>`
      }`;
  }

  private hooks({ hooks }: Health): TemplateResult {
    const { words } = this.ctx;
    if (hooks.length === 0 && this.init.hook_written) {
      return html`<h3>${words.t('health.hooks')}</h3>
        <p>${icon('watch')} ${words.t('health.hookWaits')}</p>`;
    }
    if (hooks.length === 0) {
      return html`<h3>${words.t('health.hooks')}</h3>
        <p class="kl-warn">${icon('warning')} ${words.t('health.noHooks')}</p>
        ${button(words.t('action.setUp'), () => this.run('kiro-learn.setUp'), { primary: true })}`;
    }
    return html`<h3>${words.t('health.hooks')}</h3>
      <ul class="kl-plain">
        ${hooks.map((hook) => {
          const [name, tone] = hookIcons[hook.state];
          return html`<li class="kl-card">
            <div class="kl-line1">
              <span class=${tone}>${icon(name)}</span><strong class="kl-grow">${hook.name}</strong
              ><span class=${tone}>${words.t(`hook.${hook.state}`)}</span>
            </div>
            <div class="kl-dim">${hook.detail}</div>
            ${
              hook.last_at === undefined
                ? nothing
                : html`<div class="kl-dim">${words.t('health.last', words.moment(hook.last_at))}</div>`
            }
          </li>`;
        })}
      </ul>`;
  }

  private notRead({ sessions_not_read: sessions }: Health): TemplateResult | typeof nothing {
    const { words } = this.ctx;
    if (sessions.length === 0) return nothing;
    return html`<details class="kl-details">
      <summary>${words.t('health.notRead')} (${words.n(sessions.length)})</summary>
      <ul class="kl-plain">
        ${sessions.slice(0, 200).map(
          (session) =>
            html`<li>
              <span class="kl-mono">${session.session_id}</span>
              <span class="kl-dim">${session.reason}</span>
            </li>`,
        )}
      </ul>
    </details>`;
  }

  private table(rows: [string, string | undefined][]): TemplateResult {
    return html`<dl class="kl-table">
      ${rows.map(([name, value]) =>
        value === undefined
          ? nothing
          : html`<dt>${name}</dt>
              <dd>${value}</dd>`,
      )}
    </dl>`;
  }

  private run(command: PageCommand): void {
    void this.ctx.port.act('runCommand', { command }).catch((error: unknown) => report(this, error));
  }

  private async load(): Promise<void> {
    const workspace = this.init.workspace;
    try {
      this.health = await this.ctx.port.call('health', workspace === undefined ? {} : { workspace });
      this.error = undefined;
    } catch (error) {
      this.error = error instanceof Error ? error.message : String(error);
    }
  }
}
