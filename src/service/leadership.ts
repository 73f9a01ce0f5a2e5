import { randomBytes } from 'node:crypto';
import { existsSync, watch, type FSWatcher } from 'node:fs';
import { chmod, lstat, readdir, stat, unlink, utimes } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '../contract/clock';
import type { Disposable } from '../contract/disposable';
import { FILE_MODE, hasCode } from '../platform/file-system';
import type { Log } from '../platform/log';
import { MAX_SOCKET_PATH_BYTES } from '../platform/runtime-directory';
import { EpochClaims, type Claim } from './epoch-claims';
import { HoldingServer } from './holding-server';
import { readHostIdentity, sameMachine } from './host-identity';
import { leaderFile, readLeaderInfo, writeLeaderFiles, type LeaderInfo } from './leader-info';
import { ensurePrivateDirectory } from './private-files';
import { compareVersions } from './version';

export interface LeadershipDeps {
  /** Global storage, absolute. */
  storageDir: string;
  /** Private directory for the socket (`platform/runtime-directory.ts`); unused on Windows. */
  runtimeDir: string;
  clock: Clock;
  log: Log;
  version: string;
  /** Highest epoch of a journal segment or image in the store, 0 for none. */
  highestSegment(): Promise<number>;
}

export interface Leading {
  role: 'leader';
  epoch: number;
  server: net.Server;
  /** What clients find in `leader.json`. */
  info: LeaderInfo;
  /**
   * False once somebody claimed a higher number, or where that can't be told. Ask before every group commit and
   * before an image is renamed.
   */
  fence(): boolean;
}

export interface Following {
  role: 'follower';
  leader: LeaderInfo;
}

export interface AcquireOptions {
  /** The leader of this epoch was silent for 30 s: claim the next one although it accepts connections. */
  silentEpoch?: number;
  /** The user said that the other machine named by `ForeignLeaderError` no longer uses the store. */
  evenIfForeign?: boolean;
}

/** Another machine uses this store: two kernels can't see each other's sockets. */
export class ForeignLeaderError extends Error {
  constructor(
    readonly host: string,
    readonly lastSeen: Date,
  ) {
    super(
      `The memory in this folder is in use on ${host} (last seen ${lastSeen.toISOString()}). ` +
        'Close the IDE there, or take the memory over here.',
    );
    this.name = 'ForeignLeaderError';
  }
}

const askTimeoutMs = 1000;
/** A leader shows its life at most this often, and only when it stores something. */
const signOfLifeMs = 3_600_000;
const foreignAliveMs = 2 * signOfLifeMs;
const handOverGraceMs = 5000;
const handOverWaitMs = 1500;
/** Younger ones may belong to a window that is about to claim. */
const deadSocketAgeMs = 60_000;
const maxAttempts = 50;

/**
 * Who of the windows of one store leads. Numbered names that are never reused (`EpochClaims`): listen on a name
 * of one's own, ask the highest number, claim the next one if it is dead (refused or gone; busy is not dead),
 * look again and withdraw if a higher one exists. The number is the epoch, the journal segment and the fence.
 */
export class Leadership implements Disposable {
  private readonly claims: EpochClaims;
  private readonly loseListeners = new Set<() => void>();
  private readonly watchers: FSWatcher[] = [];
  private leading: Leading | undefined;
  private server: HoldingServer | undefined;
  private lastSign = 0;

  constructor(private readonly deps: LeadershipDeps) {
    this.claims = new EpochClaims(deps.storageDir);
  }

