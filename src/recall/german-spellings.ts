import { germanForms } from '../text/german';
import { stem } from '../text/stems';
import { squash } from '../text/tokenizer';

/** The most other forms of one word that are searched for. */
const MAX_FORMS = 3;
const SHORTEST_PART = 4;
/** What may stand between the parts of a compound. */
const LINKS = ['', 's', 'n', 'en', 'es', 'er'];

/** Terms that stand for a word: any one of its other forms, or all the parts that it is made of. */
export interface Spellings {
  forms: string[];
  parts: string[];
}

/**
 * Terms of the index for a German word that the index does not hold as written: its other forms, else the
 * words that it is made of. `isKnown` tells whether a term is in the index.
 */
export function germanSpellings(word: string, isKnown: (term: string) => boolean): Spellings {
  const plain = plainOf(word);
  if (!/^[a-z]{4,40}$/.test(plain)) return { forms: [], parts: [] };
  const forms = knownForms(plain, isKnown);
  return { forms, parts: forms.length > 0 ? [] : partsOf(plain, isKnown) };
}

function plainOf(word: string): string {
  return word
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss');
}

function knownForms(plain: string, isKnown: (term: string) => boolean): string[] {
  const found = new Set<string>();
  for (const form of germanForms(plain)) {
    if (found.size >= MAX_FORMS) break;
    for (const term of [form, stem(form), squash(form)]) if (isKnown(term)) found.add(term);
  }
  return [...found];
}

/** The longest beginning that is a word of the index, then the rest; a part that is unknown is left out. */
function partsOf(plain: string, isKnown: (term: string) => boolean): string[] {
  if (plain.length < 2 * SHORTEST_PART) return [];
  const known = (part: string): string | undefined =>
    [part, stem(part)].find(isKnown) ?? (part.length > 4 ? knownForms(part, isKnown)[0] : undefined);
  let best: string[] = [];
  for (let at = plain.length - SHORTEST_PART; at >= SHORTEST_PART; at--) {
    const tail = known(plain.slice(at));
    for (const link of LINKS) {
      const head = plain.slice(0, at);
      if (!head.endsWith(link) || head.length - link.length < SHORTEST_PART) continue;
      const own = known(head.slice(0, head.length - link.length));
      const parts = [own, tail].filter((part) => part !== undefined);
      if (parts.length === 2) return parts;
      if (parts.length > best.length) best = parts;
    }
  }
  return best;
}
