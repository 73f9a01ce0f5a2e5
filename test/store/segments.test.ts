import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { nodeFileSystem } from '../../src/platform/file-system';
import type { Store, StoreDeps } from '../../src/store/store';
import {
  event,
  injection,
  NAMESPACE,
  openStore,
  put,
  putRecord,
  record,
  START,
  temporaryFolder,
  toolUse,
} from './support';

const DAY = 24 * 60 * 60_000;

let dir: string;
let dispose: () => Promise<void>;
let open: Store[];

beforeEach(async () => {
  ({ dir, dispose } = await temporaryFolder());
  open = [];
});

afterEach(async () => {
  for (const store of open) await store.close().catch(() => undefined);
  await dispose();
});

async function openHere(deps: Partial<StoreDeps> = {}): Promise<Store> {
  const store = await openStore(dir, deps);
  open.push(store);
  return store;
}

/** Every byte of every file below the folder, with blocks inflated where they are ours. */
async function everyFile(): Promise<{ name: string; bytes: Buffer }[]> {
  const names = await readdir(dir, { recursive: true });
  const files = [];
  for (const name of names) {
    const full = path.join(dir, name);
    if ((await stat(full)).isFile()) files.push({ name, bytes: await readFile(full) });
  }
  return files;
}

function clockAt(ms: number): Partial<StoreDeps> {
  return { clock: { now: () => ms } };
}

describe('publish', () => {
  it('leaves thin rows in the image and reads bodies from segments', async () => {
    const store = await openHere();
    const text = 'a sentence that only the body and the preview hold';
    await store.commit([
      put(event(1, { text })),
      put(toolUse(2, 'x'.repeat(200_000))),
      { op: 'injection', injection: injection(3, [record(1)]) },
    ]);
    await store.publish();
    const image = (await everyFile()).find(({ name }) => name.startsWith('image-'));
    expect(image?.bytes.includes(text)).toBe(false);
    expect(await readdir(path.join(dir, 'bodies'))).toEqual(['bodies-1-1.seg']);
    expect(store.events.get(event(1).event_id)).toEqual(event(1, { text }));
    expect(store.events.get(event(2).event_id)).toEqual(toolUse(2, 'x'.repeat(200_000)));
    expect(store.events.list({ limit: 5, text: 'sentence' }).items.map((row) => row.preview)).toEqual([text]);
    const again = await openHere();
    expect(again.events.get(event(2).event_id)).toEqual(toolUse(2, 'x'.repeat(200_000)));
    expect(again.injections.list({ limit: 5 }).items).toEqual([injection(3, [record(1)])]);
  });

  it('keeps what is committed while it runs', async () => {
    const store = await openHere();
    await store.commit(Array.from({ length: 300 }, (_, n) => put(event(n))));
    const publishing = store.publish();
    const during = Array.from({ length: 50 }, (_, n) => store.commit([put(event(1000 + n))]));
    await Promise.all([publishing, ...during]);
    await store.publish();
    await store.publish();
    const again = await openHere();
    expect(again.stats().events).toBe(350);
    for (const n of [0, 299, 1000, 1049]) expect(again.events.get(event(n).event_id)).toEqual(event(n));
  });

  it('keeps a body that was replaced while it was moved', async () => {
    const store = await openHere();
    await store.commit([put(toolUse(1, 'short'), { same_as: 'call' })]);
    const publishing = store.publish();
    const richer = { ...toolUse(2, 'a much longer result'), event_id: event(9).event_id };
    await store.commit([put(richer, { same_as: 'call', may_collapse: false })]);
    await publishing;
    expect(store.events.get(event(1).event_id)?.body).toEqual(richer.body);
    await store.publish();
    expect(store.events.get(event(1).event_id)?.body).toEqual(richer.body);
  });

  it('writes an image by itself once the store is quiet', async () => {
    const store = await openHere({ idleMs: 5 });
    await store.commit([put(toolUse(1, 'y'.repeat(300_000)))]);
    await expect
      .poll(async () => (await readdir(dir)).filter((name) => name.startsWith('image-')), { timeout: 20_000 })
      .toEqual(['image-1-1.sqlite']);
  });

  it('reads a damaged segment as missing bodies, not as a failure', async () => {
    const store = await openHere();
    await store.commit([put(event(1))]);
    await store.publish();
    await store.close();
    const segment = path.join(dir, 'bodies', 'bodies-1-1.seg');
    const bytes = await readFile(segment);
    bytes.fill(0x55, 30);
    await writeFile(segment, bytes);
    const again = await openHere();
    expect(again.events.get(event(1).event_id)).toBeUndefined();
    expect(again.events.list({ limit: 5 }).items.map((row) => row.event_id)).toEqual([event(1).event_id]);
  });
});

