import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadStaticTable, StaticTable, TableFormatError } from '../../src/recall/embedding/static-table';
import { WordPieces } from '../../src/recall/embedding/word-pieces';

const PIECES = ['order', 'parse', 'line', '##s', 'dead', '##lock', 'cat'];

/** A table of two dimensions in the format of scripts/embedding. */
function smallTable(rows: readonly (readonly [number, number])[]): Uint8Array {
  const bytes = new Uint8Array(16 + rows.length * 6);
  const view = new DataView(bytes.buffer);
  bytes.set(Buffer.from('KLST'), 0);
  view.setUint16(4, 1, true);
  view.setUint16(6, 2, true);
  view.setUint32(8, rows.length, true);
  rows.forEach(([x, y], i) => {
    view.setFloat32(16 + i * 4, 1 / 127, true);
    view.setInt8(16 + rows.length * 4 + i * 2, x);
    view.setInt8(16 + rows.length * 4 + i * 2 + 1, y);
  });
  return bytes;
}

describe('WordPieces', () => {
  const pieces = new WordPieces(PIECES);

  it('takes the longest piece first and splits identifiers at their humps', () => {
    expect(pieces.split('deadlocks')).toEqual([4, 5, 3]);
    expect(pieces.split('parseOrderLines')).toEqual([1, 0, 2, 3]);
    expect(pieces.split('parse_order-lines')).toEqual([1, 0, 2, 3]);
  });

  it('leaves out words that it has no pieces for', () => {
    expect(pieces.split('catz 税率 order')).toEqual([0]);
  });
});

describe('StaticTable', () => {
  const rows = PIECES.map((_, i): [number, number] => (i === 0 ? [127, 0] : [0, 127]));
  const table = new StaticTable(smallTable(rows), PIECES.join('\n'));

  it('pools the pieces of a text into a vector of length one', () => {
    expect([...(table.embed('order') ?? [])]).toEqual([127, 0]);
    expect([...(table.embed('order cat') ?? [])]).toEqual([90, 90]);
    expect(table.embed('unbekannt')).toBeUndefined();
  });

  it('refuses what is no table', () => {
    expect(() => new StaticTable(new Uint8Array(4), '')).toThrow(TableFormatError);
    expect(() => new StaticTable(smallTable(rows).slice(0, -1), PIECES.join('\n'))).toThrow(TableFormatError);
    expect(() => new StaticTable(smallTable(rows), 'one\ntwo')).toThrow(TableFormatError);
  });
});

describe('the table that ships', () => {
  const folder = path.resolve(__dirname, '../../media/embedding');

  it('is there, licence and attribution with it', () => {
    for (const name of ['table.bin', 'vocabulary.txt', 'LICENSE', 'NOTICE.md']) {
      expect(existsSync(path.join(folder, name)), name).toBe(true);
    }
  });

  it('knows words that mean alike from words that do not', () => {
    const table = loadStaticTable(folder);
    const cosine = (a: string, b: string): number => {
      const [x, y] = [table.embed(a), table.embed(b)];
      return x === undefined || y === undefined
        ? 0
        : x.reduce((sum, value, i) => sum + value * (y[i] ?? 0), 0) / 127 ** 2;
    };
    expect(cosine('car', 'automobile')).toBeGreaterThan(cosine('car', 'banana') + 0.3);
    expect(cosine('database hangs', 'deadlock in postgres')).toBeGreaterThan(
      cosine('database hangs', 'border collie puppy'),
    );
  });
});
