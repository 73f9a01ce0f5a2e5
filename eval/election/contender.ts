/**
 * One window in an election: waits for a line with the time to start, tries to lead, says what came of it, and
 * keeps its role until it is killed. `contender.js <storage> <jitter ms>`; one round for each line on stdin:
 * `<storage> <runtime dir> <start, ms since 1970>`, answered by `<role> <epoch> <ms> <fence>`.
 */
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { systemClock } from '../../src/contract/clock';
import { silentLog } from '../../src/platform/log';
import { Leadership, type Leading } from '../../src/service/leadership';

const jitterMs = Number(process.argv[2] ?? 0);

let current: { leadership: Leadership; role: Leading | undefined } | undefined;

async function pause(): Promise<void> {
  if (jitterMs > 0) await delay(Math.random() * jitterMs);
}

async function round(storageDir: string, runtimeDir: string, start: number): Promise<string> {
  const leadership = new Leadership({
    storageDir,
    runtimeDir,
    clock: systemClock,
    log: silentLog,
    version: '1.0.0',
    highestSegment: async () => {
      await pause();
      return 0;
    },
  });
  await delay(Math.max(0, start - Date.now()));
  await pause();
  const began = performance.now();
  const role = await leadership.acquire();
  const ms = performance.now() - began;
  const leads = role.role === 'leader' ? role : undefined;
  current = { leadership, role: leads };
  const epoch = role.role === 'leader' ? role.epoch : role.leader.epoch;
  return `${role.role} ${epoch} ${ms.toFixed(2)}`;
}

async function answer(line: string): Promise<string> {
  const [command = '', ...rest] = line.split('\t');
  if (command === 'round') return round(rest[0] ?? '', rest[1] ?? '', Number(rest[2]));
  if (command === 'fence') return String(current?.role?.fence() ?? 'none');
  await current?.leadership.release();
  current = undefined;
  return 'released';
}

const lines = createInterface({ input: process.stdin });
lines.on('line', (line) => {
  void answer(line).then(
    (text) => process.stdout.write(`${text}\n`),
    (error: unknown) => process.stdout.write(`error ${error instanceof Error ? error.name : 'unknown'}\n`),
  );
});
lines.on('close', () => process.exit(0));
