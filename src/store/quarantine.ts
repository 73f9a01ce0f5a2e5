import path from 'node:path';
import { writeFileAtomic } from '../platform/atomic-file';
import { hasCode, type FileSystem } from '../platform/file-system';

export const QUARANTINE = 'quarantine';

/** Where damaged and foreign files are kept: set aside, never deleted (but by an erase). */
export class Quarantine {
  constructor(
    private readonly fs: FileSystem,
    private readonly dir: string,
  ) {}

  /** Moves a file of the store here. @returns its path below the store. */
  async take(name: string): Promise<string> {
    const kept = await this.freeName(name);
    await this.fs.rename(path.join(this.dir, name), path.join(this.dir, kept));
    await this.fs.fsyncDir(path.join(this.dir, QUARANTINE));
    await this.fs.fsyncDir(this.dir);
    return kept;
  }

  /** Keeps bytes of a file that stays where it is. */
  async keep(name: string, bytes: Uint8Array): Promise<string> {
    const kept = await this.freeName(name);
    await writeFileAtomic(this.fs, path.join(this.dir, kept), bytes);
    return kept;
  }

  /** Deletes all that is kept: nobody can say what a damaged file holds. @returns how many files. */
  async purge(): Promise<number> {
    const dir = path.join(this.dir, QUARANTINE);
    const names = await this.fs.readdir(dir);
    for (const name of names) {
      try {
        await this.fs.unlink(path.join(dir, name));
      } catch (error) {
        if (!hasCode(error, 'ENOENT')) throw error;
      }
    }
    if (names.length > 0) await this.fs.fsyncDir(dir);
    return names.length;
  }

  private async freeName(name: string): Promise<string> {
    const base = path.basename(name);
    for (let n = 0; ; n++) {
      const kept = path.join(QUARANTINE, n === 0 ? base : `${base}.${n}`);
      if (!(await this.fs.stat(path.join(this.dir, kept)))) return kept;
    }
  }
}
