import { ApiError } from '../../contract/local-api';
import { recordId } from '../../contract/ids';
import { LIMITS } from '../../contract/limits';
import type { MemoryRecord, ObservationType } from '../../contract/memory-record';
import { cutCodePoints } from '../../text/cut';
import { matchesFilter } from '../record-filter';
import type { Collector } from '../collector';
import type { Methods } from './method-table';

const BY_RANK = 500;

/** Records: list, look at, change, and take away. */
export function memoryMethods(
  collector: Collector,
): Methods<
  | 'listMemories'
  | 'getMemory'
  | 'editMemory'
  | 'pinMemories'
  | 'forgetMemories'
  | 'restoreMemories'
  | 'eraseMemories'
  | 'undo'
  | 'remember'
> {
  const { store } = collector.deps;
  const { records } = collector;
  return {
    listMemories: (params) => {
      if (!params.query?.trim()) return store.records.list(params);
      const namespaces = params.namespace ? [params.namespace] : store.projects.all().map((p) => p.namespace);
      const ranked = collector.recall.search({
        namespaces,
        text: params.query,
        limit: BY_RANK,
        includeStale: true,
        floor: false,
      });
      const matching = ranked.map(({ record }) => record).filter((record) => matchesFilter(record, params));
      return { items: matching.slice(params.offset, params.offset + params.limit), total: matching.length };
    },
    getMemory: ({ record_id }) => {
      const record = store.records.get(record_id) ?? null;
      return {
        record,
        history: store.records.history(record_id),
        evidence: (record?.evidence ?? []).flatMap(({ event_id }) => store.events.rowOf(event_id) ?? []),
      };
    },
    editMemory: ({ record_id, title, summary, facts }) =>
      records.change([record_id], 'edited', (record) => ({
        ...record,
        ...(title === undefined ? {} : { title: clean(title, LIMITS.titleChars) }),
        ...(summary === undefined ? {} : { summary: clean(summary, LIMITS.summaryChars) }),
        ...(facts === undefined
          ? {}
          : { facts: facts.slice(0, LIMITS.facts).map((fact) => clean(fact, LIMITS.factChars)) }),
      })),
    pinMemories: ({ record_ids, pinned }) =>
      records.change(record_ids, pinned ? 'pinned' : 'unpinned', (record) =>
        record.pinned === pinned ? undefined : { ...record, pinned },
      ),
    forgetMemories: ({ record_ids, filter }) => {
      if (!record_ids && !filter) throw new ApiError('bad_request', 'Name the memories or a filter.');
      const ids = record_ids ?? records.idsOf(filter ?? {});
      return records.change(ids, 'forgotten', (record) =>
        record.status === 'forgotten' ? undefined : { ...record, status: 'forgotten' },
      );
    },
    restoreMemories: ({ record_ids }) =>
      records.change(record_ids, 'restored', (record) =>
        record.status === 'current' ? undefined : restored(record),
      ),
    eraseMemories: async ({ record_ids, with_events }) => {
      const found = store.records.byIds(record_ids);
      const eventIds = with_events
        ? [...new Set(found.flatMap((record) => record.evidence.map((item) => item.event_id)))]
        : [];
      const hashes = found.map((record) => collector.erasureHash(record));
      await store.commit([
        { op: 'erase_records', record_ids: found.map((record) => record.record_id), keyed_hashes: hashes },
        ...(eventIds.length > 0 ? [{ op: 'erase_events' as const, event_ids: eventIds }] : []),
      ]);
      for (const record of found) collector.index.remove(record.record_id);
      collector.resync();
      return { erased: found.length, events_erased: eventIds.length };
    },
    undo: ({ change_ids }) => records.undo(change_ids),
    remember: async ({ text, workspace, file, observation_type }) => {
      const project = await collector.deps.resolver.resolve({ path: workspace });
      const record = rememberedRecord(collector, project.namespace, text, file, observation_type);
      await records.create(record);
      return { record_id: record.record_id };
    },
  };

  function clean(text: string, max: number): string {
    return cutCodePoints(collector.scrub(text), max);
  }
}

function restored(record: MemoryRecord): MemoryRecord {
  const { superseded_by: _successor, valid_to: _end, ...rest } = record;
  return { ...rest, status: 'current' };
}

function rememberedRecord(
  collector: Collector,
  namespace: string,
  text: string,
  file: string | undefined,
  type: ObservationType,
): MemoryRecord {
  const clean = collector.scrub(text).trim();
  if (!clean) throw new ApiError('bad_request', 'Nothing is left of this text once private parts are gone.');
  const now = collector.deps.clock.now();
  const at = new Date(now).toISOString();
  const [firstLine = ''] = clean.split('\n');
  return {
    record_id: recordId(now, `${namespace}:user:${clean}`),
    namespace,
    session_id: 'user',
    observation_type: type,
    title: cutCodePoints(firstLine, LIMITS.titleChars) || 'Note',
    summary: cutCodePoints(clean, LIMITS.summaryChars),
    facts: [],
    concepts: [],
    files_touched: file ? [cutCodePoints(file, LIMITS.fileChars)] : [],
    evidence: [],
    strategy: 'user',
    origin: 'user_words',
    importance: 0.9,
    status: 'current',
    valid_from: at,
    pinned: false,
    recurrence: 1,
    created_at: at,
    updated_at: at,
    recall_count: 0,
  };
}
