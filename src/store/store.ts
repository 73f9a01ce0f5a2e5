import path from 'node:path';
import { randomBytes } from 'node:crypto';
import type { Clock } from '../contract/clock';
import type { Disposable } from '../contract/disposable';
import { hasCode, type FileSystem } from '../platform/file-system';
import type { Log } from '../platform/log';
import type { StoredMutation } from './apply';
import { ERASE_KEY } from './apply-events';
import { Database, loadSqlite } from './database';
import {
  ApplyError,
  ErasureIncompleteError,
  FencedError,
  StaleEpochError,
  StoreReadOnlyError,
  type ReadOnlyReason,
} from './errors';
import { EventCounts } from './event-counts';
import { EventQueries } from './event-queries';
import { filesOfKind, highestEpoch } from './file-names';
import { GroupCommit, type WaitingCommit } from './group-commit';
import { InjectionQueries } from './injection-queries';
import { InsightQueries } from './insight-queries';
import { Journal } from './journal';
import type { Mutation, Outcome } from './mutation';
import { emptyReport, hasDamage, type OpenReport } from './open-report';
import { quarantineDamage, readContents, replay, storeIdOf } from './open-store';
import { ProjectQueries } from './project-queries';
import { QUARANTINE } from './quarantine';
import { RecordQueries } from './record-queries';
import type { RetentionLimits, RetentionReport } from './retention';
import { secureDirectory, secureFiles } from './safe-directory';
import { migrate, SCHEMA_VERSION } from './schema';
import { BODIES, readingParts, writingParts, type ReadingParts, type WritingParts } from './store-parts';

export interface StoreDeps {
  /** Folder of the store; made where it is missing. Nothing else may lie in it. */
  dir: string;
  fs: FileSystem;
  /** Bytes of `sql-wasm.wasm`, or its path. */
  wasm: Uint8Array | string;
  /** Must exceed every epoch that the store has seen ({@link Store.nextEpoch}); without meaning when `readOnly`. */
  epoch: number;
  /** False when a higher epoch exists. The store looks into its folder besides. */
  fence(): boolean;
  clock: Clock;
  log: Log;
  /** Reads the last image and the journal, writes nothing, mends nothing. */
  readOnly?: boolean;
  /** Milliseconds without a commit after which an image is written, where it is worth one; 0 for never. */
  idleMs?: number;
}

export interface StoreChange {
  mutations: readonly Mutation[];
  outcomes: readonly Outcome[];
}

export interface StoreStats {
  events: number;
  records: number;
  pending: number;
  injections: number;
  /** ISO time of the oldest event that is kept. */
  oldest_event?: string;
  /** Of the files: both images, the journal, bodies and archives. */
  bytes: { image: number; journal: number; bodies: number; total: number };
}

/** Quiet that lets an image be written. */
const IDLE_MS = 20_000;

/**
 * The store: an image in memory, and a journal that every change goes to first. What {@link commit} resolved
 * for is on the disk.
 */
export class Store {
  readonly events: EventQueries;
  readonly counts: EventCounts;
  readonly records: RecordQueries;
  readonly injections: InjectionQueries;
  readonly projects: ProjectQueries;
  readonly insights: InsightQueries;
  private readonly db: Database;
  private readonly listeners = new Set<(change: StoreChange) => void>();
  private readonly commits: GroupCommit<Outcome[]>;
  private readOnly: ReadOnlyReason | undefined;
  private closed = false;

  private constructor(
    private readonly deps: StoreDeps,
    private readonly parts: ReadingParts,
    private readonly writing: WritingParts | undefined,
    /** What opening found. */
    readonly report: OpenReport,
  ) {
    const { db, names, bodies, archive } = parts;
    this.db = db;
    this.events = new EventQueries(db, names, bodies, archive);
    this.counts = new EventCounts(db, names, archive);
    this.records = new RecordQueries(db, names);
    this.injections = new InjectionQueries(db, names, bodies);
    this.projects = new ProjectQueries(db, names);
    this.insights = new InsightQueries(db, names);
    this.readOnly = report.readOnly;
    this.commits = new GroupCommit((group) => this.writeGroup(group));
  }

  /** The lowest epoch that a new owner of the folder may use. */
  static async nextEpoch(fs: FileSystem, dir: string): Promise<number> {
    if (!(await fs.stat(dir))) return 1;
    return highestEpoch(await fs.readdir(dir)) + 1;
  }

