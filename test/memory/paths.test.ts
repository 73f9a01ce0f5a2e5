import { describe, expect, it } from 'vitest';
import { pathsIn, projectPath } from '../../src/memory/extract/paths';

describe('pathsIn', () => {
  it.each([
    ['See src/rows.ts, then (docs/a.md).', ['src/rows.ts', 'docs/a.md']],
    ['at app/[id]/page.tsx:14:3', ['app/[id]/page.tsx']],
    ['C:\\Users\\Mira\\src\\a.ts is locked', ['C:\\Users\\Mira\\src\\a.ts']],
    ['~/.config/kiro/settings.json and .npmrc', ['~/.config/kiro/settings.json']],
    ['packages/db/src/generated comes from the database', ['packages/db/src/generated']],
    ['代码在report/zh.py里', ['report/zh.py']],
    ['Die Datei größen/maß.csv fehlt.', ['größen/maß.csv']],
    ['version 1.2.3 of @scope/pkg at https://x.example/a/b.html', []],
    ['row.next?.arrival and fn(a.b)', []],
    ['and/or, 24/7, 1/2', []],
  ])('%s', (text, paths) => {
    expect(pathsIn(text)).toEqual(paths);
  });

  it('is linear in hostile text', () => {
    expect(pathsIn('('.repeat(200_000))).toEqual([]);
    expect(pathsIn('a/'.repeat(100_000)).length).toBeLessThan(1000);
  });
});

describe('projectPath', () => {
  it.each([
    ['/srv/demo/src/a.ts', '/srv/demo', 'src/a.ts'],
    ['./src/a.ts', '/srv/demo', 'src/a.ts'],
    ['/srv/demolition/a.ts', '/srv/demo', '/srv/demolition/a.ts'],
    ['c:\\Work\\Repo\\src\\a.ts', 'C:\\work\\repo', 'src/a.ts'],
  ])('%s in %s', (path, root, kept) => {
    expect(projectPath(path, root)).toBe(kept);
  });
});
