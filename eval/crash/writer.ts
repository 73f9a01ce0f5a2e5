import net from 'node:net';
import { createInterface } from 'node:readline';

/** Sends numbers to whoever leads, again until each is acknowledged. Told what to send by lines on stdin. */
interface Task {
  socket: string;
  from: number;
  count: number;
  /** Milliseconds without an answer after which another connection is tried; 0 for never. */
  impatience: number;
}

const OUTSTANDING = 4;
const RETRY_MS = 15;

class Writer {
  private readonly waiting: number[];
  private readonly sent = new Set<number>();
  private connection: net.Socket | undefined;
  private silence: NodeJS.Timeout | undefined;
  private finished = false;

  constructor(private readonly task: Task) {
    this.waiting = Array.from({ length: task.count }, (_, index) => task.from + index);
  }

  start(): void {
    const connection = net.connect(this.task.socket);
    this.connection = connection;
    connection.on('connect', () => this.fill());
    connection.on('error', () => undefined);
    connection.on('close', () => this.again(connection));
    const lines = createInterface({ input: connection });
    lines.on('error', () => undefined);
    lines.on('line', (line) => this.answered(line));
  }

  private answered(line: string): void {
    const [word, text] = line.split(' ');
    const n = Number(text);
    if (word === 'ack') process.stdout.write(`ack ${n}\n`);
    else if (this.sent.has(n)) setTimeout(() => this.waiting.push(n), RETRY_MS);
    this.sent.delete(n);
    setTimeout(() => this.fill(), word === 'ack' ? 0 : 2 * RETRY_MS);
  }

  private fill(): void {
    while (this.sent.size < OUTSTANDING && this.waiting.length > 0) {
      const n = this.waiting.shift() as number;
      this.sent.add(n);
      this.connection?.write(`${n}\n`);
    }
    if (this.sent.size === 0 && this.waiting.length === 0) this.finish();
    else this.watch();
  }

  private watch(): void {
    clearTimeout(this.silence);
    if (this.task.impatience === 0) return;
    this.silence = setTimeout(() => this.connection?.destroy(), this.task.impatience);
  }

  private again(connection: net.Socket): void {
    if (connection !== this.connection || this.finished) return;
    this.waiting.unshift(...this.sent);
    this.sent.clear();
    setTimeout(() => this.start(), RETRY_MS);
  }

  private finish(): void {
    if (this.finished) return;
    this.finished = true;
    clearTimeout(this.silence);
    this.connection?.destroy();
    process.stdout.write('done\n');
  }
}

createInterface({ input: process.stdin }).on('line', (line) => new Writer(JSON.parse(line) as Task).start());
