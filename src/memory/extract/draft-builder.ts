import type { MemoryEvent } from '../../contract/event';
import { LIMITS } from '../../contract/limits';
import type { Evidence, ObservationType, Origin } from '../../contract/memory-record';
import { turnTime, type Turn } from '../turn';
import { eventText } from './event-text';
import type { ExtractedDraft, Replacement } from './extracted-draft';
import { holdsLiteral, literalsIn } from './literals';
import { projectPath } from './paths';
import { clip } from './sentences';
import { scriptLanguage } from './speech';
import type { EventSourceText, TurnView } from './turn-view';

/** What a rule found, before it is cut to size and tied to its evidence. */
export interface Finding {
  /** Distinguishes the findings of one rule in one turn. */
  key: string;
  rule: string;
  type: ObservationType;
  title: string;
  summary: string;
  facts: string[];
  files: string[];
  concepts?: string[];
  /** Events that the finding rests on, with the part that shows it. */
  evidence: { event: MemoryEvent; excerpt: string }[];
  origin: Origin;
  importance: number;
  /** Replaces the turn in the record's identity, for findings that are the same in every turn. */
  identity?: string;
  validFrom?: string;
  replaces?: Replacement[];
  retiredFiles?: string[];
  corrects?: string[];
}

const SUMMARY_MAX = 700;
const FACT_MAX = 320;
const FACTS_MAX = 6;
const EVIDENCE_MAX = 8;

/**
 * A draft that says nothing its evidence does not hold: every path, command, number and quote of summary and
 * facts must stand in a cited event. What another event of the turn holds is cited too; what none holds is
 * left out. Undefined where nothing is left.
 */
export function draftFrom(
  finding: Finding,
  view: Pick<TurnView, 'turn' | 'sources'>,
  others: readonly Pick<TurnView, 'sources'>[] = [],
): ExtractedDraft | undefined {
  const { turn } = view;
  const sources = new Sources(
    [view, ...others].flatMap((from) => from.sources),
    finding.evidence,
  );
  const summary = sources.ground(clip(finding.summary, SUMMARY_MAX));
  const facts = [...new Set(finding.facts.map((fact) => clip(fact, FACT_MAX)))]
    .filter((fact) => fact !== '' && !summary.includes(fact))
    .slice(0, FACTS_MAX)
    .map((fact) => sources.ground(fact))
    .filter(Boolean);
  const title = clip(finding.title.replace(/\s+/g, ' '), LIMITS.titleChars);
  if (title === '' || (summary === '' && facts.length === 0)) return undefined;
  const files = filesOf(finding.files, turn);
  const text = [title, summary, ...facts].join('\n');
  const draft: ExtractedDraft = {
    identity: finding.identity ?? `${finding.rule}:${turn.session_id}:${turn.turn_id}:${finding.key}`,
    session_id: turn.session_id,
    observation_type: finding.type,
    title,
    summary,
    facts,
    concepts: conceptsOf(text, finding.concepts ?? [], turn),
    files_touched: files,
    evidence: sources.evidence(),
    strategy: 'rules',
    origin: finding.origin,
    importance: weigh(finding, turn),
    valid_from: finding.validFrom ?? finding.evidence[0]?.event.valid_time ?? turnTime(turn),
  };
  if (turn.session_title) draft.session_title = clip(turn.session_title, LIMITS.titleChars);
  if (turn.branch) draft.branch = turn.branch;
  if (finding.replaces?.length) draft.replaces = finding.replaces;
  if (finding.retiredFiles?.length) draft.retired_files = finding.retiredFiles;
  if (finding.corrects?.length) draft.corrects = finding.corrects;
  return draft;
}

/** The cited events, and those of the same turns that may be cited. */
class Sources {
  private readonly cited = new Map<string, EventSourceText & { excerpt: string }>();

  constructor(
    private readonly available: readonly EventSourceText[],
    evidence: Finding['evidence'],
  ) {
    for (const { event, excerpt } of evidence) this.cite(event, excerpt);
  }

