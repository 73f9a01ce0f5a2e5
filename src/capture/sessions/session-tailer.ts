import { existsSync, watch, type FSWatcher, type Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { Clock } from '../../contract/clock';
import type { Disposable } from '../../contract/disposable';
import type { Captured } from '../../contract/event-draft';
import type { Surface } from '../../contract/event';
import { silentLog, type Log } from '../../platform/log';
import type { CursorPort } from './session-cursor';
import { listNames, readFolderHeader, sessionFolders, type RefusedReason } from './session-folders';
import type { SessionHeader } from './session-header';
import { STILL_MS } from './session-reader';
import { TailedSession } from './tailed-session';

export interface SessionTailerDeps {
  /** `<home>/.kiro/sessions`; need not exist yet. */
  root: string;
  cursors: CursorPort;
  clock: Clock;
  log?: Log;
  /** Sessions that were not written to since then (milliseconds since 1970) are left to the import. */
  since: number;
  surfaceOf?(sessionId: string): Surface;
  /** Asked with the header before any message is opened: is the session's folder open, trusted, not excluded? */
  accepts(header: SessionHeader): boolean | Promise<boolean>;
  /** What it is given must be safe before it resolves. The same item may come again after a crash. */
  onCaptured(header: SessionHeader, items: Captured[]): Promise<void>;
  onNotRead?(sessionId: string, reason: RefusedReason): void;
}

/** With a watcher that gives hints, scans only make sure that nothing was missed. */
const FIRST_SCAN_MS = 1000;
const SLOWEST_SCAN_MS = 30_000;
/** Without one, a new session is still noticed within two seconds. */
const SLOWEST_BLIND_SCAN_MS = 1500;
/** Rows come in bursts. */
const HINT_DELAY_MS = 100;
/** Sessions that rest longer than this are forgotten and read up to their cursor when they go on. */
const FORGET_MS = 10 * 60_000;

interface Watched {
  folder: string;
  /** Sizes and times of the files at the last look. */
  look: string;
  headerLook: string;
  changedAt: number;
  session?: TailedSession;
  refused?: RefusedReason;
}

/**
 * Follows Kiro's session files while they are written. `fs.watch` says when to look and a scan of sizes and times
 * says what changed, since watchers miss files in new nested folders. Only the leader may run one.
 */
export class SessionTailer implements Disposable {
  private readonly watched = new Map<string, Watched>();
  private readonly log: Log;
  private watcher: FSWatcher | undefined;
  private watching: string | undefined;
  private timer: NodeJS.Timeout | undefined;
  private delay = FIRST_SCAN_MS;
  private running: Promise<boolean> | undefined;
  private hinted = false;
  private disposed = false;

  constructor(private readonly deps: SessionTailerDeps) {
    this.log = deps.log ?? silentLog;
  }

  start(): void {
    this.schedule(0);
  }

  /** Looks at every session once. Resolves with whether anything had changed. */
  scan(): Promise<boolean> {
    this.running ??= this.lookAtAll().finally(() => (this.running = undefined));
    return this.running;
  }

  /** Which folders are open or trusted has changed: sessions that were turned away are asked about again. */
  reconsider(): void {
    for (const watched of this.watched.values()) if (!watched.session) watched.look = '';
    this.hint();
  }

  async dispose(): Promise<void> {
    this.disposed = true;
    clearTimeout(this.timer);
    this.stopWatching();
    await this.running?.catch(() => undefined);
    this.watched.clear();
  }

  private schedule(ms: number): void {
    clearTimeout(this.timer);
    if (this.disposed) return;
    this.timer = setTimeout(() => void this.tick(), ms);
    this.timer.unref();
  }

  private async tick(): Promise<void> {
    this.hinted = false;
    this.keepWatching();
    const changed = await this.scan().catch(() => true);
    const slowest = this.watcher ? SLOWEST_SCAN_MS : SLOWEST_BLIND_SCAN_MS;
    this.delay = changed ? FIRST_SCAN_MS : Math.min(this.delay * 2, slowest);
    this.schedule(this.hinted ? HINT_DELAY_MS : this.delay);
  }

  /** Watches the sessions, or, until there are any, the folder in which theirs will appear. */
  private keepWatching(): void {
    if (this.disposed || this.watching === this.deps.root) return;
    const target = existingFolder(this.deps.root);
    if (target === this.watching) return;
    this.stopWatching();
    try {
      const recursive = target === this.deps.root;
      this.watcher = watch(target, { recursive, persistent: false }, () => this.hint());
      this.watcher.on('error', () => this.stopWatching());
      this.watching = target;
    } catch {
      this.stopWatching();
    }
  }

  private stopWatching(): void {
    this.watcher?.close();
    this.watcher = undefined;
    this.watching = undefined;
  }

  private hint(): void {
    if (this.hinted) return;
    this.hinted = true;
    if (!this.running) this.schedule(HINT_DELAY_MS);
  }

  private async lookAtAll(): Promise<boolean> {
    let changed = false;
    const there = new Set<string>();
    for await (const folder of sessionFolders(this.deps.root)) {
      if (this.disposed) return changed;
      there.add(folder);
      changed = (await this.lookAt(folder)) || changed;
    }
    for (const folder of this.watched.keys()) if (!there.has(folder)) this.watched.delete(folder);
    return changed;
  }

  private async lookAt(folder: string): Promise<boolean> {
    const { clock } = this.deps;
    const look = await lookOf(folder);
    if (look === undefined) return false;
    const known = this.watched.get(folder);
    if (!known && look.writtenAt < this.deps.since) return false;
    const watched = known ?? { folder, look: '', headerLook: '', changedAt: 0 };
    this.watched.set(folder, watched);
    const changed = watched.look !== look.files;
    try {
      if (changed) {
        watched.changedAt = clock.now();
        await this.read(watched, look.header);
        watched.look = look.files;
      } else await this.rest(watched);
    } catch (error) {
      // What was taken and not handed on is read again from the cursor.
      this.watched.delete(folder);
      const name = error instanceof Error ? error.name : 'error';
      this.log.warn('sessions', `a session could not be followed: ${name}`);
    }
    return changed;
  }

  private async read(watched: Watched, headerLook: string): Promise<void> {
    if (watched.headerLook === headerLook && watched.refused) return;
    const result = await readFolderHeader(watched.folder);
    if ('notRead' in result) {
      // The header is replaced as a whole; one that can't be read now may be read at the next look.
      if (result.notRead !== 'unreadable') this.refuse(watched, result.notRead);
      return;
    }
    const { header } = result;
    delete watched.refused;
    watched.headerLook = headerLook;
    if (!(await this.deps.accepts(header))) {
      delete watched.session;
      return;
    }
    if (watched.session) watched.session.use(header);
    else watched.session = await this.open(watched.folder, header);
    await watched.session.advance();
  }

  private open(folder: string, header: SessionHeader): Promise<TailedSession> {
    return TailedSession.open(folder, header, {
      cursors: this.deps.cursors,
      surface: this.deps.surfaceOf?.(header.id) ?? 'kiro-ide',
      hand: (current, items) => this.deps.onCaptured(current, items),
    });
  }

  private refuse(watched: Watched, reason: RefusedReason): void {
    if (watched.refused === undefined) this.deps.onNotRead?.(path.basename(watched.folder), reason);
    watched.refused = reason;
  }

  private async rest(watched: Watched): Promise<void> {
    const still = this.deps.clock.now() - watched.changedAt;
    if (watched.session?.isWaiting && still >= STILL_MS) await watched.session.giveUpWaiting();
    else if (still >= FORGET_MS) delete watched.session;
  }
}

/** Undefined while a session has no record: the engine makes header and empty file before the first prompt. */
async function lookOf(folder: string) {
  const messages = await glance(path.join(folder, 'messages.jsonl'));
  if (!messages || messages.size === 0) return undefined;
  const header = spelled(await glance(path.join(folder, 'session.json')));
  const delegates = path.join(folder, 'sub-executions');
  const looks = [spelled(messages), header];
  for (const name of await listNames(delegates))
    looks.push(spelled(await glance(path.join(delegates, name))));
  return { files: looks.join(' '), header, writtenAt: messages.mtimeMs };
}

function spelled(file: Stats | undefined): string {
  return file ? `${file.ino}:${file.size}:${file.mtimeMs}` : '-';
}

async function glance(file: string): Promise<Stats | undefined> {
  try {
    return await stat(file);
  } catch {
    return undefined;
  }
}

function existingFolder(folder: string): string {
  let at = folder;
  while (!existsSync(at) && path.dirname(at) !== at) at = path.dirname(at);
  return at;
}
