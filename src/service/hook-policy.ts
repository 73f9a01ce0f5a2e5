import path from 'node:path';
import { z } from 'zod';
import type { WindowFolder } from '../contract/worker-messages';
import { SETTINGS, type SettingName, type Settings } from '../contract/settings';
import { writeFileAtomic } from '../platform/atomic-file';
import { nodeFileSystem } from '../platform/file-system';
import { readPrivateFile } from './private-files';

/** What windows last said of their folders, for a hook that finds nobody to ask. */
export interface HookPolicy {
  /** Paused in all projects. */
  everywhere: boolean;
  /** Namespaces that are paused. */
  namespaces: string[];
  folders: WindowFolder[];
}

const policySchema = z.object({
  everywhere: z.boolean(),
  namespaces: z.array(z.string()).max(10_000),
  folders: z
    .array(z.object({ path: z.string(), trusted: z.boolean(), settings: z.record(z.string(), z.unknown()) }))
    .max(10_000),
});

const maxBytes = 4 * 1024 * 1024;

/** Called by the leader whenever folders, settings or pauses change. */
export async function writeHookPolicy(storageDir: string, policy: HookPolicy): Promise<void> {
  await writeFileAtomic(nodeFileSystem, policyFile(storageDir), Buffer.from(JSON.stringify(policy)));
}

/** The policy; undefined where there is none yet, `'damaged'` where it can't be told: then nothing is kept. */
export async function readHookPolicy(storageDir: string): Promise<HookPolicy | 'damaged' | undefined> {
  const file = policyFile(storageDir);
  if (!(await nodeFileSystem.stat(file))) return undefined;
  const bytes = await readPrivateFile(file, maxBytes);
  try {
    const parsed = policySchema.safeParse(JSON.parse(bytes?.toString('utf8') ?? ''));
    if (!parsed.success) return 'damaged';
    const folders = parsed.data.folders.map((folder) => ({
      ...folder,
      settings: settingsOf(folder.settings),
    }));
    return { ...parsed.data, folders };
  } catch {
    return 'damaged';
  }
}

/** Each setting on its own: one that an older or newer version spells otherwise takes its default. */
function settingsOf(given: Record<string, unknown>): Settings {
  const names = Object.keys(SETTINGS) as SettingName[];
  const entries = names.map((name) => {
    const parsed = SETTINGS[name].schema.safeParse(given[name]);
    return [name, parsed.success ? parsed.data : SETTINGS[name].default];
  });
  return Object.fromEntries(entries) as Settings;
}

function policyFile(storageDir: string): string {
  return path.join(storageDir, 'hook-policy.json');
}