describe('archive', () => {
  const events = Array.from({ length: 1500 }, (_, n) => event(n, { session_id: `s${n % 7}` }));

  async function archived(): Promise<Store> {
    const store = await openHere(clockAt(START + 70 * DAY));
    await store.commit(events.map((stored) => put(stored, { distil: 'never' })));
    await store.commit([put(event(10, { text: 'again' })), put(event(1499, { text: 'x' }))]);
    await store.publish();
    return store;
  }

  it('moves old events out of the image and still lists, finds and knows them', async () => {
    const store = await archived();
    expect(
      (await readdir(path.join(dir, 'bodies'))).filter((name) => name.startsWith('archive-')),
    ).toHaveLength(2);
    expect(store.counts.inImage()).toBe(0);
    expect(store.stats().events).toBe(1500);
    expect(store.events.get(events[700]?.event_id ?? '')).toEqual(events[700]);
    expect(store.events.rowOf(events[3]?.event_id ?? '')?.session_id).toBe('s3');
    const seen: string[] = [];
    for (let before: string | undefined; ;) {
      const page = store.events.list({ limit: 400, ...(before ? { before } : {}) });
      seen.push(...page.items.map((row) => row.event_id));
      if (!page.next) break;
      before = page.next;
    }
    expect(seen).toEqual(events.map((stored) => stored.event_id).reverse());
    const session = store.events.list({ limit: 500, sessionId: 's2' }).items;
    expect(session).toHaveLength(events.filter((stored) => stored.session_id === 's2').length);
    await expect(store.commit([put(event(20))])).resolves.toEqual([
      { outcome: 'duplicate', event_id: event(20).event_id },
    ]);
  });

  it('lists image and archive as one', async () => {
    const store = await archived();
    const young = event(70 * 24 * 3600);
    const late = event(-5);
    await store.commit([put(young), put(late)]);
    const ids = store.events.list({ limit: 2 }).items.map((row) => row.event_id);
    expect(ids).toEqual([young.event_id, events[1499]?.event_id]);
    const all: string[] = [];
    for (let before: string | undefined; ;) {
      const page = store.events.list({ limit: 500, ...(before ? { before } : {}) });
      all.push(...page.items.map((row) => row.event_id));
      if (!page.next) break;
      before = page.next;
    }
    expect(all).toHaveLength(1502);
    expect(all[all.length - 1]).toBe(late.event_id);
  });

  it('knows an id that collapsed into an archived event', async () => {
    const store = await openHere(clockAt(START + 70 * DAY));
    await store.commit([1, 2].map((n) => put(event(n, { text: 'same' }), { distil: 'never' })));
    await store.publish();
    expect(store.counts.inImage()).toBe(0);
    await expect(store.commit([put(event(2, { text: 'same' }))])).resolves.toEqual([
      { outcome: 'duplicate', event_id: event(1).event_id },
    ]);
    expect(store.events.rowOf(event(1).event_id)?.repeat_count).toBe(2);
  });

  it('leaves events that wait for the rules in the image', async () => {
    const store = await openHere(clockAt(START + 70 * DAY));
    await store.commit([put(event(1))]);
    await store.publish();
    expect(store.events.pending(NAMESPACE, 5).map((waiting) => waiting.event)).toEqual([event(1)]);
  });
});

describe('retention', () => {
  it('says what would go, removes it, and still knows the ids', async () => {
    const store = await openHere(clockAt(START + 100 * DAY));
    const old = Array.from({ length: 1000 }, (_, n) => event(n));
    const young = event(99 * 24 * 3600);
    await store.commit([...old, young].map((stored) => put(stored, { distil: 'never' })));
    await store.publish();
    const before = store.stats().bytes.bodies;
    const plan = await store.retention({ maxAgeDays: 60, dryRun: true });
    expect(plan).toMatchObject({ events: 1000, still_above: false });
    expect(store.stats().events).toBe(1001);
    const done = await store.retention({ maxAgeDays: 60, dryRun: false });
    expect(done.events).toBe(plan.events);
    expect(store.stats().events).toBe(1);
    expect(store.stats().bytes.bodies).toBeLessThan(before);
    expect(store.events.get(event(3).event_id)).toBeUndefined();
    expect(store.events.get(young.event_id)).toEqual(young);
    const again = await openHere(clockAt(START + 100 * DAY));
    await expect(again.commit([put(event(3))])).resolves.toEqual([
      { outcome: 'duplicate', event_id: event(3).event_id },
    ]);
    const archives = (await readdir(path.join(dir, 'bodies'))).filter((name) => name.startsWith('archive-'));
    const kept = (await everyFile()).filter(({ name }) => archives.includes(path.basename(name)));
    expect(kept.every(({ bytes }) => !bytes.includes('KLB1'))).toBe(true);
  });

  it('keeps the newest where the files are too large', async () => {
    const store = await openHere(clockAt(START + 100 * DAY));
    await store.commit(Array.from({ length: 2000 }, (_, n) => put(event(n), { distil: 'never' })));
    await store.publish();
    await store.publish();
    const total = store.stats().bytes.total;
    await store.retention({ maxBytes: total - 1, dryRun: false });
    expect(store.stats().events).toBe(1000);
    expect(store.events.get(event(1999).event_id)).toBeDefined();
    expect(store.events.get(event(0).event_id)).toBeUndefined();
  });
});

