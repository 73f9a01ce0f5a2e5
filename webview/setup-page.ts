import { html, nothing, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import {
  SETUP_BOXES,
  type HookDialect,
  type PageInit,
  type SetupBoxId,
  type SetupChoices,
  type SetupFile,
  type SetupOutcome,
  type SetupPreview,
} from '../src/contract/webview-messages';
import { PageElement, type PageContext } from './element';
import { button, failure, icon, loading, valueOf } from './parts';

const actionIcons: Record<SetupFile['action'], string> = {
  create: 'new-file',
  change: 'edit',
  same: 'check',
  remove: 'trash',
  blocked: 'error',
};

/** One page: what will be read and written, word for word, and one Apply. */
@customElement('kl-setup')
export class SetupPage extends PageElement {
  @property({ attribute: false }) ctx!: PageContext;
  @property({ attribute: false }) init!: PageInit;
  @state() private preview: SetupPreview | undefined;
  @state() private error: string | undefined;
  @state() private applying = false;
  @state() private outcome: SetupOutcome | undefined;
  private generation = 0;

  override connectedCallback(): void {
    super.connectedCallback();
    void this.ask();
  }

  protected override render(): TemplateResult {
    const { words } = this.ctx;
    if (this.preview === undefined) {
      return this.error === undefined ? loading(words) : failure(words, this.error, () => void this.ask());
    }
    const { preview } = this;
    const boxes = preview.boxes.filter((box) => box.offered);
    return html`<main class="kl-setup">
      <h1>${words.t('setup.title')}</h1>
      <p>${words.t('setup.intro')}</p>
      <p class="kl-dim">${words.t('setup.beside')}</p>
      <p class="kl-note">
        ${icon('info')}
        <span>${words.t('setup.host', preview.host, words.t(`setup.reason.${preview.dialect_reason}`))}</span>
      </p>
      ${this.dialects(preview)}
      <div class="kl-boxes">${boxes.map((box) => this.box(box, preview.dialect))}</div>
      ${
        preview.removals.length === 0
          ? nothing
          : html`<section class="kl-box">
              <h2>${words.t('setup.removals')}</h2>
              ${preview.removals.map((file) => this.file(file))}
            </section>`
      }
      ${this.foot(preview)}
    </main>`;
  }

  private dialects(preview: SetupPreview): TemplateResult | typeof nothing {
    const { words } = this.ctx;
    if (preview.dialects.length < 2) return nothing;
    return html`<label class="kl-field kl-dialect"
      ><span>${words.t('setup.dialect')}</span>
      <vscode-single-select
        .label=${words.t('setup.dialect')}
        .value=${preview.dialect}
        @change=${(event: Event) => this.chooseDialect(preview, valueOf(event))}
      >
        ${preview.dialects.map(
          (dialect) =>
            html`<vscode-option value=${dialect}>${words.t(`setup.dialect.${dialect}`)}</vscode-option>`,
        )}
      </vscode-single-select></label
    >`;
  }

  private box(box: SetupPreview['boxes'][number], dialect: HookDialect): TemplateResult {
    const { words } = this.ctx;
    const inWorkspace = dialect === 'kiro-0.x' || dialect === 'kiro-1.x-workspace';
    const needsFolder = box.id === 'hook' && box.checked && inWorkspace && box.files.length === 0;
    return html`<section class="kl-box">
      <vscode-checkbox
        .label=${words.t(`setup.box.${box.id}`)}
        ?checked=${box.checked}
        @change=${(event: Event) =>
          this.tick(box.id, (event.target as HTMLElement & { checked: boolean }).checked)}
      ></vscode-checkbox>
      <p class="kl-dim">${words.t(`setup.box.${box.id}.detail`)}</p>
      ${needsFolder ? html`<p class="kl-warn">${words.t('setup.folderNeeded')}</p>` : nothing}
      ${box.files.map((file) => this.file(file))}
    </section>`;
  }

  private file(file: SetupFile): TemplateResult {
    const { words } = this.ctx;
    const blocked = file.action === 'blocked';
    return html`<div class="kl-file">
      <div class="kl-line1 ${blocked ? 'kl-bad' : ''}">
        ${icon(actionIcons[file.action])}<span class="kl-mono kl-path">${file.path}</span
        ><span class="kl-chip">${words.t(`setup.file.${file.action}`)}</span>
      </div>
      ${file.reason === undefined ? nothing : html`<p class="kl-bad">${words.t(`setup.blocked.${file.reason}`)}</p>`}
      ${
        file.text === ''
          ? nothing
          : html`<details class="kl-details" open>
              <summary>${words.t('setup.showText')}</summary>
              ${file.whole ? nothing : html`<p class="kl-dim">${words.t('setup.part')}</p>`}
              <pre class="kl-block kl-mono" tabindex="0">${file.text}</pre>
            </details>`
      }
    </div>`;
  }

  private foot(preview: SetupPreview): TemplateResult {
    const { words } = this.ctx;
    const { outcome } = this;
    const failed = outcome?.failed.map((failure) => `${failure.path} (${failure.message})`).join(', ');
    return html`<div class="kl-foot">
      <div class="kl-actions kl-actions-left">
        ${button(
          this.applying ? words.t('setup.applying') : words.t('setup.apply'),
          () => void this.apply(preview),
          {
            primary: true,
            disabled: this.applying,
          },
        )}
        ${
          outcome === undefined
            ? nothing
            : button(words.t('setup.next'), () => {
                void this.ctx.port.act('runCommand', { command: 'kiro-learn.showMemories' });
              })
        }
      </div>
      <div role="status">
        ${
          this.error === undefined
            ? nothing
            : html`<p class="kl-bad">${icon('error')} ${words.t('common.failed', this.error)}</p>`
        }
        ${
          outcome === undefined
            ? nothing
            : html`<p class="kl-good">
                ${icon('pass')} ${words.t('setup.done', outcome.written.length, outcome.removed.length)}
              </p>`
        }
        ${
          failed === undefined || failed === ''
            ? nothing
            : html`<p class="kl-bad">${icon('error')} ${words.t('setup.failedFiles', failed)}</p>`
        }
      </div>
      ${
        preview.applied_at === undefined
          ? nothing
          : html`<p class="kl-dim">${words.t('setup.appliedAt', words.moment(preview.applied_at))}</p>`
      }
    </div>`;
  }

  private chooseDialect(preview: SetupPreview, value: string): void {
    const dialect = preview.dialects.find((one) => one === value);
    if (dialect === undefined || dialect === preview.dialect) return;
    const choices = choicesOf(preview);
    void this.ask({ dialect, boxes: { ...choices.boxes, hook: dialect !== 'none' } });
  }

  private tick(box: SetupBoxId, checked: boolean): void {
    if (this.preview === undefined) return;
    const choices = choicesOf(this.preview);
    void this.ask({ ...choices, boxes: { ...choices.boxes, [box]: checked } });
  }

  private async ask(choices?: SetupChoices): Promise<void> {
    this.generation += 1;
    const generation = this.generation;
    try {
      const preview = await this.ctx.port.act('setupPreview', choices === undefined ? {} : { choices });
      if (generation !== this.generation) return;
      this.preview = preview;
      this.error = undefined;
      this.outcome = undefined;
    } catch (error) {
      if (generation === this.generation) this.error = error instanceof Error ? error.message : String(error);
    }
  }

  private async apply(preview: SetupPreview): Promise<void> {
    const choices = choicesOf(preview);
    this.applying = true;
    try {
      const outcome = await this.ctx.port.act('setupApply', { choices });
      await this.ask(choices);
      this.outcome = outcome;
    } catch (error) {
      this.error = error instanceof Error ? error.message : String(error);
    } finally {
      this.applying = false;
    }
  }
}

function choicesOf(preview: SetupPreview): SetupChoices {
  const ticked = new Set(preview.boxes.filter((box) => box.checked).map((box) => box.id));
  const boxes = Object.fromEntries(SETUP_BOXES.map((id) => [id, ticked.has(id)])) as SetupChoices['boxes'];
  return { dialect: preview.dialect, boxes };
}
