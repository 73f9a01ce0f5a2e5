import { buildDraft } from './draft-builder';
import type { ExtractionRule } from './extractor';
import { isSpecific } from './literals';
import { clip } from './sentences';
import { isIdle, requestOf, tellingSentences } from './turn-view';

const ANSWER_MAX = 420;
const ANSWER_MIN = 40;

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
    const looked = view.uses.length > 0;
    const asked = prompt.words.sentences.some((sentence) => sentence.question);
    if (!looked && !asked) return [];
    const answer = clip(tellingSentences(view.answer, view.external).join(' '), ANSWER_MAX);
    if (answer.length < ANSWER_MIN || !isSpecific(answer)) return [];
    const request = requestOf(view);
    const draft = buildDraft(
      {
        key: 'answer',
        rule: 'discovery',
        type: 'discovery',
        title: clip(request, 160) || clip(answer, 120),
        summary: answer,
        facts: [],
        files: [],
        evidence: [
          { event: summary, excerpt: answer },
          { event: prompt.event, excerpt: request },
        ],
        origin: view.external ? 'external' : 'agent_words',
        importance: 0.45,
      },
      view.turn,
    );
    return draft ? [draft] : [];
  },
};