describe('erase', () => {
  const secret = 'the sentence that must be gone';

  async function remains(): Promise<string[]> {
    const found: string[] = [];
    for (const { name, bytes } of await everyFile()) {
      let text = bytes.toString('latin1');
      for (let at = bytes.indexOf('KLB1'); at >= 0; at = bytes.indexOf('KLB1', at + 1)) {
        const previews = bytes.readUInt32BE(at + 4);
        const start = at + 20;
        for (const part of [
          bytes.subarray(start, start + previews),
          bytes.subarray(start + previews, start + previews + bytes.readUInt32BE(at + 8)),
        ]) {
          text += inflateRawSync(part).toString('latin1');
        }
      }
      if (text.includes(secret)) found.push(name);
    }
    return found;
  }

  it('removes an event from the journal, both images, segments and quarantine', async () => {
    const store = await openHere();
    await store.commit([put(event(1, { text: secret })), put(event(2))]);
    expect(await remains()).not.toEqual([]);
    await store.publish();
    await store.commit([put(event(3))]);
    await store.publish();
    expect((await remains()).some((name) => name.startsWith('bodies'))).toBe(true);
    await store.commit([{ op: 'erase_events', event_ids: [event(1).event_id] }]);
    expect(await remains()).toEqual([]);
    expect(store.events.get(event(1).event_id)).toBeUndefined();
    expect(store.events.get(event(2).event_id)).toEqual(event(2));
    const again = await openHere();
    expect(again.events.list({ limit: 5 }).items.map((row) => row.event_id)).toEqual([
      event(3).event_id,
      event(2).event_id,
    ]);
    const [outcome] = await again.commit([put(event(1, { text: secret }))]);
    expect(outcome?.outcome).toBe('duplicate');
    expect(again.events.get(event(1).event_id)).toBeUndefined();
  });

  it('removes an archived event', async () => {
    const store = await openHere(clockAt(START + 100 * DAY));
    await store.commit(
      [event(1, { text: secret }), event(2)].map((stored) => put(stored, { distil: 'never' })),
    );
    await store.publish();
    expect(store.counts.inImage()).toBe(0);
    await store.commit([{ op: 'erase_events', event_ids: [event(1).event_id] }]);
    expect(await remains()).toEqual([]);
    expect(store.events.get(event(1).event_id)).toBeUndefined();
    expect(store.events.get(event(2).event_id)).toEqual(event(2));
    expect(store.stats().events).toBe(1);
  });

  it('removes the former body of an event that was told twice', async () => {
    const store = await openHere();
    await store.commit([put(toolUse(1, secret), { same_as: 'call' })]);
    await store.publish();
    const richer = { ...toolUse(2, `${secret} and more`), event_id: event(9).event_id };
    await store.commit([put(richer, { same_as: 'call', may_collapse: false })]);
    await store.publish();
    await store.commit([{ op: 'erase_events', event_ids: [event(1).event_id] }]);
    expect(await remains()).toEqual([]);
  });

  it('removes a record with its history and its lines in the injection log', async () => {
    const store = await openHere();
    const stored = record(1, { title: secret });
    await store.commit([
      putRecord(stored),
      putRecord({ ...stored, summary: 'new' }, 'edited', 1),
      putRecord(record(2)),
    ]);
    const log = injection(5, [stored, record(2)]);
    await store.commit([{ op: 'injection', injection: { ...log, context: secret, left_out: log.records } }]);
    await store.publish();
    await store.commit([
      { op: 'erase_records', record_ids: [stored.record_id], keyed_hashes: ['hash-of-it'] },
    ]);
    expect(await remains()).toEqual([]);
    expect(store.records.get(stored.record_id)).toBeUndefined();
    expect(store.records.history(stored.record_id)).toEqual([]);
    expect(store.records.isErased('hash-of-it')).toBe(true);
    expect(store.injections.list({ limit: 5 }).items[0]).toMatchObject({
      context: '',
      records: [{ record_id: record(2).record_id }],
    });
  });

  it('goes on at the next open where it was cut off', async () => {
    const store = await openHere();
    await store.commit([put(event(1, { text: secret }))]);
    await store.publish();
    const journal = await readFile(path.join(dir, 'journal-1-0.log'), 'utf8');
    expect(journal).toContain(secret);
    const full = Object.assign(new Error('full'), { code: 'ENOSPC' });
    const broken = await openHere({
      fs: {
        ...nodeFileSystem,
        create: (name, mode) =>
          name.includes('image-') ? Promise.reject(full) : nodeFileSystem.create(name, mode),
      },
    });
    await expect(broken.commit([{ op: 'erase_events', event_ids: [event(1).event_id] }])).rejects.toThrow(
      'could not be removed from every file yet',
    );
    expect(broken.events.get(event(1).event_id)).toBeUndefined();
    await openHere();
    expect(await remains()).toEqual([]);
  });
});
