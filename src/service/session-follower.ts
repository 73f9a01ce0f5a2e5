import path from 'node:path';
import type { Clock } from '../contract/clock';
import type { Disposable } from '../contract/disposable';
import type { SessionHeader } from '../capture/sessions/session-header';
import { SessionTailer } from '../capture/sessions/session-tailer';
import type { Collector } from '../pipeline/collector';
import type { Log } from '../platform/log';

const SINCE_KEY = 'sessions_followed_since';

interface SessionFollowerDeps {
  collector: Collector;
  home: string;
  clock: Clock;
  log: Log;
  onNotRead(sessionId: string, reason: string): void;
}

/**
 * Follows Kiro's session files while the user's consent holds, and only those of open, trusted folders: a
 * session's header is compared with them before its messages are opened. Older sessions are the import's.
 */
export class SessionFollower implements Disposable {
  private tailer: SessionTailer | undefined;

  constructor(private readonly deps: SessionFollowerDeps) {}

  /** Starts or stops following; called whenever a window says something new. */
  async consent(given: boolean): Promise<void> {
    if (!given) {
      await this.dispose();
      return;
    }
    if (this.tailer) {
      this.tailer.reconsider();
      return;
    }
    const since = await this.since();
    this.tailer ??= this.makeTailer(since);
    this.tailer.start();
  }

  private makeTailer(since: number): SessionTailer {
    const { collector, home, clock, log } = this.deps;
    const { store } = collector.deps;
    return new SessionTailer({
      root: path.join(home, '.kiro', 'sessions'),
      clock,
      log,
      since,
      cursors: {
        get: (key) => store.cursor(key),
        set: async (key, value) => void (await store.commit([{ op: 'cursor', key, value }])),
      },
      accepts: (header) => this.accepts(header),
      onCaptured: (_header, items) => collector.takeSession(items),
      onNotRead: (sessionId, reason) => this.deps.onNotRead(sessionId, reason),
    });
  }

  /** When following began; what was written before is offered as an import instead of read unasked. */
  private async since(): Promise<number> {
    const { store } = this.deps.collector.deps;
    const known = Number(store.meta(SINCE_KEY));
    if (known > 0) return known;
    const now = this.deps.clock.now();
    await store.commit([{ op: 'meta', key: SINCE_KEY, value: String(now) }]);
    return now;
  }

  private async accepts(header: SessionHeader): Promise<boolean> {
    const { policy, deps } = this.deps.collector;
    if (header.workspacePaths.length === 0) return false;
    const session = await deps.resolver.resolve({
      workspacePaths: header.workspacePaths,
      repositories: header.repositories,
    });
    if (policy.allows(session.namespace, header.workspacePaths[0] ?? '') !== 'yes') return false;
    for (const folder of policy.openFolders()) {
      if ((await deps.resolver.resolve({ path: folder })).namespace === session.namespace) return true;
    }
    return false;
  }

  async dispose(): Promise<void> {
    const { tailer } = this;
    this.tailer = undefined;
    await tailer?.dispose();
  }
}
