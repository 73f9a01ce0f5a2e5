import type { SetupChoices, SetupOutcome, SetupPreview } from '../../contract/webview-messages';
import { installationKey } from '../../platform/installation';
import type { Log } from '../../platform/log';
import { applyChanges, readPlanFiles } from './apply';
import { chooseDialect, type HostIdentity } from './dialect';
import type { Launchers } from './launchers';
import { makePlan, planPaths, removalPlan, type FileChange, type SetupFacts } from './plan';
import { readSetupState, writeSetupState, type SetupState } from './setup-state';

export interface SetupServiceOptions {
  /** Global storage, absolute. */
  storageDir: string;
  home: string;
  platform: NodeJS.Platform;
  launchers: Launchers;
  log: Log;
  identity: () => Promise<HostIdentity>;
  folders: () => { path: string; trusted: boolean }[];
  /** Told after the set-up state on disk changed. */
  changed: () => Promise<void>;
}

/** Gathers what a set-up plan is made from, previews it, applies it, takes it back. */
export class SetupService {
  constructor(private readonly options: SetupServiceOptions) {}

  /** What Apply would do with `choices`, or with what is ticked by default; writes nothing. */
  async preview(choices?: SetupChoices): Promise<SetupPreview> {
    const facts = await this.facts();
    const known = await readSetupState(this.options.storageDir);
    const { preview } = makePlan(facts, choices ?? knownChoices(facts, known));
    return { ...preview, ...(known === undefined ? {} : { applied_at: known.applied_at }) };
  }

  /** Writes what the page showed. Files first, then the consent, so that a failure promises nothing. */
  async apply(choices: SetupChoices): Promise<SetupOutcome> {
    const before = await this.facts();
    const { changes } = makePlan(before, choices);
    await this.options.launchers.write();
    const outcome = await applyChanges(changes.filter((change) => change.action !== 'blocked'));
    await this.remember(before, choices, changes, outcome);
    this.options.log.info('setup', `wrote ${outcome.written.length}, removed ${outcome.removed.length}`);
    for (const { path: file } of outcome.failed) this.options.log.error('setup', `could not write ${file}`);
    await this.options.changed();
    return outcome;
  }

  /** Removes every hook, steering file and registration of ours; the memories stay. */
  async removeHooks(): Promise<SetupOutcome> {
    const facts = await this.facts();
    const outcome = await applyChanges(removalPlan(facts));
    const known = await readSetupState(this.options.storageDir);
    if (known !== undefined) {
      const boxes = { ...known.choices.boxes };
      for (const box of ['hook', 'tools', 'steering', 'mcp', 'vscode', 'claude', 'kiroCli'] as const)
        boxes[box] = false;
      const kept = known.written.filter((file) => outcome.failed.some((failure) => failure.path === file));
      await writeSetupState(this.options.storageDir, {
        ...known,
        choices: { ...known.choices, boxes },
        written: kept,
      });
    }
    await this.options.changed();
    return outcome;
  }

  /** Whether hooks were written for another dialect than the one that this host reads now (Kiro#9619). */
  async isOutdated(): Promise<boolean> {
    const known = await readSetupState(this.options.storageDir);
    if (known === undefined || !known.choices.boxes.hook) return false;
    return chooseDialect(await this.options.identity()).dialect !== known.detected;
  }

  private async remember(
    facts: SetupFacts,
    choices: SetupChoices,
    changes: FileChange[],
    outcome: SetupOutcome,
  ): Promise<void> {
    const known = await readSetupState(this.options.storageDir);
    const gone = new Set(outcome.removed);
    const present = changes
      .filter((change) => change.action === 'same' && change.whole)
      .map(({ path: file }) => file);
    const written = new Set([...(known?.written ?? []), ...outcome.written, ...present]);
    await writeSetupState(this.options.storageDir, {
      version: 1,
      applied_at: new Date().toISOString(),
      choices,
      detected: chooseDialect(facts.identity).dialect,
      written: [...written].filter((file) => !gone.has(file)),
    });
  }

  private async facts(): Promise<SetupFacts> {
    const { home, platform, launchers } = this.options;
    const known = await readSetupState(this.options.storageDir);
    const mcp = launchers.mcp();
    const base = {
      identity: await this.options.identity(),
      platform,
      home,
      workspaceFolders: this.options.folders(),
      key: await installationKey(this.options.storageDir),
      commands: launchers.commands(),
      ...(mcp === undefined ? {} : { mcp }),
      written: known?.written ?? [],
    };
    return { ...base, files: await readPlanFiles(planPaths(base)) };
  }
}

/** What the user ticked last; the dialect follows a host that was updated since, unless the user chose it. */
function knownChoices(facts: SetupFacts, known: SetupState | undefined): SetupChoices | undefined {
  if (known === undefined) return undefined;
  const { dialect } = chooseDialect(facts.identity);
  return known.choices.dialect === known.detected ? { ...known.choices, dialect } : known.choices;
}
