/** The most of a prompt that is read for words, in UTF-16 units: half from each end of what is longer. */
const MAX_PROMPT = 48_000;

const FRAME = /^\s*(?:at\s+.+[(:]|File ".+", line \d+|\d+:\s+0x|#\d+\s+0x|goroutine \d+)/;
const FOREIGN_FRAME = /node_modules|node:|<anonymous>|site-packages|\/lib\/|\/usr\/|internal\//;
const TIMESTAMP =
  /\b\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?|\[?\b\d{2}:\d{2}:\d{2}(?:[.,]\d+)?\]?/g;
const RANDOM = /\b(?:0x)?[0-9a-f]{16,}\b|\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi;

/**
 * What of a prompt is worth searching for: stack frames of other people's code, times of log lines, hashes
 * and repeated lines go; a paste of a megabyte is read at both ends.
 */
export function pruneLog(text: string): string {
  const bounded =
    text.length > MAX_PROMPT ? `${text.slice(0, MAX_PROMPT / 2)}\n${text.slice(-MAX_PROMPT / 2)}` : text;
  const lines = bounded.split('\n');
  if (lines.length < 3) return bounded;
  const seen = new Set<string>();
  const kept: string[] = [];
  for (const line of lines) {
    if (FRAME.test(line) && FOREIGN_FRAME.test(line)) continue;
    const plain = line.replace(TIMESTAMP, ' ').replace(RANDOM, ' ');
    const shape = plain.replace(/\d+/g, '0');
    if (seen.has(shape)) continue;
    seen.add(shape);
    kept.push(plain);
  }
  return kept.join('\n');
}
