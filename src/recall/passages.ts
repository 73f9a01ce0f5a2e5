/** A sentence of a long prompt. */
export interface Passage {
  /** UTF-16 units of the prompt's text, `end` exclusive. */
  start: number;
  end: number;
  /** How much it looks like the part that wants an answer; 1 where nothing speaks for or against it. */
  cue: number;
}

/** More sentences than this are a log or a document, not a message. */
const MAX_PASSAGES = 30;

const SENTENCE_END = /[.!?]+["')\]]*(?=\s)|[。\uff01\uff1f]|\n/g;

const ASKS =
  /\?|\uff1f|\b(?:please|can you|could you|would you|tell me|look (?:it |that |this )?up|find out|check|explain|i need|i want to know|i would like|how do we|what (?:is|was|did) (?:we|our|the)|remind me|your help|the question|bitte|kannst du|könntest du|erklär\w*|ich brauche|such\w* heraus)\b|教えて|ください|お願い|请|請/i;
const RECALLS =
  /\b(?:i (?:remember|believe|think|know|vaguely|recall)|we (?:had|found|changed|decided|moved|agreed|dealt|solved|fixed|noted)|our (?:rule|rules|convention|table)|last time|back then|weeks ago|some time ago|earlier|wir (?:hatten|haben)|damals|neulich)\b|以前|この前|之前|上次/i;
const WAIVES =
  /\b(?:ignore|leave out|leave (?:\w+ ){1,4}out|skip (?:it|this|that)|never mind|no need|do(?:es)? not need|don't need|don't bother|do not bother|not (?:do )?(?:explain|write|touch|want)|do not|don't|nothing about|no mention|none of (?:this|these|which)|another (?:story|day|ticket)|different story|by the way|was a joke|nicht nötig|vergiss|egal|übrigens)\b|無視|不用/i;

const ASKING = 0.35;
const RECALLING = 0.25;
const WAIVING = -0.4;

/** The sentences of a prompt, each with how much it looks like the request; none where there are too many. */
export function passagesOf(text: string): Passage[] {
  const passages: Passage[] = [];
  let start = 0;
  const ends = Array.from(text.matchAll(SENTENCE_END), (match) => match.index + match[0].length);
  for (const end of [...ends, text.length]) {
    const sentence = text.slice(start, end);
    if (sentence.trim().length < 3) continue;
    if (passages.length === MAX_PASSAGES) return [];
    passages.push({ start, end, cue: cueOf(sentence) });
    start = end;
  }
  return passages;
}

function cueOf(sentence: string): number {
  let cue = 1;
  if (ASKS.test(sentence)) cue += ASKING;
  if (RECALLS.test(sentence)) cue += RECALLING;
  if (WAIVES.test(sentence)) cue += WAIVING;
  return cue;
}
