import type { MemoryEvent } from '../../contract/event';
import { turnEvents, type Turn } from '../turn';
import { eventText } from './event-text';
import { joinSentences, sentences } from './sentences';
import { matchesAny, phrasesFor } from './speech';
import { readToolUse, wentThrough, type ToolUse } from './tool-use';
import { typedWords, type TypedWords } from './typed-words';
import { errorLines } from './literals';
import { onlyLooks, runsAgain } from './commands';

/** A prompt of the turn with what the user typed in it. */
export interface TypedPrompt {
  event: MemoryEvent;
  words: TypedWords;
}

/** A call that went wrong, with the lines that say why. */
export interface Failure {
  use: ToolUse;
  lines: string[];
}

/** An event and what it says. */
export interface EventSourceText {
  event: MemoryEvent;
  text: string;
}

/** A turn read once for all rules. */
export interface TurnView {
  turn: Turn;
  /** Every event with its text, prompt first; long texts by their ends. */
  sources: readonly EventSourceText[];
  prompts: TypedPrompt[];
  uses: ToolUse[];
  /** The agent's final answer, empty where there is none. */
  answer: string;
  /** Files that edits wrote, in order, each once. */
  edited: string[];
  /** Commands that ran through and did more than look, each once. */
  ran: ToolUse[];
  failures: Failure[];
  /** The turn read the web or called an MCP server. */
  external: boolean;
  /** Something in or outside the project was changed or put to the test. */
  changed: boolean;
}

/** What lies between the ends of a longer text is a log or data. */
const SOURCE_MAX = 128 * 1024;
/** An answer says what matters first. */
const ANSWER_MAX = 12_000;

/** Reads a turn. Pure. */
export function viewTurn(turn: Turn): TurnView {
  const uses = turn.tool_uses.map(readToolUse).filter((use) => use !== undefined);
  const prompts = [...(turn.prompt ? [turn.prompt] : []), ...turn.steers].map((event) => ({
    event,
    words: wordsOf(event, turn),
  }));
  const ran = uses.filter((use) => use.command !== undefined && wentThrough(use) && !onlyLooks(use.command));
  const edits = uses.filter((use) => use.effect === 'edit' && wentThrough(use));
  return {
    turn,
    sources: sourcesOf(turn),
    prompts,
    uses,
    answer: turn.summary ? eventText(turn.summary).trim().slice(0, ANSWER_MAX) : '',
    edited: [...new Set(edits.flatMap((use) => use.files))],
    ran: ran.filter((use, i) => ran.findIndex((other) => other.command === use.command) === i),
    failures: uses.filter(isFailure).map((use) => ({ use, lines: errorLines(use.output) })),
    external: uses.some(
      (use) => use.effect === 'outside' || (use.effect === 'act' && /^(?:mcp|@)/i.test(use.name)),
    ),
    changed:
      edits.length > 0 || ran.length > 0 || uses.some((use) => use.effect === 'act' && wentThrough(use)),
  };
}

function wordsOf(event: MemoryEvent, turn: Turn): TypedWords {
  const words = typedWords(eventText(event), turn.first_of_session && event === turn.prompt);
  return event.role === undefined || event.role === 'user' ? words : { ...words, briefing: true };
}

/** A command or an action that failed; an edit that found no match is routine, so is a refused call. */
function isFailure(use: ToolUse): boolean {
  if (use.success !== false) return false;
  if (
    /\b(?:denied|rejected|declined|cancelled|canceled) (?:by the user|this tool|the tool)|user (?:denied|rejected|declined)/i.test(
      use.output,
    )
  )
    return false;
  return use.effect === 'run' || use.effect === 'act';
}

/** The first call after `failure` in `uses` that ran the same thing and succeeded. */
export function laterSuccess(failure: Failure, uses: readonly ToolUse[]): ToolUse | undefined {
  const failed = failure.use.command;
  if (failed === undefined) return undefined;
  const at = uses.indexOf(failure.use);
  return uses
    .slice(at + 1)
    .find((use) => use.command !== undefined && use.success === true && runsAgain(failed, use.command));
}

