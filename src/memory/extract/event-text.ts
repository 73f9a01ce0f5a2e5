import type { JsonValue, MemoryEvent } from '../../contract/event';

/** What a body says as text; JSON as its strings and numbers, one a line, so that nothing is escaped. */
export function eventText(event: MemoryEvent): string {
  switch (event.body.type) {
    case 'text':
      return event.body.content;
    case 'message':
      return event.body.turns.map((turn) => turn.content).join('\n');
    case 'json':
      return jsonText(event.body.data);
  }
}

/** The leaves of a JSON value, one a line, keys before their leaf. */
export function jsonText(value: JsonValue): string {
  const lines: string[] = [];
  collect(value, '', lines);
  return lines.join('\n');
}

function collect(value: JsonValue, key: string, lines: string[]): void {
  if (value === null) return;
  if (typeof value !== 'object') {
    lines.push(key === '' ? String(value) : `${key}: ${String(value)}`);
    return;
  }
  if (Array.isArray(value)) for (const item of value) collect(item, key, lines);
  else for (const [name, item] of Object.entries(value)) collect(item, name, lines);
}
