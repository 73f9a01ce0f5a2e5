import { distractors } from '../retrieval/distractors';

export const HOOK_BENCH_RECORDS = 10_000;
export const HOOK_BENCH_SEED = 31;

/** Questions that records of the bench's store answer. */
export function hookPrompts(count: number): string[] {
  const records = distractors(HOOK_BENCH_RECORDS, HOOK_BENCH_SEED);
  return Array.from({ length: count }, (_, index) => {
    const record = records[(index * 977) % records.length];
    return `why was ${record?.title.toLowerCase() ?? 'that'}, and where is ${record?.concepts.join(' ') ?? 'it'}?`;
  });
}
