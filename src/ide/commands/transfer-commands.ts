import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { StreamEvent } from '../../contract/local-api';
import type { CommandContext } from './context';
import { namespaceOf } from './memory-picks';

type JobEvent = Extract<StreamEvent, { stream: 'job' }>;

/** **Import past Kiro sessions**: says what there is, then reads it with a progress bar that can be cancelled. */
export async function importSessions(context: CommandContext): Promise<void> {
  const { client, state } = context;
  const workspace = state.currentFolder;
  if (workspace === undefined) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t('Open a folder first: memories belong to a project.'),
    );
    return;
  }
  if (!(state.setupState?.choices.boxes.sessions ?? false)) {
    const setUp = vscode.l10n.t('Set up kiro-learn');
    const message = vscode.l10n.t('Reading ~/.kiro/sessions needs your consent, given on the set-up page.');
    if ((await vscode.window.showInformationMessage(message, setUp)) === setUp) context.panel.showSetup();
    return;
  }
  const found = await client.call('findSessions', { workspace });
  if (found.sessions === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('No Kiro session of this folder was found.'));
    return;
  }
  const action = vscode.l10n.t('Import');
  const size = `${(found.bytes / 1024 / 1024).toFixed(1)} MB`;
  const message = vscode.l10n.t(
    'Found {0} sessions of this folder ({1}); {2} are known already.',
    found.sessions,
    size,
    found.already,
  );
  if ((await vscode.window.showInformationMessage(message, { modal: true }, action)) !== action) return;
  const end = await runJob(context, () => client.call('importSessions', { workspace }));
  if (end.state === 'failed') throw new Error(end.message ?? vscode.l10n.t('The import failed.'));
  const done =
    end.state === 'cancelled'
      ? vscode.l10n.t(
          'Import cancelled after {0} of {1} sessions; what was read is kept.',
          end.done,
          end.total,
        )
      : vscode.l10n.t('Imported {0} sessions.', end.done);
  const show = vscode.l10n.t('Show');
  if ((await vscode.window.showInformationMessage(done, show)) === show)
    context.panel.show({ tab: 'memories' });
}

function runJob(context: CommandContext, start: () => Promise<{ job_id: string }>): Promise<JobEvent> {
  const options = {
    location: vscode.ProgressLocation.Notification,
    title: vscode.l10n.t('kiro-learn: importing sessions'),
    cancellable: true,
  };
  return Promise.resolve(
    vscode.window.withProgress(options, async (progress, cancel) => {
      const heard: JobEvent[] = [];
      let wake: () => void = () => undefined;
      const subscription = context.client.subscribe((event) => {
        if (event.stream !== 'job') return;
        heard.push(event);
        wake();
      });
      try {
        const { job_id: id } = await start();
        cancel.onCancellationRequested(() => void context.client.call('cancelJob', { job_id: id }));
        let last = 0;
        for (;;) {
          for (const event of heard.splice(0)) {
            if (event.job_id !== id) continue;
            if (event.state !== 'running') return event;
            const percent = event.total > 0 ? (100 * event.done) / event.total : 0;
            progress.report({
              message: `${event.done} / ${event.total}`,
              increment: Math.max(0, percent - last),
            });
            last = percent;
          }
          await new Promise<void>((resolve) => (wake = resolve));
        }
      } finally {
        subscription.dispose();
      }
    }),
  );
}

/** **Export memories**: JSON or Markdown, only for the user's eyes (0600), with a warning inside a git tree. */
export async function exportMemories({ client, state, log }: CommandContext): Promise<void> {
  const formats = [
    { label: 'JSON', detail: vscode.l10n.t('Complete; can be imported again'), format: 'json' as const },
    { label: 'Markdown', detail: vscode.l10n.t('For reading'), format: 'markdown' as const },
  ];
  const picked = await vscode.window.showQuickPick(formats, { title: vscode.l10n.t('Export memories') });
  if (picked === undefined) return;
  const folder = state.currentFolder;
  const scope = await pickScope(folder);
  if (scope === undefined) return;
  const extension = picked.format === 'json' ? 'json' : 'md';
  const target = await vscode.window.showSaveDialog({
    title: vscode.l10n.t('Export memories'),
    filters: { [picked.label]: [extension] },
    saveLabel: vscode.l10n.t('Export'),
  });
  if (target === undefined || target.scheme !== 'file') return;
  if (!(await confirmGitTree(target.fsPath))) return;
  const namespace =
    scope === 'project' && folder !== undefined ? { namespace: await namespaceOf(client, folder) } : {};
  const { text, records } = await client.call('exportMemories', { format: picked.format, ...namespace });
  await fs.writeFile(target.fsPath, text, { mode: 0o600 });
  await fs.chmod(target.fsPath, 0o600);
  log.info('export', `${records} records as ${picked.format}`);
  const open = vscode.l10n.t('Open');
  const message = vscode.l10n.t('Exported {0} memories.', records);
  if ((await vscode.window.showInformationMessage(message, open)) === open)
    await vscode.window.showTextDocument(target);
}

async function pickScope(folder: string | undefined): Promise<'project' | 'all' | undefined> {
  if (folder === undefined) return 'all';
  const choices = [
    { label: vscode.l10n.t('This project'), description: path.basename(folder), scope: 'project' as const },
    { label: vscode.l10n.t('All projects'), scope: 'all' as const },
  ];
  return (await vscode.window.showQuickPick(choices, { title: vscode.l10n.t('Which memories?') }))?.scope;
}

async function confirmGitTree(file: string): Promise<boolean> {
  if (!(await insideGitTree(path.dirname(file)))) return true;
  const go = vscode.l10n.t('Export anyway');
  const message = vscode.l10n.t(
    'The file lies inside a git tree. Memories may tell more about your work than you want to commit.',
  );
  return (await vscode.window.showWarningMessage(message, { modal: true }, go)) === go;
}

async function insideGitTree(directory: string): Promise<boolean> {
  for (let current = directory; ; current = path.dirname(current)) {
    const exists = await fs.stat(path.join(current, '.git')).then(
      () => true,
      () => false,
    );
    if (exists) return true;
    if (path.dirname(current) === current) return false;
  }
}

const maxImportBytes = 64 * 1024 * 1024;

/** **Import memories**: a JSON export; known records are skipped, texts are scrubbed again. */
export async function importMemories({ client, state }: CommandContext): Promise<void> {
  const workspace = state.currentFolder;
  if (workspace === undefined) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t('Open a folder first: memories belong to a project.'),
    );
    return;
  }
  const [file] =
    (await vscode.window.showOpenDialog({
      filters: { JSON: ['json'] },
      title: vscode.l10n.t('Import memories'),
    })) ?? [];
  if (file === undefined) return;
  const stat = await vscode.workspace.fs.stat(file);
  if (stat.size > maxImportBytes) throw new Error(vscode.l10n.t('The file is larger than 64 MB.'));
  const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
  const { added, skipped } = await client.call('importMemories', { text, workspace });
  void vscode.window.showInformationMessage(
    vscode.l10n.t('Imported {0} memories, skipped {1}.', added, skipped),
  );
}
