import { chmod, link, mkdir, readdir, readFile, symlink, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { EventDraft } from '../../src/contract/event-draft';
import { nodeFileSystem, type FileSystem } from '../../src/platform/file-system';
import { mintKey } from '../../src/platform/launcher-key';
import { drainSpool, spoolState, watchSpool } from '../../src/service/spool';
import { drop, spool } from '../../src/service/spool-files';
import { tempStore } from './support/temp-store';

const at = Date.parse('2026-11-30T10:00:00Z');

function draft(text: string): EventDraft {
  return {
    kind: 'prompt',
    body: { type: 'text', content: text },
    identity: `hook:kiro-1.x:${text}`,
    valid_time: new Date(at).toISOString(),
    surface: 'kiro-ide',
    cwd: '/srv/demo',
  };
}

async function spoolDir(): Promise<string> {
  const { storageDir } = await tempStore();
  return path.join(storageDir, 'spool');
}

/** Takes everything, and fails for the texts that it is given. */
function taker(failing: string[] = []) {
  const taken: string[] = [];
  return {
    taken,
    handle: ({ body }: EventDraft) => {
      const text = body.type === 'text' ? body.content : '';
      if (failing.includes(text)) return Promise.reject(new Error(`fails for ${text}`));
      taken.push(text);
      return Promise.resolve();
    },
  };
}

async function fill(dir: string, texts: string[]): Promise<void> {
  for (const [index, text] of texts.entries()) {
    expect(await spool(dir, mintKey(at + index), draft(text), at + index)).toBe('spooled');
  }
}

describe('spool and drainSpool', () => {
  it('gives back what was put in, in the order of the runs, once', async () => {
    const dir = await spoolDir();
    const later = mintKey(Date.now() - 1000);
    const earlier = mintKey(Date.now() - 2000);
    await spool(dir, later, draft('later run'), Date.now());
    await spool(dir, earlier, draft('earlier run, spooled after it'), Date.now());
    const { taken, handle } = taker();
    expect(await drainSpool(dir, handle)).toBe(2);
    expect(await drainSpool(dir, handle)).toBe(0);
    expect(taken).toEqual(['earlier run, spooled after it', 'later run']);
  });

  it('gives the handler the draft as it was and the key of the run', async () => {
    const dir = await spoolDir();
    const key = mintKey(at);
    await spool(dir, key, { ...draft('x'), session_id: 's', ends_turn: true }, at);
    await drainSpool(dir, (got, entry) => {
      expect(got).toEqual({ ...draft('x'), session_id: 's', ends_turn: true });
      expect(entry.key).toBe(key);
      return Promise.resolve();
    });
  });

  it('has nothing where there is no spool', async () => {
    const dir = await spoolDir();
    expect(await drainSpool(dir, taker().handle)).toBe(0);
    expect(await spoolState(dir)).toEqual({ waiting: 0, dropped: 0 });
  });

  it('keeps an entry until the handler took it', async () => {
    const dir = await spoolDir();
    await fill(dir, ['a', 'b', 'c']);
    await expect(drainSpool(dir, taker(['a', 'b', 'c']).handle)).rejects.toThrow('fails for b');
    const { taken, handle } = taker();
    expect(await drainSpool(dir, handle)).toBe(3);
    expect(taken).toEqual(['a', 'b', 'c']);
  });

  it('sets an entry aside that alone fails, and goes on', async () => {
    const dir = await spoolDir();
    await fill(dir, ['a', 'poison', 'c']);
    const { taken, handle } = taker(['poison']);
    expect(await drainSpool(dir, handle)).toBe(2);
    expect(taken).toEqual(['a', 'c']);
    expect(await readdir(path.join(dir, 'quarantine'))).toHaveLength(1);
    expect((await spoolState(dir)).waiting).toBe(0);
  });

  it('follows no link and deletes nothing that is not its own', async () => {
    const dir = await spoolDir();
    await fill(dir, ['good']);
    const outside = path.join(path.dirname(dir), 'outside');
    await mkdir(outside);
    const [name = ''] = await readdir(dir);
    const target = path.join(outside, 'target.json');
    await writeFile(target, await readFile(path.join(dir, name)), { mode: 0o600 });
    const named = (digit: string) => path.join(dir, name.replace(/^\d/, digit));
    await symlink(target, named('1'));
    await link(target, named('2'));
    await mkdir(named('3'));
    await writeFile(named('4'), '{"v":1,"key":', { mode: 0o600 });
    await writeFile(named('5'), await readFile(target), { mode: 0o644 });
    await writeFile(path.join(dir, 'stranger.txt'), 'hello');
    const { taken, handle } = taker();
    await drainSpool(dir, handle);
    expect(taken.filter((text) => text === 'good').length).toBeLessThanOrEqual(2);
    expect(await readFile(target, 'utf8')).toContain('good');
    expect((await readdir(path.join(dir, 'quarantine'))).length).toBeGreaterThanOrEqual(5);
    expect(await readdir(dir)).toEqual(['quarantine']);
  });

  it('refuses what is no event draft', async () => {
    const dir = await spoolDir();
    await fill(dir, ['x']);
    const [name = ''] = await readdir(dir);
    const entry = JSON.parse(await readFile(path.join(dir, name), 'utf8')) as Record<string, unknown>;
    const bad = [
      { ...entry, v: 2 },
      { ...entry, draft: { ...draft('x'), kind: 'other' } },
      { ...entry, draft: { ...draft('x'), identity: '' } },
      { ...entry, draft: { ...draft('x'), body: { type: 'html', content: '' } } },
      [],
      null,
    ];
    for (const [index, value] of bad.entries()) {
      await writeFile(path.join(dir, name.replace(/^\d/, String(index + 1))), JSON.stringify(value), {
        mode: 0o600,
      });
    }
    const { taken, handle } = taker();
    expect(await drainSpool(dir, handle)).toBe(1);
    expect(taken).toEqual(['x']);
    expect(await readdir(path.join(dir, 'quarantine'))).toHaveLength(bad.length);
  });

  it('does not drain a folder that is a link, and narrows one that is open', async () => {
    const dir = await spoolDir();
    const outside = path.join(path.dirname(dir), 'outside');
    await mkdir(outside);
    await symlink(outside, dir);
    await expect(drainSpool(dir, taker().handle)).rejects.toThrow('is not a directory');
    expect(await spool(dir, mintKey(at), draft('x'), at)).toBe('unwritable');
    expect(await readdir(outside)).toEqual([]);
    await chmod(outside, 0o777);
    await spool(outside, mintKey(at), draft('x'), at);
    expect(((await nodeFileSystem.stat(outside))?.mode ?? 0) & 0o077).toBe(0);
  });

  it('drops, counts and leaves nothing behind where the disk is full', async () => {
    const dir = await spoolDir();
    const full: FileSystem = {
      ...nodeFileSystem,
      create: async (file, mode) => {
        const real = await nodeFileSystem.create(file, mode);
        const noSpace = Object.assign(new Error('no space'), { code: 'ENOSPC' });
        return {
          append: () => Promise.reject(noSpace),
          fdatasync: () => real.fdatasync(),
          truncate: (length) => real.truncate(length),
          close: () => real.close(),
        };
      },
      readdir: (folder) => nodeFileSystem.readdir(folder),
      stat: (file) => nodeFileSystem.stat(file),
      unlink: (file) => nodeFileSystem.unlink(file),
      rename: (from, to) => nodeFileSystem.rename(from, to),
      fsyncDir: (folder) => nodeFileSystem.fsyncDir(folder),
    };
    expect(await spool(dir, mintKey(at), draft('x'), at, full)).toBe('unwritable');
    expect(await readdir(dir)).toEqual(['dropped']);
    expect(await spoolState(dir)).toEqual({ waiting: 0, dropped: 1 });
  });

  it('drops an entry that is too large', async () => {
    const dir = await spoolDir();
    expect(await spool(dir, mintKey(at), draft('x'.repeat(1_200_000)), at)).toBe('full');
    expect(await spoolState(dir)).toEqual({ waiting: 0, dropped: 1 });
  });

  it('removes what writers that were killed left, after a while', async () => {
    const dir = await spoolDir();
    await drop(dir, 'unscrubbed');
    await writeFile(path.join(dir, 'a.tmp'), 'old');
    await writeFile(path.join(dir, 'b.tmp'), 'being written');
    const old = new Date(Date.now() - 2 * 3_600_000);
    await utimes(path.join(dir, 'a.tmp'), old, old);
    await drainSpool(dir, taker().handle);
    expect((await readdir(dir)).sort()).toEqual(['b.tmp', 'dropped']);
  });

  it('tells when something came', async () => {
    const dir = await spoolDir();
    let came: (() => void) | undefined;
    const watching = watchSpool(path.dirname(dir), () => came?.());
    await new Promise<void>((resolve) => (came = resolve));
    const again = new Promise<void>((resolve) => (came = resolve));
    await fill(dir, ['x']);
    await again;
    await watching.dispose();
  });
});
