import type { Clock } from '../contract/clock';
import type { Disposable } from '../contract/disposable';
import { SETTINGS, type Settings } from '../contract/settings';
import type { Log } from '../platform/log';
import type { Store } from '../store/store';

const EVERY_MS = 6 * 3_600_000;
/** Long enough for a window to have opened and settled. */
const DELAY_MS = 60_000;

interface RetentionKeeperDeps {
  store: Store;
  clock: Clock;
  log: Log;
  settings(): Settings | undefined;
}

/**
 * Keeps the store within its age and its size: at most every six hours, and only when something was stored, so
 * that an idle store costs nothing.
 */
export class RetentionKeeper implements Disposable {
  private readonly subscription: Disposable;
  private last = -Infinity;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly deps: RetentionKeeperDeps) {
    this.subscription = deps.store.onDidChange(() => this.changed());
  }

  private changed(): void {
    if (this.timer || this.deps.clock.now() - this.last < EVERY_MS) return;
    this.timer = setTimeout(() => void this.run(), DELAY_MS);
    this.timer.unref();
  }

  private async run(): Promise<void> {
    const { store, clock, log, settings } = this.deps;
    this.timer = undefined;
    this.last = clock.now();
    const { diskBudgetMb, keepEventsDays } = settings() ?? {
      diskBudgetMb: SETTINGS.diskBudgetMb.default,
      keepEventsDays: SETTINGS.keepEventsDays.default,
    };
    try {
      const report = await store.retention({
        maxAgeDays: keepEventsDays,
        maxBytes: diskBudgetMb * 1024 * 1024,
        dryRun: false,
      });
      if (report.events > 0)
        log.info('retention', `${report.events} old events were removed; memories stayed`);
      if (report.still_above) log.warn('retention', 'the store is above its size even without old events');
    } catch (error) {
      log.warn(
        'retention',
        `old events could not be removed: ${error instanceof Error ? error.name : 'error'}`,
      );
    }
  }

  dispose(): void {
    clearTimeout(this.timer);
    void this.subscription.dispose();
  }
}
