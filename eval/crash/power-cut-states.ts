import type { DiskOperation, DiskState } from './recording-disk';

/** How a power cut treats what was not synced. */
export const CUT_MODES = [
  'all',
  'none',
  'data_only',
  'names_only',
  'torn',
  'reordered',
  'reordered_2',
] as const;
export type CutMode = (typeof CUT_MODES)[number];

/** A generator of numbers from 0 to 1 that gives the same row for the same seed. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** Where each file and folder was synced last, before a moment. */
function lastSyncs(log: readonly DiskOperation[], end: number): Map<number | string, number> {
  const syncs = new Map<number | string, number>();
  for (let at = 0; at < end; at++) {
    const operation = log[at];
    if (operation?.do === 'sync') syncs.set(operation.file, at);
    if (operation?.do === 'sync_dir') syncs.set(operation.dir, at);
  }
  return syncs;
}

/**
 * The disk as a cut after operation `end` may leave it. What was synced is there; of the rest, `mode` says
 * whether writes and names are kept, dropped, or kept in part: a dropped write before a kept one leaves zeros.
 */
export function stateAfterCut(
  log: readonly DiskOperation[],
  end: number,
  mode: CutMode,
  folders: readonly string[],
  seed: number,
): DiskState {
  const random = seeded(seed);
  const syncs = lastSyncs(log, end);
  const keepsData = (): boolean => {
    if (mode === 'reordered' || mode === 'reordered_2') return random() < 0.5;
    return mode !== 'none' && mode !== 'names_only';
  };
  const keepsNames = (): boolean => {
    if (mode === 'reordered' || mode === 'reordered_2') return random() < 0.5;
    return mode !== 'none' && mode !== 'data_only';
  };
  const state: DiskState = { folders: new Map(folders.map((dir) => [dir, new Map()])), files: new Map() };
  const pieces = new Map<number, { at: number; bytes: Buffer; kept: boolean; unsynced: boolean }[]>();
  const lengths = new Map<number, number>();
  for (let at = 0; at < end; at++) {
    const operation = log[at];
    if (!operation) continue;
    if (operation.do === 'append') {
      const unsynced = at > (syncs.get(operation.file) ?? -1);
      const start = lengths.get(operation.file) ?? 0;
      lengths.set(operation.file, start + operation.bytes.length);
      const list = pieces.get(operation.file) ?? [];
      list.push({ at: start, bytes: operation.bytes, kept: !unsynced || keepsData(), unsynced });
      pieces.set(operation.file, list);
    } else applyName(state, operation, at, syncs, keepsNames);
  }
  for (const [file, list] of pieces) state.files.set(file, assemble(list, mode));
  for (const names of state.folders.values()) {
    for (const file of names.values()) if (!state.files.has(file)) state.files.set(file, Buffer.alloc(0));
  }
  return state;
}

function applyName(
  state: DiskState,
  operation: DiskOperation,
  at: number,
  syncs: ReadonlyMap<number | string, number>,
  keepsNames: () => boolean,
): void {
  if (operation.do !== 'name' && operation.do !== 'unname' && operation.do !== 'rename') return;
  const dirs = operation.do === 'rename' ? [operation.dir, operation.toDir] : [operation.dir];
  const synced = dirs.some((dir) => at < (syncs.get(dir) ?? -1));
  if (!synced && !keepsNames()) return;
  const names = state.folders.get(operation.dir);
  if (operation.do === 'name') names?.set(operation.name, operation.file);
  else names?.delete(operation.name);
  if (operation.do === 'rename') state.folders.get(operation.toDir)?.set(operation.toName, operation.file);
}

function assemble(
  list: readonly { at: number; bytes: Buffer; kept: boolean; unsynced: boolean }[],
  mode: CutMode,
): Buffer {
  const kept = list.filter((piece) => piece.kept);
  const last = kept[kept.length - 1];
  const length = kept.reduce((most, piece) => Math.max(most, piece.at + piece.bytes.length), 0);
  const bytes = Buffer.alloc(length);
  for (const piece of kept) piece.bytes.copy(bytes, piece.at);
  if (mode !== 'torn' || !last?.unsynced) return bytes;
  return bytes.subarray(0, last.at + Math.floor(last.bytes.length / 2));
}
