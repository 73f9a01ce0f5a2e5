/** The most of a prompt that is looked at, in UTF-16 units: half from each end of what is longer. */
const MAX_PROMPT = 1_000_000;
/** The most of what is left that is read for words. */
const MAX_KEPT = 32_000;

const FRAME = /^\s*(?:at\s+.+[(:]|File ".+", line \d+|\d+:\s+0x|#\d+\s+0x|goroutine \d+)/;
const FOREIGN_FRAME = /node_modules|node:|<anonymous>|site-packages|\/lib\/|\/usr\/|internal\//;
const TIMESTAMP =
  /\b\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?|\[?\b\d{2}:\d{2}:\d{2}(?:[.,]\d+)?\]?/g;
const RANDOM = /\b(?:0x)?[0-9a-f]{16,}\b|\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi;
const COUNTER = /\b(?=[a-z]*\d)[0-9a-f]+(?:ms|s|kb|mb)?\b/gi;

/**
 * What of a prompt is worth searching for: stack frames of other people's code, times of log lines, hashes
 * and lines that differ from an earlier one in numbers alone go; what is still long is read at both ends.
 */
export function pruneLog(text: string): string {
  const bounded = bothEnds(text, MAX_PROMPT);
  const lines = bounded.split('\n');
  if (lines.length < 3) return bothEnds(bounded, MAX_KEPT);
  const seen = new Set<string>();
  const kept: string[] = [];
  for (const line of lines) {
    if (FRAME.test(line) && FOREIGN_FRAME.test(line)) continue;
    const plain = line.replace(TIMESTAMP, ' ').replace(RANDOM, ' ');
    const shape = lines.length > 20 ? plain.replace(COUNTER, '0') : plain;
    if (seen.has(shape)) continue;
    seen.add(shape);
    kept.push(plain);
  }
  return bothEnds(kept.join('\n'), MAX_KEPT);
}

function bothEnds(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most / 2)}\n${text.slice(-most / 2)}` : text;
}
