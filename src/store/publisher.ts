import path from 'node:path';
import type { FileSystem } from '../platform/file-system';
import type { Log } from '../platform/log';
import type { Applier } from './apply';
import type { Database } from './database';
import { filesOfKind, storeFileName } from './file-names';
import { writeImage } from './image-files';
import type { Journal } from './journal';

interface PublisherDeps {
  dir: string;
  fs: FileSystem;
  epoch: number;
  log: Log;
}

export interface Generation {
  name: string;
  /** Last sequence that the image holds. */
  sequence: number;
  bytes: number;
}

const JOURNAL_LIMIT = 8 * 1024 * 1024;

/** Writes images, and removes what two of them have made superfluous. */
export class Publisher {
  private generations: Generation[] = [];
  private number = 0;
  private publishedBytes = 0;
  private running: Promise<void> | undefined;

  constructor(
    private readonly deps: PublisherDeps,
    private readonly db: Database,
    private readonly journal: Journal,
    private readonly applier: Applier,
    loaded: Generation | undefined,
  ) {
    if (loaded) this.generations.push(loaded);
  }

  sizes(): { image: number; bodies: number; quarantine: number } {
    return { image: this.generations[0]?.bytes ?? 0, bodies: 0, quarantine: 0 };
  }

  /** Told after each group that went to the journal. */
  grew(): void {
    if (this.journal.written - this.publishedBytes < JOURNAL_LIMIT || this.running) return;
    this.publish().catch((error: unknown) => {
      this.deps.log.error('store', `No image was written: ${error instanceof Error ? error.name : 'error'}`);
    });
  }

  publish(): Promise<void> {
    this.running ??= this.write().finally(() => {
      this.running = undefined;
    });
    return this.running;
  }

  async dispose(): Promise<void> {
    await this.running?.catch(() => undefined);
  }

  private async write(): Promise<void> {
    const { fs, dir, epoch } = this.deps;
    const sequence = this.applier.sequence;
    const image = this.db.export();
    this.publishedBytes = this.journal.written;
    this.journal.roll();
    this.number += 1;
    const name = storeFileName('image', epoch, this.number);
    const bytes = await writeImage(fs, dir, name, image);
    this.generations = [{ name, sequence, bytes }, ...this.generations].slice(0, 2);
    await this.journal.checkFence();
    await this.removeSuperfluous();
  }

  private async removeSuperfluous(): Promise<void> {
    const { fs, dir } = this.deps;
    const older = this.generations[1];
    if (!older) return;
    const kept = new Set(this.generations.map((generation) => generation.name));
    for (const file of filesOfKind(await fs.readdir(dir), 'image')) {
      if (!kept.has(file.name)) await fs.unlink(path.join(dir, file.name)).catch(() => undefined);
    }
    await this.journal.dropThrough(older.sequence);
  }
}
