import { nodeFileSystem } from '../../src/platform/file-system';
import { silentLog } from '../../src/platform/log';
import { Store } from '../../src/store/store';
import { damageOf } from './damage';
import { numberedEvent, numberOf, START, textOf } from './numbered-events';

/** What a fresh process finds in a store. */
export interface Verdict {
  /** Numbers of the events that read back as they were sent, one entry a row. */
  numbers: number[];
  /** Events without a body, or with another one. */
  mismatched: number;
  /** Damage that a kill must not cause: images, segments, missing frames. */
  damaged: number;
  quarantined: number;
}

async function verify(dir: string, wasm: string): Promise<Verdict> {
  const store = await Store.open({
    dir,
    fs: nodeFileSystem,
    wasm,
    epoch: await Store.nextEpoch(nodeFileSystem, dir),
    fence: () => true,
    clock: { now: () => START },
    log: silentLog,
    idleMs: 0,
  });
  const verdict: Verdict = { numbers: [], mismatched: 0, ...damageOf(store.report) };
  for (let before: string | undefined; ;) {
    const page = store.events.list({ limit: 500, ...(before ? { before } : {}) });
    for (const row of page.items) {
      const n = numberOf(row.preview);
      const event = store.events.get(row.event_id);
      if (n === undefined) continue;
      if (!event || textOf(event) !== textOf(numberedEvent(n))) verdict.mismatched += 1;
      verdict.numbers.push(n);
    }
    if (!page.next) break;
    before = page.next;
  }
  await store.close();
  return verdict;
}

verify(process.argv[2] ?? '', process.argv[3] ?? '').then(
  (verdict) => process.stdout.write(JSON.stringify(verdict)),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exit(1);
  },
);
