import type { MemoryRecord } from '../contract/memory-record';
import { neutraliseForDisplay } from '../text/unicode';

/** Bytes of UTF-8 and an estimate of model tokens. */
export interface Size {
  bytes: number;
  tokens: number;
}

const OPEN = '<kiro-learn-context source="kiro-learn" key="';
const CLOSE = '</kiro-learn-context>';
const LEAD =
  'Project notes recorded earlier by the kiro-learn extension; reference only, the workspace wins.';

/** Four characters a token, one and a half where the script has no spaces. */
export function estimateTokens(text: string): number {
  let wide = 0;
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) >= 0x2e80) wide++;
  return Math.ceil((text.length - wide) / 4 + wide / 1.5);
}

export function sizeOf(text: string): Size {
  return { bytes: Buffer.byteLength(text, 'utf8'), tokens: estimateTokens(text) };
}

/**
 * Text of a record as data: on one line, well formed, without invisible characters, and without anything
 * that looks like a tag of ours or of the host (pains 91, 92, 100).
 */
export function asData(text: string): string {
  return neutraliseForDisplay(text)
    .replace(/<(?=\s*[/!?]|[a-z]|\s+(?:kiro|hook))/gi, '‹')
    .replace(/\s+/g, ' ')
    .trim();
}

const VERB: Record<MemoryRecord['observation_type'], string> = {
  decision: 'decided',
  error: 'error seen',
  discovery: 'found',
  pattern: 'pattern noted',
  preference: 'user preferred',
  tool_use: 'done',
  session_summary: 'session ended',
};

function day(iso: string): string {
  return iso.slice(0, 10);
}

/** Where the note came from: its session and the file or command. */
function source(record: MemoryRecord): string {
  const session = record.session_title
    ? `session "${asData(record.session_title)}"`
    : `session ${asData(record.session_id)}`;
  const files = record.files_touched.slice(0, 3).map(asData);
  const more = record.files_touched.length > 3 ? ` and ${record.files_touched.length - 3} more` : '';
  return files.length > 0 ? `${session}; ${files.join(', ')}${more}` : session;
}

/** Parts that say nothing beyond another part are left out; of two that are alike the first stays. */
function withoutRepeats(parts: readonly string[]): string[] {
  const words = parts.map(wordsOf);
  return parts.filter((_, i) =>
    words.every((other, k) => {
      const own = words[i] as Set<string>;
      if (k === i || ![...own].every((word) => other.has(word))) return true;
      return own.size === other.size && i < k;
    }),
  );
}

function wordsOf(text: string): Set<string> {
  const bare = text.toLowerCase().replace(/\s*(?:…|\.\.\.)$/, '');
  return new Set(bare.split(/[\s.,;:!?。、()"'‹›]+/).filter((word) => word !== ''));
}

/** One record on one line: date, type, what was noted, source, id. */
export function recordLine(record: MemoryRecord): string {
  const verb =
    record.status === 'superseded'
      ? `${VERB[record.observation_type]} (replaced later)`
      : VERB[record.observation_type];
  const said = [record.title, record.summary, ...record.facts].map(asData).filter((part) => part !== '');
  const text = withoutRepeats(said)
    .map((part) => (/[.!?。!?]$/.test(part) ? part : `${part}.`))
    .join(' ');
  return `- ${verb} ${day(record.valid_from)}: ${text} [${source(record)}; ${record.record_id}]`;
}

/** The whole block for these lines; empty where there are none. */
export function contextBlock(lines: readonly string[], key: string): string {
  if (lines.length === 0) return '';
  return [`${OPEN}${key.replace(/[^A-Za-z0-9_-]/g, '')}">`, LEAD, ...lines, CLOSE].join('\n');
}
