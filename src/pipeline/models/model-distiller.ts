import type { Clock } from '../../contract/clock';
import type { Disposable } from '../../contract/disposable';
import type { ModelState } from '../../contract/model-state';
import type { RecordDraft } from '../../contract/memory-record';
import { viewTurn } from '../../memory/extract/turn-view';
import { frameBatch, type ModelBatch } from '../../memory/models/framing';
import { modelDrafts } from '../../memory/models/model-drafts';
import { SYSTEM_TEXT } from '../../memory/models/prompt-text';
import {
  ModelFailedError,
  ModelUnavailableError,
  type ModelProvider,
  type ModelReply,
} from '../../memory/models/provider';
import { parseReply } from '../../memory/models/reply-parser';
import { assembleTurn, turnTime, type Turn } from '../../memory/turn';
import type { Log } from '../../platform/log';
import { estimateTokens } from '../../recall/context';
import type { Mutation } from '../../store/mutation';
import type { Store } from '../../store/store';
import type { RecordLanding } from '../record-landing';
import { Breaker } from './breaker';
import { ModelQueue, type WaitingTurn } from './model-queue';
import { TokenBudget } from './token-budget';

export interface ModelDistillerDeps {
  store: Store;
  landing: RecordLanding;
  clock: Clock;
  log: Log;
  epoch: number;
  /** The second pass, on what leaves this machine's memory. */
  scrubOut(text: string): string;
  /** What a model wrote, fit to be stored. */
  scrub(text: string): string;
  /** Whether memory is paused for a project: then no model hears of it. */
  paused(namespace: string): boolean;
  onChange(state: ModelState | undefined): void;
  /** How long a turn must have been still, milliseconds. */
  settleMs?: number;
  /** How long a model may take, milliseconds. */
  answerMs?: number;
}

const SETTLE_MS = 60_000;
const ANSWER_MS = 180_000;
const BATCH_TURNS = 6;
/** Sessions older than this are imports: the rules have them, no model's tokens are spent on them. */
const MAX_AGE_MS = 7 * 24 * 3_600_000;
const SHORT_ANSWER = 200;
const LONGEST_WAIT_MS = 3_600_000;

/**
 * Asks a model about turns that the rules have seen already. It only ever adds: whatever becomes of the model, the
 * buffer drains and the records of the rules are there. Without a provider nothing waits and nothing is sent.
 */
export class ModelDistiller implements Disposable {
  private readonly queue: ModelQueue;
  private readonly budget: TokenBudget;
  private readonly breaker = new Breaker();
  private readonly stop = new AbortController();
  private provider: ModelProvider | undefined;
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private spent = false;
  private trouble: { message: string; unset: boolean } | undefined;

  constructor(private readonly deps: ModelDistillerDeps) {
    this.queue = new ModelQueue(deps.epoch, (key) => deps.store.meta(key));
    this.budget = new TokenBudget(deps.store.meta(TokenBudget.key));
  }

  /** Sets who is asked; undefined for nobody. What waits stays. */
  use(provider: ModelProvider | undefined, dailyTokens: number): void {
    this.provider = provider;
    this.budget.limit = dailyTokens;
    this.breaker.reset();
    this.trouble = undefined;
    this.kick();
  }

  /** Mutations by which a turn waits for the model from now on; for the commit that takes it from the buffer. */
  enqueue(turn: Turn): Mutation[] {
    const now = this.deps.clock.now();
    if (!this.provider || turn.turn_id.startsWith('loose:')) return [];
    if (now - Date.parse(turnTime(turn)) > MAX_AGE_MS || !isWorthIt(turn)) return [];
    const { namespace, session_id, turn_id } = turn;
    const mutations = this.queue.add({ namespace, session_id, turn_id }, now);
    this.arm();
    this.changed();
    return mutations;
  }

  /** Tries again what was given up. @returns how many turns */
  async retryFailed(): Promise<number> {
    const { turns, mutations } = this.queue.retry();
    if (mutations.length > 0) await this.deps.store.commit(mutations);
    this.breaker.reset();
    this.kick();
    return turns;
  }

