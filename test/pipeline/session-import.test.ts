import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { findSessionFolders } from '../../src/capture/sessions/session-folders';
import { openTestCollector, type TestCollector } from '../support/collector';
import { sharedData } from '../support/shared-data';

const home = sharedData('data', 'sessions', 'alpha', 'home', '.kiro');

describe.skipIf(!home)('recorded sessions (shared data)', () => {
  let opened: TestCollector | undefined;
  afterEach(async () => {
    await opened?.dispose();
    opened = undefined;
  });

  it('reads what the gold counts say, and nothing more the second time', async () => {
    opened = await openTestCollector();
    const found = await findSessionFolders(home ?? '');
    const first = await opened.sessions.read(found);
    const gold = JSON.parse(readFileSync(path.join(home ?? '', '..', '..', 'gold.json'), 'utf8')) as {
      totals_read: Record<string, unknown>;
      sessions_read: number;
    };
    const { by_type: _types, ...wanted } = gold.totals_read;
    expect(first.read).toMatchObject({ ...wanted, sessions_read: gold.sessions_read });
    expect(first.notRead.map((item) => item.reason).sort()).toEqual(['no_records', 'schema_version']);
    const events = opened.store.counts.all();
    const records = opened.store.records.count();
    expect(records).toBeGreaterThan(50);
    await opened.sessions.read(found);
    expect(opened.store.counts.all()).toBe(events);
    expect(opened.store.records.count()).toBe(records);
    expect(opened.store.events.pendingCount()).toBe(0);
  }, 180_000);
});
