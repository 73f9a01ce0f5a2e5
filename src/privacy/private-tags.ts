export const PRIVATE_MARK = '[REDACTED:private]';

const TAG = /<\s{0,64}(?:(\/)\s{0,64})?private(?![\w-])/gi;
const ATTRIBUTES_LIMIT = 1024;

/** What a text holds without its private parts, and those parts themselves (for recognising them again). */
export interface PrivateParts {
  text: string;
  removed: string[];
}

/**
 * Takes every `<private>` part out of `text` and leaves `[REDACTED:private]` in its place: any case, spaces and
 * attributes in the tag, nested. An unclosed tag hides everything up to the end; a closing tag without an
 * opening one is left alone. One pass, linear.
 */
export function removePrivate(text: string): string {
  return splitPrivate(text).text;
}

/** As {@link removePrivate}, and gives what was taken out. */
export function splitPrivate(text: string): PrivateParts {
  if (!text.includes('<')) return { text, removed: [] };
  const removed: string[] = [];
  const tag = new RegExp(TAG);
  let out = '';
  let copied = 0;
  let depth = 0;
  let inside = 0;
  for (let hit = tag.exec(text); hit !== null; hit = tag.exec(text)) {
    const end = tagEnd(text, tag.lastIndex);
    tag.lastIndex = end.at;
    if (hit[1] === '/') {
      if (depth === 0) continue;
      depth -= 1;
      if (depth > 0) continue;
      removed.push(text.slice(inside, hit.index));
      copied = end.at;
    } else {
      if (depth === 0) {
        out += text.slice(copied, hit.index) + PRIVATE_MARK;
        inside = end.at;
        copied = end.at;
      }
      if (!end.selfClosing) depth += 1;
    }
  }
  if (depth > 0) removed.push(text.slice(inside));
  else out += text.slice(copied);
  return { text: out, removed };
}

// Where the tag ends matters little: what stays of an odd tag is hidden with the content. A tag whose `>` is
// missing ends at its name.
function tagEnd(text: string, from: number): { at: number; selfClosing: boolean } {
  const limit = Math.min(text.length, from + ATTRIBUTES_LIMIT);
  for (let i = from; i < limit; i += 1) {
    const code = text.charCodeAt(i);
    if (code === 0x3c) break;
    if (code === 0x3e) return { at: i + 1, selfClosing: text.charCodeAt(i - 1) === 0x2f };
  }
  return { at: from, selfClosing: false };
}
