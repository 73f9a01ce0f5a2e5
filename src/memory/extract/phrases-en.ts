import type { Phrases } from './phrases';

const CLAUSE = String.raw`(?:^|[,;:(–—-]\s*|\b(?:and|but|so|please|then|also)\s+)`;
const NAME = String.raw`[\w@./+#-]+(?:\s+[\w@./+#-]+){0,3}?`;

export const ENGLISH: Phrases = {
  rule: [
    new RegExp(`${CLAUSE}(?:always|never)\\s+(?!mind\\b|the\\b|been\\b|had\\b|seen\\b)[\\w@-]+`),
    /\b(?:must|should|shall|may|can)\s+(?:always|never|only)\b/,
    /\b(?:we|you)\s+(?:always|never)\s+(?!had|have|saw|see|got|get|were|was|did|knew|heard|\w+ed\b)\w+/,
    /\b(?:from now on|from here on|going forward|henceforth|as of (?:now|today)|from today(?: on)?)\b/,
    /^in (?:the )?future\b/,
    /^(?:please )?(?:remember|note|keep in mind|bear in mind|for the record)(?:\s*[:,]|\s+that\b|\s+to\b)/,
    /\b(?:i|we)(?:'d|\s+would)?\s+(?:(?:strongly|really|generally|always|much)\s+)*(?:prefer|rather)\b/,
    /\b(?:i|we) (?:like|want) (?:all|every|only|our|my)\b/,
    /\buse\b.{1,60}?\b(?:instead of|rather than|in place of)\b|\binstead of\b.{1,60}?\buse\b/,
    /\buse\b[^.]{1,80}?,\s*(?:not|never|no)\b/,
    /\b(?:tabs|spaces|[\w-]+), not [\w-]+$/,
    new RegExp(`${CLAUSE}no more\\s+\\w+`),
    /\b(?:never|not|don't|do not)\b.*\b(?:again|any ?more|ever)$/,
    /\b(?:must|may|should|can) not\b.*\b(?:ever|any|without|unless|before|outside|directly|twice)\b/,
    /\b(?:legal|hard|strict) requirement\b|\bnon-?negotiable\b|\b(?:is|are) (?:strictly )?(?:forbidden|not allowed|banned|off limits)\b/,
    new RegExp(
      `${CLAUSE}no\\s+(?!idea|problem|need|worr|change|rush|reason|clue|doubt|luck|one|way|matter|more|longer|longer)${NAME}\\s+(?:in|on|for|inside|here|anywhere|ever|without|please)\\b`,
    ),
    /^(?:do not|don't|dont)\s+\w+.*\b(?:ever|again|anywhere|directly|by hand|unless|without|in this (?:repo|project)|in (?:tests|production|commits?|code|docs))\b/,
    /\b(?:in|for) (?:this|our) (?:project|repo(?:sitory)?|code ?base|workspace|team|app|service)\b.{0,40}?\b(?:use|keep|write|put|name|avoid|we (?:use|write|keep|do))\b/,
    /^(?:avoid|only (?:ever )?use|use only|stick (?:to|with)|keep to|prefer)\b/,
    /\b(?:our|the|my|team|house) (?:convention|rule|policy|standard|guideline|style) (?:is|says|:)|^(?:convention|rule|policy|house rule)s?\s*:/,
    /\b(?:ask|check with|confirm with) (?:me|us) (?:first|before)\b|\bwithout asking\b|\bunless i (?:ask|say)\b/,
    /\bas a rule\b|\bby convention\b|\bshould keep (?:that|this|it)\b/,
    /\b(?:every|each|all)\b.{2,80}\b(?:must|should|has to|have to|needs? to|goes|gets)\b/,
    /\bmust be\b.{0,60}\b(?:every|each|all|any|per|always)\b|\b(?:has|have) to be\b.{0,60}\b(?:every|each|all|per|always)\b/,
    /^(?:\w+ ){0,3}only$/,
  ],
  weakRule: [
    /^(?:do not|don't|dont|avoid|keep|use|write|put|name|make sure)\s+\w+/,
    /\b(?:must|has to|have to|should)\b/,
    /\b(?:every|each|all|any)\b.{2,80}\b(?:is|are|goes|go|gets?|lives?|stays?)\b/,
    new RegExp(`${CLAUSE}no\\s+[\\w@-]+`),
  ],
  decision: [
    /^(?:decided|decision|agreed|settled|final(?: decision)?|verdict)\s*[:–—-]/,
    /\b(?:we|i|they|the team)(?:'ve| have)? (?:decided|agreed|settled)\b|\b(?:it's|it is|that's|that is) (?:decided|settled)\b/,
    /\b(?:let's|lets|we|we'll|we will|i'll|i will|then|so|and|i want to|we want to)\s+(?:go(?:ing)? with|stay (?:with|on)|stick (?:to|with)|keep (?!getting|seeing|having|in mind)\w+(?!ing\b)|settle (?:on|for)|standardi[sz]e on|adopt|ditch|retire|drop|pick|choose|opt for)\b/,
    /\b(?:we|we're|we are|let's|lets|i|then we|so we)\s+(?:now )?(?:mov(?:e|ing)|switch(?:ing)?|migrat(?:e|ing)|chang(?:e|ing)|go(?:ing)?)\b.{1,60}?\b(?:to|from|over to|back to)\b/,
    new RegExp(`(?:^|,\\s*)(?!what|how|as|who|where|that|this|here|there)${NAME} it is(?:$|[,.;!])`),
    /\b(?:is|are) not the right \w+\b.*|\bnot the right (?:tool|fit|choice|approach)\b/,
    /\binstead of\b.{1,60}?\b(?:use|take|set|make)\b/,
    /\bwe (?:use|take|chose|picked|host|publish|deploy|store|keep|support|target)\b.{2,120}\b(?:because|since|as|reason|so that|not)\b/,
    /\breason(?:ing)?\s*:|\brationale\s*:/,
    /\b(?:stays?|remains?) (?:the|our|as|with|on)\b/,
  ],
  correction: [
    /^(?:no|nope|nah|wrong|incorrect|stop)\s*[,!.:;–—-]+\s*(?!problem|worries|need|thanks|idea)/,
    /^(?:no|nope),? (?:that|this|it|the|you|we|i|not|don't|do)\b/,
    /^(?:that's|that is|this is|it's|you're|you are) (?:wrong|not (?:right|correct|true|what)|incorrect|mistaken)\b/,
    /^(?:i (?:meant|said|asked for|told you)|not like that|not quite)\b/,
    /^actually,? (?!i wonder|what|how|why|can|could)/,
  ],
  approval: [
    /^(?:yes|yep|yeah|ok|okay|agreed|good|great|fine|perfect|right|sure|sounds good|deal|exactly|works for me|lgtm)(?:[\s,.!:;-]+(?:please|do (?:it|that|so)|go ahead|let's (?:do|go with) (?:it|that|this)|go with (?:that|it)|make it so|i agree|agreed|sounds good|let's go|as you (?:say|propose)|good idea))*[\s.!]*$/,
    /^(?:let's |please )?(?:go (?:with|for) (?:that|it|this|your (?:proposal|suggestion|plan))|do (?:it|that)|go ahead)\b/,
  ],
  aloud: [
    /\bthinking (?:aloud|out loud)\b|\bjust (?:thinking|wondering|musing|brainstorming)\b|\bhypothetical(?:ly)?\b/,
    /\bi (?:wonder|was wondering)\b|\bwhat if\b|\bfor the sake of argument\b|\bnot (?:a )?decided?(?: yet)?\b/,
    /\bdon't (?:change|do|touch) anything\b/,
  ],
  reported: [
    /\b(?!i\b|we\b|you\b)[\p{L}][\p{L}'-]*(?:\s+[\p{L}'-]+){0,3}\s+(?:says?|said|thinks?|thought|claims?|claimed|believes?|insists?|suggests?|suggested|argues?|argued|wants? us|told (?:me|us)|wrote|writes|recommends?|recommended|reckons)\b/u,
    /^(?:according to|some people|people say|they say|it is said)\b/,
  ],
  rejected: [
    /\b(?:i|we) (?:don't|do not|disagree|can't) (?:agree|think so|believe|buy|want that|share)?\b.*|\bi disagree\b|\bignore (?:that|him|her|them|it|this)\b|\bnot true\b|\bthat's (?:nonsense|wrong|silly)\b/,
  ],
  reason: [
    /^(?:because|since|otherwise|that way|so that|the reason|reason|we got|we had|we need|it (?:breaks|broke|comes|is)|they (?:break|are)|this (?:breaks|is)|ci |that is|that's)\b/,
  ],
  not: [
    /^(?:never ?mind|always happy|no (?:problem|worries|idea|need|rush|thanks)\b)/,
    /\b(?:always|never|every time)\s+(?:fails?|breaks?|crash(?:es)?|works?|worked|failed|hangs?|times? out|returns?|gets?|happens?|seems?|looks?|goes|was|is|has|had|did|does|answers?)\b(?!.*\b(?:please|from now on)\b)/,
    /\b(?:is|was|are|were|has|had|have) (?:always|never)\b(?! (?:to|be)\b)/,
    /\bit (?:always|never)\b/,
    /^remember (?:when|how|the|that time|last)\b/,
    /\b(?:might|maybe|perhaps|could we|can we|would we)\b/,
    /^(?:check|verify|see|look|find out|tell me|explain|show)\b/,
  ],
  proposal: [
    /\b(?:i|we) (?:would |could |can |'d )?(?:suggest|propose|recommend|advise|go with|prefer)\b|\bi'd (?:use|go|take|pick|suggest|propose|recommend)\b/,
    /\b(?:decision|proposal|recommendation|suggestion)\s*:/,
    /\bwould (?:be|avoid|fit|work|need|use|make|give|solve|come|run)\b|\bshould (?:get|use|be|go|move|have)\b|\bwe could\b/,
    /\bwe go with\b|\bthe (?:best|simplest|better) (?:choice|option|way)\b/,
  ],
  replaced: [
    new RegExp(
      `\\b(?:use|take|with|to) (?<new>${NAME}) (?:instead of|rather than|in place of) (?<old>[^.;:()]{2,60}?)(?=$|[,.;:()]|\\s+(?:because|since|so|and use|for|in|on)\\b)`,
      'i',
    ),
    /\binstead of (?<old>[^.;:()]{2,50}?),? (?:we )?(?:now )?(?:use|take|set|go with|make it) (?<new>[^.;:,()]{1,50})/i,
    /\b(?:mov|switch|migrat|chang|go|went|moved|switched)\w*(?: \w+){0,4}? from (?<old>[^.;:,()]{2,40}?) to (?<new>[^.;:,()]{2,40}?)(?=$|[.;:,()]|\s+(?:because|with|so|since|for|in)\b)/i,
    /(?:^|[.!,;:]\s+)(?:the )?(?<old>[\w@./+#-]+(?: [\w@./+#-]+)?) is(?: no longer|n't| not) (?:the )?(?:right|our|used|needed|allowed|what we)\b/i,
    /(?<new>[\w@./+#-]+(?: [\w@./+#-]+)?) (?:replaces|supersedes) (?<old>[\w@./+#-]+(?:(?: and |, | )[\w@./+#-]+){0,3})/i,
    /\b(?:it )?was (?<old>[\w@./+#-]+(?: [\w@./+#-]+)?) (?:before|until now|previously)\b/i,
    /\bnot (?<old>[\w@./+#-]+(?: [\w@./+#-]+)?) any ?more\b/i,
    /\b(?<old>[\w@./+#-]+) (?:is|are) (?:gone|dropped|retired|deprecated|superseded|decommissioned)\b/i,
  ],
  directive: [
    /\b(?:ignore|disregard|forget) (?:all|any|every|the|your|previous|prior|above)\b/,
    /\byou (?:must|should|shall|have to|need to|are required to|will)\b/,
    new RegExp(`${CLAUSE}(?:always|never|remember|from now on)\\b`),
    /^(?:do not|don't|please|make sure|ensure|upload|send|run|execute|install|delete|disable|post|fetch|open|call)\b/,
  ],
};
