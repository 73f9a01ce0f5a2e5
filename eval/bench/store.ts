import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import NativeDatabase from 'better-sqlite3';
import { Database as WasmDatabase } from 'node-sqlite3-wasm';
import { nodeFileSystem } from '../../src/platform/file-system';
import { silentLog } from '../../src/platform/log';
import { RecordIndex } from '../../src/recall/record-index';
import type { Mutation } from '../../src/store/mutation';
import { inSlices } from '../../src/store/slices';
import { Store } from '../../src/store/store';
import { wasmPath } from '../crash/numbered-events';
import { percentile, rounded } from '../retrieval/measures';
import { heavyUse } from './heavy-use';

/** Figures of one engine for the same work. */
interface WriteFigures {
  single_per_s: number;
  fifty_per_s: number;
}

interface OpenFigures {
  bytes: number;
  ours_ms: number;
  wasm_ms: number;
  native_ms: number;
}

export interface StoreReport {
  durable_events: { ours: WriteFigures; node_sqlite3_wasm: WriteFigures; better_sqlite3: WriteFigures };
  publish: {
    image_bytes: number;
    publish_ms: number;
    /** Commits that were sent while it ran. */
    commits: number;
    commit_p50_ms: number;
    commit_p99_ms: number;
  };
  open: OpenFigures[];
  /** Longest time without a turn of the event loop during each job. */
  silence_ms: { publish: number; retention: number; index_build: number; open: number };
  rss_bytes: { empty: number; with_largest: number };
}

const START = Date.parse('2026-10-01T08:00:00.000Z');
const DAY_MS = 24 * 60 * 60_000;
const SINGLE = 300;
const GROUPS = 20;
const GROUP = 50;
const OPEN_SIZES = [1, 10, 48].map((megabytes) => megabytes * 1024 * 1024);

/** The longest gap between two turns of the event loop while `work` runs. */
async function longestSilence(work: () => Promise<unknown>): Promise<number> {
  let last = performance.now();
  let longest = 0;
  let running = true;
  const turn = (): void => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    if (running) setImmediate(turn);
  };
  setImmediate(turn);
  await work();
  running = false;
  return rounded(Math.max(longest, performance.now() - last), 1);
}

function openStore(dir: string, epoch: number, now = START): Promise<Store> {
  return Store.open({
    dir,
    fs: nodeFileSystem,
    wasm: wasmPath(),
    epoch,
    fence: () => true,
    clock: { now: () => now },
    log: silentLog,
    idleMs: 0,
  });
}

/** Events of two kilobytes or so, one mutation each. */
function eventMutations(count: number): Mutation[] {
  const found: Mutation[] = [];
  for (const { mutations } of heavyUse({
    events: count,
    records: 0,
    from: START,
    to: START + count * 2000,
  })) {
    found.push(...mutations.filter(({ op }) => op === 'event'));
  }
  return found;
}

async function writeOurs(dir: string, mutations: readonly Mutation[]): Promise<WriteFigures> {
  const store = await openStore(dir, 1);
  const single = await perSecond(SINGLE, async () => {
    for (const mutation of mutations.slice(0, SINGLE)) await store.commit([mutation]);
  });
  const fifty = await perSecond(GROUPS * GROUP, async () => {
    for (let group = 0; group < GROUPS; group++) {
      const from = SINGLE + group * GROUP;
      await Promise.all(mutations.slice(from, from + GROUP).map((mutation) => store.commit([mutation])));
    }
  });
  await store.close();
  return { single_per_s: single, fifty_per_s: fifty };
}

async function perSecond(count: number, work: () => Promise<void> | void): Promise<number> {
  const began = performance.now();
  await work();
  return Math.round((count * 1000) / (performance.now() - began));
}

const PEER_SCHEMA = 'CREATE TABLE events (id TEXT PRIMARY KEY, session TEXT, time TEXT, body TEXT)';
const PEER_INSERT = 'INSERT INTO events VALUES (?, ?, ?, ?)';

interface Peer {
  exec(sql: string): unknown;
  insert(values: string[]): void;
}

async function writePeer(peer: Peer, mutations: readonly Mutation[]): Promise<WriteFigures> {
  peer.exec(PEER_SCHEMA);
  const rows = mutations.flatMap((mutation) =>
    mutation.op === 'event'
      ? [
          [
            mutation.event.event_id,
            mutation.event.session_id,
            mutation.event.valid_time,
            JSON.stringify(mutation.event),
          ],
        ]
      : [],
  );
  const single = await perSecond(SINGLE, () => {
    for (const row of rows.slice(0, SINGLE)) peer.insert(row);
  });
  const fifty = await perSecond(GROUPS * GROUP, () => {
    for (let group = 0; group < GROUPS; group++) {
      const from = SINGLE + group * GROUP;
      peer.exec('BEGIN');
      for (const row of rows.slice(from, from + GROUP)) peer.insert(row);
      peer.exec('COMMIT');
    }
  });
  return { single_per_s: single, fifty_per_s: fifty };
}

async function writeNative(file: string, mutations: readonly Mutation[]): Promise<WriteFigures> {
  const db = new NativeDatabase(file);
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  let insert: NativeDatabase.Statement | undefined;
  const figures = await writePeer(
    {
      exec: (sql) => db.exec(sql),
      insert: (values) => {
        insert ??= db.prepare(PEER_INSERT);
        insert.run(...values);
      },
    },
    mutations,
  );
  db.close();
  return figures;
}

