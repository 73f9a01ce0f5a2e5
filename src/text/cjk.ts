/**
 * True for scripts that are written without spaces (Han, Hiragana, Katakana, Hangul syllables with their
 * marks), which are indexed as overlapping pairs of characters: pain 106.
 */
export function isCjk(code: number): boolean {
  if (code < 0x2e80) return false;
  return (
    (code >= 0x3040 && code <= 0x30ff) ||
    (code >= 0x4e00 && code <= 0x9fff) ||
    (code >= 0x3400 && code <= 0x4dbf) ||
    (code >= 0xac00 && code <= 0xd7a3) ||
    (code >= 0xf900 && code <= 0xfaff) ||
    (code >= 0x2e80 && code <= 0x2fdf) ||
    (code >= 0x31f0 && code <= 0x31ff) ||
    (code >= 0xff66 && code <= 0xff9d) ||
    (code >= 0x20000 && code <= 0x3ffff) ||
    code === 0x3005 ||
    code === 0x3007
  );
}

/** Hiragana writes endings and particles: a pair of two of them says little about the subject. */
export function isHiragana(code: number): boolean {
  return code >= 0x3040 && code <= 0x309f;
}

/**
 * The terms of one unbroken run of CJK characters: every pair of neighbours, or the character itself where
 * it stands alone. Pairs of Hiragana alone are left out, unless the run has nothing else.
 */
export function cjkTerms(run: string): string[] {
  const chars = [...run];
  if (chars.length === 1) return [run];
  const pairs: string[] = [];
  const weak: string[] = [];
  for (let i = 0; i + 1 < chars.length; i++) {
    const left = chars[i] ?? '';
    const right = chars[i + 1] ?? '';
    const bothWeak = isHiragana(left.codePointAt(0) ?? 0) && isHiragana(right.codePointAt(0) ?? 0);
    (bothWeak ? weak : pairs).push(left + right);
  }
  return pairs.length > 0 ? pairs : weak;
}
