/**
 * A window that leads, as a process of its own: answers hooks with `leader saw <payload bytes>` and appends the
 * key of each to a file. `node leader-process.js <storage> <runtime dir> <seen file>`.
 */
import { appendFileSync } from 'node:fs';
import { systemClock } from '../../../src/contract/clock';
import { silentLog } from '../../../src/platform/log';
import { Leadership } from '../../../src/service/leadership';
import { ApiServer } from '../../../src/service/server';

const [storageDir = '', runtimeDir = '', seenFile = ''] = process.argv.slice(2);

async function main(): Promise<void> {
  const leadership = new Leadership({
    storageDir,
    runtimeDir,
    clock: systemClock,
    log: silentLog,
    version: '1.0.0',
    highestSegment: () => Promise.resolve(0),
  });
  const role = await leadership.acquire();
  if (role.role !== 'leader') throw new Error('somebody else leads');
  new ApiServer({
    server: role.server,
    key: role.info.key,
    api: { call: () => Promise.reject(new Error('no api')), subscribe: () => ({ dispose: () => undefined }) },
    hooks: {
      handle: (_event, frame) => {
        appendFileSync(seenFile, `${frame.idempotencyKey}\n`);
        return Promise.resolve(`leader saw ${frame.payload.byteLength} bytes`);
      },
    },
    version: '1.0.0',
    log: silentLog,
  });
  process.stdout.write('ready\n');
}

void main();
