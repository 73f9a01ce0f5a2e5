import { createHash } from 'node:crypto';
import type { MemoryEvent } from '../../src/contract/event';
import { deterministicUlid, recordId } from '../../src/contract/ids';
import { OBSERVATION_TYPES, type MemoryRecord } from '../../src/contract/memory-record';
import type { Mutation } from '../../src/store/mutation';
import { seeded } from '../crash/power-cut-states';

/** Work of a year on several projects, the same for the same numbers. */
export interface HeavyUse {
  events: number;
  records: number;
  /** Milliseconds of the first and the last event. */
  from: number;
  to: number;
}

const PROJECTS = 12;
/** A turn: a prompt, tool calls, an answer. */
const TURN_EVENTS = 7;
const TURNS_A_SESSION = 12;
const WORDS = 4000;

const MEDIAN_RECORD = 450;
/** Gives 2,000 characters at the 95th percentile. */
const RECORD_SIGMA = Math.log(2000 / 450) / 1.645;

/** Text that compresses as prose and tool output do: a fixed vocabulary, used by rank. */
class Prose {
  private readonly words: string[] = [];

  constructor(private readonly random: () => number) {
    const syllables = [
      'ba',
      'con',
      'de',
      'fi',
      'gra',
      'hel',
      'in',
      'ker',
      'lo',
      'me',
      'no',
      'per',
      'que',
      'ro',
      'st',
      'ti',
    ];
    for (let i = 0; i < WORDS; i++) {
      let word = '';
      for (let n = i + 16; n > 0; n = Math.floor(n / 16)) word += syllables[n % 16] ?? '';
      this.words.push(word);
    }
  }

  /** About `chars` characters, with line ends and numbers as logs have them. */
  text(chars: number): string {
    let text = '';
    while (text.length < chars) {
      const rank = Math.floor(WORDS ** this.random()) - 1;
      const word =
        this.random() < 0.08 ? String(Math.floor(this.random() * 100_000)) : (this.words[rank] ?? '');
      text += (this.random() < 0.07 ? '\n' : ' ') + word;
    }
    return text.slice(1, chars + 1);
  }

  /** A size around `median`, with a long tail. */
  size(median: number, sigma: number, most: number): number {
    const normal = Math.sqrt(-2 * Math.log(1 - this.random())) * Math.cos(2 * Math.PI * this.random());
    return Math.max(20, Math.min(most, Math.round(median * Math.exp(sigma * normal))));
  }
}

function namespaceOf(project: number): string {
  return `/actor/bench/project/project-${project}/`;
}

/** The mutations of a year in the order of time, in commits of a turn each. */
export function* heavyUse(use: HeavyUse, seed = 1): Generator<{ at: number; mutations: Mutation[] }> {
  const random = seeded(seed);
  const prose = new Prose(random);
  const turns = Math.ceil(use.events / TURN_EVENTS);
  let records = 0;
  let events = 0;
  for (let turn = 0; turn < turns && events < use.events; turn++) {
    const at = use.from + Math.floor(((use.to - use.from) * turn) / turns);
    const session = Math.floor(turn / TURNS_A_SESSION);
    const place = { namespace: namespaceOf(session % PROJECTS), session: `session-${session}` };
    const mutations: Mutation[] = [];
    const ids: string[] = [];
    for (let n = 0; n < TURN_EVENTS && events < use.events; n++, events++) {
      const event = oneEvent(prose, random, place, at + n * 1000, n, ids[0]);
      ids.push(event.event_id);
      mutations.push({
        op: 'event',
        event,
        distil: 'pending',
        may_collapse: true,
        turn_id: `turn-${turn}`,
        ends_turn: n === TURN_EVENTS - 1,
        session_title: `Work on ${place.session}`,
      });
    }
    mutations.push({ op: 'distilled', event_ids: ids });
    const due = Math.floor((use.records * (turn + 1)) / turns);
    for (; records < due; records++) {
      const record = oneRecord(prose, random, place, at + records, ids);
      mutations.push({
        op: 'record',
        record,
        change: 'created',
        at: record.created_at,
        change_id: deterministicUlid(at, `${record.record_id}:created`),
      });
    }
    yield { at, mutations };
  }
}

function oneEvent(
  prose: Prose,
  random: () => number,
  place: { namespace: string; session: string },
  at: number,
  n: number,
  parent: string | undefined,
): MemoryEvent {
  const time = new Date(at).toISOString();
  const tool = n > 0 && n < TURN_EVENTS - 1;
  const body: MemoryEvent['body'] = tool
    ? {
        type: 'json',
        data: {
          tool_name: ['execute_bash', 'fs_read', 'fs_write', 'grep'][n % 4] ?? 'grep',
          tool_input: { path: `src/${prose.text(12).trim()}.ts`, command: prose.text(40) },
          tool_response: { result: prose.text(prose.size(700, 1.1, 60_000)), success: random() > 0.1 },
        },
      }
    : { type: 'text', content: prose.text(prose.size(n === 0 ? 180 : 600, 0.9, 20_000)) };
  return {
    event_id: deterministicUlid(at, `${place.session}:${at}:${n}`),
    kind: n === 0 ? 'prompt' : tool ? 'tool_use' : 'session_summary',
    type: n === 0 ? 'user_message' : tool ? 'action_end' : 'agent_message',
    body,
    namespace: place.namespace,
    actor_id: 'bench',
    session_id: place.session,
    valid_time: time,
    recorded_at: time,
    source: {
      surface: 'kiro-ide',
      version: '0.0.0',
      project_path: `/home/bench/${place.namespace.split('/')[4]}`,
    },
    schema_version: 1,
    content_hash: `sha256:${createHash('sha256').update(`${place.session}:${at}:${n}`).digest('hex')}`,
    ...(parent ? { parent_event_id: parent } : {}),
  };
}

function oneRecord(
  prose: Prose,
  random: () => number,
  place: { namespace: string; session: string },
  at: number,
  ids: readonly string[],
): MemoryRecord {
  const chars = prose.size(MEDIAN_RECORD, RECORD_SIGMA, 4000);
  const time = new Date(at).toISOString();
  return {
    record_id: recordId(at, `${place.session}:${at}:record`),
    namespace: place.namespace,
    session_id: place.session,
    session_title: `Work on ${place.session}`,
    observation_type: OBSERVATION_TYPES[Math.floor(random() * OBSERVATION_TYPES.length)] ?? 'discovery',
    title: prose.text(Math.min(60, chars)),
    summary: prose.text(Math.round(chars * 0.5)),
    facts: [prose.text(Math.min(400, Math.round(chars * 0.15)))],
    concepts: [prose.text(8), prose.text(8)],
    files_touched: [`src/${prose.text(10).trim()}.ts`],
    evidence: ids
      .slice(0, 1)
      .map((event_id) => ({ event_id, excerpt: prose.text(Math.min(300, Math.round(chars * 0.25))) })),
    strategy: 'rules',
    origin: 'agent_words',
    importance: Math.round(random() * 100) / 100,
    status: 'current',
    valid_from: time,
    pinned: false,
    recurrence: 1,
    created_at: time,
    updated_at: time,
    recall_count: 0,
  };
}
