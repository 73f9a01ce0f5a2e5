/** A real collector as a process of its own; says `ready`, then a line for each hook that it stored. */
import { openStore } from '../../../src/cli/open-store';
import { silentLog } from '../../../src/platform/log';

const [storageDir = '', distDir = ''] = process.argv.slice(2);

void openStore(storageDir, { log: silentLog, distDir, serves: true }).then((opened) => {
  opened.api.subscribe((event) => {
    if (event.stream === 'event') process.stdout.write('stored\n');
  });
  process.stdout.write('ready\n');
});
