import { open } from 'node:fs/promises';
import path from 'node:path';
import type { Captured } from '../../contract/event-draft';
import { LIMITS } from '../../contract/limits';
import { isObject } from '../json-value';
import type { AssembledItem } from './turn-assembler';

/**
 * Puts the whole result in the place of its head and tail. The engine writes the file after the row, so it
 * may be missing: then the row's own text stands.
 */
export async function withToolOutput(item: AssembledItem, sessionFolder: string): Promise<Captured> {
  const { captured, outputFile } = item;
  if (outputFile === undefined || !('draft' in captured)) return captured;
  const { body } = captured.draft;
  if (body.type !== 'json' || !isObject(body.data) || !isObject(body.data.tool_response)) return captured;
  const result = await readHead(path.join(sessionFolder, 'tool-outputs', outputFile));
  if (result === undefined) return captured;
  const data = { ...body.data, tool_response: { ...body.data.tool_response, result } };
  return { draft: { ...captured.draft, body: { type: 'json', data } } };
}

async function readHead(file: string): Promise<string | undefined> {
  try {
    const handle = await open(file, 'r');
    try {
      const { size } = await handle.stat();
      const buffer = Buffer.alloc(Math.min(size, LIMITS.scrubInputBytes));
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0);
      return new TextDecoder('utf-8').decode(buffer.subarray(0, bytesRead));
    } finally {
      await handle.close();
    }
  } catch {
    return undefined;
  }
}
