import Database from 'better-sqlite3';

export interface Fts5Row {
  id: string;
  title: string;
  summary: string;
  facts: string;
  concepts: string;
  files: string;
}

export const FTS5_SCHEMA =
  "create virtual table records using fts5(title, summary, facts, concepts, files, tokenize = 'porter unicode61')";
export const FTS5_INSERT =
  'insert into records (rowid, title, summary, facts, concepts, files) values (?, ?, ?, ?, ?, ?)';
export const FTS5_SEARCH = 'select rowid from records where records match ? order by bm25(records) limit ?';

/** All words of a text, each quoted, joined by OR: what a search box over FTS5 makes of a prompt. */
export function orQuery(words: readonly string[]): string {
  return words.map((word) => `"${word.replaceAll('"', '""')}"`).join(' OR ');
}

/** Distinct words as `unicode61` would see them. */
export function wordsOf(text: string): string[] {
  return [...new Set(text.toLowerCase().match(/[\p{L}\p{N}\p{Co}]+/gu) ?? [])];
}

/** FTS5 of native SQLite, the baseline of every comparison. */
export class Fts5 {
  private readonly db = new Database(':memory:');
  private readonly ids: string[] = [];
  private readonly search;
  private readonly frequency;

  constructor(rows: readonly Fts5Row[], tokenizer = 'porter unicode61') {
    this.db.exec(FTS5_SCHEMA.replace('porter unicode61', tokenizer));
    this.db.exec("create virtual table vocabulary using fts5vocab('records', 'row')");
    const insert = this.db.prepare(FTS5_INSERT);
    this.db.transaction(() => {
      for (const row of rows) {
        this.ids.push(row.id);
        insert.run(this.ids.length, row.title, row.summary, row.facts, row.concepts, row.files);
      }
    })();
    this.search = this.db.prepare(FTS5_SEARCH).pluck();
    this.frequency = this.db.prepare('select doc from vocabulary where term = ?').pluck();
  }

  /** Ids in order of bm25. */
  find(match: string, limit: number): string[] {
    if (match === '') return [];
    return this.search.all(match, limit).map((row) => this.ids[Number(row) - 1] ?? '');
  }

  /** How many records hold a term, by its exact spelling in the index. */
  documentFrequency(term: string): number {
    return Number(this.frequency.get(term) ?? 0);
  }

  get size(): number {
    return this.ids.length;
  }

  close(): void {
    this.db.close();
  }
}

/**
 * The reference's way: words split at white space, distinct, at most 32 of them by inverse document
 * frequency, each quoted, joined by OR; title, summary and facts only.
 */
export function referenceQuery(index: Fts5, text: string): string {
  const words = [...new Set(text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)))];
  if (words.length <= 32) return orQuery(words);
  const rarity = (word: string): number => {
    const key = word.toLowerCase().replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');
    const frequency = index.documentFrequency(key);
    return frequency === 0 ? -1 : Math.log(index.size / frequency);
  };
  const ranked = words.map((word) => ({ word, rarity: rarity(word) })).sort((a, b) => b.rarity - a.rarity);
  return orQuery(ranked.slice(0, 32).map(({ word }) => word));
}
