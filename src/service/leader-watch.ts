import { watch, type FSWatcher } from 'node:fs';
import type { Disposable } from '../contract/disposable';
import type { Log } from '../platform/log';
import { readLeaderInfo, type LeaderInfo } from './leader-info';

/** Tells when `leader.json` names somebody; nothing is asked in between. */
export class LeaderWatch implements Disposable {
  private watcher: FSWatcher | undefined;
  private readonly waiting = new Set<() => void>();

  constructor(
    private readonly storageDir: string,
    private readonly log: Log,
  ) {}

  /**
   * The leader that is written down, once it is another than the one with `refusedKey`.
   *
   * @param timeoutMs Infinity waits until `signal` aborts
   * @returns undefined when the time is over or `signal` aborted
   */
  async next(
    refusedKey: string | undefined,
    timeoutMs: number,
    signal: AbortSignal,
  ): Promise<LeaderInfo | undefined> {
    const deadline = Number.isFinite(timeoutMs) ? AbortSignal.timeout(timeoutMs) : undefined;
    const stop = deadline ? AbortSignal.any([signal, deadline]) : signal;
    while (!stop.aborted) {
      const changed = this.change(stop);
      const info = await readLeaderInfo(this.storageDir);
      if (info && info.key !== refusedKey && !info.released) {
        changed.cancel();
        return info;
      }
      await changed.happened;
    }
    return undefined;
  }

  dispose(): void {
    for (const wake of [...this.waiting]) wake();
    this.stopWatching();
  }

  private change(stop: AbortSignal): { happened: Promise<void>; cancel: () => void } {
    this.startWatching();
    let wake = () => undefined as void;
    const happened = new Promise<void>((resolve) => {
      wake = () => {
        this.waiting.delete(wake);
        stop.removeEventListener('abort', wake);
        if (this.waiting.size === 0) this.stopWatching();
        resolve();
      };
    });
    this.waiting.add(wake);
    stop.addEventListener('abort', wake, { once: true });
    if (stop.aborted) wake();
    return { happened, cancel: wake };
  }

  private startWatching(): void {
    if (this.watcher) return;
    try {
      this.watcher = watch(this.storageDir, { persistent: false }, (_event, name) => {
        if (name === null || name === 'leader.json') for (const wake of [...this.waiting]) wake();
      });
      this.watcher.on('error', () => this.stopWatching());
    } catch {
      this.log.warn('local api client', 'the storage folder cannot be watched for a leader');
    }
  }

  private stopWatching(): void {
    this.watcher?.close();
    this.watcher = undefined;
  }
}
