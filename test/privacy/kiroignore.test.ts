import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KiroIgnore } from '../../src/privacy/kiroignore';

describe('KiroIgnore', () => {
  let folder: string;
  let root: string;
  let home: string;
  let now: number;
  let rules: KiroIgnore;

  beforeEach(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'kiroignore-'));
    root = path.join(folder, 'work space');
    home = path.join(folder, 'home');
    mkdirSync(path.join(root, 'packages', 'api'), { recursive: true });
    mkdirSync(path.join(home, '.kiro'), { recursive: true });
    now = 1_000_000;
    rules = new KiroIgnore({ home, clock: { now: () => now } });
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }));

  it('knows the rules of the user, the workspace and its folders', async () => {
    writeFileSync(path.join(home, '.kiro', '.kiroignore'), '*.pem\n');
    writeFileSync(path.join(root, '.kiroignore'), '/secrets/\n*.env\n');
    writeFileSync(path.join(root, 'packages', 'api', '.kiroignore'), '!sample.env\nnotes.md\n');
    const ignored = (file: string) => rules.ignores(root, file);
    expect(await ignored('certs/server.pem')).toBe(true);
    expect(await ignored('secrets/list.txt')).toBe(true);
    expect(await ignored('packages/api/prod.env')).toBe(true);
    expect(await ignored('packages/api/sample.env')).toBe(false);
    expect(await ignored('packages/api/notes.md')).toBe(true);
    expect(await ignored('notes.md')).toBe(false);
    expect(await ignored(path.join(root, 'secrets', 'a.txt'))).toBe(true);
    expect(await ignored('packages\\api\\prod.env')).toBe(true);
  });

  it('leaves what lies outside the workspace alone', async () => {
    writeFileSync(path.join(root, '.kiroignore'), '*\n');
    expect(await rules.ignores(root, '/etc/hosts')).toBe(false);
    expect(await rules.ignores(root, '../other/a.txt')).toBe(false);
    expect(await rules.ignores(root, 'C:\\temp\\a.txt')).toBe(false);
  });

  it('follows an edit', async () => {
    const file = path.join(root, '.kiroignore');
    expect(await rules.ignores(root, 'a.txt')).toBe(false);
    writeFileSync(file, 'a.txt\n');
    now += 5000;
    expect(await rules.ignores(root, 'a.txt')).toBe(true);
    rmSync(file);
    now += 5000;
    expect(await rules.ignores(root, 'a.txt')).toBe(false);
  });
});
