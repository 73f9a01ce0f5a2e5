import type { Replacement } from './extracted-draft';
import { phrasesFor } from './speech';
import { wentThrough, type ToolUse } from './tool-use';

/** What a text says gave way to what. Old values that are no names (pronouns, single letters) are left out. */
export function replacementsIn(sentence: string): Replacement[] {
  const text = sentence.slice(0, 600);
  const found: Replacement[] = [];
  for (const pattern of phrasesFor(text).replaced) {
    const groups = pattern.exec(text)?.groups;
    if (groups?.['old'] === undefined) continue;
    const renewed = groups['new'] === undefined ? undefined : tidy(groups['new']);
    const unit = groups['unit'] === undefined ? '' : ` ${groups['unit']}`;
    for (const old of groups['old'].split(/\s*(?:,\s|\+|\band\b|\bor\b|\bund\b|\boder\b|、|と|和|或)\s*/)) {
      const value = `${tidy(old)}${unit}`;
      if (!isName(value) || value.toLowerCase() === renewed?.toLowerCase()) continue;
      found.push(renewed ? { old: value, new: renewed } : { old: value });
    }
  }
  return found;
}

function tidy(text: string): string {
  return text
    .trim()
    .replace(
      /^(?:ab (?:jetzt|sofort)|from now on|now|jetzt|nun|please|bitte|we|wir|use|only|nur|noch)\b[\s,:]+/i,
      '',
    )
    .replace(/^(?:the|a|an|our|my|old|der|die|das|den|dem|unser\w*)\s+/i, '')
    .replace(/[`"'“”„]/g, '')
    .trim();
}

const NO_NAME =
  /^(?:it|this|that|these|those|them|one|ones|there|here|what|which|they|we|you|i|he|she|time|scratch|now|then|again|before|more|only|all|everything|nothing|something|work|es|das|dies|alles|nichts|hier|これ|それ|あれ|这个|那个|它)$/i;

function isName(value: string): boolean {
  if (value.length < 2 || value.length > 60 || NO_NAME.test(value)) return false;
  return value.split(/\s+/).length <= 4;
}

const VALUE = /[A-Za-z_$][\w$.-]*|\d[\d_.,]*[a-z%]*|'[^'\n]{1,60}'|"[^"\n]{1,60}"/g;

/** Longer edits are rewrites. */
const EDIT_MAX = 4000;

/**
 * A value that an edit changed beside a name that stayed: `HOLD_TTL = 900` to `HOLD_TTL = 1200`. Only where one
 * value changed, so that a rewrite says nothing.
 */
export function changedValue(use: ToolUse): Replacement | undefined {
  if (use.removed.length > EDIT_MAX || use.added.length > EDIT_MAX) return undefined;
  const before = use.removed.match(VALUE) ?? [];
  const after = use.added.match(VALUE) ?? [];
  if (before.length < 2 || before.length !== after.length || before.length > 60) return undefined;
  const differing = before.flatMap((token, i) => (token === after[i] ? [] : [i]));
  const at = differing[0];
  if (differing.length !== 1 || at === undefined) return undefined;
  const old = strip(before[at] ?? '');
  const renewed = strip(after[at] ?? '');
  const key = before
    .slice(0, at)
    .reverse()
    .map(strip)
    .find((token) => /^[A-Za-z_$][\w$-]{2,}$/.test(token));
  if (key === undefined || old === '' || renewed === '') return undefined;
  return { key, old, new: renewed };
}

function strip(token: string): string {
  return token.replace(/^["']|["']$/g, '');
}

const RETIRED =
  /\b(?:superseded|replaced|obsoleted) by\b|\b(?:status|state)\s*:\s*(?:superseded|deprecated|obsolete|retired|rejected)\b|\b(?:ersetzt durch|abgelöst durch|überholt)\b|(?:に置き換え|廃止)|(?:已废弃|已被.{0,20}取代)/i;

/** Files that an edit marked as superseded. */
export function retiredFiles(uses: readonly ToolUse[]): string[] {
  return uses
    .filter((use) => use.effect === 'edit' && wentThrough(use))
    .filter((use) => RETIRED.test(use.added) && !RETIRED.test(use.removed) && use.removed !== '')
    .flatMap((use) => use.files);
}
