import * as fs from 'node:fs/promises';
import * as vscode from 'vscode';
import type { Launchers } from '../setup/launchers';

/** Declared in the manifest under `mcpServerDefinitionProviders`. */
export const MCP_PROVIDER = 'kiro-learn.mcp';

/** Offers our MCP server to the chat of this window, where the host takes such offers and the server is built. */
export function registerMcpProvider(launchers: Launchers, version: string): vscode.Disposable | undefined {
  if (typeof vscode.lm?.registerMcpServerDefinitionProvider !== 'function') return undefined;
  if (typeof vscode.McpStdioServerDefinition !== 'function') return undefined;
  return vscode.lm.registerMcpServerDefinitionProvider(MCP_PROVIDER, {
    provideMcpServerDefinitions: async () => {
      const server = launchers.mcp();
      if (server === undefined || !vscode.workspace.isTrusted) return [];
      const exists = await fs.stat(server.command).then(
        () => true,
        () => false,
      );
      if (!exists) return [];
      const { command, args, env } = server;
      return [new vscode.McpStdioServerDefinition('kiro-learn', command, args, env ?? {}, version)];
    },
  });
}
