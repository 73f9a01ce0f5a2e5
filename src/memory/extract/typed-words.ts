import { bare, sentences } from './sentences';
import { matchesAny, phrasesFor, withoutFillers } from './speech';

/** One sentence that the user typed, as it was typed. */
export interface TypedSentence {
  text: string;
  /** Lower case, quotes and code blanked, opening fillers removed: for patterns. */
  plain: string;
  /** As `plain`, with its fillers: "no, …" and "ok" mean something themselves. */
  opening: string;
  question: boolean;
  /** Stands in a list. */
  item: boolean;
  /** Somebody else's opinion, or one that the user turned down. */
  reported: boolean;
}

export interface TypedWords {
  sentences: TypedSentence[];
  /** The typed part, pastes and code left out. */
  text: string;
  /** The user only thinks aloud: nothing in the prompt is meant to last. */
  aloud: boolean;
  /** Instructions written for an agent rather than typed to one: a boot file, a persona, a long briefing. */
  briefing: boolean;
}

/** Longer prompts hold a paste: only their first and last paragraph can be typed words. */
const LONG_PROMPT = 1500;
/** Longer prompts that open a session are briefings. */
const LONG_OPENING = 2000;
const PARAGRAPH_MAX = 600;
const SEARCHED = 16_000;

const FENCE = /(^|\n)[ \t]*(```|~~~)[^\n]*\n[\s\S]*?(?:\n[ \t]*\2[^\n]*|$)/g;
const MARKUP = /<([a-zA-Z][\w:.-]*)(?:\s[^<>]*)?>[\s\S]*?<\/\1\s*>/g;
const PERSONA =
  /^\s*(?:you are (?:now )?(?:an?|the|our|my)\s|you are \p{Lu}[\p{L}\d]*[,.]|act as\b|du bist (?:ein|der|die|unser)|あなたは.{1,40}(?:です|として)|你是(?:一|我们|一个|名))/iu;
const NOT_PERSONA = /^\s*you are (?:right|wrong|correct|still|not)\b/i;
const INTRODUCES_PASTE =
  /(?:(?<!\b(?:you|we|i|to|du|ihr|wir|ich) )\b(?:log|logs|output|trace|traceback|stack|error|mail|email|message|comment|review|issue|ticket|readme|article|spec|docs?|writes?|wrote|says?|said|quote|ausgabe|fehler|protokoll|schreibt|folgende[srn]?|kommentar|ticket|nachricht)\b[^:\n]{0,40}|(?:以下|次の|下記|ログ|エラー|メール|如下|日志|报错|内容|输出)[^::\n]{0,20})[::]\s*$/i;

/** What the user typed in a prompt, apart from quotes, pastes, code and markup. */
export function typedWords(prompt: string, firstOfSession: boolean): TypedWords {
  const briefing = isBriefing(prompt, firstOfSession);
  const text = typedText(prompt);
  const found = sentences(text)
    .map((sentence) => typedSentence(bare(sentence), LIST_ITEM.test(sentence)))
    .filter((sentence) => sentence.text !== '');
  found.forEach((sentence, i) => {
    const next = found[i + 1];
    if (next && matchesAny(phrasesFor(next.text).rejected, next.opening)) sentence.reported = true;
  });
  const aloud = found.some((sentence) => matchesAny(phrasesFor(sentence.text).aloud, sentence.opening));
  return { sentences: found, text, aloud, briefing };
}

function isBriefing(prompt: string, firstOfSession: boolean): boolean {
  if (PERSONA.test(prompt) && !NOT_PERSONA.test(prompt)) return true;
  return firstOfSession && prompt.length > LONG_OPENING;
}

function typedText(whole: string): string {
  // Of a longer prompt only the ends can be typed words; what lies between is never searched.
  const prompt =
    whole.length <= SEARCHED ? whole : `${whole.slice(0, SEARCHED / 2)}\n\n${whole.slice(-SEARCHED / 2)}`;
  const prose = prompt.replace(/\r\n?/g, '\n').replace(FENCE, '\n\n').replace(MARKUP, ' ');
  const kept = dropPastedLines(prose);
  if (prompt.length <= LONG_PROMPT) return kept.trim();
  const paragraphs = kept.split(/\n\s*\n/).map((part) => part.trim());
  const ends = [paragraphs[0] ?? '', paragraphs.length > 1 ? (paragraphs.at(-1) ?? '') : ''];
  return ends.filter((part) => part !== '' && part.length <= PARAGRAPH_MAX).join('\n');
}

function dropPastedLines(text: string): string {
  const kept: string[] = [];
  let inPaste = false;
  let pasteHasText = false;
  for (const line of text.split('\n')) {
    if (inPaste) {
      if (line.trim() === '') {
        if (pasteHasText) inPaste = false;
        continue;
      }
      pasteHasText = true;
      continue;
    }
    if (isPastedLine(line)) {
      kept.push('');
      continue;
    }
    kept.push(line);
    if (INTRODUCES_PASTE.test(line)) {
      inPaste = true;
      pasteHasText = false;
    }
  }
  return kept.join('\n');
}

const PASTED_LINE = [
  /^\s*(?:>|\|)\s?/,
  /^\s*(?:[$%#]|PS [A-Z]:\\[^>]*>)\s+\S/,
  /^\s*\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d/,
  /^\s*\[?\d\d:\d\d:\d\d\b/,
  /^\s*(?:\[)?(?:TRACE|DEBUG|INFO|WARN(?:ING)?|ERROR|FATAL)\b/,
  /^\s*(?:npm|yarn|pnpm|cargo|go|pip|mvn|gradle|make)(?: \w+)? (?:ERR|error|WARN|warning)\b/i,
  /^\s*(?:error|warning|fatal|panic|exception)(?:\[\w+\])?:/i,
  /^\s*(?:Traceback \(most recent|File ".*", line \d|at \S+ ?\(|at [\w.$<>]+\(|Caused by:|goroutine \d)/,
  /^\s*[\w.]*(?:Error|Exception|Panic)\b\s*:/,
  /^\s*(?:diff --git|index [0-9a-f]{7}|@@ |\+\+\+ |--- [ab]\/|[+-]\s{2,}\S)/,
  /^\s*(?:FAIL|PASS|✓|✗|✕|×|●|❯)\s/,
  /^\s*(?:[{}[\]]|"[\w.-]+"\s*:|<\/?[\w!?])/,
  /(?:[;{]|=>|\)\s*:|&&|\|\|)\s*$/,
  /^\s*(?:import|export|const|let|var|def|class|func|fn|public|private|return|SELECT|INSERT|CREATE|ALTER|UPDATE)\s.*[({;=]/,
  /^(?:\t| {4,})\S/,
];

function isPastedLine(line: string): boolean {
  if (line.trim() === '') return false;
  if (PASTED_LINE.some((pattern) => pattern.test(line))) return true;
  const text = line.replace(/`[^`]*`|https?:\/\/\S+/g, '');
  const visible = text.replace(/\s/g, '');
  if (visible.length < 12) return false;
  const letters = visible.match(/\p{L}/gu)?.length ?? 0;
  return letters / visible.length < 0.45;
}

