import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findSessionFolders } from '../../src/capture/sessions/session-folders';
import { BLOCK_HEADER_BYTES, decodeHeader } from '../../src/store/segment-block';
import { openTestCollector, type TestCollector } from '../support/collector';
import { sharedData } from '../support/shared-data';

const set = sharedData('data', 'sessions', 'alpha');

interface Planted {
  secrets: { id: string; probes: string[] }[];
}
interface Injected {
  texts: { kind: string; text: string; soft?: boolean }[];
}

function readJson<T>(file: string): T {
  return JSON.parse(readFileSync(path.join(set ?? '', file), 'utf8')) as T;
}

/** What a file holds: its bytes as text, and the blocks of a segment inflated. */
function textsOf(file: string): string[] {
  const bytes = readFileSync(file);
  const texts = [bytes.toString('utf8'), bytes.toString('utf16le')];
  if (!file.endsWith('.seg')) return texts;
  for (let at = bytes.indexOf('KLB1'); at >= 0; at = bytes.indexOf('KLB1', at + 1)) {
    const header = decodeHeader(bytes.subarray(at, at + BLOCK_HEADER_BYTES), file);
    const start = at + BLOCK_HEADER_BYTES;
    const middle = start + header.previewBytes;
    texts.push(inflateRawSync(bytes.subarray(start, middle)).toString('utf8'));
    texts.push(inflateRawSync(bytes.subarray(middle, middle + header.bodyBytes)).toString('utf8'));
  }
  return texts;
}

describe.skipIf(!set)('what recorded sessions must not leave behind (shared data)', () => {
  let opened: TestCollector;
  let stored = '';

  beforeAll(async () => {
    opened = await openTestCollector();
    await opened.sessions.read(await findSessionFolders(path.join(set ?? '', 'home')));
    await opened.store.publish();
    const events: string[] = [];
    for (let next: string | undefined, first = true; first || next; first = false) {
      const page = opened.store.events.list({ limit: 500, ...(next ? { before: next } : {}) });
      events.push(...page.items.map((row) => JSON.stringify(opened.store.events.get(row.event_id))));
      next = page.next;
    }
    expect(events.length).toBeGreaterThan(400);
    const files = readdirSync(opened.dir, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name));
    expect(files.some((file) => file.endsWith('.seg'))).toBe(true);
    stored = [...events, ...files.flatMap(textsOf)].join('\n');
  }, 180_000);
  afterAll(() => opened.dispose());

  it('keeps no planted secret and no private text on the disk', () => {
    const { secrets } = readJson<Planted>('secrets.json');
    const leaked = secrets.flatMap(({ id, probes }) =>
      probes.filter((probe) => stored.includes(probe)).map((probe) => `${id}: ${probe.slice(0, 6)}…`),
    );
    expect(leaked).toEqual([]);
  });

  it('learns nothing from what was injected, reverted, made by the engine or not read', () => {
    const records = [...opened.store.records.iterate()]
      .filter((record) => record.status !== 'withdrawn')
      .map((record) => JSON.stringify([record.title, record.summary, record.facts]));
    const learned = readJson<Injected>('injected.json')
      .texts.filter((item) => !item.soft)
      .filter((item) => records.some((record) => record.includes(JSON.stringify(item.text).slice(1, -1))))
      .map((item) => `${item.kind}: ${item.text}`);
    expect(learned).toEqual([]);
  });
});
