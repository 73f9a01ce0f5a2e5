import { chmod, mkdir, mkdtemp, rm, stat, symlink } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  isPrivateDirectory,
  MAX_SOCKET_PATH_BYTES,
  RuntimeDirectoryError,
  runtimeDirectory,
} from '../../src/platform/runtime-directory';

const uid = process.getuid?.() ?? 0;

async function place() {
  const base = await mkdtemp(path.join(os.tmpdir(), 'kl-'));
  onTestFinished(() => rm(base, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }));
  const storage = path.join(base, 'globalStorage');
  const xdg = path.join(base, 'xdg');
  const tmp = path.join(base, 'tmp');
  await mkdir(storage);
  await mkdir(xdg, { mode: 0o700 });
  await mkdir(tmp, { mode: 0o777 });
  return { base, storage, xdg, tmp };
}

describe('runtimeDirectory', () => {
  it('is private, short, the same for one store and another for another', async () => {
    const { base, storage, xdg } = await place();
    const env = { XDG_RUNTIME_DIR: xdg };
    const directory = await runtimeDirectory(storage, { env });
    expect(path.dirname(directory)).toBe(xdg);
    expect(path.basename(directory)).toMatch(new RegExp(`^kiro-learn-${uid}-[0-9a-f]{16}$`));
    expect((await stat(directory)).mode & 0o777).toBe(0o700);
    expect(await runtimeDirectory(storage, { env })).toBe(directory);
    await symlink(storage, path.join(base, 'link'));
    expect(await runtimeDirectory(path.join(base, 'link'), { env })).toBe(directory);
    await mkdir(path.join(base, 'other'));
    expect(await runtimeDirectory(path.join(base, 'other'), { env })).not.toBe(directory);
  });

  it('does not use a runtime directory that others may enter, or a relative one', async () => {
    const { storage, xdg, tmp } = await place();
    await chmod(xdg, 0o755);
    for (const XDG_RUNTIME_DIR of [xdg, 'run', '']) {
      const directory = await runtimeDirectory(storage, { env: { XDG_RUNTIME_DIR }, tmpDir: tmp });
      expect(path.dirname(directory)).toBe(tmp);
    }
  });

  it.each(['a link', 'an open directory', 'a file'])(
    'takes a random name where %s sits on its own',
    async (what) => {
      const { storage, tmp, base } = await place();
      const options = { env: {}, tmpDir: tmp };
      const usual = await runtimeDirectory(storage, options);
      await rm(usual, { recursive: true });
      if (what === 'a link') await symlink(base, usual);
      else await mkdir(usual, { mode: 0o777 }).then(() => chmod(usual, 0o777));
      if (what === 'a file') {
        await rm(usual, { recursive: true });
        await symlink('/dev/null', usual);
      }
      const directory = await runtimeDirectory(storage, options);
      expect(directory).not.toBe(usual);
      expect(await isPrivateDirectory(directory, uid)).toBe(true);
    },
  );

  it('never gives a path that the system would cut', async () => {
    const { storage, tmp } = await place();
    const long = path.join(tmp, 'é'.repeat(40));
    await mkdir(long);
    await expect(runtimeDirectory(storage, { env: {}, tmpDir: long })).rejects.toThrow(RuntimeDirectoryError);
    const directory = await runtimeDirectory(storage, { env: {}, tmpDir: tmp });
    expect(Buffer.byteLength(`${directory}/${'f'.repeat(16)}.sock`)).toBeLessThanOrEqual(
      MAX_SOCKET_PATH_BYTES,
    );
  });
});
