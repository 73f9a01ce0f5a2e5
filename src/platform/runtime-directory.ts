import { createHash } from 'node:crypto';
import { chmod, lstat, mkdir, mkdtemp, realpath } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { DIRECTORY_MODE, hasCode } from './file-system';

/** Bytes that a socket path may have on every system: macOS allows 103, Linux 107, and Node 20 and 22 cut silently. */
export const MAX_SOCKET_PATH_BYTES = 103;

/** Room for `/` and the longest socket name that is made inside the directory. */
const SOCKET_NAME_BYTES = 24;

/** No directory was found that is short enough for a socket and belongs to this user alone. */
export class RuntimeDirectoryError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'RuntimeDirectoryError';
  }
}

export interface RuntimeDirectoryOptions {
  env?: NodeJS.ProcessEnv;
  platform?: NodeJS.Platform;
  uid?: number;
  /** Where to look when `XDG_RUNTIME_DIR` will not do; the system's temporary folder when left out. */
  tmpDir?: string;
}

/**
 * Makes or finds the short private directory for the sockets of one store: owned by this user, mode 0700, no
 * link. Where another user sits on the expected name, a random one is taken: the leader publishes its address,
 * so nobody computes this path again. On Windows, where pipes have no directory, the storage path is returned.
 *
 * @param storageDir global storage, absolute; it must exist
 * @throws RuntimeDirectoryError where no base gives a path short enough for a socket
 */
export async function runtimeDirectory(
  storageDir: string,
  options: RuntimeDirectoryOptions = {},
): Promise<string> {
  const platform = options.platform ?? process.platform;
  if (platform === 'win32') return storageDir;
  const uid = options.uid ?? process.getuid?.() ?? 0;
  const identity = await realpath(storageDir);
  const hash = createHash('sha256').update(identity).digest('hex').slice(0, 16);
  const name = `kiro-learn-${uid}-${hash}`;
  for (const base of await bases(options, platform, uid)) {
    const directory = path.join(base, name);
    if (!fitsSocket(directory)) continue;
    const made = await claimDirectory(directory, uid);
    if (made) return made;
  }
  throw new RuntimeDirectoryError(
    'No private directory with a path short enough for a socket: set XDG_RUNTIME_DIR or TMPDIR to a short one.',
  );
}

/** True where `directory` is a real directory of user `uid` that nobody else may enter. Never follows a link. */
export async function isPrivateDirectory(directory: string, uid: number): Promise<boolean> {
  try {
    const stats = await lstat(directory);
    return stats.isDirectory() && stats.uid === uid && (stats.mode & 0o077) === 0;
  } catch {
    return false;
  }
}

async function bases(
  options: RuntimeDirectoryOptions,
  platform: NodeJS.Platform,
  uid: number,
): Promise<string[]> {
  const env = options.env ?? process.env;
  const found: string[] = [];
  const xdg = env.XDG_RUNTIME_DIR;
  if (xdg && path.isAbsolute(xdg) && (await isPrivateDirectory(xdg, uid))) found.push(xdg);
  found.push(options.tmpDir ?? (platform === 'darwin' ? os.tmpdir() : '/tmp'));
  if (!options.tmpDir) found.push('/tmp');
  return [...new Set(found)];
}

function fitsSocket(directory: string): boolean {
  return Buffer.byteLength(directory) + SOCKET_NAME_BYTES <= MAX_SOCKET_PATH_BYTES;
}

async function claimDirectory(directory: string, uid: number): Promise<string | undefined> {
  try {
    await mkdir(directory, { mode: DIRECTORY_MODE });
    await chmod(directory, DIRECTORY_MODE);
    return directory;
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) return undefined;
  }
  if (await isPrivateDirectory(directory, uid)) return directory;
  try {
    const random = await mkdtemp(`${path.dirname(directory)}/kiro-learn-${uid}-`);
    return fitsSocket(random) ? random : undefined;
  } catch {
    return undefined;
  }
}
