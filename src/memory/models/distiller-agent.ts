import path from 'node:path';
import { SYSTEM_TEXT } from './prompt-text';

/** Name of the agent that kiro-cli is started with; ours alone. */
export const DISTILLER_AGENT = 'kiro-learn-ide-distiller';
/** Set for every process that we start: a hook that sees it has nothing to tell. */
export const DISTILLER_MARK = 'KIRO_LEARN_DISTILLER';

/** Where kiro-cli looks for the agent. */
export function distillerAgentPath(home: string): string {
  return path.join(home, '.kiro', 'agents', `${DISTILLER_AGENT}.json`);
}

/** The agent: no tools, no hooks, no files, only the task. Written by the set-up page, with consent. */
export function distillerAgentFile(): string {
  const agent = {
    name: DISTILLER_AGENT,
    description:
      'Reads what happened in a session and writes down what is worth knowing. Used by kiro-learn.',
    prompt: SYSTEM_TEXT,
    mcpServers: {},
    tools: [],
    allowedTools: [],
    resources: [],
    hooks: {},
    includeMcpJson: false,
  };
  return `${JSON.stringify(agent, null, 2)}\n`;
}