  /**
   * Opens the store of a folder, or makes it: the highest sound image, the journal over it; damage is set
   * aside and told in {@link report}.
   * @throws StaleEpochError, UnsafePathError, ImageTooLargeError, or the platform's error.
   */
  static async open(deps: StoreDeps): Promise<Store> {
    const started = performance.now();
    const report = emptyReport();
    const { fs, dir } = deps;
    const sqlite = await loadSqlite(deps.wasm);
    let journal: Journal | undefined;
    if (!deps.readOnly) {
      await prepareFolder(fs, dir, report);
      journal = await claimEpoch(deps);
    } else report.readOnly = 'asked';

    const present = !deps.readOnly || (await fs.stat(dir)) !== undefined;
    const contents = present
      ? await readContents(sqlite, fs, dir, journal?.currentSegment)
      : { image: undefined, damagedImages: [], olderImages: [], segments: [] };
    const db = contents.image?.db ?? new Database(sqlite);
    report.created = !contents.image && contents.damagedImages.length === 0 && contents.segments.length === 0;
    if (contents.image) report.image = contents.image.file.name;
    if ((contents.image?.version ?? 0) > SCHEMA_VERSION) report.readOnly = 'newer_version';
    else report.migrated = migrate(db).filter(() => contents.image !== undefined);

    const parts = readingParts(db, fs, dir, deps.log);
    const { applier } = parts;
    const loaded = contents.image && {
      name: contents.image.file.name,
      sequence: applier.sequence,
      bytes: contents.image.bytes,
      segments: parts.segments.allNames(),
    };
    const storeId = storeIdOf(db, contents.segments);
    const replayed = await replay(db, applier, storeId, contents.segments, report);
    if (replayed.newer) report.readOnly = 'newer_version';
    if (!journal || report.readOnly) {
      report.ms = performance.now() - started;
      await journal?.close();
      return new Store(deps, parts, undefined, report);
    }

    applier.setStoreId(storeId);
    await quarantineDamage(fs, dir, contents, replayed, report);
    await journal.begin(storeId, applier.sequence, replayed.segments);
    const backlog = replayed.bytes;
    const otherBytes = await bytesIn(fs, path.join(dir, QUARANTINE));
    const idleMs = deps.idleMs ?? IDLE_MS;
    const writing = writingParts(parts, journal, { ...deps, idleMs }, { loaded, backlog, otherBytes });
    report.ms = performance.now() - started;
    const store = new Store(deps, parts, writing, report);
    await store.settle();
    return store;
  }

  /**
   * Puts changes on the disk and applies them, all or none. Resolves with one outcome a mutation when they are
   * durable; an erase only when no file holds what it removed. Keep a commit to a few hundred mutations: it is applied in one go.
   * @throws StoreReadOnlyError, FencedError, JournalWriteError (may be tried again), ApplyError,
   *   CommitTooLargeError, ErasureIncompleteError.
   */
  async commit(mutations: readonly Mutation[]): Promise<Outcome[]> {
    const outcomes = await this.commitStored(mutations);
    if (mutations.some(({ op }) => op === 'erase_events' || op === 'erase_records')) {
      try {
        await this.finishErasure();
      } catch (error) {
        throw new ErasureIncompleteError({ cause: error });
      }
    }
    return outcomes;
  }

  /** True where nothing can be written: asked for, a newer version's image, fenced, or closed. */
  get isReadOnly(): boolean {
    return this.readOnly !== undefined;
  }

  /** Value of a reader's cursor. */
  cursor(key: string): string | undefined {
    return this.text('SELECT value FROM cursors WHERE key = ?', key);
  }

  meta(key: string): string | undefined {
    return this.text('SELECT value FROM meta WHERE key = ?', key);
  }

  stats(namespace?: string): StoreStats {
    const kinds = this.events.countByKind(namespace);
    const oldest = this.events.oldest();
    return {
      events: Object.values(kinds).reduce((sum, n) => sum + n, 0),
      records: this.records.count(namespace),
      pending: this.events.pendingCount(namespace),
      injections: this.db.number('SELECT count(*) AS n FROM injections'),
      ...(oldest === undefined ? {} : { oldest_event: oldest }),
      bytes: this.sizes(),
    };
  }

  /** Called after each commit that was applied, with what it changed. */
  onDidChange(listener: (change: StoreChange) => void): Disposable {
    this.listeners.add(listener);
    return { dispose: () => void this.listeners.delete(listener) };
  }

  /** Writes the image; the journal that it covers goes when a second image covers it too. */
  async publish(): Promise<void> {
    await this.owner().publisher.publish();
  }

  /** Removes the bodies of old events, or says what it would remove (`dryRun`). */
  async retention(limits: RetentionLimits & { dryRun: boolean }): Promise<RetentionReport> {
    const { retention } = this.owner();
    const now = this.deps.clock.now();
    return limits.dryRun ? retention.plan(limits, now) : retention.apply(limits, now);
  }

  /** Settles what was committed and closes the files. Nothing is lost without it. */
  async close(): Promise<void> {
    await this.commits.close('closed');
    this.readOnly ??= 'closed';
    await this.writing?.publisher.dispose();
    await this.writing?.journal.close();
    if (!this.closed) this.db.close();
    this.closed = true;
  }

