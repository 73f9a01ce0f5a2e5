import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ListRootsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { onTestFinished } from 'vitest';
import { mcpLauncherPath, writeLauncher } from '../../../src/platform/launcher';
import { silentLog } from '../../../src/platform/log';
import { openStore, type OpenedStore } from '../../../src/cli/open-store';
import { bundle } from '../../hook/support/bundle';

export interface Programs {
  distDir: string;
  mcp: string;
  leader: string;
  dispose(): Promise<void>;
}

/** Bundles the MCP server, and a process that leads, once for a test file. */
export async function buildPrograms(): Promise<Programs> {
  const distDir = await mkdtemp(path.join(os.tmpdir(), 'kl-mcp-'));
  const mcp = await bundle('src/mcp/main.ts', path.join(distDir, 'mcp.js'));
  const leader = await bundle('test/mcp/support/leader-process.ts', path.join(distDir, 'leader.js'));
  const wasm = createRequire(__filename).resolve('sql.js/dist/sql-wasm.wasm');
  await cp(wasm, path.join(distDir, 'sql-wasm.wasm'));
  return {
    distDir,
    mcp,
    leader,
    dispose: () => rm(distDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }),
  };
}

export interface Place {
  storageDir: string;
  /** A folder that an agent works in. */
  project: string;
  otherProject: string;
}

/** A storage folder and two projects, removed when the test is over. */
export async function makePlace(): Promise<Place> {
  const base = await mkdtemp(path.join(os.tmpdir(), 'kl-'));
  onTestFinished(() => rm(base, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }));
  const place = {
    storageDir: path.join(base, 'storage'),
    project: path.join(base, 'acme shop'),
    otherProject: path.join(base, 'other'),
  };
  for (const folder of Object.values(place)) await mkdir(folder, { mode: 0o700 });
  return place;
}

/** Leads in a process of its own. */
export async function leadElsewhere(programs: Programs, place: Place): Promise<ChildProcess> {
  const child = spawn(process.execPath, [programs.leader, place.storageDir, programs.distDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return child;
}

/** Ends a process the hard way and waits until it is gone. */
export async function killHard(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

/** Opens the store as the next window would: leads, and takes the spool in. */
export async function openHere(programs: Programs, place: Place): Promise<OpenedStore> {
  const opened = await openStore(place.storageDir, { log: silentLog, distDir: programs.distDir });
  onTestFinished(() => opened.dispose());
  return opened;
}

export interface Agent {
  client: Client;
  /** Text of the tool's answer. */
  call(name: string, args?: Record<string, unknown>): Promise<string>;
  /** The same with the error mark. */
  raw(name: string, args?: Record<string, unknown>): Promise<{ text: string; isError: boolean }>;
}

/** An agent's MCP client, talking to the built server over stdio. */
export async function startAgent(
  programs: Programs,
  place: Place,
  options: { roots?: string[]; cwd?: string; clientName?: string; launcher?: string } = {},
): Promise<Agent> {
  const { roots } = options;
  const client = new Client(
    { name: options.clientName ?? 'test-agent', version: '1.0.0' },
    { capabilities: roots ? { roots: {} } : {} },
  );
  if (roots) {
    client.setRequestHandler(ListRootsRequestSchema, () => ({
      roots: roots.map((root) => ({ uri: pathToFileURL(root).href })),
    }));
  }
  const transport = new StdioClientTransport({
    command: options.launcher ?? process.execPath,
    args: options.launcher ? [] : [programs.mcp, '--store', place.storageDir],
    cwd: options.cwd ?? place.project,
    stderr: 'inherit',
  });
  await client.connect(transport);
  onTestFinished(() => client.close());
  const raw: Agent['raw'] = async (name, args = {}) => {
    const result = await client.callTool({ name, arguments: args });
    const [content] = result.content as { type: string; text: string }[];
    return { text: content?.text ?? '', isError: result.isError === true };
  };
  return { client, raw, call: async (name, args) => (await raw(name, args)).text };
}

/** Writes the launchers as the extension does at start. @returns the one of the MCP server */
export async function writeMcpLauncher(programs: Programs, place: Place): Promise<string> {
  await bundle('src/hook/main.ts', path.join(programs.distDir, 'hook.js'));
  await writeLauncher({
    storageDir: place.storageDir,
    distDir: programs.distDir,
    runtimes: [{ kind: 'node', path: process.execPath }],
  });
  return mcpLauncherPath(place.storageDir);
}

/** The id that a text names. */
export function idIn(text: string): string {
  const id = /mr_[0-9A-Z]{26}/.exec(text)?.[0];
  if (!id) throw new Error(`no id in: ${text}`);
  return id;
}
