import * as vscode from 'vscode';
import type { Disposable } from '../../contract/disposable';
import type { CollectorClient } from '../collector-client';

/** Name in the window's secret storage, which the host encrypts. */
const SECRET = 'kiro-learn.model.key';

/** Asks for the key of the model's endpoint; an empty answer takes it away. */
export const SET_MODEL_KEY = 'kiro-learn.setModelKey';

/** Keeps the endpoint's key in secret storage and gives it to the collector, which holds it in memory alone. */
export function registerModelKey(secrets: vscode.SecretStorage, client: CollectorClient): Disposable {
  const push = async () => client.setModelKey((await secrets.get(SECRET)) ?? '');
  const subscriptions = [
    secrets.onDidChange((event) => {
      if (event.key === SECRET) void push();
    }),
    vscode.commands.registerCommand(SET_MODEL_KEY, () => askForKey(secrets)),
  ];
  // A window without a working secret storage has no key.
  push().catch(() => undefined);
  return { dispose: () => subscriptions.forEach((subscription) => subscription.dispose()) };
}

async function askForKey(secrets: vscode.SecretStorage): Promise<void> {
  const key = await vscode.window.showInputBox({
    title: vscode.l10n.t('Key of the model endpoint'),
    prompt: vscode.l10n.t('Kept in the secret storage of this window. Leave it empty to remove it.'),
    password: true,
    ignoreFocusOut: true,
  });
  if (key === undefined) return;
  if (key.trim() === '') await secrets.delete(SECRET);
  else await secrets.store(SECRET, key.trim());
}
