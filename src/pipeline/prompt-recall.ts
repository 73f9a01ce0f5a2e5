import type { Clock } from '../contract/clock';
import type { EventBody, MemoryEvent } from '../contract/event';
import { deterministicUlid } from '../contract/ids';
import type { Injection } from '../contract/injection';
import { LIMITS } from '../contract/limits';
import type { Scrubber } from '../privacy/scrub';
import type { Recall, RecallAnswer } from '../recall/recall';
import type { Store } from '../store/store';

const FILES_IN_PLAY = 20;
const RECENT_EVENTS = 30;

export interface PromptQuestion {
  namespaces: string[];
  prompt: string;
  sessionId: string;
  surface: string;
  branch?: string;
  eventId?: string;
  /** Milliseconds; what relative dates in the prompt are relative to. */
  now?: number;
}

interface PromptRecallDeps {
  store: Store;
  recall: Recall;
  scrubber: Scrubber;
  clock: Clock;
  /** Random per installation; the steering file tells it to the model. */
  fenceKey: string;
  maxTokens(): number;
}

/** Answers a prompt from the records, and keeps a log of what was injected and why. */
export class PromptRecall {
  constructor(private readonly deps: PromptRecallDeps) {}

  /** Ranks and assembles; changes nothing. */
  ask(question: PromptQuestion): RecallAnswer & { latency_ms: number } {
    const { store, recall, clock, fenceKey, maxTokens } = this.deps;
    const started = performance.now();
    const answer = recall.recall({
      namespaces: question.namespaces,
      prompt: question.prompt,
      sessionId: question.sessionId,
      filesInPlay: this.filesInPlay(question),
      ...(question.branch ? { branch: question.branch } : {}),
      now: question.now ?? clock.now(),
      key: fenceKey,
      alreadyShown: this.alreadyShown(question.sessionId),
      neverAgain: store.injections.neverAgain(),
      notUseful: store.injections.notUseful(),
      budget: { tokens: maxTokens(), bytes: LIMITS.injectionBytes },
    });
    const context = answer.context ? this.deps.scrubber.scrubOut(answer.context) : '';
    return { ...answer, context, latency_ms: performance.now() - started };
  }

  /** Answers and logs; the injection is durable before the answer leaves. */
  async answer(question: PromptQuestion): Promise<Injection> {
    const { store, clock } = this.deps;
    const answer = this.ask(question);
    const at = new Date(clock.now()).toISOString();
    const injection: Injection = {
      injection_id: deterministicUlid(
        Date.parse(at),
        `${question.eventId ?? question.prompt}:${question.sessionId}`,
      ),
      namespace: question.namespaces[0] ?? '',
      session_id: question.sessionId,
      ...(question.eventId ? { event_id: question.eventId } : {}),
      at,
      records: answer.records,
      left_out: answer.left_out.slice(0, 10),
      ...(answer.abstained ? { abstained: answer.abstained } : {}),
      context: answer.context,
      latency_ms: Math.round(answer.latency_ms * 100) / 100,
      bytes: answer.bytes,
      tokens: answer.tokens,
      surface: question.surface,
    };
    const recalled = answer.records.map((record) => record.record_id);
    await store.commit([
      { op: 'injection', injection },
      ...(recalled.length > 0 ? [{ op: 'recalled' as const, record_ids: recalled, at }] : []),
    ]);
    return injection;
  }

  /** What the session's context holds, each as it was when it was shown: an edit since shows it again. */
  private alreadyShown(sessionId: string): Map<string, string> {
    const { store } = this.deps;
    const shown = new Map<string, string>();
    for (const [recordId, at] of store.injections.shownAt(sessionId)) {
      const record = store.records.get(recordId);
      if (record && Date.parse(record.updated_at) <= at) shown.set(recordId, record.updated_at);
    }
    return shown;
  }

  /** Files that the session's latest tool calls named. */
  private filesInPlay(question: PromptQuestion): string[] {
    const [namespace] = question.namespaces;
    if (!namespace) return [];
    const rows = this.deps.store.events.list({
      namespace,
      sessionId: question.sessionId,
      kinds: ['tool_use'],
      limit: RECENT_EVENTS,
    }).items;
    const files = new Set<string>();
    for (const row of rows) {
      const event = this.deps.store.events.get(row.event_id);
      if (event) for (const file of filesOf(event)) files.add(file);
      if (files.size >= FILES_IN_PLAY) break;
    }
    return [...files].slice(0, FILES_IN_PLAY);
  }
}

const PATH_KEYS = ['path', 'file_path', 'filePath', 'targetFile'];

function filesOf(event: MemoryEvent): string[] {
  if (event.body.type !== 'json') return [];
  const data = event.body.data;
  if (!data || typeof data !== 'object' || Array.isArray(data)) return [];
  const input = data['tool_input'];
  if (!input || typeof input !== 'object' || Array.isArray(input)) return [];
  return PATH_KEYS.flatMap((key) => {
    const value = input[key];
    return typeof value === 'string' ? [value] : [];
  });
}

/** The text that a prompt event asks with: the last turn of a message body. */
export function promptText(body: EventBody): string {
  switch (body.type) {
    case 'text':
      return body.content;
    case 'message':
      return body.turns.at(-1)?.content ?? '';
    case 'json':
      return '';
  }
}