async function writeWasm(file: string, mutations: readonly Mutation[]): Promise<WriteFigures> {
  const db = new WasmDatabase(file);
  db.exec('PRAGMA synchronous = FULL');
  const figures = await writePeer(
    { exec: (sql) => db.exec(sql), insert: (values) => void db.run(PEER_INSERT, values) },
    mutations,
  );
  db.close();
  return figures;
}

/** Fills a store with records until its image has about `bytes`; events beside them where `withEvents`. */
async function grow(store: Store, bytes: number, image: () => Promise<number>): Promise<void> {
  const use = { events: 70_000, records: 60_000, from: START - 365 * DAY_MS, to: START };
  let batch: Mutation[] = [];
  let checked = 0;
  for (const { mutations } of heavyUse(use, 7)) {
    batch.push(...mutations.filter(({ op }) => op === 'record'));
    if (batch.length < 250) continue;
    await store.commit(batch);
    batch = [];
    if (++checked % 8 !== 0) continue;
    await store.publish();
    if ((await image()) >= bytes) return;
  }
}

async function imageBytes(dir: string): Promise<number> {
  const names = (await readdir(dir)).filter((name) => name.startsWith('image-'));
  const sizes = await Promise.all(names.map(async (name) => (await stat(path.join(dir, name))).size));
  return Math.max(0, ...sizes);
}

async function timedMs(work: () => Promise<unknown> | unknown): Promise<number> {
  const began = performance.now();
  await work();
  return rounded(performance.now() - began, 1);
}

/** The same records in a file of a peer, opened and counted. */
async function openPeers(work: string, store: Store): Promise<{ wasm_ms: number; native_ms: number }> {
  const file = path.join(work, `peer-${store.records.count()}.db`);
  const db = new NativeDatabase(file);
  db.exec('CREATE TABLE records (id TEXT PRIMARY KEY, doc TEXT)');
  const insert = db.prepare('INSERT INTO records VALUES (?, ?)');
  db.exec('BEGIN');
  for (const record of store.records.iterate()) insert.run(record.record_id, JSON.stringify(record));
  db.exec('COMMIT');
  db.close();
  const native_ms = await timedMs(() => {
    const native = new NativeDatabase(file, { readonly: true });
    native.pragma('quick_check');
    native.close();
  });
  const wasm_ms = await timedMs(() => {
    const wasm = new WasmDatabase(file, { readOnly: true });
    wasm.all('PRAGMA quick_check');
    wasm.close();
  });
  return { wasm_ms, native_ms };
}

async function publishFigures(
  store: Store,
  dir: string,
  mutations: readonly Mutation[],
): Promise<StoreReport['publish']> {
  const times: number[] = [];
  let publishing = true;
  const started = performance.now();
  const done = store.publish().then(() => {
    publishing = false;
    return performance.now() - started;
  });
  for (const mutation of mutations) {
    if (!publishing) break;
    const began = performance.now();
    await store.commit([mutation]);
    times.push(performance.now() - began);
  }
  return {
    publish_ms: rounded(await done, 1),
    image_bytes: await imageBytes(dir),
    commits: times.length,
    commit_p50_ms: rounded(percentile(times, 0.5), 2),
    commit_p99_ms: rounded(percentile(times, 0.99), 2),
  };
}

/** Durable writes, publishing, opening and the silence of long jobs, beside the same work of two peers. */
export async function runStoreBench(): Promise<StoreReport> {
  const work = await mkdtemp(path.join(tmpdir(), 'klrn-store-bench-'));
  const empty = process.memoryUsage.rss();
  try {
    const mutations = eventMutations(SINGLE + GROUPS * GROUP + 4000);
    const durable_events = {
      ours: await writeOurs(path.join(work, 'write'), mutations),
      node_sqlite3_wasm: await writeWasm(path.join(work, 'wasm.db'), mutations),
      better_sqlite3: await writeNative(path.join(work, 'native.db'), mutations),
    };
    const dir = path.join(work, 'open');
    const open: OpenFigures[] = [];
    let openSilence = 0;
    let store = await openStore(dir, 1);
    for (const [index, bytes] of OPEN_SIZES.entries()) {
      await grow(store, bytes, () => imageBytes(dir));
      const peers = await openPeers(work, store);
      await store.close();
      let ours_ms = 0;
      openSilence = await longestSilence(async () => {
        ours_ms = await timedMs(async () => {
          store = await openStore(dir, index + 2);
        });
      });
      open.push({ bytes: await imageBytes(dir), ours_ms, ...peers });
    }
    for (let at = 0; at < 2000; at += GROUP) await store.commit(mutations.slice(at, at + GROUP));
    const silence = await longestSilence(() => store.publish());
    for (let at = 2000; at < 3000; at += GROUP) await store.commit(mutations.slice(at, at + GROUP));
    const publish = await publishFigures(store, dir, mutations.slice(3000));
    const index_build = await longestSilence(async () => {
      const index = new RecordIndex();
      await inSlices(store.records.iterate(100), (record) => index.add(record));
    });
    await store.close();
    const later = await openStore(dir, OPEN_SIZES.length + 2, START + 90 * DAY_MS);
    const waiting = later.events.pending(undefined, 10_000).map(({ event }) => event.event_id);
    await later.commit([{ op: 'distilled', event_ids: waiting }]);
    await later.publish();
    const retention = await longestSilence(() => later.retention({ maxAgeDays: 30, dryRun: false }));
    const with_largest = process.memoryUsage.rss();
    await later.close();
    return {
      durable_events,
      publish,
      open,
      silence_ms: { publish: silence, retention, index_build, open: openSilence },
      rss_bytes: { empty, with_largest },
    };
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}
