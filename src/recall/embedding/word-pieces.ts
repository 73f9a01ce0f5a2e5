/** Words longer than this are no words. */
const MAX_WORD = 64;
/** Words whose pieces are kept at hand; the store of them is emptied when it is full. */
const MAX_CACHED = 20_000;

const CAMEL = /([a-z0-9])([A-Z])/g;
const WORD = /[\p{L}\p{N}]+/gu;
const WIDE = /[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff]/g;

/**
 * Splits text into the word pieces of a vocabulary: the longest piece that the word begins with, then the
 * longest continuation (`##…`), and so on. Identifiers are split at their humps first, so that they meet
 * the words they are made of.
 */
export class WordPieces {
  private readonly ids: ReadonlyMap<string, number>;
  private readonly cache = new Map<string, readonly number[]>();

  /** `pieces` in the order of their ids. */
  constructor(pieces: readonly string[]) {
    this.ids = new Map(pieces.map((piece, id) => [piece, id]));
  }

  /** Ids of the pieces of `text`; words with an unknown part give none. */
  split(text: string): number[] {
    const plain = text
      .replace(CAMEL, '$1 $2')
      .normalize('NFKD')
      .replace(/\p{M}+/gu, '')
      .toLowerCase()
      .replace(WIDE, ' $& ');
    const ids: number[] = [];
    for (const [word] of plain.matchAll(WORD)) for (const id of this.piecesOf(word)) ids.push(id);
    return ids;
  }

  private piecesOf(word: string): readonly number[] {
    const known = this.cache.get(word);
    if (known !== undefined) return known;
    const pieces = word.length > MAX_WORD ? [] : this.greedy(word);
    if (this.cache.size >= MAX_CACHED) this.cache.clear();
    this.cache.set(word, pieces);
    return pieces;
  }

  private greedy(word: string): number[] {
    const found: number[] = [];
    let at = 0;
    while (at < word.length) {
      let end = word.length;
      let id: number | undefined;
      for (; end > at; end--) {
        id = this.ids.get(at === 0 ? word.slice(0, end) : `##${word.slice(at, end)}`);
        if (id !== undefined) break;
      }
      if (id === undefined) return [];
      found.push(id);
      at = end;
    }
    return found;
  }
}
