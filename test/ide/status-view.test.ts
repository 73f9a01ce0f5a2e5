import { describe, expect, test } from 'vitest';
import type { CollectorStatus } from '../../src/contract/status';
import { statusView, type StatusInput } from '../../src/ide/status/status-view';
import { english } from '../../src/ide/translate';

const status: CollectorStatus = {
  state: { state: 'idle' },
  buffered: 0,
  pending_model: 0,
  events: 12,
  records: 4,
  role: 'leader',
  provider: 'none',
  problems: [],
};

function view(more: Partial<StatusInput>, current: Partial<CollectorStatus> = {}) {
  return statusView(
    {
      life: { life: 'ready', role: 'leader' },
      status: { ...status, ...current },
      windowPaused: false,
      setUp: true,
      trusted: true,
      now: Date.parse('2026-12-01T10:00:00Z'),
      ...more,
    },
    english,
  );
}

describe('the indicator', () => {
  test.each([
    ['idle', {}, {}, '$(database) kiro-learn'],
    ['capturing', {}, { state: { state: 'capturing', buffered: 3 } }, '$(database) kiro-learn 3'],
    ['distilling', {}, { state: { state: 'distilling', buffered: 3 } }, '$(sync~spin) kiro-learn 3'],
    ['waiting for the model', {}, { pending_model: 2 }, '$(database) kiro-learn +2'],
    ['paused by this window', { windowPaused: true }, {}, '$(debug-pause) kiro-learn'],
    [
      'paused everywhere',
      {},
      { state: { state: 'paused', scope: 'everywhere' } },
      '$(debug-pause) kiro-learn',
    ],
    ['degraded', {}, { state: { state: 'degraded', message: 'm' } }, '$(warning) kiro-learn'],
    ['starting', { life: { life: 'starting' } }, {}, '$(loading~spin) kiro-learn'],
    [
      'crashed',
      { life: { life: 'crashed', reason: 'x', failures: 1, retryInMs: 1 } },
      {},
      '$(error) kiro-learn',
    ],
    ['after an injection', { flash: 2 }, {}, '$(sparkle) 2 memories → prompt'],
    ['after one', { flash: 1 }, {}, '$(sparkle) 1 memory → prompt'],
  ] as [string, Partial<StatusInput>, Partial<CollectorStatus>, string][])(
    '%s',
    (_name, input, current, text) => {
      expect(view(input, current).text).toBe(text);
    },
  );

  test('the tooltip tells counts, the last capture and the last recall, and what is wrong', () => {
    const { tooltip } = view(
      { setUp: false },
      { problems: [{ code: 'x', message: 'The disk is full.', at: '' }] },
    );
    expect(tooltip).toContain('4 memories from 12 events');
    expect(tooltip).toContain('Last capture: never');
    expect(tooltip).toContain('The disk is full.');
    expect(tooltip.join(' ')).toContain('Not set up yet');
  });

  test('an error is red even right after an injection', () => {
    const shown = view(
      { flash: 2 },
      { state: { state: 'error', message: 'The store could not be opened.' } },
    );
    expect(shown.background).toBe('error');
    expect(shown.text).toBe('$(error) kiro-learn');
  });
});
