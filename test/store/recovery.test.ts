import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  chmod,
  copyFile,
  mkdir,
  readdir,
  readFile,
  rename,
  stat,
  symlink,
  truncate,
  unlink,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import { nodeFileSystem } from '../../src/platform/file-system';
import { Database, loadSqlite } from '../../src/store/database';
import { JournalWriteError, StoreReadOnlyError, UnsafePathError } from '../../src/store/errors';
import { encodeFrame } from '../../src/store/frame';
import { writeImage } from '../../src/store/image-files';
import { SCHEMA_VERSION } from '../../src/store/schema';
import type { Store, StoreDeps } from '../../src/store/store';
import { event, NAMESPACE, openStore, put, record, START, temporaryFolder, toolUse, WASM } from './support';

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

/** A closed store with events 1 to `count`, one a frame. */
async function filled(count: number): Promise<void> {
  const store = await openHere();
  for (let n = 1; n <= count; n++) await store.commit([put(event(n))]);
  await store.close();
}

function numbers(store: Store): number[] {
  const rows = store.events.list({ limit: 500 }).items;
  return rows.map((row) => (Date.parse(row.valid_time) - START) / 1000).reverse();
}

describe('a damaged journal', () => {
  it('drops a torn tail, keeps it aside, and says so once', async () => {
    await filled(5);
    const segment = path.join(dir, 'journal-1-0.log');
    await truncate(segment, (await stat(segment)).size - 7);
    const store = await openHere();
    expect(numbers(store)).toEqual([1, 2, 3, 4]);
    expect(store.report.quarantined).toEqual([
      {
        file: 'journal-1-0.log',
        reason: 'torn_tail',
        kept_as: path.join('quarantine', 'journal-1-0.log.tail'),
      },
    ]);
    await store.commit([put(event(6))]);
    const again = await openHere();
    expect(numbers(again)).toEqual([1, 2, 3, 4, 6]);
    expect(again.report).toMatchObject({ quarantined: [], missing: [] });
  });

  it('reads on behind flipped bits, keeps the original aside, and says so once', async () => {
    await filled(5);
    const segment = path.join(dir, 'journal-1-0.log');
    const original = await readFile(segment);
    const damaged = Buffer.from(original);
    const at = damaged.indexOf('Prompt number 3');
    damaged[at] = (damaged[at] ?? 0) ^ 0x20;
    await writeFile(segment, damaged);
    const store = await openHere();
    expect(numbers(store)).toEqual([1, 2, 4, 5]);
    expect(store.report.quarantined).toMatchObject([{ file: 'journal-1-0.log', reason: 'damaged_journal' }]);
    expect(store.report.missing).toHaveLength(1);
    expect(await readFile(path.join(dir, 'quarantine', 'journal-1-0.log'))).toEqual(damaged);
    const again = await openHere();
    expect(numbers(again)).toEqual([1, 2, 4, 5]);
    expect(again.report).toMatchObject({ quarantined: [], missing: [] });
  });

  it('says which part is missing where a segment went, and keeps the rest', async () => {
    const first = await openHere();
    await first.commit([put(event(1))]);
    const second = await openHere();
    await second.commit([put(event(2))]);
    const third = await openHere();
    await third.commit([put(event(3))]);
    await unlink(path.join(dir, 'journal-2-0.log'));
    const store = await openHere();
    expect(numbers(store)).toEqual([1, 3]);
    expect(store.report.missing).toHaveLength(1);
  });

  it('sets a segment of another store and a foreign file aside', async () => {
    await filled(2);
    const header = { store: 'another', version: 1, epoch: 2, segment: 0, previous: {} };
    const foreign = Buffer.concat([
      encodeFrame({ epoch: 2, sequence: 0, json: JSON.stringify(header) }),
      encodeFrame({ epoch: 2, sequence: 3, json: JSON.stringify([put(event(9))]) }),
    ]);
    await writeFile(path.join(dir, 'journal-2-0.log'), foreign);
    await writeFile(path.join(dir, 'journal-3-0.log'), 'shopping list\nmilk\n');
    await writeFile(path.join(dir, 'notes.txt'), 'mine');
    const store = await openHere();
    expect(numbers(store)).toEqual([1, 2]);
    expect(store.report.quarantined.map(({ file, reason }) => [file, reason])).toEqual([
      ['journal-2-0.log', 'foreign'],
      ['journal-3-0.log', 'foreign'],
    ]);
    expect(await readFile(path.join(dir, 'notes.txt'), 'utf8')).toBe('mine');
  });

  it('does not mind a clock that goes backwards', async () => {
    const store = await openHere();
    for (const n of [50, 20, 30]) await store.commit([put(event(n))]);
    const again = await openHere({ clock: { now: () => START - 365 * 24 * 3600_000 } });
    expect(numbers(again)).toEqual([20, 30, 50]);
    await again.commit([put(event(1))]);
    await again.publish();
    expect(numbers(await openHere())).toEqual([1, 20, 30, 50]);
  });
});

