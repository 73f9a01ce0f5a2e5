import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { unzipSync } from 'fflate';
import { z } from 'zod';
import { recordId } from '../../src/contract/ids';
import type { MemoryRecord } from '../../src/contract/memory-record';

const turnSchema = z.object({
  dia_id: z.string(),
  speaker: z.string(),
  text: z.string().optional(),
  clean_text: z.string().optional(),
  blip_caption: z.string().optional(),
});
const questionSchema = z.object({
  question: z.coerce.string(),
  evidence: z.array(z.string()).default([]),
  category: z.number().optional(),
});

export interface Dialogue {
  name: string;
  records: MemoryRecord[];
  /** Turn id of each record. */
  turnOf: Map<string, string>;
  questions: { text: string; evidence: string[]; category: number }[];
  /** Time of the last turn. */
  now: number;
}

/** The dialogues of a LoCoMo archive or folder, in order of name. */
export function readDialogues(source: string): Dialogue[] {
  const files = statSync(source).isDirectory() ? fromFolder(source) : fromZip(source);
  return files
    .filter(([name]) => /locomo10_v2\/[^/]+\.json$/.test(name))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, text]) => dialogue(path.basename(name, '.json'), JSON.parse(text)));
}

function fromZip(file: string): [string, string][] {
  const entries = unzipSync(readFileSync(file));
  return Object.entries(entries).map(([name, bytes]) => [name, Buffer.from(bytes).toString('utf8')]);
}

function fromFolder(folder: string): [string, string][] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.json'))
    .map((name) => [
      path.join(folder, name).replaceAll('\\', '/'),
      readFileSync(path.join(folder, name), 'utf8'),
    ]);
}

/** Turns carry no time of their own; they follow one another closely. */
const TURN_MS = 20_000;

/** "11:53 am on 23 March, 2023" */
function sessionTime(text: string): number {
  const match = /(\d+):(\d+) (am|pm) on (\d+ \w+),? (\d+)/.exec(text);
  if (match === null) throw new Error(`unknown date: ${text}`);
  const [, hour = '', minute = '', half = '', day = '', year = ''] = match;
  const midnight = Date.parse(`${day} ${year} UTC`);
  return midnight + (((Number(hour) % 12) + (half === 'pm' ? 12 : 0)) * 60 + Number(minute)) * 60_000;
}

function dialogue(name: string, raw: unknown): Dialogue {
  const data = z.record(z.string(), z.unknown()).parse(raw);
  const records: MemoryRecord[] = [];
  const turnOf = new Map<string, string>();
  let now = 0;
  for (let n = 1; data[`session_${n}_date_time`] !== undefined; n++) {
    const began = sessionTime(z.string().parse(data[`session_${n}_date_time`]));
    z.array(turnSchema)
      .parse(data[`session_${n}`] ?? [])
      .forEach((turn, i) => {
        now = Math.max(now, began + i * TURN_MS);
        const record = turnRecord(name, n, turn, began + i * TURN_MS);
        records.push(record);
        turnOf.set(record.record_id, turn.dia_id);
      });
  }
  const questions = z
    .array(questionSchema)
    .parse(data['qa'])
    .map(({ question, evidence, category }) => ({
      text: question,
      evidence: evidence.flatMap((ids) => ids.split(/[;,\s]+/)).filter((id) => /^D\d+:\d+$/.test(id)),
      category: category ?? 0,
    }))
    .filter(({ evidence }) => evidence.length > 0);
  return { name, records, turnOf, questions, now };
}

function turnRecord(
  name: string,
  session: number,
  turn: z.infer<typeof turnSchema>,
  time: number,
): MemoryRecord {
  const at = new Date(time).toISOString();
  return {
    record_id: recordId(time, `${name}:${turn.dia_id}`),
    namespace: `/actor/locomo/project/${name}/`,
    session_id: `session_${session}`,
    observation_type: 'discovery',
    title: turn.speaker,
    summary: (turn.clean_text ?? turn.text ?? '').slice(0, 4000),
    facts: turn.blip_caption === undefined ? [] : [turn.blip_caption.slice(0, 500)],
    concepts: [],
    files_touched: [],
    evidence: [],
    strategy: 'import',
    origin: 'import',
    importance: 0.5,
    status: 'current',
    valid_from: at,
    pinned: false,
    recurrence: 1,
    created_at: at,
    updated_at: at,
    recall_count: 0,
  };
}
