import { createReadStream, existsSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { draftsOfApiEvents } from '../capture/api-events';
import { findClaudeTranscripts } from '../capture/sessions/claude-transcript';
import { findSessionFolders, type FoundSession } from '../capture/sessions/session-folders';
import type { EventDraft } from '../contract/event-draft';
import type { Log } from '../platform/log';
import type { Store } from '../store/store';
import { required, UsageError, type CliArguments } from './arguments';
import { mustLead, openStore } from './open-store';
import type { CliOutput } from './output';
import { replayHookCases } from './replay-hooks';

type Replayed = CliOutput<'replay'>;

/** `replay <path> --store <dir>`: whatever `path` holds goes through capture, store and memory. */
export async function replay(args: CliArguments, log: Log): Promise<Replayed> {
  const [given] = args.positionals;
  if (!given) throw new UsageError('What should be replayed? Name a folder or an NDJSON file.');
  const source = path.resolve(given);
  if (!existsSync(source)) throw new UsageError(`${given} does not exist.`);
  const store = required(args, 'store');
  const bySession = args.options['by-session'] === true;
  if (statSync(source).isFile()) return replayEvents(source, store, log);
  if (existsSync(path.join(source, 'sessions'))) {
    return replaySessions(await findSessionFolders(source), store, bySession, log);
  }
  if (existsSync(path.join(source, 'projects'))) {
    return replaySessions(await findClaudeTranscripts(path.dirname(source)), store, bySession, log);
  }
  const cases = (await readdir(source)).filter((name) => name.endsWith('.json')).sort();
  if (cases.length === 0) throw new UsageError(`${given} holds neither sessions/ nor hook cases (*.json).`);
  return replayHookCases(source, cases, store, log);
}

async function replaySessions(
  found: FoundSession[],
  dir: string,
  bySession: boolean,
  log: Log,
): Promise<Replayed> {
  const opened = await openStore(dir, { log, distDir: __dirname });
  try {
    const leader = mustLead(opened);
    const before = totals(leader.store);
    const report = await leader.sessions.read(found);
    return {
      read: { ...report.read },
      added: added(before, totals(leader.store)),
      not_read: report.notRead,
      ...(bySession ? { by_session: report.bySession } : {}),
    };
  } finally {
    await opened.dispose();
  }
}

const BATCH = 200;

async function replayEvents(file: string, dir: string, log: Log): Promise<Replayed> {
  const opened = await openStore(dir, { log, distDir: __dirname });
  try {
    const leader = mustLead(opened);
    const before = totals(leader.store);
    const read = { lines: 0, invalid: 0 };
    let batch: unknown[] = [];
    const take = async () => {
      const mapped = draftsOfApiEvents(batch, { now: Date.now(), surface: 'import' });
      const drafts = mapped.filter((item): item is { draft: EventDraft } => 'draft' in item);
      read.invalid += mapped.length - drafts.length;
      await leader.collector.capture(drafts.map((item) => item.draft));
      batch = [];
    };
    for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
      if (!line.trim()) continue;
      read.lines++;
      batch.push(parse(line));
      if (batch.length >= BATCH) await take();
    }
    await take();
    await leader.collector.distilNow();
    return { read, added: added(before, totals(leader.store)), not_read: [] };
  } finally {
    await opened.dispose();
  }
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

export type Totals = Replayed['added'];

export function totals(store: Store): Totals {
  return { events: store.events.countByKind(), records: store.records.count() };
}

export function added(before: Totals, after: Totals): Totals {
  return {
    events: {
      prompt: after.events.prompt - before.events.prompt,
      tool_use: after.events.tool_use - before.events.tool_use,
      session_summary: after.events.session_summary - before.events.session_summary,
      note: after.events.note - before.events.note,
    },
    records: after.records - before.records,
  };
}
