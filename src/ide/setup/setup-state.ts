import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { z } from 'zod';
import {
  HOOK_DIALECTS,
  setupChoicesSchema,
  type HookDialect,
  type SetupChoices,
} from '../../contract/webview-messages';
import { writeFileAtomic } from '../../platform/atomic-file';
import { nodeFileSystem } from '../../platform/file-system';

const setupStateSchema = z.object({
  version: z.literal(1),
  applied_at: z.string(),
  choices: setupChoicesSchema,
  detected: z.enum(HOOK_DIALECTS),
  /** Paths outside global storage that we wrote. */
  written: z.array(z.string()),
});

/** What the user agreed to on the set-up page, kept in global storage. */
export interface SetupState {
  version: 1;
  applied_at: string;
  choices: SetupChoices;
  /** The dialect that fitted the host when this was applied; another one now means that the host was updated. */
  detected: HookDialect;
  written: string[];
}

const fileName = 'setup.json';

/** The state, or undefined where nothing was agreed to yet or the file can't be read. */
export async function readSetupState(storageDir: string): Promise<SetupState | undefined> {
  try {
    const text = await fs.readFile(path.join(storageDir, fileName), 'utf8');
    const parsed = setupStateSchema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

export async function writeSetupState(storageDir: string, state: SetupState): Promise<void> {
  await fs.mkdir(storageDir, { recursive: true });
  const text = JSON.stringify(state, null, 2);
  await writeFileAtomic(nodeFileSystem, path.join(storageDir, fileName), Buffer.from(text, 'utf8'));
}
