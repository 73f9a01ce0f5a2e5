import { draftFrom } from './draft-builder';
import type { ExtractionRule } from './extractor';
import { isSpecific } from './literals';
import { hasExtension, pathsIn } from './paths';
import { clip, joinSentences } from './sentences';
import { statementsIn } from './statements';
import { matchesAny, phrasesFor, withoutFillers } from './speech';
import { wentThrough, type ToolUse } from './tool-use';
import { isIdle, requestOf, saysNothing, tellingSentences } from './turn-view';

const ANSWER_MAX = 420;
const ANSWER_MIN = 40;
const FILES_MAX = 4;
/** Asks how things stand just now; the answer is old tomorrow. */
const PASSING =
  /\b(?:still (?:open|left|missing|to do)|what(?:'s| is) (?:next|left|open|the status)|any(?:thing)? (?:left|open|news)|noch (?:offen|übrig|zu tun)|wie weit)\b|(?:残って|まだ何|残り)|(?:还(?:有|剩)什么|进度)/i;

/**
 * What the agent found out where nothing was changed: the question and the answer, in the agent's words. Marked
 * `external` where the turn read the web or an MCP server; sentences addressed to agents are left out (pain 93).
 */
export const discoveryRule: ExtractionRule = {
  name: 'discovery',
  apply({ view }) {
    const summary = view.turn.summary;
    const prompt = view.prompts[0];
    if (!summary || !prompt || view.changed || view.failures.length > 0) return [];
    if (prompt.words.aloud || prompt.words.briefing || isIdle(view.answer)) return [];
    // An answer that rests on nothing looked at is an opinion.
    if (!view.uses.some(wentThrough)) return [];
    if (statementsIn(view).some((statement) => statement.kind !== 'approval')) return [];
    const telling = tellingSentences(view.answer, view.external);
    if (telling[0] === undefined || isProposal(telling[0]) || saysNothing(telling[0])) return [];
    if (PASSING.test(requestOf(view))) return [];
    const answer = clip(joinSentences(telling), ANSWER_MAX);
    if (weightOf(answer) < ANSWER_MIN || !isSpecific(answer)) return [];
    const request = requestOf(view);
    const draft = draftFrom(
      {
        key: 'answer',
        rule: 'discovery',
        type: 'discovery',
        title: withoutFillers(clip(request, 160)) || clip(answer, 120),
        summary: answer,
        facts: [],
        files: [...pathsIn(answer).filter(hasExtension), ...filesRead(view.uses, answer)].slice(0, FILES_MAX),
        evidence: [
          { event: summary, excerpt: answer },
          { event: prompt.event, excerpt: request },
        ],
        origin: view.external ? 'external' : 'agent_words',
        importance: 0.45,
      },
      view,
    );
    return draft ? [draft] : [];
  },
};

/** Files that the answer rests on: those read whose text holds a name or a number of it, and the only one read. */
function filesRead(uses: readonly ToolUse[], answer: string): string[] {
  const reads = uses.filter((use) => use.effect === 'read' && wentThrough(use) && use.read.length === 1);
  const names = answer.match(/[\p{L}_][\p{L}\p{N}_.-]*[_.\p{N}][\p{L}\p{N}_-]+|\d{3,}/gu) ?? [];
  const telling = reads.filter((use) => names.some((name) => use.output.includes(name)));
  const files = (telling.length > 0 ? telling : reads).flatMap((use) => use.read);
  const each = [...new Set(files)];
  return telling.length > 0 || each.length === 1 ? each : [];
}

/** A suggestion is no finding; where the user takes it, it becomes a decision. */
function isProposal(sentence: string): boolean {
  return matchesAny(phrasesFor(sentence).proposal, sentence.toLowerCase());
}

/** Characters, those of scripts without spaces counted as the words that they stand for. */
function weightOf(text: string): number {
  const wide = text.match(/[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/g)?.length ?? 0;
  return text.length + wide * 2;
}
