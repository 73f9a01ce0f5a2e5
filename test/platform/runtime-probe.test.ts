import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { probeRuntimes } from '../../src/platform/runtime-probe';

async function program(name: string, text: string): Promise<string> {
  const base = await mkdtemp(path.join(os.tmpdir(), 'kl-'));
  onTestFinished(() => rm(base, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }));
  const file = path.join(base, name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text);
  await chmod(file, 0o755);
  return file;
}

describe('probeRuntimes', () => {
  it('finds node on PATH and the host program, in that order', async () => {
    const host = await program(
      'Kiro',
      `#!/bin/sh\n[ "$ELECTRON_RUN_AS_NODE" = 1 ] && exec '${process.execPath}' "$@"\n`,
    );
    const onPath = path.join(path.dirname(host), 'node');
    await symlink(process.execPath, onPath);
    const env = { PATH: `relative:${path.dirname(host)}` };
    expect(await probeRuntimes({ execPath: host, env })).toEqual([
      { kind: 'node', path: onPath },
      { kind: 'electron', path: host },
    ]);
  });

  it('does not use a program that ignores the variable, fails, hangs, or repeats its arguments', async () => {
    for (const text of ['echo a window', 'exit 1', 'exec sleep 60', 'echo "$@"']) {
      const execPath = await program('Kiro', `#!/bin/sh\n${text}\n`);
      expect(await probeRuntimes({ execPath, env: { PATH: '' }, timeoutMs: 300 })).toEqual([]);
    }
  });

  it('lists a node that is both once', async () => {
    const env = { PATH: path.dirname(process.execPath) };
    expect(await probeRuntimes({ env })).toEqual([{ kind: 'node', path: process.execPath }]);
  });

  it('does not use a node that is too old', async () => {
    const execPath = await program(
      'node',
      `#!/bin/sh\nexec '${process.execPath}' -e "$(printf %s "$2" | sed 's/process.versions.node/\\"16.20.0\\"/')"\n`,
    );
    expect(await probeRuntimes({ execPath, env: { PATH: '' } })).toEqual([]);
  });
});
