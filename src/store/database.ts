import { readFile } from 'node:fs/promises';
import initSqlJs, { type Database as SqlDatabase, type SqlJsStatic, type Statement } from 'sql.js';

export type SqlValue = number | string | Uint8Array | null;
export type SqlRow = Record<string, SqlValue>;

interface Prepared {
  statement: Statement;
  columns: string[];
}

const MAX_PREPARED = 200;

/** Loads the WASM build of SQLite. @param wasm its bytes, or the path of `sql-wasm.wasm`. */
export async function loadSqlite(wasm: Uint8Array | string): Promise<SqlJsStatic> {
  const bytes = typeof wasm === 'string' ? await readFile(wasm) : wasm;
  const exact = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
  return initSqlJs({ wasmBinary: exact });
}

/** One database in memory: statements are prepared once, rows are plain objects. */
export class Database {
  private readonly prepared = new Map<string, Prepared>();
  private readonly sql: SqlDatabase;

  /** @param image bytes of a database file; undefined makes an empty one. */
  constructor(sqlite: SqlJsStatic, image?: Uint8Array) {
    this.sql = new sqlite.Database(image);
    // Only an empty database can still choose this; it lets free pages go without a vacuum.
    if (!image) this.sql.run('PRAGMA auto_vacuum = INCREMENTAL');
    this.configure();
  }

  /** Runs statements without parameters, such as a schema. */
  script(sql: string): void {
    this.sql.exec(sql);
  }

  run(sql: string, params: SqlValue[] = []): void {
    const { statement } = this.prepare(sql);
    try {
      statement.bind(params);
      statement.step();
    } finally {
      statement.reset();
    }
  }

  /** Rows changed by the last statement. */
  changes(): number {
    return this.sql.getRowsModified();
  }

  /** The first row. */
  get(sql: string, params: SqlValue[] = []): SqlRow | undefined {
    for (const row of this.each(sql, params)) return row;
    return undefined;
  }

  all(sql: string, params: SqlValue[] = []): SqlRow[] {
    return [...this.each(sql, params)];
  }

  private *each(sql: string, params: SqlValue[]): Generator<SqlRow> {
    const { statement, columns } = this.prepare(sql);
    try {
      statement.bind(params);
      while (statement.step()) {
        const values = statement.get();
        const row: SqlRow = {};
        for (let i = 0; i < columns.length; i++) row[columns[i] ?? ''] = values[i] ?? null;
        yield row;
      }
    } finally {
      statement.reset();
    }
  }

  /** The first column of the first row as a number; 0 where there is none. */
  number(sql: string, params: SqlValue[] = []): number {
    const row = this.get(sql, params);
    const value = row && Object.values(row)[0];
    return typeof value === 'number' ? value : 0;
  }

  lastInsertId(): number {
    return this.number('SELECT last_insert_rowid() AS id');
  }

  /** Runs `work` in one transaction; what it changed is undone when it throws. Not to be nested. */
  transaction<T>(work: () => T): T {
    this.run('BEGIN');
    try {
      const result = work();
      this.run('COMMIT');
      return result;
    } catch (error) {
      this.run('ROLLBACK');
      throw error;
    }
  }

  /** Runs `work` so that it can be undone by itself inside a transaction. */
  savepoint<T>(work: () => T): T {
    this.run('SAVEPOINT step');
    try {
      const result = work();
      this.run('RELEASE step');
      return result;
    } catch (error) {
      this.run('ROLLBACK TO step');
      this.run('RELEASE step');
      throw error;
    }
  }

  /** The database as the bytes of a file. Must not run inside a transaction. */
  export(): Uint8Array {
    this.release();
    const bytes = this.sql.export();
    this.configure();
    return bytes;
  }

  close(): void {
    this.release();
    this.sql.close();
  }

  private configure(): void {
    // The file is in memory: a rollback journal beside it would be a second copy of each page in the same place.
    // Deleted content is overwritten, so that what was erased is not in the next image.
    this.sql.run(
      'PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA temp_store = MEMORY; PRAGMA secure_delete = ON; PRAGMA foreign_keys = OFF;',
    );
  }

  private prepare(sql: string): Prepared {
    const known = this.prepared.get(sql);
    if (known) return known;
    if (this.prepared.size >= MAX_PREPARED) this.release();
    const statement = this.sql.prepare(sql);
    const made = { statement, columns: statement.getColumnNames() };
    this.prepared.set(sql, made);
    return made;
  }

  /** Statements don't outlive an export: the database is closed and opened again by it. */
  private release(): void {
    for (const { statement } of this.prepared.values()) statement.free();
    this.prepared.clear();
  }
}
