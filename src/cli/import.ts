import { readFile } from 'node:fs/promises';
import type { Log } from '../platform/log';
import { upgradeLegacyEvents } from '../capture/legacy-kinds';
import { draftsOfApiEvents } from '../capture/api-events';
import type { EventDraft } from '../contract/event-draft';
import { required, UsageError, type CliArguments } from './arguments';
import { mustLead, openStore } from './open-store';
import type { CliOutput } from './output';

/** `import <file>`: an export of memories, or events (NDJSON), whose legacy kinds are upgraded here only. */
export async function importFile(args: CliArguments, log: Log): Promise<CliOutput<'import'>> {
  const [file] = args.positionals;
  if (!file) throw new UsageError('Which file should be imported?');
  const text = await readFile(file, 'utf8');
  const workspace = required(args, 'workspace');
  const opened = await openStore(required(args, 'store'), { log, distDir: __dirname });
  try {
    if (isExport(text)) return await opened.api.call('importMemories', { text, workspace });
    const leader = mustLead(opened);
    const events = upgradeLegacyEvents(
      text
        .split('\n')
        .filter((line) => line.trim())
        .map(parse),
    );
    const mapped = draftsOfApiEvents(events, { now: Date.now(), surface: 'import', workspace });
    const drafts = mapped.filter((item): item is { draft: EventDraft } => 'draft' in item);
    const results = await leader.collector.capture(drafts.map((item) => item.draft));
    await leader.collector.distilNow();
    const stored = results.filter((result) => result.outcome === 'stored').length;
    return { added: stored, skipped: events.length - stored };
  } finally {
    await opened.dispose();
  }
}

function isExport(text: string): boolean {
  const parsed = parse(text);
  return typeof parsed === 'object' && parsed !== null && 'kiro_learn_export' in parsed;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
