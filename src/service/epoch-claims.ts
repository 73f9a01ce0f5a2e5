import { readdirSync } from 'node:fs';
import { link, open, readdir, unlink } from 'node:fs/promises';
import path from 'node:path';
import { FILE_MODE, hasCode } from '../platform/file-system';
import { parseLeaderInfo, type LeaderInfo } from './leader-info';
import { ensurePrivateDirectory, readPrivateFile, writeBeside } from './private-files';

const maxClaimBytes = 16 * 1024;
const withoutLinks: ReadonlySet<string> = new Set(['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK']);

export interface Claim {
  epoch: number;
  /** Undefined where the file is damaged or gone again. */
  info: LeaderInfo | undefined;
}

/**
 * The numbered names of leadership, `e.<n>` in a folder of global storage. A number is claimed once and never
 * taken over: the file appears whole, by `link()`, and only a leader with a higher number removes it. The claims
 * lie in global storage and not beside the sockets, because two windows of one store may see different runtime
 * directories (`XDG_RUNTIME_DIR` set in one only) and a temporary folder may be wiped.
 */
export class EpochClaims {
  readonly directory: string;

  constructor(storageDir: string) {
    this.directory = path.join(storageDir, 'epochs');
  }

  /** @throws UnsafePathError */
  prepare(): Promise<void> {
    return ensurePrivateDirectory(this.directory);
  }

  async highest(): Promise<Claim | undefined> {
    const epoch = highestOf(await readdir(this.directory));
    if (epoch === 0) return undefined;
    return { epoch, info: parseLeaderInfo(await readPrivateFile(this.nameOf(epoch), maxClaimBytes)) };
  }

  /** The highest number that is claimed, 0 for none. Synchronous: the fence before a commit (about 7 µs). */
  highestNow(): number {
    return highestOf(readdirSync(this.directory));
  }

  /** True where this call claimed `info.epoch`; false where somebody else had. */
  async claim(info: LeaderInfo): Promise<boolean> {
    const name = this.nameOf(info.epoch);
    const content = JSON.stringify(info);
    const temporary = await writeBeside(path.join(this.directory, 'claim'), content);
    try {
      await link(temporary, name);
      return true;
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? '';
      if (code === 'EEXIST') return false;
      if (!withoutLinks.has(code)) throw error;
      return await claimWithoutLink(name, content);
    } finally {
      await unlink(temporary).catch(() => undefined);
    }
  }

  /** Removes the names below `epoch`, and what claimants that died left half made. */
  async removeBelow(epoch: number): Promise<void> {
    for (const name of await readdir(this.directory)) {
      const number = epochOf(name);
      if (number > 0 && number < epoch) await unlink(path.join(this.directory, name)).catch(() => undefined);
    }
  }

  private nameOf(epoch: number): string {
    return path.join(this.directory, `e.${epoch}`);
  }
}

/** Exclusive all the same; but another may read it before it is whole, and must take that for busy. */
async function claimWithoutLink(name: string, content: string): Promise<boolean> {
  let handle;
  try {
    handle = await open(name, 'wx', FILE_MODE);
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  }
  try {
    await handle.writeFile(content);
    await handle.datasync();
  } finally {
    await handle.close();
  }
  return true;
}

function highestOf(names: readonly string[]): number {
  return names.reduce((highest, name) => Math.max(highest, epochOf(name)), 0);
}

function epochOf(name: string): number {
  const match = /^e\.(\d{1,15})$/.exec(name);
  return match ? Number(match[1]) : 0;
}
