import type { Disposable } from '../contract/disposable';
import type { StreamEvent } from '../contract/local-api';
import type { ModelState } from '../contract/model-state';
import type { CollectorStatus, Problem } from '../contract/status';
import type { Store } from '../store/store';
import type { CapturePolicy } from './capture-policy';
import type { Distiller } from './distiller';

const MAX_PROBLEMS = 50;
/** Status goes out at most this often; what changed meanwhile is in the next one. */
const STATUS_INTERVAL_MS = 150;

interface StatusBoardDeps {
  store: Store;
  policy: CapturePolicy;
  distiller: Distiller;
  version: string;
  epoch: number;
  storePath: string;
  hostName: string;
}

/** Knows how the collector is doing, and tells whoever follows the stream. */
export class StatusBoard implements Disposable {
  private readonly listeners = new Set<(event: StreamEvent) => void>();
  private readonly problems: Problem[] = [];
  private timer: NodeJS.Timeout | undefined;
  private lastCaptureAt: string | undefined;
  private lastRecallAt: string | undefined;
  private lastInjection: CollectorStatus['last_injection'];
  private modelState: ModelState | undefined;

  constructor(private readonly deps: StatusBoardDeps) {}

  subscribe(listener: (event: StreamEvent) => void): Disposable {
    this.listeners.add(listener);
    return { dispose: () => void this.listeners.delete(listener) };
  }

  emit(event: StreamEvent): void {
    for (const listener of this.listeners) listener(event);
  }

  captured(at: string): void {
    this.lastCaptureAt = at;
    this.changed();
  }

  recalled(injectionId: string, records: number, at: string): void {
    this.lastRecallAt = at;
    if (records > 0) this.lastInjection = { injection_id: injectionId, records, at };
    this.changed();
  }

  problem(problem: Problem): void {
    const known = this.problems.findIndex((candidate) => candidate.code === problem.code);
    if (known >= 0) this.problems.splice(known, 1);
    this.problems.push(problem);
    if (this.problems.length > MAX_PROBLEMS) this.problems.shift();
    this.changed();
  }

  solved(code: string): void {
    const known = this.problems.findIndex((candidate) => candidate.code === code);
    if (known < 0) return;
    this.problems.splice(known, 1);
    this.changed();
  }

  model(state: ModelState | undefined): void {
    this.modelState = state;
    this.changed();
  }

  /** Sends a status soon; many changes in a row make one. */
  changed(): void {
    if (this.timer || this.listeners.size === 0) return;
    this.timer = setTimeout(() => {
      this.timer = undefined;
      this.emit({ stream: 'status', status: this.status() });
    }, STATUS_INTERVAL_MS);
    this.timer.unref();
  }

  status(namespace?: string): CollectorStatus {
    const { store, version, epoch, storePath, hostName } = this.deps;
    const totals = {
      events: store.counts.all(),
      records: store.records.count(),
      pending: store.events.pendingCount(),
    };
    return {
      state: this.state(namespace, totals.pending),
      buffered: totals.pending,
      pending_model: this.modelState?.pending ?? 0,
      events: totals.events,
      records: totals.records,
      ...(this.lastCaptureAt ? { last_capture_at: this.lastCaptureAt } : {}),
      ...(this.lastRecallAt ? { last_recall_at: this.lastRecallAt } : {}),
      ...(this.lastInjection ? { last_injection: this.lastInjection } : {}),
      role: 'leader',
      leader: { pid: process.pid, version, epoch },
      store: { path: storePath, host: hostName, read_only: store.isReadOnly },
      provider: this.modelState?.provider ?? 'none',
      ...(this.modelState ? { model: this.modelState } : {}),
      problems: [...this.problems],
    };
  }

  private state(namespace: string | undefined, pending: number): CollectorStatus['state'] {
    const { policy, distiller, store } = this.deps;
    const scope = policy.paused(namespace);
    if (scope) return { state: 'paused', scope };
    if (store.isReadOnly) {
      return { state: 'degraded', message: this.problems.at(-1)?.message ?? 'The store is open read only.' };
    }
    if (distiller.isRunning) return { state: 'distilling', buffered: pending };
    return pending > 0 ? { state: 'capturing', buffered: pending } : { state: 'idle' };
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.listeners.clear();
  }
}
