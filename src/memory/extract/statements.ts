import type { MemoryEvent } from '../../contract/event';
import { matchesAny, phrasesFor } from './speech';
import type { TurnView, TypedPrompt } from './turn-view';
import type { TypedSentence } from './typed-words';

export type StatementKind = 'correction' | 'preference' | 'decision' | 'approval';

/** Something that the user laid down in own words. */
export interface Statement {
  kind: StatementKind;
  event: MemoryEvent;
  /** In the order typed, word for word. */
  sentences: string[];
}

/** A statement is the user's own words for as long as these; what follows is a task. */
const SENTENCES_MAX = 4;

interface Marked {
  sentence: TypedSentence;
  /** Can be meant: no question, no report, no observation. */
  usable: boolean;
  correction: boolean;
  rule: boolean;
  decision: boolean;
  weak: boolean;
  reason: boolean;
}

/**
 * What the user laid down in a turn: corrections, standing rules, decisions, and consent to a proposal. Only
 * typed words count, never quotes, pastes, code, briefings, reports of what others say, or thinking aloud.
 */
export function statementsIn(view: TurnView): Statement[] {
  return view.prompts.flatMap((prompt) => ofPrompt(prompt));
}

function ofPrompt({ event, words }: TypedPrompt): Statement[] {
  if (words.briefing || words.aloud) return [];
  const marked = words.sentences.map(mark);
  const correction = correctionIn(marked);
  if (correction.length > 0) return [{ kind: 'correction', event, sentences: texts(correction) }];
  const found: Statement[] = [];
  const rules = grouped(marked, (entry) => entry.rule, true);
  const decisions = grouped(marked, (entry) => entry.decision && !rules.includes(entry), false);
  if (decisions.length > 0) found.push({ kind: 'decision', event, sentences: texts(decisions) });
  const separate = rules.filter((entry) => !decisions.includes(entry));
  if (separate.some((entry) => entry.rule)) {
    found.push({ kind: 'preference', event, sentences: texts(separate) });
  }
  const opening = marked[0];
  if (found.every((statement) => statement.kind !== 'decision') && opening && isApproval(opening)) {
    const rest = rules.length > 0 ? [] : marked.slice(1).filter((entry) => entry.usable);
    found.unshift({ kind: 'approval', event, sentences: texts([opening, ...rest]).slice(0, SENTENCES_MAX) });
  }
  return found;
}

function mark(sentence: TypedSentence): Marked {
  const phrases = phrasesFor(sentence.text);
  const { plain, opening } = sentence;
  const usable = !sentence.question && !sentence.reported && plain !== '' && !matchesAny(phrases.not, plain);
  return {
    sentence,
    usable,
    correction: !sentence.question && !sentence.reported && matchesAny(phrases.correction, opening),
    rule: usable && matchesAny(phrases.rule, plain),
    decision: usable && (matchesAny(phrases.decision, plain) || namesChoice(opening)),
    weak: usable && matchesAny(phrases.weakRule, plain),
    reason: usable && matchesAny(phrases.reason, plain),
  };
}

/** "Good: X, because …", "Yes: Y", "Right, no Z": consent that names what is chosen. */
function namesChoice(opening: string): boolean {
  const named =
    /^(?:good|great|fine|ok(?:ay)?|yes|right|perfect|nice|agreed|ja|gut|okay|genau|はい|好的?|行)\s*(:|,|、|，|：)\s*(?<rest>.+)$/u.exec(
      opening,
    );
  const rest = named?.groups?.['rest'];
  if (named === null || rest === undefined) return false;
  if (named[1] === ':' || named[1] === '：')
    return rest.split(/\s+/).length >= 3 || /[\u3040-\u9fff]{4}/.test(rest);
  return /^(?:no|not|kein\w*|without|ohne)\s+\S+/.test(rest) && rest.split(/\s+/).length <= 8;
}

function isApproval(entry: Marked): boolean {
  return (
    !entry.sentence.question && matchesAny(phrasesFor(entry.sentence.text).approval, entry.sentence.opening)
  );
}

/** The correction and what belongs to it: the accusation before, the explanation after. */
function correctionIn(marked: readonly Marked[]): Marked[] {
  const at = marked.findIndex((entry) => entry.correction);
  if (at < 0) return [];
  const before = marked[at - 1];
  const accused =
    before && !before.sentence.question && /\b(?:you|du|sie|ihr)\b|あなた|你/.test(before.sentence.plain);
  const group = [
    ...(accused ? [before] : []),
    ...marked.slice(at).filter((entry) => !entry.sentence.question && !entry.sentence.reported),
  ].slice(0, SENTENCES_MAX);
  const content = group.map((entry) => entry.sentence.plain).join(' ');
  const lasting = group.some((entry) => entry.rule || entry.decision || entry.weak);
  const size = /[\u3040-\u9fff]/.test(content) ? content.length / 3 : content.split(/\s+/).length;
  return size >= 3 && (lasting || size >= 6) ? group : [];
}

/** The sentences that `leads` picks, each with the weaker ones and the reason that follow it. */
function grouped(marked: readonly Marked[], leads: (entry: Marked) => boolean, withWeak: boolean): Marked[] {
  const kept = new Set<Marked>();
  marked.forEach((entry, i) => {
    if (!leads(entry)) return;
    kept.add(entry);
    const next = marked[i + 1];
    if (next?.usable && (next.reason || (withWeak && next.weak && !next.decision))) kept.add(next);
    const before = marked[i - 1];
    if (before?.usable && refersBack(entry.sentence.plain)) kept.add(before);
  });
  return marked.filter((entry) => kept.has(entry)).slice(0, SENTENCES_MAX);
}

/** Can't be understood without the sentence before it. */
function refersBack(plain: string): boolean {
  return /^(?:make it|set it|do it|do that|use it|keep (?:it|that|this)|that|this|it|so|we want|we should keep|instead|das|dann|es|deshalb|それ|これ|那|这)\b/.test(
    plain,
  );
}

function texts(entries: readonly Marked[]): string[] {
  return entries.map((entry) => entry.sentence.text);
}
