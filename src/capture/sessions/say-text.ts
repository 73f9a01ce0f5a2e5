/**
 * Joins the fragments in which an answer was recorded (about eight a turn in the IDE). A blank line parts
 * them unless the first one visibly goes on: white space at the seam, or a word that continues.
 */
export function joinFragments(fragments: readonly string[]): string {
  let text = '';
  for (const fragment of fragments) {
    if (fragment === '') continue;
    text += text === '' || continues(text, fragment) ? fragment : `\n\n${fragment}`;
  }
  return text;
}

function continues(before: string, after: string): boolean {
  if (/\s$/.test(before) || /^\s/.test(after)) return true;
  return /[\p{L}\p{N},]$/u.test(before) && /^[\p{Ll},.;:!?)]/u.test(after);
}
