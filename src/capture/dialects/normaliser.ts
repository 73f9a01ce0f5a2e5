import { LIMITS } from '../../contract/limits';
import { isObject } from '../json-value';
import { captureTable } from './capture-table';
import { claudeCode } from './claude-code';
import type { Dialect, HookFields, JsonDialect } from './dialect';
import type { HookCapture, HookInvocation } from './hook-capture';
import { hookEventOf } from './hook-events';
import { kiro0x } from './kiro-0x';
import { kiro1x } from './kiro-1x';
import { kiroCliV2 } from './kiro-cli-v2';
import { decodePayload, parseJson } from './payload';
import { vscode } from './vscode';

export type { HookCapture, HookInvocation } from './hook-capture';

/** In the order in which they are asked; the last one takes what carries nobody else's marks. */
const JSON_DIALECTS: readonly JsonDialect[] = [kiroCliV2, vscode, claudeCode, kiro1x];

/**
 * What one hook call means. Pure; never throws; a `reason` names what was wrong and never holds payload text.
 * The argument names the event and the payload the dialect; where they disagree the payload wins.
 */
export function normaliseHook(invocation: HookInvocation): HookCapture {
  try {
    return normalise(invocation);
  } catch {
    return { outcome: 'skip', reason: 'the payload could not be read' };
  }
}

function normalise(invocation: HookInvocation): HookCapture {
  const { frame } = invocation;
  if (frame.payload.byteLength > LIMITS.hookPayloadBytes) {
    return { outcome: 'skip', reason: 'the payload is too large' };
  }
  const text = decodePayload(frame.payload);
  if (frame.channel === 'env') return capture(invocation, kiro0x, kiro0x.read(text, invocation.event));
  if (text.trim() === '') return { outcome: 'skip', reason: 'the payload is empty' };
  const parsed = parseJson(text);
  if (!parsed) return { outcome: 'skip', reason: 'the payload is not JSON' };
  const payload = parsed.value;
  if (!isObject(payload)) return { outcome: 'skip', reason: 'the payload is not an object' };
  const dialect = JSON_DIALECTS.find((candidate) => candidate.matches(payload)) ?? kiro1x;
  return capture(invocation, dialect, dialect.read(payload));
}

function capture(invocation: HookInvocation, dialect: Dialect, fields: HookFields): HookCapture {
  const eventName = fields.event ?? invocation.event;
  const event = hookEventOf(eventName);
  if (!event) return { outcome: 'skip', dialect: dialect.name, reason: 'the event is unknown' };
  return captureTable[event]({ invocation, dialect, fields, eventName });
}
