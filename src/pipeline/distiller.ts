import { z } from 'zod';
import type { Clock } from '../contract/clock';
import type { MemoryEvent } from '../contract/event';
import type { Insights } from '../contract/local-api';
import type { RecordDraft } from '../contract/memory-record';
import type { Extractor } from '../memory/extract/extractor';
import { RecurrenceCounter } from '../memory/extract/recurrence';
import { assembleTurn, turnEvents, type Turn } from '../memory/turn';
import type { Log } from '../platform/log';
import type { Mutation } from '../store/mutation';
import type { PendingEvent } from '../store/event-queries';
import type { Store } from '../store/store';
import type { RecordLanding } from './record-landing';

const BATCH_EVENTS = 400;
const EARLIER_TURNS = 12;
const MAX_SESSIONS = 200;
const MAX_PROJECTS = 50;
const KEPT_RUNS = 100;

export interface DistilReport {
  events: number;
  records: number;
}

interface DistillerDeps {
  store: Store;
  extractor: Extractor;
  landing: RecordLanding;
  /** What puts a turn into the model's queue, where a model is set. */
  forModel(turn: Turn): Mutation[];
  clock: Clock;
  log: Log;
}

/** Turns events of the buffer into records by the rules. One run at a time; the buffer always drains. */
export class Distiller {
  private readonly earlier = new Map<string, Turn[]>();
  private readonly recurrences = new Map<string, RecurrenceCounter>();
  private readonly runs: Insights['distillations'] = [];
  private running: Promise<DistilReport> | undefined;

  constructor(private readonly deps: DistillerDeps) {}

  /** The latest runs, newest last, for the insights page. */
  latestRuns(): Insights['distillations'] {
    return [...this.runs];
  }

  get isRunning(): boolean {
    return this.running !== undefined;
  }

  /** Distils all that waits (of one namespace, where given), turn by turn, oldest first. */
  async run(namespace?: string): Promise<DistilReport> {
    while (this.running) await this.running.catch(() => undefined);
    this.running = this.drain(namespace);
    try {
      return await this.running;
    } finally {
      this.running = undefined;
    }
  }

  /** Takes undone turns out of what later turns of their session are read beside. */
  forgetTurns(sessionId: string, eventIds: ReadonlySet<string>): void {
    for (const [key, turns] of this.earlier) {
      if (!key.endsWith(`\0${sessionId}`)) continue;
      const kept = turns.filter((turn) => !turnEvents(turn).some((event) => eventIds.has(event.event_id)));
      this.earlier.set(key, kept);
    }
  }

