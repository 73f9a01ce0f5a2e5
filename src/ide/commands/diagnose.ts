import * as vscode from 'vscode';
import type { Health } from '../../contract/local-api';
import type { CommandContext } from './context';

type HookState = Health['hooks'][number]['state'];

/** What to offer for each finding: the hook, the steering file, the MCP server. */
const remedies: Record<HookState, 'none' | 'setUp' | 'steering'> = {
  fired: 'none',
  silent: 'setUp',
  output_dropped: 'steering',
  prompt_empty: 'none',
  set_aside: 'steering',
  not_installed: 'setUp',
};

/** **Diagnose**: what the agent's own record says about our hooks, and one button that helps. */
export async function diagnose(context: CommandContext): Promise<void> {
  const workspace = context.state.currentFolder;
  const health = await context.client.call('health', workspace === undefined ? {} : { workspace });
  report(context, health);
  const lines = health.hooks.map((hook) => `${hook.name}: ${hookSentence(hook.state)}`);
  const waits = health.hooks.length === 0 && context.state.hookWritten;
  if (waits)
    lines.push(vscode.l10n.t('The hook is written and has not run yet: submit a prompt to your agent.'));
  else if (lines.length === 0) lines.push(vscode.l10n.t('No hook of kiro-learn is known yet.'));
  for (const problem of health.status.problems) lines.push(problem.message);
  const setUp = vscode.l10n.t('Set up kiro-learn');
  const details = vscode.l10n.t('Details');
  const needs = health.hooks.map((hook) => remedies[hook.state]);
  const offersSetUp = needs.some((need) => need !== 'none') || (health.hooks.length === 0 && !waits);
  const show = offersSetUp ? vscode.window.showWarningMessage : vscode.window.showInformationMessage;
  const answer = await show(lines.join(' '), ...(offersSetUp ? [setUp, details] : [details]));
  if (answer === setUp) context.panel.showSetup();
  if (answer === details) context.panel.show({ tab: 'health' });
}

/** One sentence for what became of a hook. */
export function hookSentence(state: HookState): string {
  switch (state) {
    case 'fired':
      return vscode.l10n.t('it runs.');
    case 'silent':
      return vscode.l10n.t('it is installed and was never run by the agent. Writing it again may help.');
    case 'output_dropped':
      return vscode.l10n.t(
        'it runs, but this build drops its output. The MCP server and the steering file still work.',
      );
    case 'prompt_empty':
      return vscode.l10n.t('it runs without the prompt text; the text is read from the session file.');
    case 'set_aside':
      return vscode.l10n.t(
        'its notes arrive, but the model calls them unverified. The steering file vouches for them.',
      );
    case 'not_installed':
      return vscode.l10n.t('it is not installed.');
  }
}

function report({ log, client, state, extension }: CommandContext, health: Health): void {
  const { status } = health;
  const say = (message: string) => log.info('diagnose', message);
  say(
    `kiro-learn ${extension.version} in ${vscode.env.appName}, VS Code ${vscode.version}, ${process.platform}`,
  );
  say(`remote: ${vscode.env.remoteName ?? 'no'}; trusted: ${state.trusted}; set up: ${state.setUp}`);
  say(`worker: ${client.life.life}; role: ${status.role}; state: ${status.state.state}`);
  say(
    `events ${status.events}, records ${status.records}, waiting ${status.buffered}+${status.pending_model}`,
  );
  for (const hook of health.hooks)
    say(`hook ${hook.name}: ${hook.state}${hook.last_at ? `, last ${hook.last_at}` : ''}`);
  for (const [name, bytes] of Object.entries(health.sizes)) say(`size ${name}: ${bytes} bytes`);
  say(`spool: ${health.spool.waiting} waiting, ${health.spool.dropped} dropped`);
  say(`sessions not read: ${health.sessions_not_read.length}`);
  for (const problem of status.problems) say(`problem ${problem.code} at ${problem.at}`);
}
