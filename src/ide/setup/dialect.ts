import type { HookDialect, SetupPreview } from '../../contract/webview-messages';

/** What tells which agent this host carries. */
export interface HostIdentity {
  appName: string;
  uriScheme: string;
  /** `vscode.version`: the VS Code that the host is built on, not Kiro's own version. */
  baseVersion: string;
  /** Kiro's own version out of its product.json or package.json, where one was found. */
  kiroVersion?: string;
  /** Whether `~/.kiro` exists. */
  kiroHome: boolean;
  /** The setting `kiro-learn.hookDialect`. */
  setting: 'auto' | 'kiro-1.x' | 'kiro-0.x' | 'off';
}

export interface DialectChoice {
  dialect: HookDialect;
  reason: SetupPreview['dialect_reason'];
  /** What the user may choose instead; the setting leaves no choice. */
  dialects: HookDialect[];
}

/** The first build whose user-level hooks run (Kiro#5440). */
const userHooksSince = [1, 0, 182] as const;
/** Kiro 1.0.0 stands on this VS Code; every 0.x on an older one. */
const kiro1Base = [1, 107, 0] as const;

export function isKiro(identity: Pick<HostIdentity, 'appName' | 'uriScheme'>): boolean {
  return /kiro/i.test(identity.appName) || /kiro/i.test(identity.uriScheme);
}

/** Chooses the one dialect in which hooks are written; the user may choose another of `dialects`. */
export function chooseDialect(identity: HostIdentity): DialectChoice {
  const all: HookDialect[] = ['kiro-1.x-user', 'kiro-1.x-workspace', 'kiro-0.x', 'none'];
  if (identity.setting === 'off') return { dialect: 'none', reason: 'setting', dialects: ['none'] };
  if (identity.setting === 'kiro-0.x') {
    return { dialect: 'kiro-0.x', reason: 'setting', dialects: ['kiro-0.x', 'none'] };
  }
  const version = parseVersion(identity.kiroVersion);
  if (identity.setting === 'kiro-1.x') {
    const place = version !== undefined && version[0] === 1 ? placeOf(version) : 'kiro-1.x-user';
    return { dialect: place, reason: 'setting', dialects: ['kiro-1.x-user', 'kiro-1.x-workspace', 'none'] };
  }
  if (isKiro(identity)) {
    if (version !== undefined) {
      const dialect = version[0] === 0 ? 'kiro-0.x' : placeOf(version);
      return { dialect, reason: 'kiro_version', dialects: all };
    }
    const base = parseVersion(identity.baseVersion) ?? kiro1Base;
    const dialect = compare(base, kiro1Base) >= 0 ? 'kiro-1.x-user' : 'kiro-0.x';
    return { dialect, reason: 'kiro_base', dialects: all };
  }
  if (identity.kiroHome) return { dialect: 'kiro-1.x-user', reason: 'kiro_home', dialects: all };
  return { dialect: 'none', reason: 'no_kiro', dialects: all };
}

function placeOf(version: readonly number[]): HookDialect {
  return compare(version, userHooksSince) >= 0 ? 'kiro-1.x-user' : 'kiro-1.x-workspace';
}

function parseVersion(text: string | undefined): readonly [number, number, number] | undefined {
  const match = /^v?(\d+)\.(\d+)(?:\.(\d+))?/.exec(text ?? '');
  if (match === null) return undefined;
  return [Number(match[1]), Number(match[2]), Number(match[3] ?? 0)];
}

function compare(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i < 3; i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/**
 * Kiro's version out of the texts of the host's `product.json` and `package.json`. A `version` that equals the
 * VS Code base says nothing about Kiro and is passed over.
 */
export function readKiroVersion(texts: (string | undefined)[], baseVersion: string): string | undefined {
  for (const text of texts) {
    if (text === undefined) continue;
    let parsed: unknown;
    try {
      parsed = JSON.parse(text);
    } catch {
      continue;
    }
    if (typeof parsed !== 'object' || parsed === null) continue;
    for (const key of ['kiroVersion', 'version']) {
      const value = (parsed as Record<string, unknown>)[key];
      if (typeof value === 'string' && value !== baseVersion && parseVersion(value) !== undefined)
        return value;
    }
  }
  return undefined;
}
