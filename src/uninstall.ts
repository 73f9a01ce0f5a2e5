import * as os from 'node:os';
import * as path from 'node:path';
import { uninstall } from './ide/setup/uninstall';

/** Composition root of the uninstall script: runs without the IDE's API, ends quietly whatever happens. */
uninstall({
  extensionDir: path.dirname(__dirname),
  home: os.homedir(),
  platform: process.platform,
  env: process.env,
}).catch(() => undefined);
