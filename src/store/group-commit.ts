import { CommitTooLargeError, StoreReadOnlyError, type ReadOnlyReason } from './errors';

/** A frame is read whole into memory again. */
const MAX_COMMIT_BYTES = 64 * 1024 * 1024;
/** A group ends at this many commits or bytes, so that applying it stays short. */
const GROUP_COMMITS = 200;
const GROUP_BYTES = 4 * 1024 * 1024;

export interface WaitingCommit<T> {
  json: string;
  resolve(value: T): void;
  reject(error: unknown): void;
}

/** Commits that come while a group is on its way to the disk form the next one: one sync serves them all. */
export class GroupCommit<T> {
  private waiting: WaitingCommit<T>[] = [];
  private running: Promise<void> | undefined;
  private closed: ReadOnlyReason | undefined;

  /** @param write settles every commit of its group; it must not reject. */
  constructor(private readonly write: (group: readonly WaitingCommit<T>[]) => Promise<void>) {}

  add(json: string): Promise<T> {
    if (this.closed) return Promise.reject(new StoreReadOnlyError(this.closed));
    if (json.length > MAX_COMMIT_BYTES) {
      return Promise.reject(new CommitTooLargeError(json.length, MAX_COMMIT_BYTES));
    }
    return new Promise<T>((resolve, reject) => {
      this.waiting.push({ json, resolve, reject });
      this.running ??= this.run();
    });
  }

  /** Takes no more commits; resolves when those that were taken are settled. */
  async close(reason: ReadOnlyReason): Promise<void> {
    this.closed ??= reason;
    await this.running;
  }

  private async run(): Promise<void> {
    // Commits of one turn of the event loop belong together.
    await Promise.resolve();
    while (this.waiting.length > 0) await this.write(this.nextGroup());
    this.running = undefined;
  }

  private nextGroup(): WaitingCommit<T>[] {
    let bytes = 0;
    let count = 0;
    for (const { json } of this.waiting) {
      if (count > 0 && (count >= GROUP_COMMITS || bytes + json.length > GROUP_BYTES)) break;
      bytes += json.length;
      count += 1;
    }
    const group = this.waiting.slice(0, count);
    this.waiting = this.waiting.slice(count);
    return group;
  }
}
