import type { ReadOnlyReason } from './errors';

export interface QuarantinedFile {
  /** Name of the file that was damaged or foreign. */
  file: string;
  reason: 'damaged_image' | 'damaged_journal' | 'torn_tail' | 'foreign' | 'damaged_segment';
  /** Path below the store under which it was kept; undefined where the store is read only. */
  kept_as?: string;
}

/** What opening found; each finding is reported by one open alone, since it mends what it can. */
export interface OpenReport {
  /** There was no store. */
  created: boolean;
  /** Name of the image that was loaded. */
  image?: string;
  /** Frames of the journal that were applied over it. */
  frames: number;
  /** Frames that could not be applied. */
  failed: number;
  quarantined: QuarantinedFile[];
  /** Sequences that the journal should hold and does not. */
  missing: { from: number; to: number }[];
  /** Bytes behind the point where a later segment says that an earlier one ends: never acknowledged. */
  ignoredBytes: number;
  /** Schema versions that the image was brought through. */
  migrated: number[];
  /** Files and folders whose modes were too wide and were narrowed. */
  modesRepaired: string[];
  readOnly?: ReadOnlyReason;
  ms: number;
}

export function emptyReport(): OpenReport {
  return {
    created: false,
    frames: 0,
    failed: 0,
    quarantined: [],
    missing: [],
    ignoredBytes: 0,
    migrated: [],
    modesRepaired: [],
    ms: 0,
  };
}

/** Something was lost or set aside that the user should hear of. */
export function hasDamage(report: OpenReport): boolean {
  return report.quarantined.length > 0 || report.missing.length > 0;
}