  /**
   * Leads, or names the leader. May be called again after leadership was lost or a leader went away.
   *
   * @throws ForeignLeaderError where another machine seems to use the store; UnsafePathError where a folder is
   *   not this user's
   */
  async acquire(options: AcquireOptions = {}): Promise<Leading | Following> {
    await ensurePrivateDirectory(this.deps.storageDir);
    await this.claims.prepare();
    await this.letNewerGoFirst();
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const top = await this.claims.highest();
      const verdict = top ? await this.judge(top, options, attempt) : 'claim';
      if (verdict === 'look again') continue;
      if (verdict !== 'claim') {
        await this.closeServer();
        return { role: 'follower', leader: verdict };
      }
      const leading = await this.tryClaim(top?.epoch ?? 0);
      if (leading) return leading;
    }
    throw new Error('Leadership changed hands too often; try again.');
  }

  /** Called once when a higher number was claimed, or the store's folder went away. */
  onDidLose(listener: () => void): Disposable {
    this.loseListeners.add(listener);
    return { dispose: () => void this.loseListeners.delete(listener) };
  }

  /**
   * Stops leading. The claim stays, dead; `leader.json` says that the leader went in order.
   *
   * @param handOverTo version of the window that asked; older ones wait for it
   */
  async release(handOverTo?: string): Promise<void> {
    const { leading } = this;
    this.stopLeading();
    await this.closeServer();
    if (!leading) return;
    const current = await readLeaderInfo(this.deps.storageDir);
    if (current?.epoch !== leading.epoch || current.key !== leading.info.key) return;
    const info = { ...leading.info, released: true, ...(handOverTo ? { handed_to: handOverTo } : {}) };
    await writeLeaderFiles(this.deps.storageDir, info, this.deps.clock.now()).catch(() => undefined);
  }

  dispose(): Promise<void> {
    this.loseListeners.clear();
    return this.release();
  }

  private async judge(
    top: Claim,
    options: AcquireOptions,
    attempt: number,
  ): Promise<LeaderInfo | 'claim' | 'look again'> {
    const { info } = top;
    if (!info) {
      // Removed since it was listed, or half written where links are missing; damaged for good if it stays so.
      if (attempt >= maxAttempts / 2) return 'claim';
      await delay(20);
      return 'look again';
    }
    if (info.epoch !== top.epoch || options.silentEpoch === top.epoch) return 'claim';
    if (!sameMachine(info, readHostIdentity(this.deps.clock.now()))) {
      if (!options.evenIfForeign) await this.refuseForeign(info);
      return 'claim';
    }
    return (await ask(info.address)) === 'dead' ? 'claim' : info;
  }

  private async refuseForeign(info: LeaderInfo): Promise<void> {
    const written = await readLeaderInfo(this.deps.storageDir);
    if (written?.epoch === info.epoch && written.released) return;
    const seen = await stat(leaderFile(this.deps.storageDir)).then(
      (stats) => stats.mtimeMs,
      () => 0,
    );
    if (this.deps.clock.now() - seen < foreignAliveMs)
      throw new ForeignLeaderError(info.host, new Date(seen));
  }

  /** Listens first, so that the number never names a socket that does not answer yet. */
  private async tryClaim(highestClaim: number): Promise<Leading | undefined> {
    const address = this.newAddress();
    const server = await this.listen(address);
    const now = this.deps.clock.now();
    const epoch = Math.max(highestClaim, await this.deps.highestSegment()) + 1;
    const info: LeaderInfo = {
      epoch,
      address,
      key: randomBytes(32).toString('base64url'),
      pid: process.pid,
      version: this.deps.version,
      ...readHostIdentity(now),
      started_at: new Date(now).toISOString(),
    };
    if (!(await this.claims.claim(info))) return undefined;
    const top = await this.claims.highest();
    if (top?.epoch !== epoch) {
      await this.closeServer();
      return undefined;
    }
    return this.lead(info, server);
  }

  private async lead(info: LeaderInfo, server: HoldingServer): Promise<Leading> {
    await this.claims.removeBelow(info.epoch);
    await removeDeadSockets(path.dirname(info.address), info.address, this.deps.clock.now());
    await writeLeaderFiles(this.deps.storageDir, info, this.deps.clock.now());
    const leading: Leading = {
      role: 'leader',
      epoch: info.epoch,
      server,
      info,
      fence: () => this.leading === leading && this.holds(info.epoch),
    };
    this.leading = leading;
    this.lastSign = this.deps.clock.now();
    this.watchNames(info, server);
    this.deps.log.info('leadership', `leads epoch ${info.epoch}`);
    return leading;
  }

  private holds(epoch: number): boolean {
    let highest: number;
    try {
      highest = this.claims.highestNow();
    } catch (error) {
      if (hasCode(error, 'ENOENT')) this.lose('the folder of the store is gone');
      return false;
    }
    if (highest === epoch) {
      this.showLife();
      return true;
    }
    this.lose(highest > epoch ? `epoch ${highest} leads now` : 'the claim was removed');
    return false;
  }

  private lose(reason: string): void {
    if (!this.leading) return;
    this.deps.log.warn('leadership', `no longer leads epoch ${this.leading.epoch}: ${reason}`);
    this.stopLeading();
    void this.closeServer();
    for (const listener of [...this.loseListeners]) listener();
  }

  private stopLeading(): void {
    this.leading = undefined;
    for (const watcher of this.watchers.splice(0)) watcher.close();
  }

  /** A leader that sleeps while another takes over learns of it from the folder, before its next commit. */
  private watchNames(info: LeaderInfo, server: HoldingServer): void {
    this.watch(this.claims.directory, () => void this.holds(info.epoch));
    if (process.platform !== 'win32') this.watchSocket(info, server);
  }

  private watchSocket(info: LeaderInfo, server: HoldingServer): void {
    this.watch(path.dirname(info.address), () => {
      if (this.leading?.info !== info || existsSync(info.address)) return;
      if (this.holds(info.epoch)) void this.listenAgain(info, server);
    });
  }

  private watch(directory: string, onChange: () => void): void {
    try {
      const watcher = watch(directory, { persistent: false }, onChange);
      watcher.on('error', () => watcher.close());
      this.watchers.push(watcher);
    } catch {
      this.deps.log.warn('leadership', 'a folder cannot be watched; the fence at each commit still holds');
    }
  }

  private async listenAgain(info: LeaderInfo, server: HoldingServer): Promise<void> {
    try {
      await ensurePrivateDirectory(path.dirname(info.address));
      await server.listenAgain(info.address);
      await chmod(info.address, FILE_MODE);
      this.watchSocket(info, server);
      this.deps.log.warn('leadership', 'the socket had been removed and was made again');
    } catch (error) {
      if (!hasCode(error, 'EADDRINUSE')) {
        this.deps.log.warn('leadership', 'the socket was removed and could not be made again');
      }
    }
  }

  /** What another machine would see of this one: the time of `leader.json`, once an hour of storing. */
  private showLife(): void {
    const now = this.deps.clock.now();
    if (now - this.lastSign < signOfLifeMs) return;
    this.lastSign = now;
    const time = new Date(now);
    void utimes(leaderFile(this.deps.storageDir), time, time).catch(() => undefined);
  }

  private async letNewerGoFirst(): Promise<void> {
    const info = await readLeaderInfo(this.deps.storageDir);
    if (!info?.handed_to || compareVersions(this.deps.version, info.handed_to) >= 0) return;
    const { mtimeMs } = await stat(leaderFile(this.deps.storageDir));
    if (Math.abs(this.deps.clock.now() - mtimeMs) < handOverGraceMs) await delay(handOverWaitMs);
  }

  private async listen(address: string): Promise<HoldingServer> {
    await this.closeServer();
    if (process.platform !== 'win32') await ensurePrivateDirectory(path.dirname(address));
    const server = new HoldingServer();
    await server.listenOn(address);
    server.on('error', () => this.deps.log.warn('leadership', 'the socket reported an error'));
    if (process.platform !== 'win32') await chmod(address, FILE_MODE);
    this.server = server;
    return server;
  }

  private newAddress(): string {
    const name = randomBytes(8).toString('hex');
    if (process.platform === 'win32')
      return `\\\\.\\pipe\\kiro-learn-${name}${randomBytes(8).toString('hex')}`;
    const address = path.join(this.deps.runtimeDir, `${name}.sock`);
    if (Buffer.byteLength(address) > MAX_SOCKET_PATH_BYTES) {
      throw new Error('The runtime directory has too long a path for a socket.');
    }
    return address;
  }

  private async closeServer(): Promise<void> {
    const { server } = this;
    this.server = undefined;
    await server?.end();
  }
}