const ACKNOWLEDGEMENT =
  /^(?:ok(?:ay)?|done|noted|understood|agreed|sure|got it|ready|will do|alright|right|committed|pushed|great|perfect|yes|sorry(?: about that)?|you're (?:right|welcome)|good (?:point|catch)|verstanden|erledigt|notiert|alles klar|in ordnung|gemerkt|okay|承知(?:いた)?しました|了解(?:です|しました)?|わかりました|好的|明白(?:了)?|收到|已记住)(?![\p{L}])[\s.,!:;。、！-]*/iu;
const BOILERPLATE =
  /^(?:let me know\b|feel free\b|i hope\b|would you like\b|shall i\b|do you want\b|is there anything\b|here(?:'s| is) (?:a |the )?summary|i(?:'ll| will) (?:now|start)|sag bescheid|soll ich\b|お気軽に|何かあれば|如果(?:还)?有|需要我)/i;
const NOTHING =
  /^(?:(?:dafür|dazu|hier) gibt es (?:noch )?kein|nichts (?:gefunden|zu tun|geändert)|keine treffer|(?:該当|まだ).{0,12}(?:ありません|見つかりません)|(?:没有|未)(?:找到|发现)|there (?:is|are) (?:currently |still )?no(?:thing)?\b|i (?:changed|did|found) nothing|nothing (?:defines|to do|changed|found)|no (?:matches|changes|results)|(?:everything|the tree|the working tree) is (?:clean|up to date|unchanged))\b/i;

/** The sentences of an agent's answer that say something: no boilerplate, no bare acknowledgement. */
export function tellingSentences(answer: string, external: boolean): string[] {
  return sentences(withoutCodeBlocks(answer))
    .map((sentence) =>
      sentence
        .replace(/^\s*(?:#{1,6}|[-*•]|\d{1,2}[.)])\s+/, '')
        .replace(/\*\*/g, '')
        .trim(),
    )
    .filter((sentence) => {
      const rest = sentence.replace(ACKNOWLEDGEMENT, '').trim();
      if (rest.length < 4 || BOILERPLATE.test(rest) || /^[|=-]{3,}/.test(rest)) return false;
      return !external || !isDirective(sentence);
    });
}

/** Reports that there was nothing. */
export function saysNothing(sentence: string): boolean {
  return NOTHING.test(sentence);
}

/** Only acknowledges, or reports that there was nothing. */
export function isIdle(answer: string): boolean {
  const telling = tellingSentences(answer, false);
  if (telling.length === 0) return true;
  return (
    telling.every((sentence) => NOTHING.test(sentence)) ||
    (ACKNOWLEDGEMENT.test(answer) && telling.length === 1)
  );
}

/** Speaks to an agent rather than about the project (pain 93). */
export function isDirective(sentence: string): boolean {
  return matchesAny(phrasesFor(sentence).directive, sentence.toLowerCase());
}

function withoutCodeBlocks(text: string): string {
  return text.replace(/(^|\n)\s*```[\s\S]*?(?:\n\s*```|$)/g, '\n');
}

/** What the scrubber left of words that the user marked as private. */
const PRIVATE_MARK = /\[REDACTED:private\]/g;

/** The user's request in one line, pastes and code left out; the prompt itself where nothing else is left. */
export function requestOf(view: TurnView): string {
  const first = view.prompts[0];
  if (first === undefined) return '';
  const typed = joinSentences(first.words.sentences.map((sentence) => sentence.text));
  return (typed || eventText(first.event)).replace(PRIVATE_MARK, ' ').replace(/\s+/g, ' ').trim();
}

/** Every event of a turn with its text, prompt first; long texts by their ends. */
export function sourcesOf(turn: Turn): EventSourceText[] {
  return turnEvents(turn).map((event) => ({ event, text: ends(eventText(event), SOURCE_MAX) }));
}

/** Beginning and end of a text that is longer than `max` characters. */
function ends(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max / 2)}\n${text.slice(-max / 2)}`;
}
