import { pathsIn } from './paths';

export type LiteralKind = 'path' | 'command' | 'number' | 'quote';

export interface Literal {
  kind: LiteralKind;
  value: string;
}

const CODE = /`([^`\n]{2,400})`/g;
const QUOTE = /"([^"\n]{2,300})"|“([^”\n]{2,300})”|„([^“”"\n]{2,300})[“”"]/g;
const NUMBER = /(?<![\p{L}\p{N}_.])\d+(?:[.,:]\d+)*(?![\p{L}\p{N}_]*[-_.]?\p{L}{20})/gu;

/** What in `text` must be found in a source word for word: paths, code and commands, numbers, quotes. */
export function literalsIn(text: string): Literal[] {
  const found: Literal[] = [];
  for (const path of pathsIn(text)) found.push({ kind: 'path', value: path });
  for (const match of text.matchAll(CODE)) found.push({ kind: 'command', value: match[1] ?? '' });
  for (const match of text.matchAll(QUOTE)) {
    found.push({ kind: 'quote', value: match[1] ?? match[2] ?? match[3] ?? '' });
  }
  for (const match of text.matchAll(NUMBER)) found.push({ kind: 'number', value: match[0] });
  return found.filter((literal) => literal.value.trim() !== '');
}

/** True where `source` holds the literal; white space counts as one space, separators of paths as `/`. */
export function holdsLiteral(source: string, literal: Literal): boolean {
  if (source.includes(literal.value)) return true;
  if (literal.kind === 'path') {
    return (
      /[\\/]/.test(literal.value) && source.replace(/\\/g, '/').includes(literal.value.replace(/\\/g, '/'))
    );
  }
  return /\s/.test(literal.value) && squash(source).includes(squash(literal.value));
}

function squash(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** True where a text says something that can be looked up: a name, a number, a path, code. */
export function isSpecific(text: string): boolean {
  return (
    literalsIn(text).length > 0 ||
    /\p{Ll}\p{Lu}|\p{L}[_/]\p{L}|\p{L}\.\p{L}{2,}|\p{Lu}{2,}|\p{L}\d|(?<=\S\s)\p{Lu}\p{Ll}+/u.test(text)
  );
}

const ERROR_WORD =
  /\b(?:errors?|exceptions?|fail(?:ed|ure|s)?|panic(?:ked)?|fatal|denied|refused|cannot|can't|unable|undefined|not (?:found|permitted|allowed|defined|a function|up to date)|no such|missing|unknown|invalid|unexpected|unsupported|conflict|timed? ?out|timeout|deadlock|overflow|underflow|out of (?:bounds|range)|forbidden|unauthorized|aborted|already (?:in use|exists)|mismatch|fehler|fehlgeschlagen|nicht gefunden|not assignable|unresolved|out of memory|killed|segfault|segmentation)\b/i;
const ERROR_CODE =
  /\b(?:E[A-Z]{3,}|[A-Z][A-Z0-9]*_(?:[A-Z0-9]+_?)+|(?:TS|E|F|W|C|CS|SQLSTATE |ORA-|HTTP )\d{3,5}|(?<![\w-])\d{2}[A-Z]\d{2}(?![\w:])|[A-Z]\w*(?:Error|Exception)|(?<![\d.:=/-])(?:40[0-9]|4(?:09|1\d|2\d)|50[0-4])(?![\d.:]))\b/;
const DETAIL =
  /^\s*(?:code|detail|hint|caused by|reason|expected|received|actual|got|want|left|right|assert\w*|[-+] (?:expected|received)|E\s{2,})\b/i;
const ROUTINE =
  /^\s*(?:Output:|Exit Code:.*|at .+|=*\s*(?:\d+ (?:passing|passed|failed|failing|skipped|errors?|warnings?)[, ]*)+(?:in [\d.]+m?s)?\s*=*|Test(?: File)?s? .*|npm (?:error|ERR!) (?:A complete log|code\b).*|.*\.log$|error Command failed.*|\^+~*|[=─-]{3,}.*)\s*$/i;

/** Names a test, or one side of a comparison. */
const COMPARES = /^\s*(?:FAIL|[-+]?\s*(?:expected|received|actual|got|want|left|right)\b)/i;

/** A runner's summary line names the test before what it died of: `FAILED tests/a.py::test_b - ValueError: …`. */
const TEST_NAME =
  /^(?:Output:\s*)?(?:FAILED|ERROR) \S{1,200} - (?=[A-Z]\w*(?:Error|Exception|Warning|Timeout)\b)/;

const TAIL_LINES = 400;
const LINE_MAX = 240;

/** The lines of a failed call's output that say what went wrong, at most three, in order. */
export function errorLines(output: string): string[] {
  const lines = output.slice(-65_536).split(/\r?\n/).slice(-TAIL_LINES);
  const scored = lines
    .map((line, index) => ({
      line: line
        .trim()
        .replace(/^E\s{2,}/, '')
        .replace(TEST_NAME, ''),
      index,
      score: Math.max(errorScore(line), announced(lines, index)),
    }))
    .filter((entry) => entry.score > 0 && entry.line.length > 3);
  scored.sort((a, b) => b.score - a.score || a.index - b.index);
  const kept: typeof scored = [];
  for (const entry of scored) {
    if (kept.length === 3) break;
    if (kept.some((other) => other.line.includes(entry.line))) continue;
    kept.push(entry);
  }
  kept.sort((a, b) => a.index - b.index);
  return kept.map((entry) => cutLine(entry.line));
}

/** The line after one that ends in a colon is what it announces. */
function announced(lines: readonly string[], index: number): number {
  const before = lines[index - 1] ?? '';
  return /:\s*$/.test(before) && (lines[index] ?? '').trim().length > 8 ? errorScore(before) : 0;
}

function errorScore(line: string): number {
  if (line.length > 2000 || ROUTINE.test(line)) return 0;
  let score = 0;
  if (ERROR_CODE.test(line)) score += 3;
  if (ERROR_WORD.test(line)) score += 2;
  if (DETAIL.test(line)) score += 1.5;
  if (/^\s*(?:FAIL|FAILED|✗|✕|×|--- FAIL)/.test(line)) score -= 0.5;
  if (/\b0 (?:errors|failures|failed)\b/i.test(line)) score = 0;
  return score;
}

function cutLine(line: string): string {
  if (line.length <= LINE_MAX) return line;
  const cut = line.slice(0, LINE_MAX);
  const space = cut.lastIndexOf(' ');
  return space > LINE_MAX / 2 ? cut.slice(0, space) : cut;
}

/** Whether an error line names a code, an exception or a cause, rather than two values that differ. */
export function isTellingError(lines: readonly string[]): boolean {
  return lines.some((line) => (ERROR_CODE.test(line) || ERROR_WORD.test(line)) && !COMPARES.test(line));
}
