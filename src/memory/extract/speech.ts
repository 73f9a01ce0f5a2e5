import { CHINESE } from './phrases-zh';
import { ENGLISH } from './phrases-en';
import { GERMAN } from './phrases-de';
import { JAPANESE } from './phrases-ja';
import { PHRASE_GROUPS, type Phrases } from './phrases';

const LATIN = merge([ENGLISH, GERMAN]);
const KANA = merge([JAPANESE, ENGLISH]);
const HAN = merge([CHINESE, JAPANESE, ENGLISH]);

const KANA_CHARS = /[\u3040-\u30ff]/;
const HAN_CHARS = /[\u3400-\u9fff]/;

/** Opening words that say nothing themselves; some only where punctuation parts them from what follows. */
const FILLERS =
  /^(?:(?:(?:please|also|and|but|so|ok(?:ay)?|btw|by the way|oh|hey|hi|well|then|just|thanks|thank you|sorry|bitte|also|und|aber|ach|danke|übrigens|dann)(?:[\s,.!:;–—-]+)|(?:yes|yep|yeah|right|good|great|nice|perfect|fine|no|nope|agreed|exactly|ja|gut|genau|nein|super|perfekt)[,.!:;–—-]+\s*|(?:はい|いいえ|いや|あと|それと|また|ちなみに|好的?|对了?|不对|另外|还有|请|嗯|是的)[、,，。.!！::\s]*))+/i;

function merge(languages: readonly Phrases[]): Phrases {
  return Object.fromEntries(
    PHRASE_GROUPS.map((group) => [group, languages.flatMap((language) => [...language[group]])]),
  ) as unknown as Phrases;
}

/** The patterns that apply to a text, by the script it is written in. */
export function phrasesFor(text: string): Phrases {
  if (KANA_CHARS.test(text)) return KANA;
  return HAN_CHARS.test(text) ? HAN : LATIN;
}

/** `text` without the words that only open a sentence: "please", "ok,", "und", "あと". */
export function withoutFillers(text: string): string {
  return text.replace(FILLERS, '').trim();
}

/** Names the language of a text where its script tells it; undefined for Latin letters. */
export function scriptLanguage(text: string): string | undefined {
  const han = text.match(/[\u3400-\u9fff]/g)?.length ?? 0;
  const kana = text.match(/[\u3040-\u30ff]/g)?.length ?? 0;
  const hangul = text.match(/[\uac00-\ud7af]/g)?.length ?? 0;
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  if (letters === 0 || (han + kana + hangul) / letters < 0.2) return undefined;
  if (hangul > han + kana) return 'Korean';
  return kana > 0 ? 'Japanese' : 'Chinese';
}

/** A sentence says what it is about in its beginning; the rest of an endless one is data. */
const MATCHED = 600;

/** Whether one of the patterns is found in the first 600 characters of `text`. */
export function matchesAny(patterns: readonly RegExp[], text: string): boolean {
  const beginning = text.slice(0, MATCHED);
  return patterns.some((pattern) => pattern.test(beginning));
}