  /** Something may be possible that was not: a window opened, a key came. */
  kick(): void {
    this.spent = false;
    if (this.trouble) this.breaker.reset();
    clearTimeout(this.timer);
    this.timer = undefined;
    this.arm();
    this.changed();
  }

  state(): ModelState | undefined {
    const { provider, queue, budget, breaker, trouble } = this;
    if (!provider) return undefined;
    const now = this.deps.clock.now();
    const retryAt = breaker.retryAt(now);
    return {
      provider: provider.name,
      state: this.stateWord(retryAt),
      pending: queue.pending,
      failed: queue.failed,
      tokens_today: budget.usedToday(now),
      daily_tokens: budget.limit,
      ...(retryAt === undefined ? {} : { retry_at: new Date(retryAt).toISOString() }),
      ...(trouble ? { message: trouble.message } : {}),
    };
  }

  /** Asks about everything that is due, one batch after another. Resolves when no more can be done now. */
  async runDue(): Promise<void> {
    if (this.running) return this.running;
    clearTimeout(this.timer);
    this.timer = undefined;
    this.running = this.drain().finally(() => {
      this.running = undefined;
      this.arm();
      this.changed();
    });
    return this.running;
  }

  private stateWord(retryAt: number | undefined): ModelState['state'] {
    if (this.trouble?.unset) return 'unset';
    if (this.spent) return 'spent';
    if (retryAt !== undefined && this.queue.pending > 0) return 'waiting';
    return this.queue.pending > 0 ? 'working' : 'idle';
  }

  private async drain(): Promise<void> {
    while (!this.stop.signal.aborted && this.provider) {
      const now = this.deps.clock.now();
      const waiting = this.queue
        .ready(now, this.deps.settleMs ?? SETTLE_MS, BATCH_TURNS)
        .filter((turn) => !this.deps.paused(turn.namespace));
      if (waiting.length === 0) return;
      if (!(await this.step(waiting, this.provider))) return;
    }
  }

  /** One batch; false where no more can be done now. */
  private async step(waiting: readonly WaitingTurn[], provider: ModelProvider): Promise<boolean> {
    const { clock, store } = this.deps;
    const turns = waiting.map((turn) => this.turnOf(turn));
    const gone = waiting.filter((_, index) => !turns[index]);
    if (gone.length > 0) await store.commit(this.queue.done(gone));
    const there = waiting.filter((_, index) => turns[index]);
    if (there.length === 0) return true;
    const room = provider.promptTokens - estimateTokens(SYSTEM_TEXT);
    const batch = frameBatch(
      turns.filter((turn) => turn !== undefined),
      room,
    );
    const asked = there.slice(0, batch.turns.length);
    const cost = estimateTokens(SYSTEM_TEXT) + estimateTokens(batch.prompt) + provider.replyTokens;
    if (!this.budget.allows(cost, clock.now())) {
      this.spent = true;
      return false;
    }
    if (!this.breaker.allows(clock.now())) return false;
    await store.commit(this.queue.claim(asked));
    this.changed();
    return this.ask(provider, batch, asked);
  }

  private async ask(
    provider: ModelProvider,
    batch: ModelBatch,
    asked: readonly WaitingTurn[],
  ): Promise<boolean> {
    const { clock, log, store } = this.deps;
    try {
      const reply = await this.complete(provider, batch);
      await this.land(reply, batch, asked);
      this.breaker.succeeded();
      this.trouble = undefined;
      return true;
    } catch (error) {
      if (this.stop.signal.aborted) return false;
      const known = error instanceof ModelUnavailableError || error instanceof ModelFailedError;
      if (!known) log.error('model', `a batch failed: ${error instanceof Error ? error.name : 'error'}`);
      const unavailable = error instanceof ModelUnavailableError;
      this.trouble = {
        message: known ? error.message : 'The answer could not be kept.',
        unset: unavailable && (error.reason === 'not_set_up' || error.reason === 'refused'),
      };
      log.warn('model', `${provider.name}: ${this.trouble.message}`);
      this.breaker.failed(clock.now());
      const mutations = unavailable ? this.queue.release(asked) : this.queue.fail(asked, clock.now());
      await store.commit(mutations);
      return false;
    }
  }

