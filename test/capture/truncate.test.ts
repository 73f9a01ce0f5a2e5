import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { truncateBody } from '../../src/capture/truncate';
import type { EventBody, JsonObject } from '../../src/contract/event';
import { TRUNCATION_MARK } from '../../src/contract/limits';
import { byteLength } from '../../src/text/cut';

const asIs = (text: string) => text;

function bytesOf(body: EventBody): number {
  if (body.type === 'text') return byteLength(body.content);
  if (body.type === 'json') return byteLength(JSON.stringify(body.data));
  return body.turns.reduce((sum, turn) => sum + byteLength(JSON.stringify(turn)), 0);
}

describe('truncateBody', () => {
  it('keeps what fits', () => {
    const body: EventBody = { type: 'text', content: 'short' };
    expect(truncateBody(body, 1000, asIs)).toBe(body);
  });

  it('drops the end of a text and says so', () => {
    const cut = truncateBody({ type: 'text', content: 'head ' + '🚤'.repeat(1000) }, 500, asIs);
    if (cut.type !== 'text') throw new Error('wrong body');
    expect(cut.content.startsWith('head 🚤')).toBe(true);
    expect(cut.content.endsWith(TRUNCATION_MARK)).toBe(true);
    expect(Buffer.from(cut.content).toString()).toBe(cut.content);
  });

  it('cuts the result of a tool before its arguments', () => {
    const data = {
      tool_name: 'read_file',
      tool_input: { path: 'a.ts' },
      tool_response: { success: true, result: '"\n'.repeat(5000) },
    };
    const cut = truncateBody({ type: 'json', data }, 2000, asIs);
    if (cut.type !== 'json') throw new Error('wrong body');
    const kept = cut.data as JsonObject;
    expect(kept['tool_input']).toEqual({ path: 'a.ts' });
    const response = kept['tool_response'] as JsonObject;
    expect(response['success']).toBe(true);
    expect(String(response['result'])).toContain(TRUNCATION_MARK);
    expect(bytesOf(cut)).toBeLessThanOrEqual(2000);
    expect(bytesOf(cut)).toBeGreaterThan(1200);
  });

  it('keeps tool and path of a large write', () => {
    const data = {
      tool_name: 'fs_write',
      tool_input: { path: 'big.txt', text: 'x'.repeat(1_000_000) },
      tool_response: { success: true, result: 'Created the big.txt file.' },
    };
    const cut = truncateBody({ type: 'json', data }, 512 * 1024, asIs);
    if (cut.type !== 'json') throw new Error('wrong body');
    expect(cut.data).toMatchObject({ tool_name: 'fs_write', tool_input: { path: 'big.txt' } });
    expect(bytesOf(cut)).toBeLessThanOrEqual(512 * 1024);
  });

  it('drops the turns of a message from the last one back, and never all', () => {
    const turns = Array.from({ length: 20 }, (_, i) => ({
      role: 'user',
      content: `turn ${i} ${'y'.repeat(300)}`,
    }));
    const cut = truncateBody({ type: 'message', turns }, 2000, asIs);
    if (cut.type !== 'message') throw new Error('wrong body');
    expect(cut.turns[0]).toEqual(turns[0]);
    expect(cut.turns.length).toBeLessThan(8);
    expect(cut.turns.at(-1)?.content).toContain(TRUNCATION_MARK);
  });

  it('scrubs the edge that a cut leaves', () => {
    const content = 'a'.repeat(300) + ' SECRETPART' + 'b'.repeat(500);
    const hide = (text: string) => text.replace(/SECRET\S*$/, '[REDACTED:edge]');
    const cut = truncateBody({ type: 'text', content }, 420, hide);
    expect(JSON.stringify(cut)).not.toContain('SECRET');
    expect(JSON.stringify(cut)).toContain('[REDACTED:edge]');
  });

  it('always fits and never splits a code point', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 600 });
    const body: fc.Arbitrary<EventBody> = fc.oneof(
      text.map((content) => ({ type: 'text' as const, content })),
      fc
        .array(fc.record({ role: fc.constant('user'), content: text }), { minLength: 1, maxLength: 5 })
        .map((turns) => ({ type: 'message' as const, turns })),
      fc.tuple(text, text, fc.array(text, { maxLength: 4 })).map(([a, b, list]) => ({
        type: 'json' as const,
        data: { tool_name: 'x', tool_input: { a, list }, tool_response: { result: b } },
      })),
    );
    fc.assert(
      fc.property(body, fc.integer({ min: 200, max: 1500 }), (given, max) => {
        const cut = truncateBody(given, max, asIs);
        expect(bytesOf(cut)).toBeLessThanOrEqual(max);
        expect(JSON.stringify(cut)).toBe(JSON.stringify(JSON.parse(JSON.stringify(cut))));
        if (bytesOf(given) <= max * 0.8) expect(cut).toEqual(given);
      }),
      { numRuns: 300 },
    );
  });
});
