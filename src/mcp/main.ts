import path from 'node:path';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { systemClock } from '../contract/clock';
import { mintKey, mintTime } from '../platform/launcher-key';
import { silentLog } from '../platform/log';
import { Scrubber } from '../privacy/scrub';
import { RedactedValues } from '../privacy/session-memory';
import { ApiClient } from '../service/client';
import { cutCodePoints } from '../text/cut';
import { clientFolder, type RootsClient } from './client-folder';
import { LeaderMemory } from './leader-memory';
import { LeadingMemory } from './leading-memory';
import { OfflineMemory } from './offline-memory';
import { makeServer } from './server';
import { Snapshot } from './snapshot';
import type { ToolContext } from './tools/tool';

/**
 * The MCP server, started by an agent on stdin and stdout: `mcp.js [--store <dir>]`. Without the option the store is
 * the one that this bundle was copied into.
 */
const version = process.env['KIRO_LEARN_VERSION'] ?? '0.0.0';
/** A leader that was killed is followed by another window within this time, or not at all. */
const leaderWaitMs = 800;
const silentAfterMs = 5000;

async function main(): Promise<void> {
  const storageDir = storageOf(process.argv.slice(2));
  const cwd = process.cwd();
  const scrubber = new Scrubber({ sessions: new RedactedValues() });
  const client = new ApiClient({ storageDir, log: silentLog, leaderWaitMs, silentAfterMs });
  const snapshot = new Snapshot({ storageDir, bundleDir: __dirname, clock: systemClock });
  const server = makeServer({
    version,
    scrubOut: (text) => scrubber.scrubOut(text),
    now: () => Date.now(),
    onFailure: (tool, error) => {
      process.stderr.write(`kiro-learn: ${tool} failed: ${error instanceof Error ? error.name : 'error'}\n`);
    },
    bind: async (started) => {
      const folder = await clientFolder(started as RootsClient, cwd);
      const offline = new OfflineMemory({ storageDir, folder, snapshot, scrubber, clock: systemClock });
      const online = new LeaderMemory(client, folder);
      const memory = new LeadingMemory({ storageDir, online, offline, now: () => Date.now() });
      return contextOf(memory, folder, scrubber.scrubText(started.getClientVersion()?.name ?? ''));
    },
  });
  await server.connect(new StdioServerTransport());
  const end = () => {
    client.dispose();
    void snapshot.close().finally(() => process.exit(0));
  };
  server.onclose = end;
  process.stdin.once('end', end);
  process.stdin.once('close', end);
  process.once('SIGTERM', end);
  process.once('SIGINT', end);
}

function contextOf(memory: LeadingMemory, folder: string, clientName: string): ToolContext {
  const client = cutCodePoints(clientName.replace(/\s+/g, ' ').trim(), 80);
  const session = `mcp-${Date.now().toString(36)}-${process.pid.toString(36)}`;
  return {
    memory,
    project: path.basename(folder) || folder,
    frame: () => {
      const key = mintKey(Date.now());
      const at = mintTime(key, Date.now());
      return { key, at, workspace: folder, session_id: session, ...(client ? { client } : {}) };
    },
  };
}

function storageOf(argv: readonly string[]): string {
  const at = argv.indexOf('--store');
  const given = at >= 0 ? argv[at + 1] : undefined;
  return given ? path.resolve(given) : path.resolve(__dirname, '..', '..');
}

process.on('unhandledRejection', () => undefined);
process.stdout.on('error', () => process.exit(0));
main().catch((error: unknown) => {
  process.stderr.write(
    `kiro-learn: ${error instanceof Error ? error.message : 'the memory server failed'}\n`,
  );
  process.exit(1);
});