  /** `text` without the sentences whose literals no event holds; cites what it needs. */
  ground(text: string): string {
    const wanting = literalsIn(text).filter((literal) => !this.citedHold(literal));
    for (const literal of wanting) {
      if (this.citedHold(literal)) continue;
      const source = this.available.find((candidate) => holdsLiteral(candidate.text, literal));
      if (source === undefined) return this.withoutUngrounded(text);
      this.cite(source.event, excerptAround(source.text, literal.value));
    }
    return text;
  }

  evidence(): Evidence[] {
    return [...this.cited.values()].map(({ event, excerpt }) => ({ event_id: event.event_id, excerpt }));
  }

  private withoutUngrounded(text: string): string {
    const kept = text
      .split(/(?<=[.!?。！？])\s+/)
      .filter((part) =>
        literalsIn(part).every(
          (literal) => this.citedHold(literal) || this.available.some((s) => holdsLiteral(s.text, literal)),
        ),
      );
    const shorter = kept.join(' ');
    return shorter.length < text.length ? this.ground(shorter) : '';
  }

  private citedHold(literal: { kind: 'path' | 'command' | 'number' | 'quote'; value: string }): boolean {
    return [...this.cited.values()].some((source) => holdsLiteral(source.text, literal));
  }

  private cite(event: MemoryEvent, excerpt: string): void {
    if (this.cited.has(event.event_id) || this.cited.size >= EVIDENCE_MAX) return;
    const known = this.available.find((source) => source.event === event);
    this.cited.set(event.event_id, {
      event,
      text: known?.text ?? eventText(event),
      excerpt: clip(excerpt, LIMITS.excerptChars),
    });
  }
}

/** Up to 300 characters of `text` around `needle`. */
export function excerptAround(text: string, needle: string): string {
  const at = text.indexOf(needle);
  if (text.length <= LIMITS.excerptChars || at < 0) return text.slice(0, LIMITS.excerptChars);
  const lineStart = text.lastIndexOf('\n', at) + 1;
  const start = Math.max(lineStart, at - 120);
  return text.slice(start, start + LIMITS.excerptChars);
}

function filesOf(files: readonly string[], turn: Turn): string[] {
  const root = (turn.prompt ?? turn.tool_uses[0] ?? turn.summary)?.source.project_path;
  return [...new Set(files.map((file) => projectPath(file, root)))]
    .filter((file) => file.length <= LIMITS.fileChars)
    .slice(0, 20);
}

const CONCEPTS_MAX = 8;
const NAME = /@[\w-]+\/[\w.-]+|\b[A-Z][a-z]+[A-Z]\w*\b|\b[A-Z][A-Z0-9]+_[A-Z0-9_]+\b|\b[a-z]+_[a-z_]+\b/g;
const UNTITLED = /^(?:new (?:session|chat|conversation)|untitled.*|session|chat)$/i;

/** What a later question may call it: the session's subject, what the rule adds, names in the text, the language. */
function conceptsOf(text: string, given: readonly string[], turn: Turn): string[] {
  const language = scriptLanguage(text);
  const subject = turn.session_title ?? '';
  const names = [
    ...(subject.length > 60 || UNTITLED.test(subject.trim()) ? [] : [subject]),
    ...(language === undefined ? [] : [language]),
    ...given,
    ...(text.match(NAME) ?? []),
  ];
  return [...new Set(names)]
    .filter((name) => name.length > 1 && name.length <= LIMITS.conceptChars)
    .slice(0, CONCEPTS_MAX);
}

function weigh(finding: Finding, turn: Turn): number {
  const hints = finding.evidence.map(({ event }) => event.importance_score ?? 0);
  const hinted = Math.max(finding.importance, ...hints);
  const weight = finding.origin === 'external' ? hinted * 0.75 : hinted;
  const ended = turn.summary === undefined && finding.type === 'session_summary' ? 0.9 : 1;
  return Math.round(Math.min(1, Math.max(0, weight * ended)) * 100) / 100;
}
