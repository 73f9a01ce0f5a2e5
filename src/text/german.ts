const FUNCTION_WORDS =
  /(?<!\p{L})(?:der|die|das|dem|den|des|ein|eine|einen|und|oder|nicht|ist|sind|wir|ich|wie|wo|warum|wann|soll|haben|hat|bitte|mit|für|auf|im|zum|zur|von|bei|beim|wird|werden|kann|muss|müssen|welche[rnms]?)(?!\p{L})/giu;
const UMLAUT = /[äöüß]/i;

/** True for a text that its function words or umlauts show to be German, among English as well. */
export function isGerman(text: string): boolean {
  const head = text.slice(0, 2000);
  const words = new Set(Array.from(head.matchAll(FUNCTION_WORDS), ([word]) => word.toLowerCase()));
  words.delete('die');
  return words.size >= 2 || (words.size >= 1 && head.length < 80) || UMLAUT.test(head);
}

const ENDINGS = [
  'ungen',
  'est',
  'ten',
  'ern',
  'ung',
  'en',
  'er',
  'em',
  'es',
  'et',
  'st',
  'te',
  'e',
  'n',
  's',
  't',
];
const SHORTEST_STEM = 4;

/**
 * Other forms of a German word that share its stem, such as `formatiert` for `formatiere` or `bild` for
 * `bilder`: one ending is taken off, and each ending tried. Lower case, likeliest first.
 */
export function germanForms(word: string): string[] {
  const lower = word.toLowerCase();
  const bases = new Set([lower]);
  for (const ending of ENDINGS) {
    if (lower.endsWith(ending) && lower.length - ending.length >= SHORTEST_STEM)
      bases.add(lower.slice(0, -ending.length));
  }
  const forms = new Set<string>();
  for (const base of bases) {
    if (base.length < SHORTEST_STEM) continue;
    forms.add(base);
    for (const ending of ENDINGS) forms.add(base + ending);
  }
  forms.delete(lower);
  return [...forms];
}
