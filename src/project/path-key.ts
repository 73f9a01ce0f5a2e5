import path from 'node:path';

/** The system that paths are read on; tests give others than their own. */
export interface PathHost {
  platform: NodeJS.Platform;
  /** Inside the Windows Subsystem for Linux `/mnt/c` is drive C. */
  wsl: boolean;
}

export interface ParsedPath {
  /** Folded spelling, `/` between segments, no slash at the end: equal keys are the same folder. */
  key: string;
  /** As a person would write it on its own system. */
  display: string;
  /** False for UNC paths and paths of another system: they are never opened (a UNC path sends credentials). */
  local: boolean;
}

const DRIVE = /^\/?([A-Za-z]):(?=[\\/]|$)/;
const WSL_SHARE = /^\/\/wsl(?:\$|\.localhost)\/([^/]+)(\/.*)?$/i;
const WSL_MOUNT = /^\/mnt\/([a-z])(?=\/|$)/;

/**
 * Reads an absolute path or `file:` URI in any spelling: drive letters and UNC in either case and either slash,
 * `\\?\` prefixes, WSL shares, `.`, `..` and slashes at the end. Undefined for relative paths and ''.
 */
export function parsePath(spelling: string, host: PathHost): ParsedPath | undefined {
  const given = fromUri(spelling.trim());
  if (given === '' || given.includes('\0')) return undefined;
  const plain = given
    .replace(/^[\\/]{2}\?[\\/]UNC[\\/]/i, '\\\\')
    .replace(/^[\\/]{2}[?.][\\/](?=[A-Za-z]:)/, '');
  const drive = DRIVE.exec(plain)?.[1];
  if (drive !== undefined) return drivePath(drive, plain.replace(DRIVE, ''), host);
  if (/^\\\\[^\\]/.test(plain) || (/^\/\/[^/]/.test(plain) && host.platform === 'win32'))
    return uncPath(plain);
  if (!plain.startsWith('/')) return undefined;
  return posixPath(plain, host);
}

function fromUri(spelling: string): string {
  if (!/^file:\/\//i.test(spelling)) return spelling;
  try {
    const url = new URL(spelling);
    return (url.host === '' ? '' : `//${url.host}`) + decodeURIComponent(url.pathname);
  } catch {
    return '';
  }
}

function drivePath(drive: string, rest: string, host: PathHost): ParsedPath {
  const tail = withoutSlash(path.posix.normalize(`/${rest.replace(/\\/g, '/')}`));
  return {
    key: `${drive}:${tail}`.toLowerCase(),
    display: `${drive.toUpperCase()}:${tail === '' ? '\\' : tail.replace(/\//g, '\\')}`,
    local: host.platform === 'win32',
  };
}

function uncPath(spelling: string): ParsedPath {
  const slashed = `/${withoutSlash(path.posix.normalize(spelling.replace(/\\/g, '/')).replace(/^\/+/, '/'))}`;
  const share = WSL_SHARE.exec(slashed);
  // Behind a WSL share lies a file system that tells letter cases apart.
  const key = share ? `//wsl/${(share[1] ?? '').toLowerCase()}${share[2] ?? ''}` : slashed.toLowerCase();
  return { key, display: slashed.replace(/\//g, '\\'), local: false };
}

function posixPath(spelling: string, host: PathHost): ParsedPath {
  const normal = withoutSlash(path.posix.normalize(spelling).replace(/^\/+/, '/')) || '/';
  const mount = host.wsl ? WSL_MOUNT.exec(normal)?.[1] : undefined;
  const key = mount === undefined ? normal : `${mount}:${normal.slice('/mnt/c'.length)}`.toLowerCase();
  return { key: key.normalize('NFC'), display: normal, local: host.platform !== 'win32' };
}

function withoutSlash(spelling: string): string {
  return spelling.replace(/\/+$/, '');
}

/** True where `key` is `ancestor` or lies below it; whole segments only. */
export function isWithin(key: string, ancestor: string): boolean {
  if (ancestor === '/') return key.startsWith('/');
  return key === ancestor || key.startsWith(`${ancestor}/`);
}

/** The key one level up; undefined at a root, a drive or a share. */
export function parentKey(key: string): string | undefined {
  const cut = key.lastIndexOf('/');
  const isShare = key.startsWith('//') && cut <= key.indexOf('/', 2);
  if (cut < 0 || key === '/' || isShare || (key.startsWith('//') && cut < 2)) return undefined;
  return cut === 0 ? '/' : key.slice(0, cut);
}

/** Last segment, for people. */
export function nameOf(display: string): string {
  const segments = display.split(/[\\/]/).filter((segment) => segment !== '');
  return segments.at(-1) ?? display;
}
