import { describe, expect, it } from 'vitest';
import { runElection } from '../../eval/election/election';

describe('election', () => {
  it.each([
    { start: 'stale', jitterMs: 0 },
    { start: 'fresh', jitterMs: 8 },
    { start: 'stale', jitterMs: 8 },
    { start: 'fresh', jitterMs: 4, apart: true },
  ] as const)('has one leader in each round: %j', async (options) => {
    const result = await runElection({ ...options, rounds: 8, processes: 5 });
    expect(result).toMatchObject({ double_leaders: 0, no_leader: 0, wrong_leader: 0, errors: 0 });
  });
});
