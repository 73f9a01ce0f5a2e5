import { stat } from 'node:fs/promises';
import path from 'node:path';

/**
 * Whether the file system at an existing folder takes `Name` and `nAME` for one, found by asking for the other
 * spelling of a part of its path. A path without letters tells nothing and counts as not folded.
 */
export async function foldsCase(folder: string): Promise<boolean> {
  for (let at = folder; at !== path.dirname(at); at = path.dirname(at)) {
    const other = path.join(path.dirname(at), swapCase(path.basename(at)));
    if (other === at) continue;
    const [own, swapped] = await Promise.all([at, other].map((name) => stat(name).catch(() => undefined)));
    return own !== undefined && own.ino === swapped?.ino && own.dev === swapped.dev;
  }
  return false;
}

function swapCase(name: string): string {
  return Array.from(name, (letter) => {
    const upper = letter.toUpperCase();
    return upper === letter ? letter.toLowerCase() : upper;
  }).join('');
}
