import { resolve } from 'node:path';
import { Redactor } from '../../src/privacy/redactor';
import { Scrubber } from '../../src/privacy/scrub';
import { RedactedValues } from '../../src/privacy/session-memory';
import { hostileTexts, plainText } from './redaction/hostile';
import { lookAlikes, type LookAlike } from './redaction/look-alikes';
import { secretCases, type SecretCase } from './redaction/secret-cases';

export interface KindScore {
  kind: string;
  cases: number;
  found: number;
}

export interface RedactionReport {
  secrets: number;
  kinds: number;
  public_rule_secrets: number;
  look_alikes: number;
  recall: number;
  public_rule_recall: number;
  false_positive_rate: number;
  per_kind: KindScore[];
  false_positives: { kind: string; text: string }[];
  missed: { kind: string; frame: string }[];
  mb_per_s: number;
  scrub_mb_per_s: number;
  hostile: { name: string; ms: number; ratio_to_plain: number }[];
  hostile_worst_ratio: number;
  alternative: {
    name: string;
    recall: number;
    false_positive_rate: number;
    mb_per_s: number;
    version: string;
  };
}

const SEED = 20261022;
const REPEATS = 7;
const PIECE = 16 * 1024;
const MEBIBYTE = 1024 * 1024;

/**
 * How well secrets are found and ordinary text is left alone, how fast, and the same for secretlint in pieces of 16 KiB
 * (in one piece it is quadratic in findings). Every text is generated from `seed`; nothing is read but this
 * repository's own lock file.
 */
export async function runRedactionBench(seed: number = SEED): Promise<RedactionReport> {
  const secrets = secretCases(seed);
  const harmless = lookAlikes(seed + 1, resolve(__dirname, '../..'));
  const redactor = new Redactor();
  const missed = secrets.filter((one) => leaks(one, redactor.redact(one.text).text));
  const wrong = harmless.filter((one) => redactor.redact(one.text).text !== one.text);
  const rules = secrets.filter((one) => one.source === 'public-rule');
  const plain = plainText();
  const plainMs = fastest(() => redactor.redact(plain));
  const scrubber = new Scrubber({ sessions: new RedactedValues() });
  const scrubMs = fastest(() => scrubber.scrubText(plain, { sessionId: 'bench' }));
  const hostile = hostileTexts().map(({ name, text }) => {
    const ms = fastest(() => redactor.redact(text));
    return { name, ms: round(ms, 2), ratio_to_plain: round(ms / plainMs, 2) };
  });
  return {
    secrets: secrets.length,
    kinds: new Set(secrets.map((one) => one.kind)).size,
    public_rule_secrets: rules.length,
    look_alikes: harmless.length,
    recall: round(1 - missed.length / secrets.length, 4),
    public_rule_recall: round(
      1 - missed.filter((one) => one.source === 'public-rule').length / rules.length,
      4,
    ),
    false_positive_rate: round(wrong.length / harmless.length, 4),
    per_kind: perKind(secrets, new Set(missed)),
    false_positives: wrong.map(({ kind, text }) => ({
      kind,
      text: redactor.redact(text).text.slice(0, 160),
    })),
    missed: missed.map((one) => ({ kind: one.kind, frame: frameOf(one) })),
    mb_per_s: round(plain.length / MEBIBYTE / (plainMs / 1000), 1),
    scrub_mb_per_s: round(plain.length / MEBIBYTE / (scrubMs / 1000), 1),
    hostile,
    hostile_worst_ratio: Math.max(...hostile.map((one) => one.ratio_to_plain)),
    alternative: await secretlint(secrets, harmless, plain),
  };
}

function leaks(one: SecretCase, text: string): boolean {
  return one.probes.some((probe) => text.includes(probe));
}

/** The case without its values, which are nobody's but need not be printed. */
function frameOf(one: SecretCase): string {
  return one.probes.reduce((text, probe) => text.split(probe).join('<value>'), one.text).slice(0, 160);
}

function perKind(secrets: readonly SecretCase[], missed: ReadonlySet<SecretCase>): KindScore[] {
  const scores = new Map<string, KindScore>();
  for (const one of secrets) {
    const score = scores.get(one.kind) ?? { kind: one.kind, cases: 0, found: 0 };
    score.cases += 1;
    if (!missed.has(one)) score.found += 1;
    scores.set(one.kind, score);
  }
  return [...scores.values()];
}

/** Milliseconds of processor time, the least of some runs: what other processes do matters little to it. */
function fastest(run: () => unknown): number {
  let best = Infinity;
  for (let n = 0; n < REPEATS; n += 1) {
    const begun = process.cpuUsage();
    run();
    const used = process.cpuUsage(begun);
    best = Math.min(best, (used.user + used.system) / 1000);
  }
  return Math.max(best, 0.001);
}

async function secretlint(
  secrets: readonly SecretCase[],
  harmless: readonly LookAlike[],
  plain: string,
): Promise<RedactionReport['alternative']> {
  const { lintSource } = await import('@secretlint/core');
  const { creator } = await import('@secretlint/secretlint-rule-preset-recommend');
  const lint = async (content: string): Promise<readonly (readonly [number, number])[]> => {
    const result = await lintSource({
      source: { content, filePath: 'text.txt', ext: '.txt', contentType: 'text' },
      options: { noPhysicFilePath: true, config: { rules: [{ id: 'recommend', rule: creator }] } },
    });
    return result.messages.map((message) => message.range);
  };
  let missed = 0;
  for (const one of secrets) if (leaks(one, cutOut(one.text, await lint(one.text)))) missed += 1;
  let wrong = 0;
  for (const one of harmless) if ((await lint(one.text)).length > 0) wrong += 1;
  const begun = process.cpuUsage();
  for (let at = 0; at < plain.length; at += PIECE) await lint(plain.slice(at, at + PIECE));
  const used = process.cpuUsage(begun);
  const seconds = (used.user + used.system) / 1_000_000;
  return {
    name: 'secretlint preset-recommend, pieces of 16 KiB',
    version: '11.7.1',
    recall: round(1 - missed / secrets.length, 4),
    false_positive_rate: round(wrong / harmless.length, 4),
    mb_per_s: round(plain.length / MEBIBYTE / seconds, 1),
  };
}

function cutOut(text: string, ranges: readonly (readonly [number, number])[]): string {
  const sorted = [...ranges].sort((a, b) => a[0] - b[0]);
  let out = '';
  let at = 0;
  for (const [start, end] of sorted) {
    if (start > at) out += text.slice(at, start);
    out += '\n';
    at = Math.max(at, end);
  }
  return out + text.slice(at);
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
