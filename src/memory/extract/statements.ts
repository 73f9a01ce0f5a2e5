import type { MemoryEvent } from '../../contract/event';
import { joinSentences } from './sentences';
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
  /** The one that says it. */
  lead: string;
  /** Names itself what it is about. */
  selfContained: boolean;
}

/** A statement is the user's own words for as long as these; what follows is a task. */
const SENTENCES_MAX = 4;
/** With the list that one of them announces. */
const ITEMS_MAX = 10;

interface Marked {
  sentence: TypedSentence;
  /** Can be meant: no question, no report, no observation. */
  usable: boolean;
  correction: boolean;
  rule: boolean;
  decision: boolean;
  weak: boolean;
  reason: boolean;
  approval: boolean;
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
  if (correction.length > 0) {
    const from = correction.findIndex((entry) => entry.correction);
    const rest = correction.slice(from);
    return [statement('correction', event, correction, rest.find(saysSomething) ?? rest[0], from > 0)];
  }
  const found: Statement[] = [];
  const rules = grouped(marked, (entry) => entry.rule, true);
  const leads = (entry: Marked): boolean => entry.decision && !entry.approval && !rules.includes(entry);
  const decisions = wholeIfShort(grouped(marked, leads, false), marked, rules);
  if (decisions.length > 0) {
    found.push(statement('decision', event, decisions, decisions.find(leads), false));
  }
  const separate = rules.filter((entry) => !decisions.includes(entry));
  const rule = separate.find((entry) => entry.rule);
  if (rule) found.push(statement('preference', event, separate, rule, false));
  const opening = marked[0];
  if (decisions.length === 0 && opening?.approval) {
    const rest = rules.length > 0 ? [] : marked.slice(1).filter((entry) => entry.usable);
    found.unshift(statement('approval', event, [opening, ...rest].slice(0, SENTENCES_MAX), opening, false));
  }
  return found;
}

/** A short prompt that decides is decision and reason as a whole; its standing rules stay apart. */
function wholeIfShort(decisions: Marked[], marked: readonly Marked[], rules: readonly Marked[]): Marked[] {
  if (decisions.length === 0 || marked.length > SENTENCES_MAX) return decisions;
  return marked.filter(
    (entry) =>
      decisions.includes(entry) ||
      (entry.usable && !rules.includes(entry) && (entry.reason || !isTask(entry))),
  );
}

/** Asks for a piece of work, rather than saying what holds. */
const TASK =
  /^(?:write|put|note|record|document|save|add|update|change|create|implement|commit|push|run|fix|clean|remove|delete|migrate|apply|rename|mach|schreib\w*|trag\w*|leg\w*|änder\w*|passe?|lösch\w*|bau\w*|füg\w*|setz\w*|dokumentier\w*)\b.*(?:\b(?:that|this|it|them|into|in|up|to|das|es|ins?|um|an|ein|auf)\b|[\w-]\/[\w.-]|\.\p{L}{2,4}\b)|(?:書いて|追加して|更新して|直して|修正して|してください)$|^(?:请?(?:写|加|改|更新|提交|删除))/u;

function isTask({ sentence }: Marked): boolean {
  return TASK.test(sentence.plain);
}

function statement(
  kind: StatementKind,
  event: MemoryEvent,
  entries: readonly Marked[],
  lead: Marked | undefined,
  selfContained: boolean,
): Statement {
  return {
    kind,
    event,
    sentences: entries.map((entry) => withoutPrivate(entry.sentence.text)).filter(Boolean),
    lead: leadOf(entries, lead ?? entries[0]),
    selfContained,
  };
}

function withoutPrivate(text: string): string {
  return text.replace(/\s*\[REDACTED:private\]/g, '').trim();
}

/** The leading sentence, with the one before where it points back to it. */
function leadOf(entries: readonly Marked[], lead: Marked | undefined): string {
  if (lead === undefined) return '';
  const before = entries[entries.indexOf(lead) - 1];
  if (before === undefined || !refersBack(lead.sentence.plain)) return withoutPrivate(lead.sentence.text);
  return joinSentences([before.sentence.text, lead.sentence.text]);
}

/** More than its opening: "No!" alone says nothing. */
function saysSomething(entry: Marked): boolean {
  return entry.sentence.plain.length > 12 || /[\u3040-\u9fff]{4}/.test(entry.sentence.plain);
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
    approval: !sentence.question && matchesAny(phrases.approval, opening),
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

/** Says how something is, rather than what to do next. */
const STATES =
  /\b(?:is|are|was|means|belongs|comes|ist|sind|heisst|heißt|gilt|gehört|liegt|kommt)\b|(?:は|です|是)/;

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
  const size = /[\u3040-\u9fff]/.test(content) ? content.length / 2 : content.split(/\s+/).length;
  return size >= 3 && (lasting || size >= 6 || STATES.test(content)) ? group : [];
}

/** The sentences that `leads` picks, each with the weaker ones and the reason that follow it. */
function grouped(marked: readonly Marked[], leads: (entry: Marked) => boolean, withWeak: boolean): Marked[] {
  const kept = new Set<Marked>();
  marked.forEach((entry, i) => {
    if (!leads(entry)) return;
    kept.add(entry);
    for (const item of announcedBy(marked, i)) kept.add(item);
    if (withWeak && GENERAL.test(entry.sentence.plain)) {
      for (const other of marked.slice(i + 1, i + SENTENCES_MAX)) {
        if (other.usable && !other.decision && !isTask(other)) kept.add(other);
      }
    }
    const next = marked[i + 1];
    if (next?.usable && (next.reason || (withWeak && next.weak && !next.decision))) kept.add(next);
    const before = marked[i - 1];
    if (before?.usable && refersBack(entry.sentence.plain)) kept.add(before);
  });
  const group = marked.filter((entry) => kept.has(entry));
  return group.slice(0, group.some((entry) => entry.sentence.item) ? ITEMS_MAX : SENTENCES_MAX);
}

/** Opens with the remark that what follows holds in general. */
const GENERAL =
  /^(?:(?:noch )?(?:et)?was )?(?:generelles|grundsätzliches|allgemeines|generell|allgemein)\s*[:,–—-]|^(?:in general|generally|general (?:rules?|remarks?)|(?:house |ground |some )?rules|conventions?)\b[^:]{0,40}:/;

/** The list that a sentence with a colon at its end announces. */
function announcedBy(marked: readonly Marked[], lead: number): Marked[] {
  if (!/[:：]$/.test(marked[lead]?.sentence.text ?? '')) return [];
  const after = marked.slice(lead + 1);
  const end = after.findIndex((entry) => !entry.sentence.item);
  return after.slice(0, end < 0 ? ITEMS_MAX : Math.min(end, ITEMS_MAX));
}

/** Can't be understood without the sentence before it. */
function refersBack(plain: string): boolean {
  return /^(?:make it|set it|do it|do that|use it|keep (?:it|that|this)|that|this|it|so|we want|we should keep|instead|das|dann|es|deshalb|それ|これ|那|这)\b/.test(
    plain,
  );
}
