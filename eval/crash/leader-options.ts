import type { Arming } from './fault-disk';

/** Of twenty events this one is erased, where a round erases. */
export const ERASED = 7;

export interface LeaderOptions {
  dir: string;
  wasm: string;
  epoch: number;
  socket: string;
  arming?: Arming;
  sabotage?: 'early-ack' | 'rename-in-place' | 'no-fence';
  /** Folder of events that hooks have left. */
  spool?: string;
  /** Erase every twentieth event once it is stored. */
  erases: boolean;
  /** The disk is full after this many commits, for a while. */
  fullAfter?: number;
}
