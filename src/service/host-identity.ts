import { readFileSync } from 'node:fs';
import os from 'node:os';

/** Which machine, and which run of it. */
export interface HostIdentity {
  host: string;
  /** The kernel's boot id, or `t<seconds since 1970>` of the boot where the system gives none without a child. */
  boot_id: string;
}

/** Boot times that were computed from the uptime differ by the clock's corrections. */
const bootToleranceS = 300;

export function readHostIdentity(now: number): HostIdentity {
  return { host: os.hostname(), boot_id: readBootId(now) };
}

function readBootId(now: number): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return `t${Math.round(now / 1000 - os.uptime())}`;
  }
}

/**
 * True where both may be the same machine, so that asking its socket says something. A renamed host keeps its
 * boot, a rebooted one its name; a home folder mounted on a second machine shares neither.
 */
export function sameMachine(a: HostIdentity, b: HostIdentity): boolean {
  return a.host === b.host || sameBoot(a.boot_id, b.boot_id);
}

function sameBoot(a: string, b: string): boolean {
  if (a === b) return true;
  const [left, right] = [bootTime(a), bootTime(b)];
  return left !== undefined && right !== undefined && Math.abs(left - right) <= bootToleranceS;
}

function bootTime(id: string): number | undefined {
  return /^t\d+$/.test(id) ? Number(id.slice(1)) : undefined;
}
