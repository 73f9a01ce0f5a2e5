import * as vscode from 'vscode';
import type { ModelRequest } from './collector-client';

const timeoutMs = 120_000;

/**
 * Asks a language model of this window, as the user allows it. Rejects where there is none, where the user
 * said no, or after two minutes; at most `maxTokens` times six characters of the answer are read.
 */
export async function askWindowModel(request: ModelRequest): Promise<string> {
  if (typeof vscode.lm?.selectChatModels !== 'function')
    throw new Error('This host offers no language models.');
  const [model] = await vscode.lm.selectChatModels();
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
