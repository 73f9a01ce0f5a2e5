import type { MemoryRecord } from '../../contract/memory-record';
import { asData } from '../../recall/context';
import { cutCodePoints } from '../../text/cut';
import type { MemoryDetails } from '../project-memory';

const PREVIEW = 180;
const HISTORY = 10;

/** Said above every list: what follows is data (pains 91, 92). */
export const REFERENCE =
  'Project notes recorded earlier by the kiro-learn extension; reference only, the workspace wins.';

/** One record of an index: id, date, kind, title, a glance at the text, where it came from. */
export function indexEntry(record: MemoryRecord): string {
  const head = `[${record.record_id}] ${day(record.valid_from)} ${kind(record)}: ${asData(record.title)}`;
  const glance = cutCodePoints(asData(record.summary), PREVIEW, '…');
  return [
    head,
    ...(glance && glance !== asData(record.title) ? [glance] : []),
    `source: ${sourceOf(record)}`,
  ].join('\n    ');
}

/** All of one record, with the evidence that it rests on. */
export function fullRecord({ record, history, evidence }: MemoryDetails): string {
  const lines = [
    `[${record.record_id}] ${kind(record)}: ${asData(record.title)}`,
    `valid from ${record.valid_from}${record.valid_to ? ` to ${record.valid_to}` : ''}; learned ${record.recurrence} times; by ${record.strategy} from ${record.origin}`,
    `source: ${sourceOf(record)}${record.branch ? `; branch ${asData(record.branch)}` : ''}`,
  ];
  if (record.superseded_by) lines.push(`replaced by: ${record.superseded_by}`);
  if (record.summary) lines.push('', asData(record.summary));
  lines.push(...record.facts.map((fact) => `- ${asData(fact)}`));
  if (record.concepts.length > 0) lines.push(`names: ${record.concepts.map(asData).join(', ')}`);
  if (record.files_touched.length > 0) lines.push(`files: ${record.files_touched.map(asData).join(', ')}`);
  if (record.evidence.length > 0) lines.push('evidence:');
  for (const { event_id, excerpt } of record.evidence) {
    const row = evidence.find((candidate) => candidate.event_id === event_id);
    const what = row
      ? `${row.valid_time} ${row.kind}${row.tool_name ? ` ${asData(row.tool_name)}` : ''}`
      : 'event';
    lines.push(`- ${what} ${event_id}: "${asData(excerpt)}"`);
  }
  const changes = history.slice(0, HISTORY).map(({ at, change }) => `${change} ${at}`);
  if (changes.length > 1) lines.push(`history: ${changes.join('; ')}`);
  return lines.join('\n');
}

function kind(record: MemoryRecord): string {
  const state = record.status === 'current' ? '' : ` (${record.status})`;
  return `${record.observation_type}${state}${record.pinned ? ' (pinned)' : ''}`;
}

function sourceOf(record: MemoryRecord): string {
  const session = record.session_title
    ? `session "${asData(record.session_title)}"`
    : `session ${asData(record.session_id)}`;
  const files = record.files_touched.slice(0, 3).map(asData);
  const more = record.files_touched.length > 3 ? ` and ${record.files_touched.length - 3} more` : '';
  return files.length > 0 ? `${session}; ${files.join(', ')}${more}` : session;
}

function day(iso: string): string {
  return iso.slice(0, 10);
}
