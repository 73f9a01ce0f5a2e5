import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Embedder } from './embedder';
import { WordPieces } from './word-pieces';

/** `KLST`, version, dimensions, rows; then a scale for each row (float32) and the rows (int8). */
const MAGIC = 0x54534c4b;
const FORMAT = 1;
const HEADER_BYTES = 16;

/** The most pieces of a text that are pooled: what follows changes the direction little. */
const MAX_PIECES = 512;

export class TableFormatError extends Error {
  override readonly name = 'TableFormatError';
}

/**
 * A static embedding table: one vector a word piece, scaled by how telling the piece is. A text's vector is
 * the sum of its pieces', brought to length 1. Needs no model and no run time.
 */
export class StaticTable implements Embedder {
  readonly dimensions: number;
  readonly version: string;
  private readonly pieces: WordPieces;
  private readonly scales: Float32Array;
  private readonly rows: Int8Array;

  /** `table` in the format of `scripts/embedding`, `vocabulary` one piece a line. */
  constructor(table: Uint8Array, vocabulary: string) {
    const view = new DataView(table.buffer, table.byteOffset, table.byteLength);
    if (table.byteLength < HEADER_BYTES || view.getUint32(0, true) !== MAGIC) {
      throw new TableFormatError('not an embedding table');
    }
    if (view.getUint16(4, true) !== FORMAT)
      throw new TableFormatError('unknown version of the embedding table');
    this.dimensions = view.getUint16(6, true);
    const rows = view.getUint32(8, true);
    const pieces = vocabulary.replace(/\n$/, '').split('\n');
    if (pieces.length !== rows || table.byteLength !== HEADER_BYTES + rows * (4 + this.dimensions)) {
      throw new TableFormatError('embedding table and vocabulary do not fit together');
    }
    this.version = `static-${this.dimensions}-${view.getUint32(12, true).toString(16).padStart(8, '0')}`;
    this.scales = new Float32Array(table.slice(HEADER_BYTES, HEADER_BYTES + rows * 4).buffer);
    this.rows = new Int8Array(
      table.buffer,
      table.byteOffset + HEADER_BYTES + rows * 4,
      rows * this.dimensions,
    );
    this.pieces = new WordPieces(pieces);
  }

  embed(text: string): Int8Array | undefined {
    const { dimensions, rows, scales } = this;
    const sum = new Float32Array(dimensions);
    const ids = this.pieces.split(text);
    for (let n = 0; n < ids.length && n < MAX_PIECES; n++) {
      const id = ids[n] as number;
      const scale = scales[id] as number;
      if (scale === 0) continue;
      const base = id * dimensions;
      for (let i = 0; i < dimensions; i++) sum[i] = (sum[i] as number) + scale * (rows[base + i] as number);
    }
    let square = 0;
    for (const value of sum) square += value * value;
    if (square === 0) return undefined;
    const factor = 127 / Math.sqrt(square);
    return Int8Array.from(sum, (value) => Math.round(value * factor));
  }
}

/** Reads `table.bin` and `vocabulary.txt` of a folder. Throws `TableFormatError` where they are damaged. */
export function loadStaticTable(folder: string): StaticTable {
  return new StaticTable(
    readFileSync(path.join(folder, 'table.bin')),
    readFileSync(path.join(folder, 'vocabulary.txt'), 'utf8'),
  );
}