describe('a damaged image', () => {
  async function twoImages(): Promise<void> {
    const store = await openHere();
    for (let n = 1; n <= 3; n++) {
      await store.commit([put(event(n))]);
      await store.publish();
    }
    await store.commit([put(event(4))]);
    await store.close();
  }

  it.each([
    ['cut short', async (image: string) => truncate(image, 5000)],
    ['empty', async (image: string) => truncate(image, 0)],
    [
      'with a flipped bit in a text',
      async (image: string) => {
        const bytes = await readFile(image);
        const at = bytes.lastIndexOf(NAMESPACE);
        bytes[at + 3] = (bytes[at + 3] ?? 0) ^ 1;
        await writeFile(image, bytes);
      },
    ],
    ['of something else', async (image: string) => writeFile(image, 'SQLite format 3\0 not really')],
  ])('%s is set aside, and the older one and the journal give the same state', async (_name, damage) => {
    await twoImages();
    await damage(path.join(dir, 'image-1-3.sqlite'));
    const store = await openHere();
    expect(numbers(store)).toEqual([1, 2, 3, 4]);
    expect(store.report.image).toBe('image-1-2.sqlite');
    expect(store.report.quarantined).toEqual([
      {
        file: 'image-1-3.sqlite',
        reason: 'damaged_image',
        kept_as: path.join('quarantine', 'image-1-3.sqlite'),
      },
    ]);
    const again = await openHere();
    expect(again.report.quarantined).toEqual([]);
    for (const n of [1, 2, 3, 4]) expect(again.events.get(event(n).event_id)).toEqual(event(n));
  });

  it('both damaged: what the journal holds is kept', async () => {
    await twoImages();
    await truncate(path.join(dir, 'image-1-3.sqlite'), 100);
    await truncate(path.join(dir, 'image-1-2.sqlite'), 100);
    const store = await openHere();
    expect(numbers(store)).toEqual([3, 4]);
    expect(store.report.quarantined).toHaveLength(2);
    expect(store.report.missing).toHaveLength(1);
    expect((await readdir(path.join(dir, 'quarantine'))).sort()).toEqual([
      'image-1-2.sqlite',
      'image-1-3.sqlite',
    ]);
  });
});

describe('versions', () => {
  const fixtures = path.resolve(__dirname, 'fixtures');

  it.each(Array.from({ length: SCHEMA_VERSION - 1 }, (_, index) => index + 1))(
    'opens an image of version %i and brings it forward',
    async (version) => {
      await mkdir(dir, { recursive: true, mode: 0o700 });
      await copyFile(path.join(fixtures, `image-v${version}.sqlite`), path.join(dir, 'image-1-1.sqlite'));
      const store = await openHere();
      expect(store.report.migrated[0]).toBe(version + 1);
      expect(store.events.get(event(1).event_id)).toEqual(event(1));
      expect(store.events.get(event(2).event_id)).toEqual(toolUse(2, 'failed', false));
      expect(store.records.get(record(1).record_id)?.title).toBe('Edited');
      expect(store.records.history(record(1).record_id)).toHaveLength(2);
      expect(store.injections.notUseful().size).toBe(1);
      expect(store.cursor('session:a')).toBe('12');
      await expect(store.commit([put(event(3, { text: 'again' }))])).resolves.toMatchObject([
        { outcome: 'duplicate' },
      ]);
      await store.commit([put(event(20))]);
      await store.publish();
      const again = await openHere();
      expect(again.report.migrated).toEqual([]);
      expect(again.events.get(event(20).event_id)).toEqual(event(20));
    },
  );

  it('opens an image of a newer version for reading, and leaves it alone', async () => {
    await filled(2);
    const store = await openHere();
    await store.publish();
    await store.close();
    const image = path.join(dir, 'image-2-1.sqlite');
    const bytes = await readFile(image);
    const db = new Database(await loadSqlite(WASM), bytes.subarray(0, bytes.length - 20));
    db.script(`PRAGMA user_version = ${SCHEMA_VERSION + 1}`);
    await writeImage(nodeFileSystem, dir, 'image-3-1.sqlite', db.export());
    const newer = await openHere();
    expect(newer.report.readOnly).toBe('newer_version');
    expect(newer.isReadOnly).toBe(true);
    expect(numbers(newer)).toEqual([1, 2]);
    await expect(newer.commit([put(event(3))])).rejects.toThrow(StoreReadOnlyError);
    await expect(newer.commit([put(event(3))])).rejects.toThrow('newer version');
    expect(await readdir(path.join(dir, 'quarantine'))).toEqual([]);
  });
});

