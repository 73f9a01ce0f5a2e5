import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { writeFileAtomic } from '../../src/platform/atomic-file';
import { hasCode, nodeFileSystem } from '../../src/platform/file-system';
import { storagePaths } from '../../src/platform/paths';

let dir: string;

beforeEach(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'klrn-fs-'));
});

afterEach(() => rm(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }));

describe('nodeFileSystem', () => {
  it('makes a file for the owner alone, once', async () => {
    const location = path.join(dir, 'a');
    const file = await nodeFileSystem.create(location);
    await file.append(Buffer.from('one '));
    await file.append(Buffer.from('two'));
    await file.fdatasync();
    await file.close();
    expect(await readFile(location, 'utf8')).toBe('one two');
    if (process.platform !== 'win32') expect((await stat(location)).mode & 0o777).toBe(0o600);
    await expect(nodeFileSystem.create(location)).rejects.toMatchObject({ code: 'EEXIST' });
  });

  it('cuts a file, and goes on behind the cut', async () => {
    const file = await nodeFileSystem.create(path.join(dir, 'a'));
    await file.append(Buffer.from('abcdef'));
    await file.truncate(2);
    await file.append(Buffer.from('XY'));
    await file.close();
    expect(await readFile(path.join(dir, 'a'), 'utf8')).toBe('abXY');
  });

  it('reads slices, fewer bytes at the end, none behind it', async () => {
    const location = path.join(dir, 'a');
    await writeFile(location, 'abcdef');
    const text = (at: number, length: number) =>
      Buffer.from(nodeFileSystem.readSlice(location, at, length)).toString();
    expect(text(1, 3)).toBe('bcd');
    expect(text(4, 100)).toBe('ef');
    expect(text(10, 5)).toBe('');
    expect(text(0, Number.MAX_SAFE_INTEGER)).toBe('abcdef');
  });

  it('refuses to read more than it was told to', async () => {
    await writeFile(path.join(dir, 'a'), 'abcdef');
    await expect(nodeFileSystem.readFile(path.join(dir, 'a'), 5)).rejects.toMatchObject({ code: 'EFBIG' });
    expect(await nodeFileSystem.readFile(path.join(dir, 'a'), 6)).toHaveLength(6);
  });

  it.skipIf(process.platform === 'win32')('follows no link', async () => {
    await writeFile(path.join(dir, 'secret'), 'not ours');
    const link = path.join(dir, 'link');
    await symlink(path.join(dir, 'secret'), link);
    await expect(nodeFileSystem.readFile(link)).rejects.toSatisfy((error) => hasCode(error, 'ELOOP'));
    expect(() => nodeFileSystem.readSlice(link, 0, 3)).toThrow();
    await expect(nodeFileSystem.create(link)).rejects.toMatchObject({ code: 'EEXIST' });
    expect(await nodeFileSystem.stat(link)).toMatchObject({ kind: 'link' });
  });

  it('says undefined of what is not there', async () => {
    expect(await nodeFileSystem.stat(path.join(dir, 'none', 'deeper'))).toBeUndefined();
    await nodeFileSystem.mkdir(path.join(dir, 'a', 'b'));
    expect(await nodeFileSystem.stat(path.join(dir, 'a', 'b'))).toMatchObject({ kind: 'directory' });
    await nodeFileSystem.fsyncDir(dir);
  });
});

describe('writeFileAtomic', () => {
  it('replaces a file and leaves nothing else', async () => {
    const target = path.join(dir, 'settings.json');
    await writeFileAtomic(nodeFileSystem, target, Buffer.from('first'));
    await writeFileAtomic(nodeFileSystem, target, Buffer.from('second'));
    expect(await readFile(target, 'utf8')).toBe('second');
    expect(await readdir(dir)).toEqual(['settings.json']);
  });

  it('keeps the former content where the disk is full', async () => {
    const target = path.join(dir, 'settings.json');
    await writeFile(target, 'former');
    const full = {
      ...nodeFileSystem,
      async create(location: string, mode?: number) {
        const file = await nodeFileSystem.create(location, mode);
        const append = () => Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' }));
        return {
          ...file,
          append,
          fdatasync: () => file.fdatasync(),
          close: () => file.close(),
        } as typeof file;
      },
    };
    await expect(writeFileAtomic(full, target, Buffer.from('new'))).rejects.toMatchObject({ code: 'ENOSPC' });
    expect(await readFile(target, 'utf8')).toBe('former');
    expect(await readdir(dir)).toEqual(['settings.json']);
  });

  it.skipIf(process.platform === 'win32')('replaces a link, not what it points to', async () => {
    await writeFile(path.join(dir, 'other'), 'keep me');
    const target = path.join(dir, 'settings.json');
    await symlink(path.join(dir, 'other'), target);
    await writeFileAtomic(nodeFileSystem, target, Buffer.from('ours'));
    expect(await readFile(path.join(dir, 'other'), 'utf8')).toBe('keep me');
    expect(await readFile(target, 'utf8')).toBe('ours');
  });
});

describe('storagePaths', () => {
  it('puts everything below the global storage', () => {
    const paths = storagePaths(dir);
    for (const place of Object.values(paths)) expect(place.startsWith(dir)).toBe(true);
  });
});
