import { readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { writeFileAtomic } from '../platform/atomic-file';
import { nodeFileSystem } from '../platform/file-system';
import { storagePaths } from '../platform/paths';
import { readPrivateFile } from './private-files';

export const leaderInfoSchema = z.object({
  epoch: z.number().int().min(1),
  /** Path of the unix socket, or name of the pipe. */
  address: z.string().min(1).max(1024),
  /** What a client proves before it is answered. */
  key: z.string().min(32).max(128),
  pid: z.number().int(),
  version: z.string().max(64),
  host: z.string().max(255),
  boot_id: z.string().max(64),
  started_at: z.string(),
  /** The leader went away in order. */
  released: z.boolean().optional(),
  /** The version that asked for the hand-over: older windows let it go first. */
  handed_to: z.string().max(64).optional(),
});
/** Who leads, and how it is reached. Holds the key: never logged. */
export type LeaderInfo = z.infer<typeof leaderInfoSchema>;

const maxBytes = 16 * 1024;

export function leaderFile(storageDir: string): string {
  return storagePaths(storageDir).leaderFile;
}

/** What the launcher's `curl` reads: address and key, so that neither stands in a process list. */
export function leaderCurlFile(storageDir: string): string {
  return path.join(storageDir, 'leader.curl');
}

/** The leader that is written down, alive or not; undefined where there is none or the file is not ours. */
export async function readLeaderInfo(storageDir: string): Promise<LeaderInfo | undefined> {
  return parseLeaderInfo(await readPrivateFile(leaderFile(storageDir), maxBytes));
}

export function parseLeaderInfo(bytes: Buffer | undefined): LeaderInfo | undefined {
  if (!bytes) return undefined;
  try {
    return leaderInfoSchema.safeParse(JSON.parse(bytes.toString('utf8'))).data;
  } catch {
    return undefined;
  }
}

export async function writeLeaderFiles(storageDir: string, info: LeaderInfo, now: number): Promise<void> {
  const json = Buffer.from(`${JSON.stringify(info, null, 2)}\n`);
  await writeFileAtomic(nodeFileSystem, leaderFile(storageDir), json);
  if (process.platform !== 'win32') {
    const config = Buffer.from(curlConfig(info, bootTimeMs(now)));
    await writeFileAtomic(nodeFileSystem, leaderCurlFile(storageDir), config);
  }
}

/**
 * A `curl -K` file. Its first line is a comment for the launcher: the milliseconds at which the system's uptime
 * was 0 (0 where `/proc/uptime` is missing) and the socket's path, which it checks before it trusts it.
 */
export function curlConfig(info: Pick<LeaderInfo, 'address' | 'key'>, bootMs: number): string {
  return [
    `# ${bootMs} ${info.address}`,
    `unix-socket = ${curlQuote(info.address)}`,
    `header = ${curlQuote(`x-kiro-learn-key: ${info.key}`)}`,
    'header = "Content-Type: application/octet-stream"',
    'header = "Expect:"',
    'noproxy = "*"',
    'silent',
    'fail',
    '',
  ].join('\n');
}

function curlQuote(value: string): string {
  return `"${value.replace(/[\\"]/g, '\\$&').replace(/\n/g, '\\n').replace(/\r/g, '\\r')}"`;
}

function bootTimeMs(now: number): number {
  if (os.platform() !== 'linux') return 0;
  try {
    const uptime = Number.parseFloat(readFileSync('/proc/uptime', 'utf8'));
    return Number.isFinite(uptime) ? Math.round(now - uptime * 1000) : 0;
  } catch {
    return 0;
  }
}