/** Sockets that killed leaders left. Their names are random and never used again, so removing one takes nothing. */
async function removeDeadSockets(directory: string, own: string, now: number): Promise<void> {
  if (process.platform === 'win32') return;
  for (const name of await readdir(directory)) {
    const file = path.join(directory, name);
    if (!name.endsWith('.sock') || file === own) continue;
    const stats = await lstat(file).catch(() => undefined);
    if (!stats?.isSocket() || now - stats.mtimeMs < deadSocketAgeMs) continue;
    if ((await ask(file)) === 'dead') await unlink(file).catch(() => undefined);
  }
}

/** Whether somebody listens there. Only a refusal or a missing name means dead; all else means busy. */
export function ask(address: string, timeoutMs = askTimeoutMs): Promise<'alive' | 'busy' | 'dead'> {
  return new Promise((resolve) => {
    const socket = net.connect(address);
    const finish = (verdict: 'alive' | 'busy' | 'dead') => {
      clearTimeout(timer);
      socket.destroy();
      resolve(verdict);
    };
    const timer = setTimeout(() => finish('busy'), timeoutMs);
    socket.once('connect', () => finish('alive'));
    socket.once('error', (error: NodeJS.ErrnoException) => {
      finish(error.code === 'ECONNREFUSED' || error.code === 'ENOENT' ? 'dead' : 'busy');
    });
  });
}
