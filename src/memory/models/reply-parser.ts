import { parse as parseLenient, type ParseError } from 'jsonc-parser';
import { repairText } from '../../text/unicode';

/** A record as a model wrote it, whatever of it could be read. */
export interface ModelRecord {
  type: string;
  title: string;
  summary: string;
  facts: string[];
  concepts: string[];
  files: string[];
  /** Numbers of entries, or ids of events, as they were given. */
  evidence: (number | string)[];
}

export interface ParsedReply {
  records: ModelRecord[];
  /** A list was there, whether or not something was in it: an empty one is an answer. */
  answered: boolean;
}

/** What is read of a reply; the rest is a model that does not stop. */
const MAX_CHARS = 200_000;
const MAX_RECORDS = 40;
const MAX_OBJECTS = 500;
/** Longer values are looked for inside: every step of the search stays bounded. */
const MAX_SPAN = 40_000;
const MAX_LIST = 60;
const MAX_TEXT = 8000;

const LIST_KEYS = ['records', 'memories', 'observations', 'items'];

/**
 * Reads a model's reply: JSON with or without fences, words around it, a list or single objects, cut off at any
 * place, with trailing commas or comments. Each record stands for itself: one that can't be read costs no other
 * (pains 108 to 110).
 */
export function parseReply(reply: string): ParsedReply {
  const text = withoutThoughts(reply).slice(0, MAX_CHARS);
  const found: ParsedReply = { records: [], answered: false };
  let looked = 0;
  let at = nextStart(text, 0);
  while (at >= 0 && looked++ < MAX_OBJECTS && found.records.length < MAX_RECORDS) {
    const end = balancedEnd(text, at);
    const value = end === undefined ? undefined : readJson(text.slice(at, end));
    const taken = value !== undefined && take(value, found);
    // What is not ours as a whole may hold records inside: a list that was cut, an object that is broken.
    at = nextStart(text, taken && end !== undefined ? end : at + 1);
  }
  found.records.splice(MAX_RECORDS);
  return found;
}

function withoutThoughts(text: string): string {
  return text.replace(/<(think(?:ing)?)>[\s\S]*?<\/\1>/gi, ' ');
}

function nextStart(text: string, from: number): number {
  const brace = text.indexOf('{', from);
  const bracket = text.indexOf('[', from);
  return brace < 0 ? bracket : bracket < 0 ? brace : Math.min(brace, bracket);
}

/** Where the value that begins at `start` ends; undefined where it never does. */
function balancedEnd(text: string, start: number): number | undefined {
  let depth = 0;
  let inString = false;
  const stop = Math.min(text.length, start + MAX_SPAN);
  for (let i = start; i < stop; i++) {
    const char = text[i];
    if (inString) {
      if (char === '\\') i++;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === '{' || char === '[') depth++;
    else if (char === '}' || char === ']') {
      depth--;
      if (depth === 0) return i + 1;
    }
    if (depth > 64) return undefined;
  }
  return undefined;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const errors: ParseError[] = [];
    const value: unknown = parseLenient(text, errors, { allowTrailingComma: true });
    return value;
  }
}

/** Takes the records of a value; false where it is not of our form. */
function take(value: unknown, found: ParsedReply): boolean {
  if (Array.isArray(value)) {
    const records = value.map(recordOf).filter((record) => record !== undefined);
    if (value.length > 0 && records.length === 0) return false;
    found.answered = true;
    found.records.push(...records);
    return true;
  }
  if (!isObject(value)) return false;
  for (const key of LIST_KEYS) {
    const list = value[key];
    if (Array.isArray(list)) {
      found.answered = true;
      found.records.push(...list.map(recordOf).filter((record) => record !== undefined));
      return true;
    }
  }
  const record = recordOf(value);
  if (!record) return false;
  found.answered = true;
  found.records.push(record);
  return true;
}

function recordOf(value: unknown): ModelRecord | undefined {
  if (!isObject(value)) return undefined;
  const record: ModelRecord = {
    type: textOf(value, ['type', 'observation_type', 'kind', 'category']).toLowerCase(),
    title: textOf(value, ['title', 'name', 'headline']),
    summary: textOf(value, ['summary', 'description', 'text', 'content', 'details']),
    facts: listOf(value, ['facts', 'fact', 'details']),
    concepts: listOf(value, ['concepts', 'tags', 'keywords']),
    files: listOf(value, ['files', 'files_touched', 'paths']),
    evidence: evidenceOf(value),
  };
  return record.title || record.summary ? record : undefined;
}

function textOf(value: Record<string, unknown>, keys: readonly string[]): string {
  for (const key of keys) {
    const item = value[key];
    if (typeof item === 'string' && item.trim() !== '') return repairText(item.trim().slice(0, MAX_TEXT));
  }
  return '';
}

function listOf(value: Record<string, unknown>, keys: readonly string[]): string[] {
  for (const key of keys) {
    const item = value[key];
    if (typeof item === 'string' && item.trim() !== '' && key !== 'details')
      return [item.trim().slice(0, MAX_TEXT)];
    if (!Array.isArray(item)) continue;
    return item
      .slice(0, MAX_LIST)
      .flatMap((one) => (typeof one === 'string' || typeof one === 'number' ? [String(one).trim()] : []))
      .filter((one) => one !== '')
      .map((one) => repairText(one.slice(0, MAX_TEXT)));
  }
  return [];
}

function evidenceOf(value: Record<string, unknown>): (number | string)[] {
  const given = ['evidence', 'sources', 'source_event_ids', 'source', 'entries', 'refs']
    .map((key) => value[key])
    .find((item) => item !== undefined);
  const items: unknown[] = Array.isArray(given) ? given.slice(0, MAX_LIST) : [given];
  return items.flatMap((item: unknown): (number | string)[] => {
    if (typeof item === 'number') return Number.isInteger(item) ? [item] : [];
    if (typeof item !== 'string') return [];
    if (/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(item.trim())) return [item.trim()];
    return [...item.matchAll(/\d{1,6}/g)].slice(0, MAX_LIST).map((match) => Number(match[0]));
  });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