const QUOTES = [
  /"[^"\n]{3,}"/g,
  /“[^”\n]{3,}”/g,
  /„[^“”"\n]{3,}[“”"]/g,
  /«[^»\n]{3,}»/g,
  /「[^」\n]{6,}」/g,
  /『[^』\n]{3,}』/g,
];

/** A standing wish in the form of a question: "could we stick to X everywhere please?" */
const POLITE =
  /^(?:(?:and|also|so|und|ok(?:ay)?)[\s,]+)*(?:could|can|would|könn(?:t?en|test|t?e)) (?:we|you|wir|du|ihr) (?:please |pls |bitte )?(?=(?=.*\b(?:please|pls|bitte)\b).*\b(?:always|never|only|everywhere|from now on|in future|immer|nie|nur noch|überall|ab jetzt|künftig)\b)/;

const LIST_ITEM = /^\s*(?:[-*•+]|\d{1,2}[.)])\s+/;

function typedSentence(text: string, item: boolean): TypedSentence {
  let opening = text.replace(/`[^`]*`/g, 'CODE');
  for (const quote of QUOTES) opening = opening.replace(quote, 'QUOTE');
  opening = opening
    .toLowerCase()
    .replace(/[’‘]/g, "'")
    .replace(/[*_~]{1,3}(?=\S)|(?<=\S)[*_~]{1,3}/g, '')
    .trim();
  const asksFor = POLITE.exec(opening);
  if (asksFor) opening = opening.slice(asksFor[0].length);
  const question =
    asksFor === null &&
    (/[?？]["'”)\]]*$/.test(text) || /(?:ですか|ますか|でしょうか|吗|呢)[。.]?$/.test(text));
  const plain = withoutFillers(opening)
    .replace(/[.!。！]+$/, '')
    .trim();
  return { text, plain, opening, question, item, reported: matchesAny(phrasesFor(text).reported, plain) };
}
