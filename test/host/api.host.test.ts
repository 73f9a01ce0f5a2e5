import { cpSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import * as os from 'node:os';
import * as path from 'node:path';
import { createVSIX } from '@vscode/vsce';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { repositoryRoot } from '../../scripts/vscode-host/locations';
import { productVsix } from './support/product';
import { withHost } from './support/start-host';

const vsix = productVsix();
const fixture = path.join(repositoryRoot, 'test', 'fixtures', 'example-extension');

describe.skipIf(vsix === undefined)('the API for other extensions', () => {
  let folder: string;
  let example: string;

  beforeAll(async () => {
    folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'kl-api-')));
    const copy = path.join(folder, 'example');
    cpSync(fixture, copy, { recursive: true });
    writeFileSync(path.join(copy, 'README.md'), '# Example\n');
    example = path.join(folder, 'example.vsix');
    await createVSIX({
      cwd: copy,
      packagePath: example,
      dependencies: false,
      allowMissingRepository: true,
      skipLicense: true,
    });
  });
  afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }));

  it('lets an extension hand over what was said and ask what is known', () =>
    withHost({}, async (host) => {
      await host.installVsix(vsix ?? '');
      await host.installVsix(example);
      const window = await host.openWindow(folder);
      await window.waitForStatusBar('kiro-learn');
      await window.runCommand('Example: Ask with memory');
      await window.waitForToast(/memories: .*2026-12-01/);
      await window.screenshot('api-example');
    }));
});
