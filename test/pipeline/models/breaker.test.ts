import { describe, expect, it } from 'vitest';
import { Breaker } from '../../../src/pipeline/models/breaker';

describe('Breaker', () => {
  it('opens after three failures, lets one try through, and heals by itself', () => {
    const breaker = new Breaker();
    let now = 1_000_000;
    for (let i = 0; i < 3; i++) {
      expect(breaker.allows(now)).toBe(true);
      breaker.failed(now);
      now = breaker.retryAt(now) ?? now;
    }
    const opened = breaker.retryAt(now - 1) ?? 0;
    expect(breaker.allows(opened - 1)).toBe(false);
    expect(breaker.allows(opened)).toBe(true);
    // Half open: no second try while the first one runs.
    expect(breaker.allows(opened + 1)).toBe(false);
    breaker.succeeded();
    expect(breaker.allows(opened + 2)).toBe(true);
    expect(breaker.allows(opened + 3)).toBe(true);
  });

  it('waits longer each time, but never longer than a quarter of an hour', () => {
    const breaker = new Breaker();
    let now = 0;
    const waits: number[] = [];
    for (let i = 0; i < 20; i++) {
      expect(breaker.allows(now)).toBe(true);
      breaker.failed(now);
      const at = breaker.retryAt(now) ?? now;
      waits.push(at - now);
      now = at;
    }
    expect(waits).toEqual([...waits].sort((a, b) => a - b));
    expect(Math.max(...waits)).toBe(15 * 60_000);
  });
});