describe('a disk that fails', () => {
  it('rejects what it could not write, and goes on when there is room', async () => {
    let full = false;
    const store = await openHere({
      fs: {
        ...nodeFileSystem,
        async create(name, mode) {
          const file = await nodeFileSystem.create(name, mode);
          const failing = Object.create(file) as typeof file;
          failing.append = async (bytes) => {
            if (!full) return file.append(bytes);
            await file.append(bytes.subarray(0, 20));
            throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
          };
          return failing;
        },
      },
    });
    await store.commit([put(event(1))]);
    full = true;
    await expect(store.commit([put(event(2))])).rejects.toThrow(JournalWriteError);
    await expect(store.commit([put(event(3))])).rejects.toMatchObject({ code: 'ENOSPC' });
    full = false;
    await store.commit([put(event(3))]);
    expect(numbers(store)).toEqual([1, 3]);
    const again = await openHere();
    expect(numbers(again)).toEqual([1, 3]);
    expect(again.report).toMatchObject({ quarantined: [], missing: [] });
  });

  it('forgets frames whose sync failed, even where they reached the disk', async () => {
    let broken = false;
    const store = await openHere({
      fs: {
        ...nodeFileSystem,
        async create(name, mode) {
          const file = await nodeFileSystem.create(name, mode);
          const failing = Object.create(file) as typeof file;
          failing.append = (bytes) => file.append(bytes);
          failing.fdatasync = () =>
            broken ? Promise.reject(Object.assign(new Error('io'), { code: 'EIO' })) : file.fdatasync();
          return failing;
        },
      },
    });
    await store.commit([put(event(1))]);
    broken = true;
    await expect(store.commit([put(event(2))])).rejects.toThrow(JournalWriteError);
    broken = false;
    await store.commit([put(event(3))]);
    const again = await openHere();
    expect(numbers(again)).toEqual([1, 3]);
  });
});

describe('the folder', () => {
  it.skipIf(process.platform === 'win32')('belongs to the owner alone, whatever it was before', async () => {
    await filled(1);
    await chmod(dir, 0o755);
    await chmod(path.join(dir, 'journal-1-0.log'), 0o644);
    const store = await openHere();
    expect([...store.report.modesRepaired].sort()).toEqual(['.', 'journal-1-0.log']);
    await store.commit([put(event(2))]);
    await store.publish();
    for (const name of await readdir(dir, { recursive: true })) {
      const found = await stat(path.join(dir, name));
      expect(found.mode & 0o777, name).toBe(found.isDirectory() ? 0o700 : 0o600);
    }
  });

  it.skipIf(process.platform === 'win32')('is not followed where it is a link', async () => {
    const elsewhere = path.join(dir, 'elsewhere');
    await mkdir(elsewhere);
    const link = path.join(dir, 'link');
    await symlink(elsewhere, link);
    await expect(openStore(link, { epoch: 1 })).rejects.toThrow(UnsafePathError);
  });

  it.skipIf(process.platform === 'win32')('reads no segment through a link', async () => {
    const store = await openHere();
    await store.commit([put(event(1))]);
    await store.publish();
    await store.close();
    const segment = path.join(dir, 'bodies', 'bodies-1-1.seg');
    const outside = path.join(dir, 'outside.seg');
    await rename(segment, outside);
    await symlink(outside, segment);
    const again = await openHere();
    expect(again.events.get(event(1).event_id)).toBeUndefined();
  });
});
