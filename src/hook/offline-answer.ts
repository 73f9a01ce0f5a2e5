import os from 'node:os';
import path from 'node:path';
import type { EventDraft } from '../contract/event-draft';
import { LIMITS } from '../contract/limits';
import { nodeFileSystem } from '../platform/file-system';
import { installationKey } from '../platform/installation';
import { silentLog } from '../platform/log';
import { storagePaths } from '../platform/paths';
import type { CapturePolicy } from '../pipeline/capture-policy';
import type { Scrubber } from '../privacy/scrub';
import { ProjectPathTable } from '../project/project-paths';
import { ProjectResolver, type ProjectIdentity } from '../project/project-resolver';
import { Recall } from '../recall/recall';
import { RecordIndex } from '../recall/record-index';
import { Store } from '../store/store';

export interface OfflineQuestion {
  storageDir: string;
  bundleDir: string;
  draft: EventDraft;
  now: number;
  policy: CapturePolicy;
  scrubber: Scrubber;
  /** Milliseconds since 1970; nothing is begun that may end later. */
  deadline: number;
}

/** Milliseconds that opening a store takes for each MiB of image and journal, on a slow disk; measured: a third. */
const openMsPerMiB = 9;
const openMs = 60;

/**
 * What the leader would have answered, from the last image on disk, which is only read. Empty where that would
 * take too long, where the folder is not known to the store, or where nothing fits.
 */
export async function offlineAnswer(question: OfflineQuestion): Promise<string> {
  const { storageDir, bundleDir, draft, deadline } = question;
  const paths = storagePaths(storageDir);
  if (Date.now() + (await timeToOpen(paths.store)) > deadline) return '';
  const store = await Store.open({
    dir: paths.store,
    fs: nodeFileSystem,
    wasm: path.join(bundleDir, 'sql-wasm.wasm'),
    epoch: 0,
    fence: () => false,
    clock: { now: () => question.now },
    log: silentLog,
    readOnly: true,
  });
  try {
    const project = await projectOf(store, draft);
    if (question.policy.allows(project.namespace, draft.cwd ?? project.root) !== 'yes') return '';
    if (!question.policy.injects(draft.cwd ?? project.root)) return '';
    return await recallFrom(store, project, question);
  } finally {
    await store.close();
  }
}

/** From the table of known folders alone: asking git takes longer than a hook has. */
function projectOf(store: Store, draft: EventDraft): Promise<ProjectIdentity> {
  const resolver = new ProjectResolver({
    actorId: 'me',
    home: os.homedir(),
    git: {
      locate: () => Promise.resolve(undefined),
      facts: () => Promise.reject(new Error('git is not asked')),
    },
    paths: new ProjectPathTable(store.projects.known()),
    isTrusted: () => true,
  });
  return resolver.resolve(draft.cwd ? { path: draft.cwd } : {});
}

/** From the sizes of what would be read: the newest image, and the journal. */
async function timeToOpen(dir: string): Promise<number> {
  const names = await nodeFileSystem.readdir(dir).catch(() => []);
  let image = 0;
  let journal = 0;
  for (const name of names) {
    const stat = await nodeFileSystem.stat(path.join(dir, name));
    if (stat?.kind !== 'file') continue;
    if (name.startsWith('image-')) image = Math.max(image, stat.size);
    else if (name.startsWith('journal-')) journal += stat.size;
  }
  return openMs + ((image + journal) / (1024 * 1024)) * openMsPerMiB;
}

async function recallFrom(
  store: Store,
  project: ProjectIdentity,
  question: OfflineQuestion,
): Promise<string> {
  const { draft, now, scrubber, storageDir } = question;
  if (draft.body.type !== 'text') return '';
  const index = new RecordIndex();
  for (const record of store.records.iterate()) {
    if (record.namespace !== project.namespace) continue;
    index.add(record);
    if (Date.now() > question.deadline) return '';
  }
  const answer = new Recall({ index, clock: { now: () => now } }).recall({
    namespaces: [project.namespace],
    prompt: draft.body.content,
    sessionId: draft.session_id ?? '',
    now,
    key: await installationKey(storageDir),
    alreadyShown: new Map(),
    neverAgain: store.injections.neverAgain(),
    notUseful: store.injections.notUseful(),
    budget: { tokens: LIMITS.injectionTokens, bytes: LIMITS.injectionBytes },
  });
  return answer.context ? scrubber.scrubOut(answer.context) : '';
}
