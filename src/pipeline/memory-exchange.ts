import { z } from 'zod';
import { ApiError } from '../contract/local-api';
import { memoryRecordSchema, type MemoryRecord } from '../contract/memory-record';
import { recordId } from '../contract/ids';
import type { Collector } from './collector';

const exportSchema = z.object({
  kiro_learn_export: z.literal(1),
  exported_at: z.string(),
  records: z.array(z.unknown()),
});

/** Memories as text: JSON that can be imported again, or Markdown to read. Scrubbed once more on the way out. */
export function exportMemories(
  collector: Collector,
  namespace: string | undefined,
  format: 'json' | 'markdown',
): { text: string; records: number } {
  const records = collector.deps.store.records
    .list({
      ...(namespace ? { namespace } : {}),
      statuses: ['current', 'superseded'],
      limit: 100_000,
      offset: 0,
    })
    .items.sort((a, b) => a.valid_from.localeCompare(b.valid_from));
  const text = format === 'json' ? asJson(collector, records) : asMarkdown(records);
  return { text: collector.scrubOut(text), records: records.length };
}

function asJson(collector: Collector, records: readonly MemoryRecord[]): string {
  const exportedAt = new Date(collector.deps.clock.now()).toISOString();
  return JSON.stringify({ kiro_learn_export: 1, exported_at: exportedAt, records }, null, 2);
}

function asMarkdown(records: readonly MemoryRecord[]): string {
  const parts = records.map((record) => {
    const head = `## ${record.title}\n\n${record.valid_from.slice(0, 10)} · ${record.observation_type} · ${record.record_id}`;
    const state =
      record.status === 'superseded' ? ` · superseded by ${record.superseded_by ?? 'a later one'}` : '';
    const facts = record.facts.map((fact) => `- ${fact}`).join('\n');
    const files = record.files_touched.length > 0 ? `Files: ${record.files_touched.join(', ')}` : '';
    return [head + state, record.summary, facts, files].filter(Boolean).join('\n\n');
  });
  return `# Project memories\n\n${parts.join('\n\n')}\n`;
}

/**
 * Takes an export in. Each record is validated on its own and lands in the project of `workspace`; an
 * import can't pin and can't claim the user's words. Known and erased records are passed over.
 */
export async function importMemories(
  collector: Collector,
  text: string,
  workspace: string,
): Promise<{ added: number; skipped: number }> {
  const parsed = exportSchema.safeParse(parseJson(text));
  if (!parsed.success) {
    throw new ApiError('bad_request', 'This is not an export of kiro-learn. Nothing was imported.');
  }
  const { namespace } = await collector.deps.resolver.resolve({ path: workspace });
  let added = 0;
  for (const item of parsed.data.records) {
    const record = memoryRecordSchema.safeParse(item);
    if (!record.success) continue;
    if (await importOne(collector, record.data, namespace)) added++;
  }
  return { added, skipped: parsed.data.records.length - added };
}

async function importOne(collector: Collector, source: MemoryRecord, namespace: string): Promise<boolean> {
  const { store, clock } = collector.deps;
  const id =
    source.namespace === namespace
      ? source.record_id
      : recordId(Date.parse(source.valid_from), `${namespace}:import:${source.record_id}`);
  if (store.records.get(id) || store.records.isErased(collector.erasureHash({ ...source, namespace })))
    return false;
  const at = new Date(clock.now()).toISOString();
  const { superseded_by: _successor, ...rest } = source;
  await collector.records.create({
    ...rest,
    record_id: id,
    namespace,
    title: collector.scrub(source.title),
    summary: collector.scrub(source.summary),
    facts: source.facts.map((fact) => collector.scrub(fact)),
    strategy: 'import',
    origin: 'import',
    pinned: false,
    created_at: at,
    updated_at: at,
    recall_count: 0,
  });
  return true;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
