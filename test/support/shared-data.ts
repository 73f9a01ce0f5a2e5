import { existsSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(__dirname, '../../../shared');

/**
 * Path of a file or folder of the shared data beside the checkout, or undefined where the checkout stands
 * alone. Tests that need it skip and say what they skipped.
 */
export function sharedData(...segments: string[]): string | undefined {
  const full = path.join(root, ...segments);
  return existsSync(full) ? full : undefined;
}
