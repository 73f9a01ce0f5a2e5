import { describe, expect, it } from 'vitest';
import { MAX_ATTEMPTS, ModelQueue, QUEUE_MAX } from '../../../src/pipeline/models/model-queue';
import type { Mutation } from '../../../src/store/mutation';

/** The values that a store would hold after these mutations. */
class Values {
  readonly map = new Map<string, string>();

  apply(mutations: readonly Mutation[]): void {
    for (const mutation of mutations) {
      if (mutation.op !== 'meta') throw new Error(`unexpected ${mutation.op}`);
      if (mutation.value === null) this.map.delete(mutation.key);
      else this.map.set(mutation.key, mutation.value);
    }
  }

  open(epoch: number): ModelQueue {
    return new ModelQueue(epoch, (key) => this.map.get(key));
  }
}

const turn = (n: number, session = 's1') => ({ namespace: 'ns', session_id: session, turn_id: `t${n}` });
const names = (turns: readonly { turn_id: string }[]) => turns.map((one) => one.turn_id);

describe('ModelQueue', () => {
  it('survives a restart, in order, once each', () => {
    const values = new Values();
    const queue = values.open(1);
    for (const n of [1, 2, 3, 2]) values.apply(queue.add(turn(n), 1000));
    values.apply(queue.add(turn(9, 's2'), 1000));
    const again = values.open(2);
    expect(again.pending).toBe(4);
    expect(names(again.ready(1000, 0, 10))).toEqual(['t1', 't2', 't3']);
    values.apply(again.done(again.ready(1000, 0, 10)));
    expect(names(values.open(3).ready(1000, 0, 10))).toEqual(['t9']);
    expect([...values.map.keys()].filter((key) => key.startsWith('model:turn:'))).toHaveLength(1);
  });

  it('waits until a turn is still', () => {
    const queue = new Values().open(1);
    queue.add(turn(1), 1000);
    expect(queue.ready(5000, 60_000, 5)).toEqual([]);
    queue.add(turn(1), 50_000);
    expect(queue.ready(61_000, 60_000, 5)).toEqual([]);
    expect(queue.nextDue(60_000)).toBe(110_000);
    expect(names(queue.ready(110_000, 60_000, 5))).toEqual(['t1']);
  });

  it('gives a claimed turn to nobody else, and to the next leader when its holder is gone', () => {
    const values = new Values();
    const queue = values.open(1);
    values.apply(queue.add(turn(1), 0));
    const claimed = queue.ready(0, 0, 5);
    values.apply(queue.claim(claimed));
    expect(queue.ready(0, 0, 5)).toEqual([]);
    expect(names(values.open(2).ready(0, 0, 5))).toEqual(['t1']);
  });

  it('asks once more about a turn that changed while it was read', () => {
    const queue = new Values().open(1);
    queue.add(turn(1), 0);
    const claimed = queue.ready(0, 0, 5);
    queue.claim(claimed);
    queue.add(turn(1), 10);
    queue.done(claimed);
    expect(names(queue.ready(10, 0, 5))).toEqual(['t1']);
  });

  it('gives up after four tries, each later than the last, and takes it back when asked to', () => {
    const values = new Values();
    let queue = values.open(1);
    values.apply(queue.add(turn(1), 0));
    values.apply(queue.add(turn(2), 0));
    let now = 0;
    const waits: number[] = [];
    for (let i = 0; i < MAX_ATTEMPTS; i++) {
      const [first] = queue.ready(now, 0, 5).filter((one) => one.turn_id === 't1');
      if (!first) throw new Error('not ready');
      values.apply(queue.claim([first]));
      values.apply(queue.fail([first], now));
      queue = values.open(i + 2);
      values.apply(queue.done(queue.ready(now, 0, 5).filter((one) => one.turn_id === 't2')));
      const due = queue.nextDue(0);
      if (due !== undefined) waits.push(due - now);
      now = due ?? now;
    }
    expect(waits).toEqual([...waits].sort((a, b) => a - b));
    expect([queue.pending, queue.failed]).toEqual([0, 1]);
    expect(queue.ready(now + 1e9, 0, 5)).toEqual([]);
    const { turns, mutations } = queue.retry();
    values.apply(mutations);
    expect(turns).toBe(1);
    expect(names(values.open(9).ready(now, 0, 5))).toEqual(['t1']);
  });

  it('counts a try that brought the process down', () => {
    const values = new Values();
    values.apply(values.open(1).add(turn(1), 0));
    for (let epoch = 1; epoch <= MAX_ATTEMPTS; epoch++) {
      const queue = values.open(epoch);
      const ready = queue.ready(1e9, 0, 5);
      expect(ready[0]?.attempts).toBe(epoch - 1);
      values.apply(queue.claim(ready));
    }
  });

  it('lets a turn that failed go alone, and others together', () => {
    const queue = new Values().open(1);
    for (const n of [1, 2, 3, 4]) queue.add(turn(n), 0);
    const batch = queue.ready(0, 0, 2);
    expect(names(batch)).toEqual(['t1', 't2']);
    queue.claim(batch);
    queue.fail(batch, 0);
    expect(names(queue.ready(0, 0, 5))).toEqual(['t3', 't4']);
    expect(names(queue.ready(1e9, 0, 5))).toEqual(['t1']);
  });

  it('never holds more than its bound', () => {
    const values = new Values();
    const queue = values.open(1);
    for (let n = 0; n < QUEUE_MAX + 50; n++) values.apply(queue.add(turn(n), n));
    expect(queue.pending).toBe(QUEUE_MAX);
    expect(values.map.size).toBe(QUEUE_MAX + 1);
    expect(values.open(2).ready(1e9, 0, 1)[0]?.turn_id).toBe('t50');
  });
});