  /** @throws ModelUnavailableError, ModelFailedError */
  private async complete(provider: ModelProvider, batch: ModelBatch): Promise<ModelReply> {
    const { clock, scrubOut, answerMs } = this.deps;
    const late = AbortSignal.timeout(answerMs ?? ANSWER_MS);
    const prompt = scrubOut(batch.prompt);
    let reply: ModelReply | undefined;
    try {
      reply = await provider.complete(
        { system: SYSTEM_TEXT, prompt, maxTokens: provider.replyTokens },
        AbortSignal.any([late, this.stop.signal]),
      );
      return reply;
    } finally {
      const input = reply?.tokens?.input ?? estimateTokens(SYSTEM_TEXT) + estimateTokens(prompt);
      const output = reply?.tokens?.output ?? estimateTokens(reply?.text ?? '');
      // A call that never got through costs nothing; one that failed on the way is counted.
      const mutation = this.budget.spend(reply ? input + output : late.aborted ? input : 0, clock.now());
      await this.deps.store.commit([mutation]).catch(() => undefined);
    }
  }

  /** @throws ModelFailedError where the reply says nothing that can be read */
  private async land(reply: ModelReply, batch: ModelBatch, asked: readonly WaitingTurn[]): Promise<void> {
    const { landing, log } = this.deps;
    const parsed = parseReply(this.deps.scrub(reply.text));
    if (!parsed.answered || (reply.cut && parsed.records.length === 0)) {
      throw new ModelFailedError('The answer of the model could not be read.');
    }
    const [first] = asked;
    if (!first) return;
    const drafts = modelDrafts(parsed.records, batch).filter((draft) => this.stillThere(draft));
    const done = this.queue.done(asked);
    const { created } = await landing.land(first.namespace, drafts, done);
    log.info('model', `${asked.length} turns, ${parsed.records.length} findings, ${created} new records`);
  }

  /** What the user erased while the model was thinking stays erased. */
  private stillThere(draft: RecordDraft): boolean {
    return draft.evidence.every(({ event_id }) => this.deps.store.events.rowOf(event_id) !== undefined);
  }

  private turnOf(waiting: WaitingTurn): Turn | undefined {
    const { events } = this.deps.store;
    const whole = events.ofTurn(waiting.namespace, waiting.session_id, waiting.turn_id);
    const [first] = whole;
    if (!first) return undefined;
    const title = events.rowOf(first.event_id)?.session_title;
    return assembleTurn(whole, {
      turn_id: waiting.turn_id,
      first_of_session: false,
      ...(title ? { session_title: title } : {}),
    });
  }

  /** Sets the timer for whatever comes first. */
  private arm(): void {
    if (this.timer || this.running || !this.provider || this.stop.signal.aborted) return;
    const now = this.deps.clock.now();
    const due = this.queue.nextDue(this.deps.settleMs ?? SETTLE_MS);
    if (due === undefined) return;
    const at = Math.max(
      due,
      this.breaker.retryAt(now) ?? 0,
      this.spent ? this.budget.renewsAt(now) : 0,
      now + 10,
    );
    this.timer = setTimeout(
      () => {
        this.timer = undefined;
        this.spent = false;
        void this.runDue().catch((error: unknown) => {
          this.deps.log.error('model', `stopped: ${error instanceof Error ? error.name : 'error'}`);
        });
      },
      Math.min(at - now, LONGEST_WAIT_MS),
    );
    this.timer.unref();
  }

  private changed(): void {
    this.deps.onChange(this.state());
  }

  async dispose(): Promise<void> {
    this.stop.abort();
    clearTimeout(this.timer);
    await this.running?.catch(() => undefined);
  }
}

/** Something was changed, went wrong, was told at length, or was asked at length. */
function isWorthIt(turn: Turn): boolean {
  const view = viewTurn(turn);
  return view.changed || view.failures.length > 0 || view.answer.length >= SHORT_ANSWER;
}
