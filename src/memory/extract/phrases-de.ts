import type { Phrases } from './phrases';

const NAME = String.raw`[\wäöüß@./+#-]+(?:\s+[\wäöüß@./+#-]+){0,3}?`;
const USE = String.raw`(?:nutz|verwend|nimm|nehm|benutz|setz|schreib|leg|mach|halt|lass)\w*`;

export const GERMAN: Phrases = {
  rule: [
    /^(?:immer|nie|niemals|stets|grundsätzlich|nie wieder|auf keinen fall|keinesfalls)\s+\S+/,
    /\b(?:ab jetzt|ab sofort|ab heute|von nun an|von jetzt an|künftig|zukünftig|in zukunft|fortan)\b/,
    /^merke?(?: dir)?(?: bitte)?\s*[:,]|^(?:merk(?:e)? dir|denk(?:e)? (?:daran|dran)|beachte|wichtig|zur info|regel|konvention)\b\s*[:,]?/,
    new RegExp(
      `^${USE}\\b.{0,60}\\b(?:immer|nie|niemals|stets|nur|ausschließlich|grundsätzlich|statt|anstatt|anstelle|nicht)\\b`,
    ),
    /\b(?:immer|nie|niemals|stets|nur noch|grundsätzlich|ausschließlich)\b.{1,80}\b\p{L}+(?:en|ern|eln)$/u,
    /\b(?:nie|niemals|nicht) (?:wieder|mehr)\b.{0,80}\b\p{L}+en$/u,
    /\b(?:ich|wir) (?:bevorzuge|bevorzugen|hätte(?:n)? lieber|möchte(?:n)? (?:immer|nie|nur|keine?)|will|wollen (?:immer|nie|nur|keine?)|mag|mögen)\b.{2,}/,
    /\b(?:darf|dürfen|soll|sollen|muss|müssen) (?:\S+ ){0,6}?(?:nie|niemals|immer|stets|nur|nicht|keine?)\b/,
    /\bbitte (?:auf (?:englisch|deutsch)|ohne \S+)|\bgehör(?:t|en)\b.{1,60}\bnicht\b/,
    /^\S+(?: \S+)? (?:immer|nie|niemals|nur|stets) (?:im|in|auf|mit|als|nach|per|über|ohne)\b/,
    /\bbitte (?:nur|immer|nie(?:mals)?)\b|\bnur noch\b/,
    /\b(?:immer|nie|niemals|stets|grundsätzlich|ausnahmslos) (?:im|in|auf|mit|als|nach|per|über|ohne|an|ans|am|bei|von|aus)\b/,
    /^(?:(?:noch )?(?:et)?was )?(?:generelles|grundsätzliches|allgemeines|allgemein|generell|prinzipiell)\s*[:,–—-]/,
    /\bkeine?n?\b.{1,40}\b(?:mehr|bitte)\b|^(?:bitte )?keine?n? \S+ (?:in|im|auf|bei|für|ohne)\b/,
    /\b(?:statt|anstatt|anstelle(?: von)?)\b.{2,60}\b(?:nutzen|verwenden|nehmen|benutzen|nimm|nutze|verwende)\b|\b(?:nimm|nutze|verwende|nutzen|verwenden|nehmen)\b.{1,60}\b(?:statt|anstatt|anstelle)\b/,
    /\b(?:in diesem projekt|bei uns|in unserem? (?:projekt|repo|team)|hier im (?:projekt|repo))\b.{0,60}\b(?:nutz|verwend|nimm|nehm|schreib|gilt|heißt|heissen|kein|nur|immer|nie)/,
    /\b(?:ist|sind) (?:hier )?(?:verboten|tabu|pflicht|vorschrift|nicht erlaubt)\b/,
    /^(?:nur|bitte nur|ausschließlich)\s+\S+/,
    /\b(?:alle|jede[rsn]?)\b.{2,80}\b(?:muss|müssen|soll|sollen|gehören|gehört|kommt|kommen)\b/,
    /\b(?:vorher|erst|zuerst) (?:fragen|nachfragen|rückfragen)\b|\bohne (?:rückfrage|nachzufragen)\b/,
  ],
  weakRule: [
    new RegExp(`^${USE}\\b`),
    /\b(?:nicht|keine?n?)\b.{1,60}\b\p{L}+en$/u,
    /\b(?:muss|müssen|soll|sollen|darf|dürfen)\b/,
    /^(?:keine?n?)\s+\S+/,
  ],
  decision: [
    /^(?:entschieden|entscheidung|beschlossen|beschluss|abgemacht|einigung)\s*[:,–—-]/,
    /\b(?:wir|ich) (?:haben|habe) (?:\S+ ){0,8}(?:entschieden|beschlossen|geeinigt|festgelegt)\b/,
    /\b(?:wir|dann|also|ich) (?:wir )?(?:nehmen|nehme|bleiben bei|bleibe bei|bleiben|gehen mit|setzen (?:jetzt |nun )?auf|steigen|wechseln|ziehen|wandern|stellen|verwerfen|verzichten auf|lassen|machen es mit|verwenden|nutzen)\b/,
    /^(?:nehmen|machen|bleiben|verwenden|nutzen|setzen) wir\b|\b(?:lieber|besser)\b.{1,60}\b(?:statt|als)\b/,
    /\bes (?:bleibt bei|wird)\b|\b(?:wird|ist) es (?:dann|also)\b/,
    /\b(?:weil|da|grund:|begründung:)\b.{4,}/,
    /\b(?:umstellen|umsteigen|wechseln|umziehen|ablösen|ersetzen)$/,
  ],
  correction: [
    /^(?:nein|nee|nö|falsch|stopp?|halt)\s*[,!.:;–—-]+/,
    /^(?:nein|nee) \S+/,
    /^(?:das (?:ist|stimmt) (?:falsch|nicht|so nicht)|so nicht|ich (?:meinte|sagte|wollte)|doch nicht)/,
  ],
  approval: [
    /^(?:ja|jo|jep|ok|okay|gut|genau|passt|einverstanden|perfekt|super|klar|stimmt)(?:[\s,.!:;-]+(?:bitte|mach (?:das|es|so)|machen wir(?: so)?|so machen wir(?:'s| es| das)|dann los|los|gerne|nehmen wir|so))*[\s.!]*$/,
    /^(?:mach (?:das|es|mal)(?: so)?|machen wir(?: so)?|so machen wir (?:das|es))\b/,
  ],
  aloud: [
    /\b(?:nur|einfach) (?:mal )?(?:laut )?(?:gedacht|überlegt|so ein gedanke)\b|\blaut gedacht\b|\bich überlege\b|\bwas wäre,? wenn\b|\bhypothetisch\b|\btheoretisch\b/,
  ],
  reported: [
    /\b(?!ich\b|wir\b)\p{L}[\p{L}'-]*(?:\s+[\p{L}'-]+){0,2}\s+(?:sagt|sagte|meint|meinte|findet|fand|behauptet|glaubt|schreibt|schrieb|empfiehlt|will, dass|möchte, dass|hat gesagt|hat gemeint)\b/u,
    /^(?:laut|angeblich)\s/,
  ],
  rejected: [
    /\b(?:sehe ich anders|stimmt nicht|bin (?:ich )?anderer meinung|ignorier(?:e|en)?|finde ich nicht|quatsch|unsinn|glaube ich nicht)\b/,
  ],
  reason: [
    /^(?:weil|da |denn|sonst|ansonsten|grund|das (?:bricht|ist|kommt|hat)|die (?:ci|pipeline)|wir hatten)\b/,
  ],
  not: [
    /\b(?:schlägt|bricht|geht|klappt|funktioniert|läuft|fehlt|hängt|kommt|liefert|ist|war|wird|hat|sind)\b.{0,30}\b(?:immer|nie|ständig|jedes ?mal)\b/,
    /\bimmer (?:noch|wieder)\b/,
    /\b(?:heute|morgen|diese woche|diesmal|vorerst|ausnahmsweise)\b/,
    /\b(?:vielleicht|eventuell|könnte(?:n|st)? (?:wir|man|du)|sollten wir)\b/,
    /^(?:prüf|schau|guck|zeig|erklär|find heraus|check)/,
  ],
  proposal: [
    /\b(?:ich|wir) (?:würde|würden|schlage|schlagen|empfehle|empfehlen|könnte|könnten)\b|\b(?:vorschlag|empfehlung|entscheidung)\s*:|\bwäre (?:besser|sinnvoll|die bessere|am besten)\b/,
  ],
  replaced: [
    new RegExp(
      `(?<new>${NAME}) (?:statt|anstatt|anstelle(?: von)?) (?<old>[^.;:,()]{2,40}?)(?=$|[.;:,()]|\\s+(?:nehmen|nutzen|verwenden|weil|für|in)\\b)`,
      'i',
    ),
    new RegExp(
      `\\b(?:statt|anstatt|anstelle(?: von)?) (?<old>[^.;:,()]{2,40}?),? (?:bitte |jetzt |nun |nehmen wir |nutzen wir )(?<new>${NAME})(?=$|[.;:,()]|\\s)`,
      'i',
    ),
    /\bvon (?<old>[^.;:,()]{2,40}?) (?:auf|zu|nach) (?<new>[^.;:,()]{2,40}?) (?:um|wechseln|umstellen|umsteigen|umziehen|migrieren)\b/i,
    /\b(?:wechseln|steigen|ziehen|stellen) (?:wir )?(?:\S+ ){0,2}?von (?<old>[^.;:,()]{2,40}?) (?:auf|zu|nach) (?<new>[^.;:,()]{2,30}?)(?=$|[.;:,()]|\s+(?:um|weil|da)\b)/i,
    /(?<new>[\w@./+#-]+) (?:ersetzt|löst) (?<old>[\w@./+#-]+)(?: ab)?\b/i,
    /\bnicht mehr (?<old>[\w@./+#-]+)/i,
    /(?:^|[.!,;:]\s+)(?<old>[\w@./+#-]+(?:(?: und |, | \+ )[\w@./+#-]+){0,3}) (?:raus|fliegt raus|fliegen raus|fällt weg|fallen weg)\b/i,
    /\b(?<old>[\w@./+#-]+) (?:wurde|wird|ist|sind|werden) (?:durch (?<new>[\w@./+#-]+) )?(?:ersetzt|abgelöst|abgeschafft)\b/i,
    /\b(?:war (?:vorher|bisher|früher)|bisher|vorher) (?<old>[\w@./+#-]+)/i,
  ],
  directive: [
    /\b(?:ignoriere|vergiss) (?:alle|die|deine)\b|\bdu (?:musst|sollst)\b|^(?:immer|nie|merke? dir|ab jetzt)\b/,
  ],
};
