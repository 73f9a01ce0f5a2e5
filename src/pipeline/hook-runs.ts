import type { HookCapture } from '../capture/dialects/normaliser';

export interface HookRun {
  event: string;
  dialect: string;
  outcome: HookCapture['outcome'];
  at: number;
}

const KEPT = 100;

/** The latest hook runs, for the health page: what fired, in which dialect, and whether anything was kept. */
export class HookRuns {
  private readonly runs: HookRun[] = [];

  ran(event: string, capture: HookCapture, at: number): void {
    this.runs.push({ event, dialect: capture.dialect ?? 'unknown', outcome: capture.outcome, at });
    if (this.runs.length > KEPT) this.runs.shift();
  }

  latest(): readonly HookRun[] {
    return this.runs;
  }
}
