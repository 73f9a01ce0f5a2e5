import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import { nodeFileSystem } from '../../src/platform/file-system';
import { silentLog } from '../../src/platform/log';
import type { Mutation } from '../../src/store/mutation';
import { Store } from '../../src/store/store';
import { wasmPath } from '../crash/numbered-events';
import { heavyUse } from './heavy-use';

export interface YearReport {
  events: number;
  records: number;
  image_bytes: number;
  /** All files: two images, journal, bodies, archives. */
  disk_bytes: number;
  /** Retention's default limit, which the last step of the year applied. */
  disk_limit_bytes: number;
  open_ms: number;
  events_kept: number;
  oldest_event: string;
  /** Resident memory of a fresh process that holds the store, and of one that holds the index and vectors too. */
  cli_rss_bytes: number;
  cli_with_index_rss_bytes: number;
  vectors: number;
  build_seconds: number;
}

const YEAR_MS = 365 * 24 * 60 * 60_000;
const END = Date.parse('2026-11-30T18:00:00.000Z');
const DISK_LIMIT = 500 * 1024 * 1024;
const COMMIT_TURNS = 10;

/** A year of heavy use through the store itself, and what is left of it on disk and in memory. */
export async function runYearBench(events = 500_000, records = 30_000): Promise<YearReport> {
  const work = await mkdtemp(path.join(tmpdir(), 'klrn-year-'));
  const dir = path.join(work, 'store');
  const began = performance.now();
  try {
    await fill(dir, events, records);
    const build_seconds = Math.round((performance.now() - began) / 1000);
    const reader = await measureReader(work, dir);
    return {
      events,
      records: reader.records,
      image_bytes: await largestImage(dir),
      disk_bytes: await bytesBelow(dir),
      disk_limit_bytes: DISK_LIMIT,
      open_ms: reader.open_ms,
      events_kept: reader.events,
      oldest_event: reader.oldest,
      cli_rss_bytes: reader.rss,
      cli_with_index_rss_bytes: reader.indexed_rss,
      vectors: reader.vectors,
      build_seconds,
    };
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function fill(dir: string, events: number, records: number): Promise<void> {
  let now = END - YEAR_MS;
  const store = await Store.open({
    dir,
    fs: nodeFileSystem,
    wasm: wasmPath(),
    epoch: 1,
    fence: () => true,
    clock: { now: () => now },
    log: silentLog,
    idleMs: 0,
  });
  let batch: Mutation[] = [];
  let turns = 0;
  for (const { at, mutations } of heavyUse({ events, records, from: END - YEAR_MS, to: END })) {
    batch.push(...mutations);
    now = at;
    if (++turns % COMMIT_TURNS !== 0) continue;
    await store.commit(batch);
    batch = [];
  }
  if (batch.length > 0) await store.commit(batch);
  await store.publish();
  await store.retention({ maxBytes: DISK_LIMIT, dryRun: false });
  await store.publish();
  await store.close();
}

interface ReaderFigures {
  open_ms: number;
  events: number;
  records: number;
  oldest: string;
  rss: number;
  indexed_rss: number;
  vectors: number;
}

async function measureReader(work: string, dir: string): Promise<ReaderFigures> {
  const program = path.join(work, 'reader.js');
  await build({
    entryPoints: [path.join(__dirname, 'year-reader.ts')],
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    logLevel: 'error',
  });
  const table = path.join(__dirname, '..', '..', 'media', 'embedding');
  const child = spawnSync(process.execPath, [program, dir, wasmPath(), table], {
    encoding: 'utf8',
    maxBuffer: 1024 * 1024,
  });
  if (child.status !== 0) throw new Error(child.stderr);
  return JSON.parse(child.stdout) as ReaderFigures;
}

async function largestImage(dir: string): Promise<number> {
  const sizes = await Promise.all(
    (await readdir(dir))
      .filter((name) => name.startsWith('image-'))
      .map(async (name) => (await stat(path.join(dir, name))).size),
  );
  return Math.max(0, ...sizes);
}

async function bytesBelow(dir: string): Promise<number> {
  let sum = 0;
  for (const name of await readdir(dir, { recursive: true })) {
    const found = await stat(path.join(dir, name));
    if (found.isFile()) sum += found.size;
  }
  return sum;
}
