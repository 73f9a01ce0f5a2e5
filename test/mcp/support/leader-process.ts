/**
 * A process that leads the store and serves the local API, as a window does: `node leader.js <storage> <dist>`.
 * Prints `ready` and stays until it is killed.
 */
import { silentLog } from '../../../src/platform/log';
import { openStore } from '../../../src/cli/open-store';

const [storageDir = '', distDir = ''] = process.argv.slice(2);

void openStore(storageDir, { log: silentLog, distDir, serves: true }).then(() => {
  process.stdout.write('ready\n');
  setInterval(() => undefined, 60_000);
});
