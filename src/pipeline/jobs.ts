import type { Disposable } from '../contract/disposable';
import type { StreamEvent } from '../contract/local-api';

export interface JobControl {
  readonly signal: AbortSignal;
  progress(done: number, total: number): void;
}

/** Long work that a person can follow and cancel. */
export class Jobs implements Disposable {
  private readonly running = new Map<string, AbortController>();
  private counter = 0;

  constructor(private readonly emit: (event: StreamEvent) => void) {}

  /** Starts `work`; its progress and its end go out on the stream. */
  start(label: string, work: (control: JobControl) => Promise<string | undefined>): string {
    const jobId = `job-${++this.counter}`;
    const controller = new AbortController();
    this.running.set(jobId, controller);
    let last = { done: 0, total: 0 };
    const tell = (state: 'running' | 'finished' | 'cancelled' | 'failed', message?: string) =>
      this.emit({ stream: 'job', job_id: jobId, label, ...last, state, ...(message ? { message } : {}) });
    const progress = (done: number, total: number) => {
      last = { done, total };
      tell('running');
    };
    void work({ signal: controller.signal, progress })
      .then((message) => tell(controller.signal.aborted ? 'cancelled' : 'finished', message))
      .catch((error: unknown) => tell('failed', error instanceof Error ? error.message : String(error)))
      .finally(() => this.running.delete(jobId));
    return jobId;
  }

  cancel(jobId: string): boolean {
    const controller = this.running.get(jobId);
    controller?.abort();
    return controller !== undefined;
  }

  dispose(): void {
    for (const controller of this.running.values()) controller.abort();
    this.running.clear();
  }
}
