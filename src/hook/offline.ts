import os from 'node:os';
import { systemClock } from '../contract/clock';
import type { EventDraft } from '../contract/event-draft';
import { decodeHookFrame } from '../contract/hook-frame';
import { formatHookOutput } from '../capture/dialects/hook-output';
import { normaliseHook } from '../capture/dialects/normaliser';
import { mintTime } from '../platform/launcher-key';
import { storagePaths } from '../platform/paths';
import { CapturePolicy } from '../pipeline/capture-policy';
import { KiroIgnore } from '../privacy/kiroignore';
import { Scrubber } from '../privacy/scrub';
import { RedactedValues } from '../privacy/session-memory';
import { readHookPolicy } from '../service/hook-policy';
import { drop, spool } from '../service/spool-files';
import { scrubDraft } from './scrub-draft';

export interface OfflineRun {
  /** Word of the hook file, '' for none. */
  event: string;
  /** Bytes of a hook frame (`contract/hook-frame.ts`). */
  frame: Uint8Array;
  storageDir: string;
  /** Folder of this program; the wasm lies beside it. */
  bundleDir: string;
  /** Milliseconds since 1970. */
  now: number;
  /** Milliseconds since 1970: when the hook must have ended. */
  deadline: number;
}

/**
 * One hook run with nobody to hand it to: what can be kept goes into the spool, scrubbed, and a prompt is
 * answered from the last image. What can't be scrubbed is dropped and counted.
 *
 * @returns what the hook prints
 */
export async function runOffline(run: OfflineRun): Promise<string> {
  const { spool: dir } = storagePaths(run.storageDir);
  const frame = decodeHookFrame(run.frame);
  if (!frame) return '';
  const receivedAt = mintTime(frame.idempotencyKey, run.now);
  const capture = normaliseHook({ event: run.event, frame, receivedAt });
  if (capture.outcome !== 'event') return '';
  const policy = await loadPolicy(run.storageDir);
  if (!policy || !mayKeep(policy, capture.draft)) return '';
  const scrubber = new Scrubber({ sessions: new RedactedValues() });
  let draft: EventDraft | undefined;
  try {
    draft = scrubDraft(await policy.redactExcluded(capture.draft, capture.draft.cwd ?? ''), scrubber);
  } catch {
    await drop(dir, 'unscrubbed');
    return '';
  }
  if (!draft) return '';
  await spool(dir, frame.idempotencyKey, draft, run.now);
  if (!capture.retrieve) return '';
  const { storageDir, bundleDir, now, deadline } = run;
  const { offlineAnswer } = await import('./offline-answer');
  const context = await offlineAnswer({ storageDir, bundleDir, draft, now, policy, scrubber, deadline });
  return context ? formatHookOutput(capture.output, capture.eventName, context) : '';
}

async function loadPolicy(storageDir: string): Promise<CapturePolicy | undefined> {
  const known = await readHookPolicy(storageDir);
  if (known === 'damaged') return undefined;
  const policy = new CapturePolicy(new KiroIgnore({ home: os.homedir(), clock: systemClock }));
  if (!known) return policy;
  policy.setFolders(known.folders);
  policy.pauseEverywhere(known.everywhere);
  for (const namespace of known.namespaces) policy.pauseProject(namespace, true);
  return policy;
}

/** A project's own pause is seen when the spool is drained; here only its folder is known. */
function mayKeep(policy: CapturePolicy, draft: EventDraft): boolean {
  return policy.allows('', draft.cwd ?? '') === 'yes';
}
