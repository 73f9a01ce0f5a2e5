import { z } from 'zod';

export interface SettingDefinition<T extends z.ZodType = z.ZodType> {
  key: string;
  schema: T;
  default: z.output<T>;
  scope: 'application' | 'window' | 'resource';
  /** Key of the description in package.nls.json. */
  nls: string;
}

function setting<K extends string, T extends z.ZodType>(
  key: K,
  schema: T,
  fallback: z.output<T>,
  scope: SettingDefinition['scope'],
) {
  return { key, schema, default: fallback, scope, nls: `setting.${key}` };
}

/** Every setting, `kiro-learn.<key>`; the manifest and the README's list are generated from here. */
export const SETTINGS = {
  hookDialect: setting('hookDialect', z.enum(['auto', 'kiro-1.x', 'kiro-0.x', 'off']), 'auto', 'application'),
  captureEnabled: setting('capture.enabled', z.boolean(), true, 'resource'),
  excludeGlobs: setting('capture.exclude', z.array(z.string()), [], 'resource'),
  injectionEnabled: setting('injection.enabled', z.boolean(), true, 'resource'),
  injectionMaxTokens: setting('injection.maxTokens', z.number().int().min(50).max(4000), 1200, 'application'),
  modelProvider: setting(
    'model.provider',
    z.enum(['none', 'vscode', 'kiro-cli', 'openai-compatible']),
    'none',
    'application',
  ),
  modelEndpoint: setting('model.endpoint', z.string(), '', 'application'),
  modelName: setting('model.name', z.string(), '', 'application'),
  modelDailyTokens: setting('model.dailyTokens', z.number().int().min(0), 200_000, 'application'),
  diskBudgetMb: setting('store.maxMegabytes', z.number().int().min(50).max(10_000), 500, 'application'),
  keepEventsDays: setting('store.keepEventsDays', z.number().int().min(1).max(3650), 365, 'application'),
} as const;

export type SettingName = keyof typeof SETTINGS;
export type Settings = { [N in SettingName]: z.output<(typeof SETTINGS)[N]['schema']> };

/** Settings as they were given, each that is missing or wrong replaced by its default. */
export function parseSettings(given: Record<string, unknown>): Settings {
  const entries = Object.entries(SETTINGS).map(([name, definition]) => {
    const parsed = definition.schema.safeParse(given[name]);
    return [name, parsed.success ? parsed.data : definition.default];
  });
  return Object.fromEntries(entries) as Settings;
}
