import * as vscode from 'vscode';
import type { ModelRequest } from './collector-client';
import { readSettings } from './settings';

const timeoutMs = 120_000;

/** The model that the setting names, by id, family or name; the host's first one where none is named. */
function chosen(models: readonly vscode.LanguageModelChat[], wanted: string) {
  if (wanted === '') return models[0];
  const name = wanted.toLowerCase();
  return models.find((model) =>
    [model.id, model.family, model.name].some((candidate) => candidate.toLowerCase() === name),
  );
}

/**
 * Asks a language model of this window, as the user allows it. Rejects where there is none, where the user
 * said no, or after two minutes; at most `maxTokens` times six characters of the answer are read.
 */
export async function askWindowModel(request: ModelRequest): Promise<string> {
  if (typeof vscode.lm?.selectChatModels !== 'function')
    throw new Error('This host offers no language models.');
  const model = chosen(await vscode.lm.selectChatModels(), readSettings().modelName);
  if (model === undefined) throw new Error('No language model is available in this window.');
  const cancel = new vscode.CancellationTokenSource();
  const timer = setTimeout(() => cancel.cancel(), timeoutMs);
  try {
    const messages = [
      vscode.LanguageModelChatMessage.User(request.system),
      vscode.LanguageModelChatMessage.User(request.prompt),
    ];
    const options = { justification: vscode.l10n.t('Distils captured events into memories.') };
    const response = await model.sendRequest(messages, options, cancel.token);
    const limit = request.maxTokens * 6;
    let text = '';
    for await (const piece of response.text) {
      text += piece;
      if (text.length > limit) {
        cancel.cancel();
        break;
      }
    }
    return text;
  } finally {
    clearTimeout(timer);
    cancel.dispose();
  }
}
