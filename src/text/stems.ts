import { stemmer } from 'stemmer';

/** Forms that no suffix rule can join. Base form first. */
const IRREGULAR = `
be am is are was were been being;become became;begin began begun;bear bore borne;bend bent;bind bound;
bite bit bitten;bleed bled;blow blew blown;break broke broken;bring brought;build built;burn burnt;buy bought;
catch caught;choose chose chosen;come came;cling clung;deal dealt;dig dug;do did done does;draw drew drawn;
dream dreamt;drink drank drunk;drive drove driven;eat ate eaten;fall fell fallen;feed fed;feel felt;fight fought;
find found;flee fled;fly flew flown;forbid forbade forbidden;forget forgot forgotten;forgive forgave forgiven;
freeze froze frozen;get got gotten;give gave given;go went gone goes;grow grew grown;hang hung;have has had;
hear heard;hide hid hidden;hold held;keep kept;know knew known;lay laid;lead led;leave left;lend lent;
light lit;lose lost;make made;mean meant;meet met;pay paid;ride rode ridden;ring rang rung;rise rose risen;
run ran;say said;see saw seen;seek sought;sell sold;send sent;shake shook shaken;shine shone;shoot shot;
show shown;shrink shrank shrunk;sing sang sung;sink sank sunk;sit sat;sleep slept;slide slid;speak spoke spoken;
speed sped;spend spent;spin spun;stand stood;steal stole stolen;stick stuck;strike struck;swear swore sworn;
sweep swept;swim swam swum;swing swung;take took taken;teach taught;tear tore torn;tell told;think thought;
throw threw thrown;understand understood;wake woke woken;wear wore worn;win won;wind wound;write wrote written;
child children;person people;man men;woman women;foot feet;tooth teeth;mouse mice;goose geese;life lives;
index indices indexes;vertex vertices;matrix matrices;datum data;criterion criteria;analysis analyses;
leaf leaves;half halves;shelf shelves;good better best;bad worse worst`;

const BASE_OF: ReadonlyMap<string, string> = new Map(
  IRREGULAR.replace(/\n/g, '')
    .split(';')
    .flatMap((family) => {
      const [base = '', ...forms] = family.trim().split(' ');
      return forms.map((form): [string, string] => [form, base]);
    }),
);

/** British spellings meet American ones: `colour`, `centre`, `normalise`. */
function oneSpelling(word: string): string {
  if (word.length < 6) return word;
  return word
    .replace(/is(e|ed|es|ing|ation|ations)$/, (_, end: string) => `iz${end}`)
    .replace(/([^aeiou])our(s|ed|ing)?$/, '$1or$2')
    .replace(/([bt])re(s)?$/, '$1er$2');
}

/**
 * The stem of a lower-case word: Porter's algorithm over a table of irregular forms. Words with digits
 * (codes, versions, identifiers) are kept as they are.
 */
export function stem(word: string): string {
  if (word.length < 3 || /[^a-z]/.test(word)) return word;
  return stemmer(oneSpelling(BASE_OF.get(word) ?? word));
}
