import type { SecretSpan } from './assignment';
import { SecretScanner } from './scanner';

/** After so many findings in one text the whole text goes: it is a dump. */
export const MAX_FINDINGS = 1000;
export const TOO_MANY_MARK = '[REDACTED:too-many-secrets]';

// Every round leaves less to find; more than three are rare.
const ROUNDS = 16;

export interface Redaction {
  text: string;
  /** How many secrets were replaced. */
  findings: number;
  /** Their kinds, each once, sorted. */
  kinds: string[];
}

/** A {@link Redaction} and the values that were replaced; never to be stored or logged. */
export interface RevealingRedaction extends Redaction {
  values: string[];
  /** The kind of each of `values`. */
  kindOf: string[];
}

/** The mark that stands for a secret of `kind`. */
export function redactionMark(kind: string): string {
  return `[REDACTED:${kind}]`;
}

/** Finds secrets in text and puts `[REDACTED:<kind>]` in their place. Pure; linear in the length of the text. */
export class Redactor {
  readonly #maxFindings: number;

  constructor(options: { maxFindings?: number } = {}) {
    this.#maxFindings = options.maxFindings ?? MAX_FINDINGS;
  }

  /**
   * `text` without its secrets. Above the cap on findings the whole text becomes
   * `[REDACTED:too-many-secrets]`. Idempotent.
   */
  redact(text: string): Redaction {
    const { text: clean, findings, kinds } = this.redactRevealing(text);
    return { text: clean, findings, kinds };
  }

  /** As {@link redact}, and gives the replaced values, so that they can be recognised where they recur. */
  redactRevealing(text: string): RevealingRedaction {
    const kinds = new Set<string>();
    const values: string[] = [];
    const kindOf: string[] = [];
    let findings = 0;
    let out = text;
    // A mark changes what its neighbours look like; the second round nearly always finds nothing.
    for (let round = 0; round < ROUNDS; round += 1) {
      const scanner = new SecretScanner(out, this.#maxFindings - findings);
      const spans = scanner.scan();
      if (spans.length === 0 && !scanner.overwhelmed) break;
      findings += spans.length;
      for (const span of spans) {
        kinds.add(span.kind);
        kindOf.push(span.kind);
        values.push(out.slice(span.start, span.end));
      }
      if (scanner.overwhelmed) {
        return { text: TOO_MANY_MARK, findings, kinds: [...kinds].sort(), values, kindOf };
      }
      out = replaceSpans(out, spans);
    }
    return { text: out, findings, kinds: [...kinds].sort(), values, kindOf };
  }
}

/** `text` with each span replaced by its mark; spans in order, apart. */
export function replaceSpans(text: string, spans: readonly SecretSpan[]): string {
  const parts: string[] = [];
  let copied = 0;
  for (const span of spans) {
    parts.push(text.slice(copied, span.start), redactionMark(span.kind));
    copied = span.end;
  }
  parts.push(text.slice(copied));
  return parts.join('');
}
