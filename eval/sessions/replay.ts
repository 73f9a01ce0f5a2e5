import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { findSessionFolders } from '../../src/capture/sessions/session-folders';
import type { Clock } from '../../src/contract/clock';
import type { MemoryEvent } from '../../src/contract/event';
import type { MemoryRecord } from '../../src/contract/memory-record';
import { Extractor } from '../../src/memory/extract/extractor';
import { Collector } from '../../src/pipeline/collector';
import { Jobs } from '../../src/pipeline/jobs';
import { SessionImport, type ReplayReport } from '../../src/pipeline/session-import';
import { nodeFileSystem } from '../../src/platform/file-system';
import { silentLog } from '../../src/platform/log';
import { createGit } from '../../src/project/git';
import { ProjectPathTable } from '../../src/project/project-paths';
import { ProjectResolver } from '../../src/project/project-resolver';
import { Store } from '../../src/store/store';
import { embeddingTable } from '../retrieval/evaluate';
import type { Answer } from './grade';
import type { Query } from './query-set';

const MAX_TOKENS = 1200;
/** Recorded sessions are over, however young their files are: nothing will follow. */
const clock: Clock = { now: () => Date.now() + 60 * 60_000 };

/** Recorded sessions in a store of their own, ready to be asked. */
export class Replay {
  private constructor(
    private readonly dir: string,
    private readonly store: Store,
    private readonly collector: Collector,
    private readonly resolver: ProjectResolver,
    readonly read: ReplayReport,
  ) {}

  /**
   * Reads the sessions of a set through the product: capture, privacy, store, rules, lifecycle. The store lies in
   * a temporary folder until {@link close}.
   * @param folder of the set; its `home/.kiro` is read
   */
  static async of(folder: string): Promise<Replay> {
    const dir = mkdtempSync(path.join(os.tmpdir(), 'kiro-learn-sessions-'));
    const home = path.join(dir, 'home');
    const store = await Store.open({
      dir: path.join(dir, 'store'),
      fs: nodeFileSystem,
      wasm: createRequire(__filename).resolve('sql.js/dist/sql-wasm.wasm'),
      epoch: 1,
      fence: () => true,
      clock,
      log: silentLog,
    });
    const resolver = new ProjectResolver({
      actorId: 'eval',
      home,
      git: createGit({ isTrusted: () => false }),
      paths: new ProjectPathTable(store.projects.known(), async (project, paths) => {
        await store.commit([{ op: 'project', project, paths }]);
      }),
      isTrusted: () => false,
    });
    const embedder = embeddingTable();
    const collector = new Collector({
      store,
      resolver,
      extractor: new Extractor(),
      ...(embedder ? { embedder } : {}),
      clock,
      log: silentLog,
      home,
      actorId: 'eval',
      version: '0.0.0',
      epoch: 1,
      storePath: dir,
      hostName: 'eval',
      fenceKey: 'eval0key',
      maxTokens: () => MAX_TOKENS,
      newestPrompt: () => Promise.resolve(undefined),
      drainsByItself: false,
    });
    await collector.load();
    const jobs = new Jobs((event) => collector.board.emit(event));
    const sessions = new SessionImport({ collector, home, clock, log: silentLog, jobs });
    const read = await sessions.read(await findSessionFolders(path.join(folder, 'home')));
    jobs.dispose();
    sessions.dispose();
    return new Replay(dir, store, collector, resolver, read);
  }

  /** What would be injected for a query at `now` (milliseconds), in a session of its own. */
  async ask(query: Query, now: number): Promise<Answer> {
    const project = await this.resolver.resolve({ path: query.workspace });
    const answer = this.collector.promptRecall.ask({
      namespaces: [project.namespace],
      prompt: query.prompt,
      sessionId: `eval-${query.query_id}`,
      surface: 'kiro-ide',
      now,
    });
    return { context: answer.context, tokens: answer.tokens, records: answer.records.length };
  }

  /** Records that were learned and not withdrawn. */
  records(): MemoryRecord[] {
    return [...this.store.records.iterate()].filter(
      (record) => record.status === 'current' || record.status === 'superseded',
    );
  }

  event(eventId: string): MemoryEvent | undefined {
    return this.store.events.get(eventId);
  }

  /** How many tool calls were stored. */
  toolEvents(): number {
    return this.store.events.list({ kinds: ['tool_use'], limit: 1 }).total;
  }

  async close(): Promise<void> {
    await this.collector.dispose();
    await this.store.close();
    rmSync(this.dir, { recursive: true, force: true });
  }
}
