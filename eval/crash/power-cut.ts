import path from 'node:path';
import { readFile } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AppendFile, FileSystem } from '../../src/platform/file-system';
import { silentLog } from '../../src/platform/log';
import { Store } from '../../src/store/store';
import { CUT_MODES, stateAfterCut } from './power-cut-states';
import { RecordingDisk, type DiskOperation } from './recording-disk';
import { numberedEvent, putEvent, textOf, START, wasmPath } from './numbered-events';

export interface PowerCutReport {
  operations: number;
  /** States that were opened. */
  states: number;
  acknowledged: number;
  /** Acknowledged events that a state did not hold. */
  lost: number;
  duplicated: number;
  /** Bodies that read back wrong, erased events that came back, states that could not be opened. */
  corrupted: number;
  clean: boolean;
}

const DIR = path.join(path.sep, 'power', 'store');
const FOLDERS = [
  path.sep,
  path.join(path.sep, 'power'),
  DIR,
  path.join(DIR, 'bodies'),
  path.join(DIR, 'quarantine'),
];
const DAY_MS = 24 * 60 * 60_000;

type Mark = { acked: number[] } | { erased: number };

/** A disk whose syncs do nothing: what the recorder must notice. */
function withoutSync(disk: RecordingDisk): FileSystem {
  const quiet: FileSystem = Object.create(disk) as FileSystem;
  quiet.create = async (location, mode): Promise<AppendFile> => {
    void mode;
    const file = await disk.create(location);
    return { ...file, fdatasync: () => Promise.resolve() };
  };
  return quiet;
}

function open(fs: FileSystem, wasm: Uint8Array, epoch: number, now: number): Promise<Store> {
  const clock = { now: () => now };
  return Store.open({ dir: DIR, fs, wasm, epoch, fence: () => true, clock, log: silentLog, idleMs: 0 });
}

/** What a store does in its life: single and grouped commits, images, a takeover, an erase, archives, retention. */
async function live(disk: RecordingDisk, fs: FileSystem, wasm: Uint8Array): Promise<void> {
  const acknowledge = async (store: Store, numbers: number[]): Promise<void> => {
    await store.commit(numbers.map((n) => putEvent(n)));
    disk.mark({ acked: numbers } satisfies Mark);
  };
  const first = await open(fs, wasm, 1, START);
  for (let n = 1; n <= 6; n++) await acknowledge(first, [n]);
  await first.publish();
  await acknowledge(first, [7, 8, 9]);
  await Promise.all([first.publish(), acknowledge(first, [10]), acknowledge(first, [11])]);
  await acknowledge(first, [12]);
  const second = await open(fs, wasm, 2, START + DAY_MS);
  await acknowledge(second, [13]);
  await first.close();
  await second.publish();
  await second.commit([{ op: 'erase_events', event_ids: [numberedEvent(3).event_id] }]);
  disk.mark({ erased: 3 } satisfies Mark);
  await acknowledge(second, [14, 15]);
  await second.publish();
  await second.close();
  const third = await open(fs, wasm, 3, START + 65 * DAY_MS);
  await acknowledge(third, [16]);
  await third.publish();
  await acknowledge(third, [17]);
  await third.publish();
  await third.close();
}

/**
 * Lets a store live on a disk that records, then opens the disk in every state that a power cut after each
 * operation may leave (every `stride`th operation).
 */
export async function runPowerCuts(options: { stride: number; noFsync: boolean }): Promise<PowerCutReport> {
  const wasm = await readFile(wasmPath());
  const disk = new RecordingDisk();
  for (const folder of FOLDERS) await disk.mkdir(folder);
  await live(disk, options.noFsync ? withoutSync(disk) : disk, wasm);
  const report: PowerCutReport = {
    operations: disk.log.length,
    states: 0,
    acknowledged: 0,
    lost: 0,
    duplicated: 0,
    corrupted: 0,
    clean: false,
  };
  for (let end = 1; end <= disk.log.length; end += options.stride) {
    for (const [index, mode] of CUT_MODES.entries()) {
      const state = stateAfterCut(disk.log, end, mode, FOLDERS, end * 16 + index);
      await check(new RecordingDisk(state), wasm, marksBefore(disk.log, end), report);
      await nextTurn();
    }
  }
  report.acknowledged = marksBefore(disk.log, disk.log.length).acked.size;
  report.clean = report.lost === 0 && report.duplicated === 0 && report.corrupted === 0;
  return report;
}

function marksBefore(
  log: readonly DiskOperation[],
  end: number,
): { acked: Set<number>; erased: Set<number>; erasing: Set<number> } {
  const acked = new Set<number>();
  const erased = new Set<number>();
  for (const operation of log.slice(0, end)) {
    if (operation.do !== 'mark') continue;
    const mark = operation.mark as Mark;
    if ('acked' in mark) for (const n of mark.acked) acked.add(n);
    else erased.add(mark.erased);
  }
  // Number 3 is erased in the course of the run: until that is acknowledged it may be there or not.
  return { acked, erased, erasing: new Set([3]) };
}

async function check(
  disk: RecordingDisk,
  wasm: Uint8Array,
  expected: ReturnType<typeof marksBefore>,
  report: PowerCutReport,
): Promise<void> {
  report.states += 1;
  let store: Store | undefined;
  try {
    store = await open(disk, wasm, 10, START + 65 * DAY_MS);
    const seen = new Map<string, number>();
    for (const row of store.events.list({ limit: 500 }).items) {
      seen.set(row.event_id, (seen.get(row.event_id) ?? 0) + 1);
    }
    for (const times of seen.values()) if (times > 1) report.duplicated += 1;
    for (const n of expected.acked) {
      const event = store.events.get(numberedEvent(n).event_id);
      if (expected.erased.has(n)) report.corrupted += event ? 1 : 0;
      else if (!event) report.lost += expected.erasing.has(n) ? 0 : 1;
      else if (textOf(event) !== textOf(numberedEvent(n))) report.corrupted += 1;
    }
  } catch {
    report.corrupted += 1;
  } finally {
    await store?.close();
  }
}
