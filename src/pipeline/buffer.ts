import type { Disposable } from '../contract/disposable';
import { LIMITS } from '../contract/limits';
import type { Log } from '../platform/log';
import type { Distiller, DistilReport } from './distiller';

interface BufferPort {
  /** Events and bytes of bodies that wait, of one namespace. */
  pendingSize(namespace: string): { events: number; bytes: number };
}

/**
 * When the buffer drains: at a turn's end, after 30 s without an event of the project, or at 256 KiB.
 * Triggers while a run is on are not lost: the run goes on until nothing waits.
 */
export class Buffer implements Disposable {
  private readonly timers = new Map<string, NodeJS.Timeout>();
  private disposed = false;

  constructor(
    private readonly deps: {
      port: BufferPort;
      distiller: Distiller;
      log: Log;
      idleMs?: number;
      onDistilled(namespace: string, report: DistilReport): void;
    },
  ) {}

  /** Told of each stored event that waits. */
  added(namespace: string, endsTurn: boolean): void {
    if (this.disposed) return;
    if (endsTurn || this.deps.port.pendingSize(namespace).bytes >= LIMITS.bufferBytes) this.drain(namespace);
    else this.arm(namespace);
  }

  /** Drains soon, outside the caller's turn of the event loop. */
  drain(namespace: string): void {
    this.disarm(namespace);
    if (this.deps.port.pendingSize(namespace).events === 0) return;
    this.deps.distiller
      .run(namespace)
      .then((report) => this.deps.onDistilled(namespace, report))
      .catch((error: unknown) => {
        this.deps.log.error(
          'buffer',
          `distillation failed: ${error instanceof Error ? error.name : 'error'}`,
        );
        this.arm(namespace);
      });
  }

  private arm(namespace: string): void {
    this.disarm(namespace);
    const timer = setTimeout(() => this.drain(namespace), this.deps.idleMs ?? LIMITS.bufferIdleMs);
    timer.unref();
    this.timers.set(namespace, timer);
  }

  private disarm(namespace: string): void {
    clearTimeout(this.timers.get(namespace));
    this.timers.delete(namespace);
  }

  dispose(): void {
    this.disposed = true;
    for (const timer of this.timers.values()) clearTimeout(timer);
    this.timers.clear();
  }
}
