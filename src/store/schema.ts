import type { Database } from './database';

/** Marks a database file as one of ours (`PRAGMA application_id`): the letters `klrn`. */
export const APPLICATION_ID = 0x6b6c726e;

/**
 * The first version. Ids are BLOBs of 16 bytes, names are numbers of `names`, times are milliseconds. A row of
 * `events` is thin: body and preview are in `event_bodies` until a publish moves them into a segment, which
 * `segment`, `block` and `slot` then point to.
 */
const VERSION_1 = `
CREATE TABLE state (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE cursors (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE names (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);

CREATE TABLE projects (
  namespace INTEGER PRIMARY KEY, project_id TEXT NOT NULL, root TEXT NOT NULL, display_name TEXT NOT NULL
);
CREATE TABLE project_paths (path TEXT PRIMARY KEY, namespace INTEGER NOT NULL) WITHOUT ROWID;

CREATE TABLE sessions (
  id INTEGER PRIMARY KEY, namespace INTEGER NOT NULL, session_id TEXT NOT NULL, title TEXT,
  last_event INTEGER, last_type INTEGER, last_hash BLOB,
  first_time INTEGER, last_time INTEGER, shown_after INTEGER NOT NULL DEFAULT 0,
  UNIQUE (session_id, namespace)
);
CREATE TABLE turns (
  id INTEGER PRIMARY KEY, session INTEGER NOT NULL, turn_id TEXT NOT NULL, ended INTEGER NOT NULL DEFAULT 0,
  UNIQUE (session, turn_id)
);

CREATE TABLE events (
  id INTEGER PRIMARY KEY, event_id BLOB NOT NULL UNIQUE, namespace INTEGER NOT NULL, session INTEGER NOT NULL,
  kind INTEGER NOT NULL, type INTEGER, time INTEGER NOT NULL, turn INTEGER, parent BLOB, tool INTEGER, success INTEGER,
  repeat_count INTEGER NOT NULL, distil INTEGER NOT NULL, bytes INTEGER NOT NULL, same BLOB, from_file INTEGER,
  pairs INTEGER NOT NULL DEFAULT 0, segment INTEGER, block INTEGER, slot INTEGER
);
CREATE INDEX events_by_time ON events (time);
CREATE INDEX events_by_namespace ON events (namespace, time);
CREATE INDEX events_by_session ON events (session, time);
CREATE INDEX events_by_turn ON events (turn) WHERE turn IS NOT NULL;
CREATE INDEX events_pending ON events (session, id) WHERE distil = 1;
CREATE INDEX events_same ON events (same) WHERE same IS NOT NULL;
CREATE TABLE event_bodies (event INTEGER PRIMARY KEY, preview TEXT NOT NULL, body TEXT NOT NULL);
CREATE TABLE aliases (event_id BLOB PRIMARY KEY, event INTEGER NOT NULL) WITHOUT ROWID;
CREATE INDEX aliases_by_event ON aliases (event);
CREATE TABLE erased (hash BLOB PRIMARY KEY) WITHOUT ROWID;

CREATE TABLE records (
  id INTEGER PRIMARY KEY, record_id BLOB NOT NULL UNIQUE, namespace INTEGER NOT NULL, session INTEGER NOT NULL,
  type INTEGER NOT NULL, status INTEGER NOT NULL, origin INTEGER NOT NULL, strategy INTEGER NOT NULL,
  importance REAL NOT NULL, pinned INTEGER NOT NULL, recurrence INTEGER NOT NULL, time INTEGER NOT NULL,
  recall_count INTEGER NOT NULL, last_recalled, doc TEXT NOT NULL
);
CREATE INDEX records_by_namespace ON records (namespace, time);
CREATE TABLE record_changes (
  id INTEGER PRIMARY KEY, change_id NOT NULL UNIQUE, record INTEGER NOT NULL, change INTEGER NOT NULL,
  at NOT NULL, before TEXT
);
CREATE INDEX record_changes_by_record ON record_changes (record);

CREATE TABLE injections (
  id INTEGER PRIMARY KEY, injection_id NOT NULL UNIQUE, session INTEGER NOT NULL, time INTEGER NOT NULL,
  segment INTEGER, block INTEGER, slot INTEGER
);
CREATE INDEX injections_by_session ON injections (session);
CREATE INDEX injections_by_time ON injections (time);
CREATE TABLE injection_bodies (injection INTEGER PRIMARY KEY, body TEXT NOT NULL);
CREATE TABLE injection_records (
  injection INTEGER NOT NULL, record BLOB NOT NULL, shown INTEGER NOT NULL,
  PRIMARY KEY (injection, record)
) WITHOUT ROWID;
CREATE INDEX injection_records_by_record ON injection_records (record);
CREATE TABLE verdicts (
  record BLOB NOT NULL, injection INTEGER NOT NULL, verdict INTEGER NOT NULL, PRIMARY KEY (record, injection)
) WITHOUT ROWID;

CREATE TABLE segments (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, kind INTEGER NOT NULL, bytes INTEGER NOT NULL,
  items INTEGER NOT NULL, first_time INTEGER, last_time INTEGER
);
CREATE TABLE daily (
  day INTEGER, namespace INTEGER, counter INTEGER, key INTEGER, n INTEGER NOT NULL,
  PRIMARY KEY (day, namespace, counter, key)
) WITHOUT ROWID;
`;

/** Archived events that were erased while their file still holds them. */
const VERSION_2 = `
CREATE TABLE erasing (event_id BLOB PRIMARY KEY) WITHOUT ROWID;
`;

export interface Migration {
  /** The version that the image has afterwards. */
  version: number;
  up(db: Database): void;
}

/** Forward only; a step that was released is never changed. */
export const MIGRATIONS: readonly Migration[] = [
  { version: 1, up: (db) => db.script(VERSION_1) },
  { version: 2, up: (db) => db.script(VERSION_2) },
];

export const SCHEMA_VERSION = MIGRATIONS[MIGRATIONS.length - 1]?.version ?? 0;

export function schemaVersion(db: Database): number {
  return db.number('PRAGMA user_version');
}

/** Brings an image to the newest version, each step in a transaction of its own. @returns the versions passed. */
export function migrate(db: Database): number[] {
  const passed: number[] = [];
  for (const migration of MIGRATIONS) {
    if (migration.version <= schemaVersion(db)) continue;
    db.transaction(() => {
      migration.up(db);
      db.script(`PRAGMA user_version = ${migration.version}; PRAGMA application_id = ${APPLICATION_ID};`);
    });
    passed.push(migration.version);
  }
  return passed;
}
