import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createGit } from '../../src/project/git';
import { ProjectPathTable } from '../../src/project/project-paths';
import { ProjectResolver } from '../../src/project/project-resolver';

let base: string;

beforeEach(() => {
  base = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'kl-project-')));
});
afterEach(() => {
  rmSync(base, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
});

function git(cwd: string, ...args: string[]): void {
  const env = {
    ...process.env,
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_SYSTEM: '/dev/null',
    GIT_AUTHOR_NAME: 'a',
    GIT_AUTHOR_EMAIL: 'a@example.org',
    GIT_COMMITTER_NAME: 'a',
    GIT_COMMITTER_EMAIL: 'a@example.org',
  };
  execFileSync('git', ['-c', 'protocol.file.allow=always', '-c', 'init.defaultBranch=main', ...args], {
    cwd,
    env,
    stdio: 'pipe',
  });
}

/** A repository with a commit whose content, and so whose id, depends on its name. */
function repository(name: string, remote?: string): string {
  const folder = path.join(base, name);
  mkdirSync(folder, { recursive: true });
  git(folder, 'init', '-q');
  for (const step of ['one', 'two']) {
    writeFileSync(path.join(folder, `${step}.txt`), `${name} ${step}`);
    git(folder, 'add', '.');
    git(folder, 'commit', '-q', '-m', `${name} ${step}`);
  }
  if (remote) git(folder, 'remote', 'add', 'origin', remote);
  return folder;
}

function newResolver(options: { isTrusted?: (folder: string) => boolean; home?: string } = {}) {
  const isTrusted = options.isTrusted ?? (() => true);
  return new ProjectResolver({
    actorId: 'mira',
    home: options.home ?? path.join(base, 'home'),
    git: createGit({ isTrusted }),
    paths: new ProjectPathTable(),
    isTrusted,
    host: { platform: 'linux', wsl: false },
  });
}

async function idAt(resolver: ProjectResolver, at: string): Promise<string> {
  return (await resolver.resolve({ path: at })).project_id;
}

const REMOTE = 'https://git.example.org/acme/shop.git';

describe('repositories on disk', () => {
  it('take their sub folders, packages and links in', async () => {
    const shop = repository('shop');
    mkdirSync(path.join(shop, 'packages/api/src'), { recursive: true });
    symlinkSync(shop, path.join(base, 'link'));
    const resolver = newResolver();
    const id = await idAt(resolver, path.join(shop, 'packages/api/src'));
    expect(await idAt(resolver, shop)).toBe(id);
    expect(await idAt(resolver, `${shop}/packages/api/`)).toBe(id);
    expect(await idAt(resolver, path.join(shop, 'one.txt'))).toBe(id);
    expect(await idAt(resolver, path.join(base, 'link'))).toBe(id);
    expect(await idAt(resolver, path.join(base, 'link/packages'))).toBe(id);
    expect(await resolver.resolve({ path: shop })).toMatchObject({
      root: shop,
      display_name: 'shop',
      namespace: `/actor/mira/project/${id}/`,
    });
  });

  it('take their worktrees in, whichever is seen first', async () => {
    const shop = repository('shop');
    const tree = path.join(base, 'shop-feature');
    git(shop, 'worktree', 'add', '-q', tree);
    const resolver = newResolver();
    const id = await idAt(resolver, tree);
    expect(await idAt(resolver, shop)).toBe(id);
    expect((await resolver.resolve({ path: tree })).display_name).toBe('shop');
  });

  it('are told apart although they have one name, one lies in the other, or one is a submodule', async () => {
    const shop = repository('a/shop');
    const same = repository('b/shop');
    const nested = repository('a/shop/vendor/nested');
    const library = repository('library');
    git(shop, 'submodule', 'add', '-q', library, 'lib');
    const resolver = newResolver();
    const ids = await Promise.all(
      [shop, same, nested, path.join(shop, 'lib'), library].map((at) => idAt(resolver, at)),
    );
    expect(new Set(ids.slice(0, 4)).size).toBe(4);
    expect(ids[0]).not.toBe(ids[4]);
  });

  it('keep their project when they are renamed', async () => {
    const shop = repository('shop', REMOTE);
    const resolver = newResolver();
    const id = await idAt(resolver, shop);
    renameSync(shop, path.join(base, 'store'));
    expect(await idAt(resolver, path.join(base, 'store'))).toBe(id);
  });
});

describe('clones', () => {
  it('stay apart until a person joins them, and are asked about once', async () => {
    const shop = repository('shop', REMOTE);
    const clone = path.join(base, 'clone');
    git(base, 'clone', '-q', shop, clone);
    git(clone, 'remote', 'set-url', 'origin', 'git@git.example.org:acme/shop');
    const resolver = newResolver();
    const first = await resolver.resolve({ path: shop });
    const second = await resolver.resolve({ path: clone });
    expect(second.project_id).not.toBe(first.project_id);
    expect(second.needs_confirmation).toMatchObject({ project_id: first.project_id, root: shop });
    expect((await resolver.resolve({ path: clone })).needs_confirmation).toBeUndefined();
    await resolver.join(clone, first);
    expect(await idAt(resolver, clone)).toBe(first.project_id);
  });

  it('that are shallow are recognised by their remote', async () => {
    const shop = repository('shop', REMOTE);
    const clone = path.join(base, 'shallow');
    git(base, 'clone', '-q', '--depth', '1', `file://${shop}`, clone);
    git(clone, 'remote', 'set-url', 'origin', REMOTE);
    const resolver = newResolver();
    const first = await resolver.resolve({ path: shop });
    expect((await resolver.resolve({ path: clone })).needs_confirmation).toMatchObject(first);
  });

  it('of one remote with another history are no twins', async () => {
    const shop = repository('shop', REMOTE);
    const other = repository('other', REMOTE);
    const resolver = newResolver();
    await resolver.resolve({ path: shop });
    expect((await resolver.resolve({ path: other })).needs_confirmation).toBeUndefined();
  });
});

describe('hostile copies', () => {
  it('of a whole repository read nothing of the original', async () => {
    const victim = repository('victim', REMOTE);
    const resolver = newResolver();
    const { project_id } = await resolver.resolve({ path: victim });
    cpSync(victim, path.join(base, 'unpacked'), { recursive: true });
    const copy = await resolver.resolve({ path: path.join(base, 'unpacked') });
    expect(copy.project_id).not.toBe(project_id);
    expect(copy.needs_confirmation?.project_id).toBe(project_id);
    rmSync(victim, { recursive: true });
    cpSync(path.join(base, 'unpacked'), path.join(base, 'again'), { recursive: true });
    expect(await idAt(resolver, path.join(base, 'again'))).not.toBe(project_id);
  });

  it.each([
    ['a .git file that names the repository', (victim: string) => `gitdir: ${victim}/.git\n`],
    ['a .git file that names its worktree', (victim: string) => `gitdir: ${victim}/.git/worktrees/tree\n`],
  ])('with %s read nothing', async (_what, pointer) => {
    const victim = repository('victim');
    git(victim, 'worktree', 'add', '-q', path.join(base, 'tree'));
    const hostile = path.join(base, 'hostile');
    mkdirSync(hostile);
    writeFileSync(path.join(hostile, '.git'), pointer(victim));
    const resolver = newResolver();
    const id = await idAt(resolver, victim);
    const found = await resolver.resolve({ path: hostile });
    expect(found.project_id).not.toBe(id);
    expect(found.root).toBe(hostile);
  });

  it('with a linked .git folder read nothing', async () => {
    const victim = repository('victim');
    const hostile = path.join(base, 'hostile');
    mkdirSync(hostile);
    symlinkSync(path.join(victim, '.git'), path.join(hostile, '.git'));
    const resolver = newResolver();
    expect(await idAt(resolver, hostile)).not.toBe(await idAt(resolver, victim));
  });

  it('start no program that their configuration names', async () => {
    const hostile = repository('hostile', REMOTE);
    const trace = path.join(base, 'ran');
    const script = path.join(base, 'script');
    writeFileSync(script, `#!/bin/sh\ntouch ${trace}\n`, { mode: 0o755 });
    for (const key of [
      'core.fsmonitor',
      'core.sshCommand',
      'core.pager',
      'core.editor',
      'credential.helper',
    ]) {
      git(hostile, 'config', key, script);
    }
    await newResolver().resolve({ path: hostile });
    expect(() => realpathSync(trace)).toThrow();
  });

  it('in folders without trust are not asked at all', async () => {
    const shop = repository('shop', REMOTE);
    mkdirSync(path.join(shop, 'sub'));
    const resolver = newResolver({ isTrusted: () => false });
    expect((await resolver.resolve({ path: path.join(shop, 'sub') })).root).toBe(path.join(shop, 'sub'));
  });
});

describe('folders without a repository', () => {
  it('take in what lies below, but not what merely begins alike', async () => {
    const resolver = newResolver();
    const id = await idAt(resolver, '/home/mira/code/harbourline');
    expect(await idAt(resolver, '/home/mira/code/harbourline/apps/api')).toBe(id);
    expect(await idAt(resolver, '/home/mira/code/harbourline-old')).not.toBe(id);
    expect(await idAt(resolver, '/home/Mira/code/harbourline')).not.toBe(id);
    expect(await idAt(resolver, '/home/mira/clients/old/harbourline')).not.toBe(id);
    expect(await idAt(resolver, '/home/mira/code')).not.toBe(id);
  });

  it('that hold other projects are no project for new ones below them', async () => {
    const resolver = newResolver();
    await idAt(resolver, '/home/mira/code/one');
    const parent = await idAt(resolver, '/home/mira/code');
    expect(await idAt(resolver, '/home/mira/code/two')).not.toBe(parent);
    expect(await idAt(resolver, '/home/mira/code')).toBe(parent);
  });

  it('are told by the files that were touched where they only hold projects', async () => {
    const shop = repository('work/shop');
    const site = repository('work/site');
    const resolver = newResolver();
    const work = path.join(base, 'work');
    const files = ['shop/one.txt', path.join(shop, 'two.txt'), 'site/one.txt', '/elsewhere/x.txt'];
    expect((await resolver.resolve({ path: work, filesTouched: files })).root).toBe(shop);
    expect((await resolver.resolve({ path: work, filesTouched: ['site/one.txt'] })).root).toBe(site);
    expect((await resolver.resolve({ path: work, filesTouched: ['readme.md'] })).root).toBe(work);
    expect((await resolver.resolve({ path: shop, filesTouched: ['one.txt'] })).root).toBe(shop);
  });

  it('such as the home folder and / are nobody else’s', async () => {
    const home = path.join(base, 'home');
    mkdirSync(path.join(home, 'notes'), { recursive: true });
    git(home, 'init', '-q');
    const resolver = newResolver({ home });
    const ids = await Promise.all(
      ['/', home, path.join(home, 'notes'), '/srv'].map((at) => idAt(resolver, at)),
    );
    expect(new Set(ids).size).toBe(4);
  });

  it('are not needed: an empty window has a project of its own', async () => {
    const resolver = newResolver();
    const none = await resolver.resolve({});
    expect((await resolver.resolve({ path: '', workspacePaths: [] })).project_id).toBe(none.project_id);
    expect(await idAt(resolver, 'relative/path')).toBe(none.project_id);
    expect(none.namespace).toMatch(/^\/actor\/mira\/project\/[^/]+\/$/);
    expect(await idAt(resolver, '/srv/x')).not.toBe(none.project_id);
  });
});

describe('session headers', () => {
  it('join a worktree that is gone to its repository, and only that', async () => {
    const resolver = newResolver();
    const main = await idAt(resolver, '/home/mira/code/harbourline');
    const where = { path: '/home/mira/code/harbourline-map', repositories: ['/home/mira/code/harbourline'] };
    expect((await resolver.resolve(where)).project_id).toBe(main);
    expect(await idAt(resolver, '/home/mira/code/harbourline-map')).toBe(main);
    expect(await idAt(resolver, '/home/mira/code/harbourline-map2')).not.toBe(main);
  });

  it('come first when nothing else is known', async () => {
    const resolver = newResolver();
    const tree = await resolver.resolve({ workspacePaths: ['/srv/tree'], repositories: ['/srv/main'] });
    expect(tree.root).toBe('/srv/main');
    expect(await idAt(resolver, '/srv/main')).toBe(tree.project_id);
  });

  it('cannot make a folder that exists read another’s memory', async () => {
    const resolver = newResolver();
    const victim = await idAt(resolver, '/srv/victim');
    const folder = path.join(base, 'plain');
    mkdirSync(folder);
    const found = await resolver.resolve({ path: folder, repositories: ['/srv/victim'] });
    expect(found.project_id).not.toBe(victim);
  });
});

describe('asking often', () => {
  it('gives one answer to all who ask at once', async () => {
    const shop = repository('shop', REMOTE);
    const puts: string[][] = [];
    const resolver = new ProjectResolver({
      actorId: 'a/b',
      home: '/home/x',
      git: createGit({ isTrusted: () => true }),
      paths: new ProjectPathTable([], (_project, keys) => void puts.push(keys)),
      isTrusted: () => true,
    });
    const answers = await Promise.all(Array.from({ length: 20 }, () => resolver.resolve({ path: shop })));
    expect(new Set(answers.map((answer) => answer.project_id)).size).toBe(1);
    expect(answers[0]?.namespace).toMatch(/^\/actor\/a_b\/project\/[^/]+\/$/);
    expect(puts.length).toBe(1);
  });
});
