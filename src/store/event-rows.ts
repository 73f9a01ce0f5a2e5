import type { EventRow } from '../contract/local-api';
import type { Bodies } from './bodies';
import { DISTIL, KINDS, TYPES } from './codes';
import type { Database, SqlRow } from './database';
import type { Names } from './names';
import { bytesToUlid } from './ulid-bytes';

/** Columns of a thin row that {@link EventRows} needs. */
export const ROW_COLUMNS = `events.id AS id, event_id, kind, type, time, parent, turn, tool, success, repeat_count,
  distil, segment, block, slot, namespace, events.session AS session`;

/** Thin rows as lists show them. */
export class EventRows {
  constructor(
    private readonly db: Database,
    private readonly names: Names,
    private readonly bodies: Bodies,
  ) {}

  /** @param row of {@link ROW_COLUMNS} */
  of(row: SqlRow): EventRow {
    const preview = this.bodies.preview(row);
    const session = this.db.get('SELECT session_id, title FROM sessions WHERE id = ?', [
      Number(row['session']),
    ]);
    const turn =
      row['turn'] === null
        ? undefined
        : this.db.get('SELECT turn_id FROM turns WHERE id = ?', [Number(row['turn'])]);
    const type = TYPES.name(row['type']);
    const tool = this.names.name(row['tool']);
    return {
      event_id: bytesToUlid(row['event_id'] as Uint8Array),
      namespace: this.names.name(row['namespace']) ?? '',
      kind: KINDS.name(row['kind']) ?? 'note',
      ...(type ? { type } : {}),
      session_id: String(session?.['session_id'] ?? ''),
      ...(typeof session?.['title'] === 'string' ? { session_title: session['title'] } : {}),
      ...(typeof turn?.['turn_id'] === 'string' ? { turn_id: turn['turn_id'] } : {}),
      ...(row['parent'] instanceof Uint8Array ? { parent_event_id: bytesToUlid(row['parent']) } : {}),
      ...(tool ? { tool_name: tool } : {}),
      ...(row['success'] === null ? {} : { success: row['success'] === 1 }),
      repeat_count: Number(row['repeat_count']),
      distil: DISTIL.name(row['distil']) ?? 'never',
      ...(preview ?? { preview: '', valid_time: new Date(Number(row['time'])).toISOString(), surface: '' }),
    };
  }
}