  private owner(): WritingParts {
    if (!this.writing || this.readOnly) throw new StoreReadOnlyError(this.readOnly ?? 'asked');
    return this.writing;
  }

  /** First things of a writable store: its erase key, an image where damage was mended, an erase that was cut off. */
  private async settle(): Promise<void> {
    const { publisher } = this.owner();
    if (this.meta(ERASE_KEY) === undefined) {
      await this.commitStored([{ op: 'meta', key: ERASE_KEY, value: randomBytes(32).toString('hex') }]);
    }
    if (hasDamage(this.report) || this.report.migrated.length > 0) await publisher.publish();
    if (this.parts.applier.erasurePending > 0) await this.finishErasure();
    publisher.arm();
  }

  private async finishErasure(): Promise<void> {
    await this.owner().erasure.run((sequence) => this.commitStored([{ op: 'erasure_done', sequence }]));
  }

  private async commitStored(mutations: readonly StoredMutation[]): Promise<Outcome[]> {
    if (this.readOnly) throw new StoreReadOnlyError(this.readOnly);
    if (mutations.length === 0) return [];
    return this.commits.add(JSON.stringify(mutations));
  }

  private async writeGroup(group: readonly WaitingCommit<Outcome[]>[]): Promise<void> {
    if (!this.writing) return;
    const { journal, publisher } = this.writing;
    let first: number;
    try {
      first = await journal.write(group.map((commit) => commit.json));
    } catch (error) {
      if (error instanceof FencedError) this.readOnly = 'fenced';
      else this.deps.log.error('store', error instanceof Error ? error.message : 'The journal failed.');
      for (const commit of group) commit.reject(error);
      return;
    }
    this.applyGroup(group, first);
    publisher.grew();
  }

  private applyGroup(group: readonly WaitingCommit<Outcome[]>[], first: number): void {
    const settled: (() => void)[] = [];
    try {
      this.db.transaction(() => {
        for (const [index, commit] of group.entries()) {
          // Parsed again: what is applied is what a replay would apply.
          const mutations = JSON.parse(commit.json) as StoredMutation[];
          const outcomes = this.parts.applier.applyFrame(first + index, mutations);
          settled.push(() => this.settleCommit(commit, mutations, outcomes));
        }
      });
    } catch (error) {
      // The frames are on disk and will be replayed; until then this image is behind: write no further.
      this.readOnly = 'closed';
      for (const commit of group) commit.reject(error);
      return;
    }
    for (const settle of settled) settle();
  }

  private settleCommit(
    commit: WaitingCommit<Outcome[]>,
    mutations: readonly StoredMutation[],
    outcomes: Outcome[] | ApplyError,
  ): void {
    if (outcomes instanceof ApplyError) {
      this.deps.log.error('store', outcomes.message);
      commit.reject(outcomes);
      return;
    }
    commit.resolve(outcomes);
    const change: StoreChange = { mutations: mutations as readonly Mutation[], outcomes };
    for (const listener of this.listeners) {
      try {
        listener(change);
      } catch (error) {
        this.deps.log.error('store', `A listener failed: ${error instanceof Error ? error.name : 'error'}`);
      }
    }
  }

  private sizes(): StoreStats['bytes'] {
    const image = this.writing?.publisher.imageBytes ?? 0;
    const journal = this.writing?.journal.bytes ?? 0;
    const bodies = this.parts.segments.totalBytes();
    return { image, journal, bodies, total: image + journal + bodies };
  }

  private text(sql: string, key: string): string | undefined {
    const value = this.db.get(sql, [key])?.['value'];
    return typeof value === 'string' ? value : undefined;
  }
}

async function prepareFolder(fs: FileSystem, dir: string, report: OpenReport): Promise<void> {
  for (const folder of [dir, path.join(dir, BODIES), path.join(dir, QUARANTINE)]) {
    if (await secureDirectory(fs, folder)) report.modesRepaired.push(path.relative(dir, folder) || '.');
  }
  const names = await fs.readdir(dir);
  const files = [...filesOfKind(names, 'journal'), ...filesOfKind(names, 'image')].map((file) => file.name);
  report.modesRepaired.push(...(await secureFiles(fs, dir, files)));
}

async function claimEpoch(deps: StoreDeps): Promise<Journal> {
  const highest = highestEpoch(await deps.fs.readdir(deps.dir));
  if (highest >= deps.epoch) throw new StaleEpochError(deps.epoch, highest);
  try {
    return await Journal.claim(deps);
  } catch (error) {
    if (hasCode(error, 'EEXIST')) throw new StaleEpochError(deps.epoch, deps.epoch);
    throw error;
  }
}

async function bytesIn(fs: FileSystem, dir: string): Promise<number> {
  let sum = 0;
  for (const name of await fs.readdir(dir)) sum += (await fs.stat(path.join(dir, name)))?.size ?? 0;
  return sum;
}
