import type { SavedMemory } from '../project-memory';

/** What a model is told about a note that it saved. */
export function describeSaved({ record_id, outcome, waits }: SavedMemory): string {
  const what = {
    created: `Kept as [${record_id}].`,
    reinforced: `A note that says the same was there and counts for more now: [${record_id}].`,
    known: `Kept already as [${record_id}].`,
  }[outcome];
  return waits ? `${what} It waits on disk until an IDE window takes it in; searches find it already.` : what;
}
