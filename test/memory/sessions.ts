import { createHash } from 'node:crypto';
import { deterministicUlid } from '../../src/contract/ids';
import type { EventKind, EventType, JsonValue, MemoryEvent } from '../../src/contract/event';
import type { MemoryRecord } from '../../src/contract/memory-record';
import type { ExtractedDraft } from '../../src/memory/extract/extracted-draft';
import { Extractor } from '../../src/memory/extract/extractor';
import { RecurrenceCounter } from '../../src/memory/extract/recurrence';
import { reconcile } from '../../src/memory/lifecycle/reconciler';
import { assembleTurn, type Turn } from '../../src/memory/turn';

/** One call of the agent in a made-up turn. */
export interface Call {
  tool: string;
  input: JsonValue;
  output: string;
  ok: boolean;
}

export interface TurnSpec {
  prompt?: string;
  steers?: string[];
  calls?: Call[];
  answer?: string;
}

export interface SessionSpec {
  id: string;
  title: string;
  /** ISO date of its first turn; each turn is ten minutes later. */
  date: string;
  project?: string;
  turns: TurnSpec[];
}

export const run = (command: string, output = '', ok = true): Call => ({
  tool: 'execute_bash',
  input: { command },
  output,
  ok,
});
export const fails = (command: string, output: string): Call => run(command, output, false);
export const edit = (path: string, oldStr: string, newStr: string): Call => ({
  tool: 'str_replace',
  input: { path, oldStr, newStr },
  output: `Replaced text in ${path}`,
  ok: true,
});
export const write = (path: string, text: string): Call => ({
  tool: 'fs_write',
  input: { path, text },
  output: `Created the ${path} file.`,
  ok: true,
});
export const read = (path: string, output: string): Call => ({
  tool: 'read_file',
  input: { path },
  output,
  ok: true,
});
export const web = (url: string, output: string): Call => ({
  tool: 'web_fetch',
  input: { url },
  output,
  ok: true,
});

/** The turns of a made-up session, as the pipeline would assemble them. */
export function turnsOf(session: SessionSpec): Turn[] {
  return session.turns.map((spec, index) => {
    const start = Date.parse(session.date) + index * 600_000;
    let step = 0;
    const event = (
      kind: EventKind,
      type: EventType,
      body: MemoryEvent['body'],
      extra: Partial<MemoryEvent> = {},
    ) => {
      const time = new Date(start + 1000 * step++).toISOString();
      const made: MemoryEvent = {
        event_id: deterministicUlid(Date.parse(time), `${session.id}:${index}:${step}`),
        kind,
        type,
        body,
        namespace: `/actor/me/project/${session.project ?? 'demo'}/`,
        actor_id: 'me',
        session_id: session.id,
        valid_time: time,
        recorded_at: time,
        source: { surface: 'kiro-ide', version: '1', project_path: '/srv/demo' },
        schema_version: 1,
        content_hash: `sha256:${createHash('sha256').update(JSON.stringify(body)).digest('hex')}`,
        ...extra,
      };
      return made;
    };
    const text = (content: string): MemoryEvent['body'] => ({ type: 'text', content });
    const events = [
      ...(spec.prompt === undefined ? [] : [event('prompt', 'user_message', text(spec.prompt))]),
      ...(spec.calls ?? []).map((call) =>
        event('tool_use', 'action_end', {
          type: 'json',
          data: {
            tool_name: call.tool,
            tool_input: call.input,
            tool_response: { result: call.output, success: call.ok },
          },
        }),
      ),
      ...(spec.steers ?? []).map((steer) =>
        event('prompt', 'user_message', text(steer), { meta: { steer: true } }),
      ),
      ...(spec.answer === undefined ? [] : [event('session_summary', 'agent_message', text(spec.answer))]),
    ];
    return assembleTurn(events, {
      turn_id: `t${index}`,
      session_title: session.title,
      first_of_session: index === 0,
    });
  });
}

/** Everything that one project's sessions teach, in the state after the last of them. */
export class Learner {
  readonly records = new Map<string, MemoryRecord>();
  readonly drafts: ExtractedDraft[] = [];
  toolEvents = 0;
  private readonly extractor = new Extractor();
  private readonly recurrence = new RecurrenceCounter();
  readonly events = new Map<string, MemoryEvent>();

  learn(...sessions: SessionSpec[]): this {
    for (const session of sessions) {
      const earlier: Turn[] = [];
      for (const turn of turnsOf(session)) {
        this.take(turn, earlier);
        earlier.push(turn);
      }
    }
    return this;
  }

  current(type?: MemoryRecord['observation_type']): MemoryRecord[] {
    return [...this.records.values()].filter(
      (record) => record.status === 'current' && (type === undefined || record.observation_type === type),
    );
  }

  private take(turn: Turn, earlier: readonly Turn[]): void {
    const now = turn.prompt?.valid_time ?? turn.summary?.valid_time ?? '2026-01-01T00:00:00.000Z';
    for (const event of [turn.prompt, ...turn.steers, ...turn.tool_uses, turn.summary]) {
      if (event) this.events.set(event.event_id, event);
    }
    this.toolEvents += turn.tool_uses.length;
    const drafts = this.extractor.extract(turn, {
      earlier,
      recurrence: (kind, key) => this.recurrence.of(kind, key),
      now,
    });
    this.recurrence.count(turn);
    for (const draft of drafts) {
      this.drafts.push(draft);
      const actions = reconcile(draft, this.current(), {
        now,
        namespace: turn.namespace,
        existing: (id) => this.records.get(id),
      });
      for (const { record } of actions) this.records.set(record.record_id, record);
    }
  }
}

/** Title, summary and facts of a record in one string. */
export function said(record: MemoryRecord | undefined): string {
  return record ? [record.title, record.summary, ...record.facts].join('\n') : '';
}
