import net from 'node:net';
import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { nodeFileSystem } from '../../src/platform/file-system';
import { silentLog } from '../../src/platform/log';
import { drainSpool } from '../../src/service/spool';
import { FencedError, StoreReadOnlyError } from '../../src/store/errors';
import { Store } from '../../src/store/store';
import { damageOf } from './damage';
import { blindTo, FaultDisk, renameInPlace } from './fault-disk';
import { ERASED, type LeaderOptions } from './leader-options';
import { numberedEvent, numberOf, putEvent, START } from './numbered-events';

const PUBLISH_EVERY = 8;
const FULL_MS = 150;

/** One leader: owns the store, answers writers on a socket, dies where it is told to. */
class CrashLeader {
  private opened = false;
  private commits = 0;
  private readonly disk: FaultDisk;
  private store: Store | undefined;
  private publishing = false;

  constructor(private readonly options: LeaderOptions) {
    const { sabotage, epoch } = options;
    let base = nodeFileSystem;
    if (sabotage === 'rename-in-place') base = renameInPlace(base);
    if (sabotage === 'no-fence') base = blindTo(base, () => (this.opened ? epoch : 0));
    this.disk = new FaultDisk(options.arming, base);
  }

  async run(): Promise<void> {
    const { dir, wasm, epoch, spool, socket } = this.options;
    const clock = { now: () => START };
    this.store = await Store.open({
      dir,
      fs: this.disk.fs,
      wasm,
      epoch,
      fence: () => true,
      clock,
      log: silentLog,
      idleMs: 0,
    });
    this.opened = true;
    const { damaged, quarantined } = damageOf(this.store.report);
    process.stdout.write(`found ${damaged} ${quarantined}\n`);
    if (spool) await this.drain(spool);
    rmSync(socket, { force: true });
    const server = net.createServer((connection) => this.serve(connection));
    server.listen(socket, () => process.stdout.write('ready\n'));
  }

  private async drain(spool: string): Promise<void> {
    await drainSpool(spool, async (draft) => {
      const text = draft.body.type === 'text' ? draft.body.content : '';
      this.disk.pass('drain');
      await this.store?.commit([putEvent(numberOf(text) ?? -1)]);
      this.disk.pass('drain');
    });
  }

  private serve(connection: net.Socket): void {
    connection.on('error', () => undefined);
    const lines = createInterface({ input: connection });
    lines.on('error', () => undefined);
    lines.on('line', (line) => void this.take(Number(line), (reply) => connection.write(reply)));
  }

  private async take(n: number, reply: (line: string) => void): Promise<void> {
    const early = this.options.sabotage === 'early-ack';
    if (early) reply(`ack ${n}\n`);
    try {
      await this.store?.commit([putEvent(n)]);
      if (!early) reply(`ack ${n}\n`);
    } catch (error) {
      if (error instanceof FencedError || error instanceof StoreReadOnlyError) process.exit(3);
      if (!early) reply(`nack ${n}\n`);
      return;
    }
    this.commits += 1;
    if (this.commits === this.options.fullAfter) this.starve();
    if (this.commits % PUBLISH_EVERY === 0) void this.publish();
    if (this.options.erases && n % 20 === ERASED) await this.erase(n);
  }

  private async publish(): Promise<void> {
    if (this.publishing) return;
    this.publishing = true;
    await this.store?.publish().catch(() => undefined);
    this.publishing = false;
  }

  private async erase(n: number): Promise<void> {
    this.disk.erasing = true;
    try {
      await this.store?.commit([{ op: 'erase_events', event_ids: [numberedEvent(n).event_id] }]);
      process.stdout.write(`erased ${n}\n`);
    } catch {
      // The next leader finishes it.
    }
  }

  private starve(): void {
    this.disk.full = true;
    setTimeout(() => {
      this.disk.full = false;
    }, FULL_MS);
  }
}

new CrashLeader(JSON.parse(process.argv[2] ?? '{}') as LeaderOptions).run().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exit(1);
});
