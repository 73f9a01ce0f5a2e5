import type { Embedder } from './embedder';

/** Reads the table of a folder. */
export function loadStaticTable(folder: string): Embedder {
  throw new Error(`no table in ${folder}`);
}
