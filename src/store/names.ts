import type { Database } from './database';

const MAX_CACHED = 10_000;

/** Long or frequent names (namespaces, sessions, tools) as small numbers. */
export class Names {
  private readonly ids = new Map<string, number>();
  private readonly names = new Map<number, string>();

  constructor(private readonly db: Database) {}

  /** The number of a name, made where there is none yet. */
  intern(name: string): number {
    const known = this.find(name);
    if (known !== undefined) return known;
    this.db.run('INSERT INTO names (name) VALUES (?)', [name]);
    return this.keep(name, this.db.lastInsertId());
  }

  find(name: string): number | undefined {
    const cached = this.ids.get(name);
    if (cached !== undefined) return cached;
    const row = this.db.get('SELECT id FROM names WHERE name = ?', [name]);
    return typeof row?.['id'] === 'number' ? this.keep(name, row['id']) : undefined;
  }

  name(id: unknown): string | undefined {
    if (typeof id !== 'number') return undefined;
    const cached = this.names.get(id);
    if (cached !== undefined) return cached;
    const row = this.db.get('SELECT name FROM names WHERE id = ?', [id]);
    if (typeof row?.['name'] !== 'string') return undefined;
    this.keep(row['name'], id);
    return row['name'];
  }

  /** What a rolled back transaction made must not be remembered. */
  forget(): void {
    this.ids.clear();
    this.names.clear();
  }

  private keep(name: string, id: number): number {
    if (this.ids.size >= MAX_CACHED) this.forget();
    this.ids.set(name, id);
    this.names.set(id, name);
    return id;
  }
}