  private async drain(namespace: string | undefined): Promise<DistilReport> {
    const total: DistilReport = { events: 0, records: 0 };
    const started = performance.now();
    for (;;) {
      const pending = this.deps.store.events.pending(namespace, BATCH_EVENTS);
      if (pending.length === 0) {
        if (total.events > 0) this.noteRun(total, performance.now() - started);
        return total;
      }
      for (const group of groupByTurn(pending)) {
        total.records += await this.distilTurn(group);
        total.events += group.events.length;
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
  }

  private noteRun(report: DistilReport, ms: number): void {
    const at = new Date(this.deps.clock.now()).toISOString();
    this.runs.push({ at, ...report, ms: Math.round(ms) });
    if (this.runs.length > KEPT_RUNS) this.runs.shift();
  }

  private async distilTurn(group: TurnGroup): Promise<number> {
    const { store } = this.deps;
    const [first] = group.events;
    if (!first) return 0;
    const whole = group.turnId
      ? store.events.ofTurn(first.namespace, first.session_id, group.turnId)
      : group.events;
    const earlier = this.earlierTurns(first.namespace, first.session_id);
    const turnId = group.turnId ?? `loose:${first.event_id}`;
    const before = earlier.filter((turn) => turn.turn_id !== turnId);
    const turn = assembleTurn(whole, {
      turn_id: turnId,
      first_of_session: before.length === 0,
      ended: group.ended,
      ...(group.sessionTitle ? { session_title: group.sessionTitle } : {}),
    });
    if (!turn) return 0;
    const mutations: Mutation[] = [
      { op: 'distilled', event_ids: group.events.map((event) => event.event_id) },
    ];
    mutations.push(...this.deps.forModel(turn));
    const drafts = this.extract(turn, before);
    const counter = this.recurrence(first.namespace);
    if (!this.knows(turn)) {
      counter.count(turn);
      mutations.push({ op: 'meta', key: recurrenceKey(first.namespace), value: JSON.stringify(counter) });
    }
    const { created } = await this.deps.landing.land(first.namespace, drafts, mutations);
    this.remember(turn);
    if (created > 0)
      this.deps.log.debug('distiller', `${created} records from a turn of ${whole.length} events`);
    return created;
  }

  /** A rule that fails costs its own records, never the turn's others or the buffer. */
  private extract(turn: Turn, earlier: Turn[]): RecordDraft[] {
    const { extractor, clock, log } = this.deps;
    const counter = this.recurrence(turn.namespace);
    try {
      return extractor.extract(turn, {
        earlier,
        recurrence: (kind, key) => counter.of(kind, key),
        now: new Date(clock.now()).toISOString(),
      });
    } catch (error) {
      log.error(
        'distiller',
        `extraction failed for a turn: ${error instanceof Error ? error.name : 'error'}`,
      );
      return [];
    }
  }

  private earlierTurns(namespace: string, sessionId: string): Turn[] {
    const key = `${namespace}\0${sessionId}`;
    const known = this.earlier.get(key);
    if (known) return known;
    const turns = this.deps.store.events
      .turnIds(namespace, sessionId, EARLIER_TURNS, 'done')
      .flatMap((turnId, index) => {
        const events = this.deps.store.events.ofTurn(namespace, sessionId, turnId);
        return assembleTurn(events, { turn_id: turnId, first_of_session: index === 0, ended: true }) ?? [];
      });
    this.earlier.set(key, turns);
    return turns;
  }

  private knows(turn: Turn): boolean {
    const turns = this.earlier.get(`${turn.namespace}\0${turn.session_id}`) ?? [];
    return turns.some((known) => known.turn_id === turn.turn_id);
  }

  /** What recurs in a project, kept over restarts. */
  private recurrence(namespace: string): RecurrenceCounter {
    const known = this.recurrences.get(namespace);
    if (known) return known;
    const counter = new RecurrenceCounter(savedCounts(this.deps.store.meta(recurrenceKey(namespace))));
    this.recurrences.set(namespace, counter);
    for (const oldest of this.recurrences.keys()) {
      if (this.recurrences.size <= MAX_PROJECTS) break;
      this.recurrences.delete(oldest);
    }
    return counter;
  }

  private remember(turn: Turn): void {
    const key = `${turn.namespace}\0${turn.session_id}`;
    const turns = (this.earlier.get(key) ?? []).filter((known) => known.turn_id !== turn.turn_id);
    turns.push(turn);
    this.earlier.delete(key);
    this.earlier.set(key, turns.slice(-EARLIER_TURNS));
    for (const oldest of this.earlier.keys()) {
      if (this.earlier.size <= MAX_SESSIONS) break;
      this.earlier.delete(oldest);
    }
  }
}

interface TurnGroup {
  turnId?: string;
  ended: boolean;
  sessionTitle?: string;
  events: MemoryEvent[];
}

function groupByTurn(pending: readonly PendingEvent[]): TurnGroup[] {
  const groups = new Map<string, TurnGroup>();
  for (const { event, turn_id, turn_ended, session_title } of pending) {
    const key = `${event.namespace}\0${event.session_id}\0${turn_id ?? ''}`;
    const group = groups.get(key) ?? {
      events: [],
      ended: turn_ended,
      ...(turn_id ? { turnId: turn_id } : {}),
    };
    if (session_title) group.sessionTitle = session_title;
    group.events.push(event);
    groups.set(key, group);
  }
  return [...groups.values()];
}

function recurrenceKey(namespace: string): string {
  return `recurrence:${namespace}`;
}

const savedCountsSchema = z.array(z.tuple([z.string(), z.number()])).catch([]);

function savedCounts(text: string | undefined): [string, number][] {
  if (!text) return [];
  try {
    return savedCountsSchema.parse(JSON.parse(text));
  } catch {
    return [];
  }
}
