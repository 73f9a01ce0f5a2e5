/**
 * Elements that only a memory tool or a host's hook writes into a prompt: ours and the wrapper of Kiro's hooks, then
 * those of claude-mem, supermemory, hindsight, mem0 and the like. What people write themselves (`<context>`,
 * `<memory>`, `<system-reminder>` of the host) is not here.
 */
const ELEMENTS =
  /<(kiro-learn-context|HOOK_INSTRUCTION|claude-mem-context|supermemory-context|hindsight_memories|hindsight-memories|mem0-context|mem0-memories|openmemory-context|relevant-memories|relevant_memories|user-supermemory|memory-context|engram-context|letta_message|long_term_memory)(?:\s[^<>]{0,512})?>/g;

/** An opening tag without its end hides at most this much; beyond, the text is taken for the user's. */
const UNCLOSED_LIMIT = 16 * 1024;

const HEADING =
  /^##[ \t]{1,4}(?:Prior[ \t]+observations\b[^\n]{0,120}|[^\n]{0,60}\b(?:observations|memories|context)[ \t]+from[ \t]+(?:kiro-learn|claude-mem|supermemory|mem0)\b[^\n]{0,60})$/gim;
const NAMES_TOOL = /kiro-learn|claude-mem|supermemory|mem0/i;

/**
 * `text` without what a memory tool injected into it (pains 60, 75): well-formed context blocks, hook wrappers, and the
 * public kiro-learn's heading with its records. The rest stays, also between two blocks.
 *
 * A block of ours or a hook wrapper without its end tag is dropped up to the first blank line, or to the end when there
 * is none: its content may be anything, and what follows a blank line is more likely the user's. An opening tag that
 * stands inside a line of prose (`how does <kiro-learn-context> work?`) and has no end is left alone. Linear.
 */
export function stripInjected(text: string): string {
  let out = text;
  if (out.includes('<')) out = stripElements(out);
  if (out.includes('#')) out = stripHeadings(out);
  return out === text ? text : tidy(out);
}

function stripElements(text: string): string {
  const open = new RegExp(ELEMENTS);
  const unclosed = new Set<string>();
  let out = '';
  let copied = 0;
  for (let hit = open.exec(text); hit !== null; hit = open.exec(text)) {
    const name = hit[1] as string;
    const from = open.lastIndex;
    const end = unclosed.has(name) ? -1 : elementEnd(text, name, from);
    if (end < 0) unclosed.add(name);
    const stop = end >= 0 ? end : unclosedEnd(text, hit.index, from);
    if (stop < 0) continue;
    out += text.slice(copied, hit.index);
    copied = stop;
    open.lastIndex = stop;
  }
  return out + text.slice(copied);
}

/** Behind the end tag that belongs to the element whose content begins at `from`; the same element may nest. */
function elementEnd(text: string, name: string, from: number): number {
  const tags = new RegExp(`<(/?)${name}(?:\\s[^<>]{0,512})?>`, 'g');
  tags.lastIndex = from;
  let depth = 1;
  let lastClose = -1;
  for (let hit = tags.exec(text); hit !== null; hit = tags.exec(text)) {
    depth += hit[1] === '/' ? -1 : 1;
    if (hit[1] === '/') lastClose = tags.lastIndex;
    if (depth === 0) return tags.lastIndex;
  }
  return lastClose;
}

function unclosedEnd(text: string, index: number, from: number): number {
  const atLineStart = index === 0 || /[\r\n]/.test(text[index - 1] as string);
  const endsLine = from >= text.length || /[\r\n]/.test(text[from] as string);
  if (!atLineStart || !endsLine) return -1;
  const blank = /\r?\n[ \t]*\r?\n/g;
  blank.lastIndex = from;
  const gap = blank.exec(text);
  const end = gap === null ? text.length : gap.index;
  return end - from > UNCLOSED_LIMIT ? -1 : end;
}

function stripHeadings(text: string): string {
  const heading = new RegExp(HEADING);
  let out = '';
  let copied = 0;
  for (let hit = heading.exec(text); hit !== null; hit = heading.exec(text)) {
    const end = recordsEnd(text, heading.lastIndex);
    if (end < 0 && !NAMES_TOOL.test(hit[0])) continue;
    out += text.slice(copied, hit.index);
    copied = end < 0 ? heading.lastIndex : end;
    heading.lastIndex = copied;
  }
  return out + text.slice(copied);
}

const LINE = /([^\n]*)(?:\n|$)/y;

/**
 * Where the records below a heading end: each is a level-3 title, a summary and bullets. The first paragraph that
 * neither is, nor follows, a title ends them. -1: no record follows.
 */
function recordsEnd(text: string, from: number): number {
  let at = from;
  let end = -1;
  let expectsSummary = false;
  let inParagraph = false;
  while (at < text.length) {
    LINE.lastIndex = at;
    const line = (LINE.exec(text)?.[1] ?? '').trim();
    const next = LINE.lastIndex;
    if (line === '') {
      inParagraph = false;
    } else if (/^#{3,6}\s/.test(line)) {
      expectsSummary = true;
      inParagraph = true;
      end = next;
    } else if (end < 0 || /^#{1,2}\s/.test(line)) {
      break;
    } else if (inParagraph || expectsSummary || /^[-*]\s/.test(line)) {
      expectsSummary = false;
      inParagraph = true;
      end = next;
    } else {
      break;
    }
    at = next === at ? text.length : next;
  }
  return end;
}

function tidy(text: string): string {
  return text.replace(/\n{3,}/g, '\n\n').trim();
}
