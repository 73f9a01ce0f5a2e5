import path from 'node:path';
import type { Database, SqlRow } from './database';
import type { StoredProject } from './mutation';
import type { Names } from './names';

/** The projects that the store knows, and which one a path belongs to. */
export class ProjectQueries {
  constructor(
    private readonly db: Database,
    private readonly names: Names,
  ) {}

  all(): StoredProject[] {
    return this.db.all('SELECT * FROM projects ORDER BY namespace').flatMap((row) => this.project(row) ?? []);
  }

  /** Every project with the keys that it was stored for. */
  known(): { project: StoredProject; keys: string[] }[] {
    return this.db.all('SELECT * FROM projects ORDER BY namespace').flatMap((row) => {
      const project = this.project(row);
      const keys = this.db
        .all('SELECT path FROM project_paths WHERE namespace = ?', [Number(row['namespace'])])
        .map((path) => String(path['path']));
      return project ? { project, keys } : [];
    });
  }

  byNamespace(namespace: string): StoredProject | undefined {
    const id = this.names.find(namespace);
    return id === undefined
      ? undefined
      : this.project(this.db.get('SELECT * FROM projects WHERE namespace = ?', [id]));
  }

  /** The project that this very path was stored for. */
  byPath(location: string): StoredProject | undefined {
    return this.project(
      this.db.get(
        'SELECT projects.* FROM project_paths JOIN projects USING (namespace) WHERE project_paths.path = ?',
        [location],
      ),
    );
  }

  /** The project of the path or of the nearest folder above it. */
  nearest(location: string): StoredProject | undefined {
    for (let at = location; ;) {
      const found = this.byPath(at);
      if (found) return found;
      const parent = path.dirname(at);
      if (parent === at) return undefined;
      at = parent;
    }
  }

  /** Events (in the image) and records of a namespace. */
  counts(namespace: string): { events: number; records: number } {
    const id = this.names.find(namespace) ?? -1;
    return {
      events: this.db.number('SELECT count(*) AS n FROM events WHERE namespace = ?', [id]),
      records: this.db.number('SELECT count(*) AS n FROM records WHERE namespace = ?', [id]),
    };
  }

  private project(row: SqlRow | undefined): StoredProject | undefined {
    if (!row) return undefined;
    return {
      namespace: this.names.name(row['namespace']) ?? '',
      project_id: String(row['project_id']),
      root: String(row['root']),
      display_name: String(row['display_name']),
    };
  }
}
