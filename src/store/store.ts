import path from 'node:path';
import { randomBytes } from 'node:crypto';
import type { Clock } from '../contract/clock';
import type { Disposable } from '../contract/disposable';
import { hasCode, type FileSystem } from '../platform/file-system';
import type { Log } from '../platform/log';
import { Applier, type StoredMutation } from './apply';
import { ERASE_KEY } from './apply-events';
import { emptyArchive } from './archive';
import { Bodies } from './bodies';
import { Database, loadSqlite } from './database';
import { ApplyError, FencedError, StaleEpochError, StoreReadOnlyError, type ReadOnlyReason } from './errors';
import { EventCounts } from './event-counts';
import { EventQueries } from './event-queries';
import { filesOfKind, highestEpoch } from './file-names';
import { GroupCommit, type WaitingCommit } from './group-commit';
import { InjectionQueries } from './injection-queries';
import { InsightQueries } from './insight-queries';
import { Journal } from './journal';
import type { Mutation, Outcome } from './mutation';
import { Names } from './names';
import { emptyReport, hasDamage, type OpenReport } from './open-report';
import { quarantineDamage, readContents, replay, storeIdOf } from './open-store';
import { ProjectQueries } from './project-queries';
import { Publisher } from './publisher';
import { QUARANTINE } from './quarantine';
import { RecordQueries } from './record-queries';
import { secureDirectory, secureFiles } from './safe-directory';
import { migrate, SCHEMA_VERSION } from './schema';

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
  bytes: { image: number; journal: number; bodies: number; quarantine: number; total: number };
}

const BODIES = 'bodies';

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
  private readonly listeners = new Set<(change: StoreChange) => void>();
  private readonly commits: GroupCommit<Outcome[]>;
  private readOnly: ReadOnlyReason | undefined;

  private constructor(
    private readonly deps: StoreDeps,
    private readonly db: Database,
    names: Names,
    bodies: Bodies,
    private readonly applier: Applier,
    private readonly journal: Journal | undefined,
    private readonly publisher: Publisher | undefined,
    /** What opening found. */
    readonly report: OpenReport,
  ) {
    this.events = new EventQueries(db, names, bodies);
    this.counts = new EventCounts(db, names);
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

    const names = new Names(db);
    const bodies = new Bodies(db);
    const applier = new Applier(db, names, bodies, emptyArchive);
    const loaded = contents.image && {
      name: contents.image.file.name,
      sequence: applier.sequence,
      bytes: contents.image.bytes,
    };
    const storeId = storeIdOf(db, contents.segments);
    const replayed = await replay(db, applier, storeId, contents.segments, report);
    if (replayed.newer) report.readOnly = 'newer_version';
    if (!journal || report.readOnly) {
      report.ms = performance.now() - started;
      await journal?.close();
      return new Store(deps, db, names, bodies, applier, undefined, undefined, report);
    }

    applier.setStoreId(storeId);
    await quarantineDamage(fs, dir, contents, replayed, report);
    await journal.begin(storeId, applier.sequence, replayed.segments);
    const publisher = new Publisher(deps, db, journal, applier, loaded);
    report.ms = performance.now() - started;
    const store = new Store(deps, db, names, bodies, applier, journal, publisher, report);
    await store.settle();
    return store;
  }

  /**
   * Puts changes on the disk and applies them, all or none. Resolves with one outcome a mutation when they are
   * durable. Keep a commit to a few hundred mutations: it is applied in one go.
   * @throws StoreReadOnlyError, FencedError, JournalWriteError (may be tried again), ApplyError,
   *   CommitTooLargeError.
   */
  commit(mutations: readonly Mutation[]): Promise<Outcome[]> {
    return this.commitStored(mutations);
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
    const oldest = this.db.get('SELECT min(time) AS time FROM events')?.['time'];
    const sizes = this.publisher?.sizes() ?? { image: 0, bodies: 0, quarantine: 0 };
    const journal = this.journal?.bytes ?? 0;
    return {
      events: Object.values(kinds).reduce((sum, n) => sum + n, 0),
      records: this.records.count(namespace),
      pending: this.events.pendingCount(namespace),
      injections: this.db.number('SELECT count(*) AS n FROM injections'),
      ...(typeof oldest === 'number' ? { oldest_event: new Date(oldest).toISOString() } : {}),
      bytes: { ...sizes, journal, total: sizes.image + sizes.bodies + sizes.quarantine + journal },
    };
  }

  /** Called after each commit that was applied, with what it changed. */
  onDidChange(listener: (change: StoreChange) => void): Disposable {
    this.listeners.add(listener);
    return { dispose: () => void this.listeners.delete(listener) };
  }

  /** Writes the image; the journal that it covers goes when a second image covers it too. */
  async publish(): Promise<void> {
    if (!this.publisher || this.readOnly) throw new StoreReadOnlyError(this.readOnly ?? 'asked');
    await this.publisher.publish();
  }

  /** Settles what was committed and closes the files. Nothing is lost without it. */
  async close(): Promise<void> {
    await this.commits.close('closed');
    this.readOnly ??= 'closed';
    await this.publisher?.dispose();
    await this.journal?.close();
    this.db.close();
  }

  /** First things of a writable store: the key of its erase hashes, an image where damage was mended. */
  private async settle(): Promise<void> {
    if (this.meta(ERASE_KEY) === undefined) {
      await this.commitStored([{ op: 'meta', key: ERASE_KEY, value: randomBytes(32).toString('hex') }]);
    }
    if (hasDamage(this.report) || this.report.migrated.length > 0) await this.publisher?.publish();
  }

  private async commitStored(mutations: readonly StoredMutation[]): Promise<Outcome[]> {
    if (this.readOnly) throw new StoreReadOnlyError(this.readOnly);
    if (mutations.length === 0) return [];
    return this.commits.add(JSON.stringify(mutations));
  }

  private async writeGroup(group: readonly WaitingCommit<Outcome[]>[]): Promise<void> {
    const { journal } = this;
    if (!journal) return;
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
    this.publisher?.grew();
  }

  private applyGroup(group: readonly WaitingCommit<Outcome[]>[], first: number): void {
    const settled: (() => void)[] = [];
    try {
      this.db.transaction(() => {
        for (const [index, commit] of group.entries()) {
          // Parsed again: what is applied is what a replay would apply.
          const mutations = JSON.parse(commit.json) as StoredMutation[];
          const outcomes = this.applier.applyFrame(first + index, mutations);
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
