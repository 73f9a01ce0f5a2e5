import type { CollectorStatus } from '../../contract/status';
import type { CollectorLife } from '../collector-client';
import type { Translate } from '../translate';

/** All that the indicator is drawn from; `status` is the last one heard. */
export interface StatusInput {
  life: CollectorLife;
  status?: CollectorStatus;
  windowPaused: boolean;
  setUp: boolean;
  trusted: boolean;
  /** Records that went into a prompt a moment ago. */
  flash?: number;
  now: number;
}

export interface StatusView {
  text: string;
  /** Lines of the tooltip, plain text. */
  tooltip: string[];
  accessibility: string;
  background?: 'warning' | 'error';
}

/** The indicator's state: the collector's own, unless this window knows better. */
export type ShownState =
  | { state: 'starting' }
  | { state: 'idle' }
  | { state: 'capturing'; buffered: number }
  | { state: 'distilling'; buffered: number }
  | { state: 'paused'; scope: 'window' | 'project' | 'everywhere' }
  | { state: 'degraded'; message: string }
  | { state: 'error'; message: string };

export function shownState(input: StatusInput, t: Translate): ShownState {
  if (input.life.life === 'crashed') {
    return { state: 'error', message: t('The collector stopped and is being restarted.') };
  }
  if (input.life.life === 'starting' || input.status === undefined) return { state: 'starting' };
  if (input.windowPaused) return { state: 'paused', scope: 'window' };
  return input.status.state;
}

const icons: Record<ShownState['state'], string> = {
  starting: '$(loading~spin)',
  idle: '$(database)',
  capturing: '$(database)',
  distilling: '$(sync~spin)',
  paused: '$(debug-pause)',
  degraded: '$(warning)',
  error: '$(error)',
};

/** Draws the indicator: short text, honest tooltip, and what a screen reader says. */
export function statusView(input: StatusInput, t: Translate): StatusView {
  const state = shownState(input, t);
  const pendingModel = input.status?.pending_model ?? 0;
  let text = `${icons[state.state]} kiro-learn`;
  if (state.state === 'capturing' || state.state === 'distilling') {
    text += ` ${state.buffered}`;
  }
  if (pendingModel > 0 && state.state !== 'starting') text += ` +${pendingModel}`;
  if (input.flash !== undefined && state.state !== 'error') {
    text = `$(sparkle) ${memoriesToPrompt(input.flash, t)}`;
  }
  const view: StatusView = {
    text,
    tooltip: tooltipLines(input, state, t),
    accessibility: `kiro-learn: ${stateSentence(state, t)}`,
  };
  if (state.state === 'degraded') view.background = 'warning';
  if (state.state === 'error') view.background = 'error';
  return view;
}

export function memoriesToPrompt(count: number, t: Translate): string {
  return count === 1 ? t('1 memory → prompt') : t('{0} memories → prompt', count);
}

export function stateSentence(state: ShownState, t: Translate): string {
  switch (state.state) {
    case 'starting':
      return t('Starting.');
    case 'idle':
      return t('Nothing waits to be learned.');
    case 'capturing':
      return state.buffered === 1
        ? t('1 event waits to be learned from.')
        : t('{0} events wait to be learned from.', state.buffered);
    case 'distilling':
      return t('Making memories of {0} events.', state.buffered);
    case 'paused':
      return pausedSentence(state.scope, t);
    case 'degraded':
    case 'error':
      return state.message;
  }
}

function pausedSentence(scope: 'window' | 'project' | 'everywhere', t: Translate): string {
  switch (scope) {
    case 'window':
      return t('Paused in this window: nothing is captured.');
    case 'project':
      return t('Paused for this project: nothing is captured.');
    case 'everywhere':
      return t('Paused everywhere: nothing is captured.');
  }
}

function tooltipLines(input: StatusInput, state: ShownState, t: Translate): string[] {
  const lines = [stateSentence(state, t)];
  if (!input.trusted) lines.push(t('This folder is not trusted: neither captured nor recalled.'));
  else if (!input.setUp)
    lines.push(t('Not set up yet: the agent is not connected. Run "Set up kiro-learn".'));
  const status = input.status;
  if (status === undefined) return lines;
  lines.push(t('{0} memories from {1} events', status.records, status.events));
  if (status.pending_model > 0) lines.push(t('{0} turns wait for the language model', status.pending_model));
  lines.push(whenLine(t('Last capture: {0}'), status.last_capture_at, input.now, t));
  lines.push(whenLine(t('Last recall: {0}'), status.last_recall_at, input.now, t));
  if (status.last_injection !== undefined) {
    const { records, at } = status.last_injection;
    lines.push(t('Last prompt received {0} memories, {1}', records, clockTime(at, input.now)));
  }
  if (status.role === 'follower') lines.push(t('Another window leads; this one follows it.'));
  if (status.store?.read_only) lines.push(t('The store is read-only.'));
  for (const problem of status.problems) lines.push(problem.message);
  return lines;
}

function whenLine(pattern: string, at: string | undefined, now: number, t: Translate): string {
  return pattern.replace('{0}', () => (at === undefined ? t('never') : clockTime(at, now)));
}

/**
 * The local time of `at` (ISO 8601), with its date where that is not today. A clock time stays true while the
 * tooltip stands; "2 minutes ago" would not.
 */
export function clockTime(at: string, now: number): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return at;
  const pad = (value: number) => String(value).padStart(2, '0');
  const time = `${pad(date.getHours())}:${pad(date.getMinutes())}:${pad(date.getSeconds())}`;
  if (date.toDateString() === new Date(now).toDateString()) return time;
  return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())} ${time}`;
}
