import * as fs from 'node:fs/promises';
import * as os from 'node:os';
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { SetupChoices, SetupOutcome, SetupPreview } from '../../contract/webview-messages';
import { installationKey } from '../../platform/installation';
import type { Log } from '../../platform/log';
import { readSettings } from '../settings';
import type { WindowState } from '../window-state';
import { applyChanges, readPlanFiles } from './apply';
import { readKiroVersion } from './dialect';
import type { Launchers } from './launchers';
import { makePlan, planPaths, removalPlan, type FileChange, type SetupFacts } from './plan';
import { readSetupState, writeSetupState } from './setup-state';

/** Gathers what a set-up plan is made from, previews it, applies it, takes it back. */
export class SetupService {
  constructor(
    private readonly storageDir: string,
    private readonly state: WindowState,
    private readonly launchers: Launchers,
    private readonly log: Log,
  ) {}

  /** What Apply would do with `choices`, or with what is ticked by default; writes nothing. */
  async preview(choices?: SetupChoices): Promise<SetupPreview> {
    const facts = await this.facts();
    const known = await readSetupState(this.storageDir);
    const { preview } = makePlan(facts, choices ?? known?.choices);
    return { ...preview, ...(known === undefined ? {} : { applied_at: known.applied_at }) };
  }

  /** Writes what the page showed. Files first, then the consent, so that a failure promises nothing. */
  async apply(choices: SetupChoices): Promise<SetupOutcome> {
    const before = await this.facts();
    const { changes } = makePlan(before, choices);
    await this.launchers.write();
    const outcome = await applyChanges(changes.filter((change) => change.action !== 'blocked'));
    await this.remember(choices, changes, outcome);
    this.log.info('setup', `wrote ${outcome.written.length}, removed ${outcome.removed.length}`);
    for (const { path: file } of outcome.failed) this.log.error('setup', `could not write ${file}`);
    await this.state.reload();
    return outcome;
  }

  /** Removes every hook, steering file and registration of ours; the memories stay. */
  async removeHooks(): Promise<SetupOutcome> {
    const facts = await this.facts();
    const outcome = await applyChanges(removalPlan(facts));
    const known = await readSetupState(this.storageDir);
    if (known !== undefined) {
      const boxes = { ...known.choices.boxes };
      for (const box of ['hook', 'tools', 'steering', 'mcp', 'vscode', 'claude', 'kiroCli'] as const)
        boxes[box] = false;
      const kept = known.written.filter((file) => outcome.failed.some((failure) => failure.path === file));
      await writeSetupState(this.storageDir, {
        ...known,
        choices: { ...known.choices, boxes },
        written: kept,
      });
    }
    await this.state.reload();
    return outcome;
  }

  private async remember(choices: SetupChoices, changes: FileChange[], outcome: SetupOutcome): Promise<void> {
    const known = await readSetupState(this.storageDir);
    const gone = new Set(outcome.removed);
    const present = changes
      .filter((change) => change.action === 'same' && change.whole)
      .map(({ path: file }) => file);
    const written = new Set([...(known?.written ?? []), ...outcome.written, ...present]);
    await writeSetupState(this.storageDir, {
      version: 1,
      applied_at: new Date().toISOString(),
      choices,
      written: [...written].filter((file) => !gone.has(file)),
    });
  }

  private async facts(): Promise<SetupFacts> {
    const home = os.homedir();
    const known = await readSetupState(this.storageDir);
    const key = await installationKey(this.storageDir);
    const mcp = this.launchers.mcp();
    const identity = await hostIdentity(home);
    const base = {
      identity,
      platform: process.platform,
      home,
      workspaceFolders: this.state.folders.map(({ path: folder, trusted }) => ({ path: folder, trusted })),
      key,
      commands: this.launchers.commands(),
      ...(mcp === undefined ? {} : { mcp }),
      written: known?.written ?? [],
    };
    return { ...base, files: await readPlanFiles(planPaths(base)) };
  }
}

async function hostIdentity(home: string): Promise<SetupFacts['identity']> {
  const texts = await Promise.all(
    ['product.json', 'package.json'].map((name) =>
      fs.readFile(path.join(vscode.env.appRoot, name), 'utf8').catch(() => undefined),
    ),
  );
  const kiroVersion = readKiroVersion(texts, vscode.version);
  const kiroHome = await fs.stat(path.join(home, '.kiro')).then(
    (stat) => stat.isDirectory(),
    () => false,
  );
  return {
    appName: vscode.env.appName,
    uriScheme: vscode.env.uriScheme,
    baseVersion: vscode.version,
    ...(kiroVersion === undefined ? {} : { kiroVersion }),
    kiroHome,
    setting: readSettings().hookDialect,
  };
}
