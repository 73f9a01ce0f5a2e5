import type { MemoryEvent } from '../contract/event';
import { LIMITS } from '../contract/limits';
import type { EventQueries } from '../store/event-queries';

const MAX_SESSIONS = 500;
const MAX_IDENTITIES = 2000;

interface SessionState {
  turnId?: string;
  promptId?: string;
  title?: string;
  /** Event ids by record identity, for events that name a parent. */
  identities: Map<string, string>;
}

interface DerivedSession {
  id: string;
  lastSeen: number;
}

/** What is remembered of a session while it runs; bounded, and rebuilt from the store when forgotten. */
export class SessionStates {
  private readonly sessions = new Map<string, SessionState>();
  private readonly derived = new Map<string, DerivedSession>();

  constructor(private readonly events: EventQueries) {}

  /**
   * A session id for sources without one (Kiro 0.x, old V2): from window and folder, a new one after 30
   * minutes of silence.
   */
  deriveId(namespace: string, client: string, at: number): string {
    const key = `${namespace}\0${client}`;
    const known = this.derived.get(key) ?? this.lastDerived(namespace, client);
    const fresh = known && at - known.lastSeen <= LIMITS.derivedSessionGapMs;
    const session = fresh ? known : { id: `derived-${client || 'window'}-${at.toString(36)}`, lastSeen: at };
    session.lastSeen = Math.max(session.lastSeen, at);
    this.derived.set(key, session);
    trim(this.derived, MAX_SESSIONS);
    return session.id;
  }

  private lastDerived(namespace: string, client: string): DerivedSession | undefined {
    const prefix = `derived-${client || 'window'}-`;
    const row = this.events
      .list({ namespace, limit: 50 })
      .items.find((candidate) => candidate.session_id.startsWith(prefix));
    return row ? { id: row.session_id, lastSeen: Date.parse(row.valid_time) } : undefined;
  }

  /** The event id of a record identity that was ingested in this session, where still known. */
  idOf(namespace: string, sessionId: string, identity: string): string | undefined {
    return this.state(namespace, sessionId).identities.get(identity);
  }

  /** The turn that an event without one belongs to: that of the session's latest prompt. */
  currentTurn(namespace: string, sessionId: string): { turnId?: string; promptId?: string } {
    const { turnId, promptId } = this.state(namespace, sessionId);
    return { ...(turnId ? { turnId } : {}), ...(promptId ? { promptId } : {}) };
  }

  /** The prompt of a turn: what its tool uses and summary name as their parent. */
  promptOf(namespace: string, sessionId: string, turnId: string): string | undefined {
    const state = this.state(namespace, sessionId);
    if (state.turnId === turnId) return state.promptId;
    return this.events.ofTurn(namespace, sessionId, turnId).find((event) => event.kind === 'prompt')
      ?.event_id;
  }

  title(namespace: string, sessionId: string): string | undefined {
    return this.state(namespace, sessionId).title;
  }

  remember(
    event: MemoryEvent,
    identity: string,
    turnId: string | undefined,
    title: string | undefined,
  ): void {
    const state = this.state(event.namespace, event.session_id);
    if (event.kind === 'prompt' && turnId) {
      if (state.turnId !== turnId || !state.promptId) state.promptId = event.event_id;
      state.turnId = turnId;
    } else if (turnId && state.turnId !== turnId) {
      state.turnId = turnId;
      delete state.promptId;
    }
    if (title) state.title = title;
    state.identities.set(identity, event.event_id);
    trim(state.identities, MAX_IDENTITIES);
  }

  private state(namespace: string, sessionId: string): SessionState {
    const key = `${namespace}\0${sessionId}`;
    const known = this.sessions.get(key);
    if (known) {
      this.sessions.delete(key);
      this.sessions.set(key, known);
      return known;
    }
    const state = this.fromStore(namespace, sessionId);
    this.sessions.set(key, state);
    trim(this.sessions, MAX_SESSIONS);
    return state;
  }

  private fromStore(namespace: string, sessionId: string): SessionState {
    const state: SessionState = { identities: new Map() };
    const rows = this.events.list({ namespace, sessionId, kinds: ['prompt'], limit: 1 }).items;
    const [row] = rows;
    if (row) {
      state.promptId = row.event_id;
      if (row.turn_id) state.turnId = row.turn_id;
      if (row.session_title) state.title = row.session_title;
    }
    return state;
  }
}

function trim(map: Map<string, unknown>, max: number): void {
  for (const key of map.keys()) {
    if (map.size <= max) return;
    map.delete(key);
  }
}
