import { readdirSync, readFileSync } from 'node:fs';

interface ProcessEntry {
  pid: number;
  parent: number;
  command: string;
}

/** Whether a process exists (a zombie doesn't). */
export function isAlive(pid: number): boolean {
  return readProcess(pid) !== undefined;
}

/** The extension host processes below `ancestor`, oldest first. Reads `/proc`, so Linux only. */
export function extensionHostsBelow(ancestor: number): number[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => readProcess(Number(name)))
    .filter((entry) => entry !== undefined);
  const parents = new Map(all.map((entry) => [entry.pid, entry.parent]));
  return all
    .filter(
      (entry) => entry.command.includes('--type=extensionHost') && isBelow(entry.pid, ancestor, parents),
    )
    .map((entry) => entry.pid)
    .sort((a, b) => a - b);
}

function isBelow(pid: number, ancestor: number, parents: ReadonlyMap<number, number>): boolean {
  let current = parents.get(pid);
  while (current !== undefined && current > 1) {
    if (current === ancestor) return true;
    current = parents.get(current);
  }
  return false;
}

function readProcess(pid: number): ProcessEntry | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const afterName = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (afterName[0] === 'Z') return undefined;
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    return { pid, parent: Number(afterName[1]), command };
  } catch {
    return undefined;
  }
}
