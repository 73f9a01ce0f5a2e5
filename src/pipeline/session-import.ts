import path from 'node:path';
import { readClaudeTranscript } from '../capture/sessions/claude-transcript';
import { findV2Sessions, readV2Session } from '../capture/sessions/v2-session';
import type { Clock } from '../contract/clock';
import type { Disposable } from '../contract/disposable';
import type { Captured } from '../contract/event-draft';
import type { Log } from '../platform/log';
import type { SessionHeader } from '../capture/sessions/session-header';
import { findSessionFolders, type FoundSession } from '../capture/sessions/session-folders';
import { readSessionFolder } from '../capture/sessions/session-reader';
import { addCounts, emptyCounts, type SessionCounts } from '../capture/sessions/session-counts';
import type { Collector } from './collector';
import type { JobControl, Jobs } from './jobs';

const BATCH = 200;
const MAX_REFUSED = 1000;

export interface ReplayReport {
  read: SessionCounts;
  bySession: Record<string, SessionCounts>;
  notRead: { session_id: string; reason: string }[];
}

interface SessionImportDeps {
  collector: Collector;
  home: string;
  clock: Clock;
  log: Log;
  jobs: Jobs;
}

/** Past sessions: found, counted, and read oldest first. Reading one again adds nothing. */
export class SessionImport implements Disposable {
  private readonly refused = new Map<string, string>();

  constructor(private readonly deps: SessionImportDeps) {}

  notRead(): { session_id: string; reason: string }[] {
    return [...this.refused].map(([session_id, reason]) => ({ session_id, reason }));
  }

  /** Sessions of the project that `workspace` belongs to; only headers are opened. */
  async find(workspace: string): Promise<{ sessions: number; bytes: number; already: number }> {
    const found = await this.ofProject(workspace);
    const cursor = this.deps.collector.deps.store;
    const already = found.filter((session) => cursor.cursor(importKey(session)) === String(session.bytes));
    return {
      sessions: found.length,
      bytes: found.reduce((sum, session) => sum + session.bytes, 0),
      already: already.length,
    };
  }

  start(workspace: string | undefined, dryRun: boolean): string {
    return this.deps.jobs.start('import', async (control) => {
      const found = workspace ? await this.ofProject(workspace) : await findSessionFolders(this.deps.home);
      if (dryRun) return `${found.length} sessions would be read.`;
      const report = await this.read(found, control);
      return `${report.read.sessions_read} sessions were read, ${report.notRead.length} were not.`;
    });
  }

  /** Reads sessions into the store, oldest first, and distils them. */
  async read(found: readonly FoundSession[], control?: JobControl): Promise<ReplayReport> {
    const report: ReplayReport = { read: emptyCounts(), bySession: {}, notRead: [] };
    let done = 0;
    for (const session of found) {
      if (control?.signal.aborted) break;
      await this.readOne(session, report, control);
      control?.progress(++done, found.length);
    }
    await this.deps.collector.distilNow();
    return report;
  }

  private async readOne(session: FoundSession, report: ReplayReport, control?: JobControl): Promise<void> {
    const { collector, log, clock } = this.deps;
    if (session.refused) {
      this.leftOut(session, session.refused, report);
      return;
    }
    let batch: Captured[] = [];
    const counts = emptyCounts();
    let refused = false;
    const items = readerOf(session)(session.folder, {
      clock,
      counts,
      onNotRead: (reason) => {
        refused = true;
        this.leftOut(session, reason, report);
      },
      ...(control ? { signal: control.signal } : {}),
    });
    for await (const item of items) {
      batch.push(item);
      if (batch.length < BATCH) continue;
      await collector.takeSession(batch);
      batch = [];
    }
    await collector.takeSession(batch);
    await collector.distilNow();
    await collector.deps.store.commit([
      { op: 'cursor', key: importKey(session), value: String(session.bytes) },
    ]);
    if (refused) return;
    report.bySession[session.session_id] = counts;
    addCounts(report.read, counts);
    log.debug('import', `a session with ${counts.turns} turns was read`);
  }

  /** Remembers why a session was not read, for the health page. */
  notReadable(sessionId: string, reason: string): void {
    this.refused.set(sessionId, reason);
    if (this.refused.size > MAX_REFUSED) this.refused.delete([...this.refused.keys()][0] ?? '');
  }

  private leftOut(session: FoundSession, reason: string, report: ReplayReport): void {
    this.notReadable(session.session_id, reason);
    report.notRead.push({ session_id: session.session_id, reason });
  }

  private async ofProject(workspace: string): Promise<FoundSession[]> {
    const { resolver } = this.deps.collector.deps;
    const { namespace } = await resolver.resolve({ path: workspace });
    const matching: FoundSession[] = [];
    const found = [...(await findSessionFolders(this.deps.home)), ...(await findV2Sessions(this.deps.home))];
    for (const session of found.sort(byStart)) {
      if (session.header && (await this.belongs(session.header, namespace))) matching.push(session);
    }
    return matching;
  }

  private async belongs(header: SessionHeader, namespace: string): Promise<boolean> {
    const project = await this.deps.collector.deps.resolver.resolve({
      workspacePaths: header.workspacePaths,
      ...(header.repositories ? { repositories: header.repositories } : {}),
    });
    return project.namespace === namespace;
  }

  dispose(): void {
    this.refused.clear();
  }
}

/** kiro-cli's V2 engine keeps a session in one file, Claude Code too; Kiro's own engine in a folder. */
function readerOf(session: FoundSession): typeof readSessionFolder {
  if (!session.folder.endsWith('.jsonl')) return readSessionFolder;
  return session.folder.includes(`${path.sep}.kiro${path.sep}`) ? readV2Session : readClaudeTranscript;
}

function byStart(a: FoundSession, b: FoundSession): number {
  return (a.header?.createdAt ?? '').localeCompare(b.header?.createdAt ?? '');
}

function importKey(session: FoundSession): string {
  return `import:${session.session_id}`;
}
