import path from 'node:path';
import { z } from 'zod';
import type { EventDraft } from '../contract/event-draft';
import type { Store } from '../store/store';

const KEY = 'own_sessions';
const KEPT = 200;

/**
 * Knows what our own agent does, so that memory never observes itself (pains 70 to 73): its sessions by their ids,
 * and whatever happens in a folder below our storage.
 */
export class OwnWork {
  private readonly sessions: string[];

  constructor(
    private readonly store: Pick<Store, 'meta' | 'commit'>,
    private readonly storageDir: string,
  ) {
    this.sessions = savedSessions(store.meta(KEY));
  }

  /** To be awaited before anything is said in the session. */
  async began(sessionId: string): Promise<void> {
    this.sessions.push(sessionId);
    this.sessions.splice(0, Math.max(0, this.sessions.length - KEPT));
    await this.store.commit([{ op: 'meta', key: KEY, value: JSON.stringify(this.sessions) }]);
  }

  is(draft: Pick<EventDraft, 'session_id' | 'cwd'>): boolean {
    if (draft.session_id !== undefined && this.sessions.includes(draft.session_id)) return true;
    if (draft.cwd === undefined || draft.cwd === '') return false;
    const below = path.relative(this.storageDir, draft.cwd);
    return below === '' || (!below.startsWith('..') && !path.isAbsolute(below));
  }
}

function savedSessions(text: string | undefined): string[] {
  try {
    return z.array(z.string()).parse(JSON.parse(text ?? '[]'));
  } catch {
    return [];
  }
}
