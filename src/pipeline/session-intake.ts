import type { Captured, CaptureSignal, EventDraft } from '../contract/event-draft';
import type { IngestResult, Ingest } from './ingest';

interface SessionIntakeDeps {
  ingest: Ingest;
  onStored(result: IngestResult, draft: EventDraft): void;
  onSignal(signal: CaptureSignal, draft?: EventDraft): Promise<void>;
}

/** Takes what a session reader yields, in order: drafts into the store, signals to who acts on them. */
export class SessionIntake {
  constructor(private readonly deps: SessionIntakeDeps) {}

  /** Resolves once all of it is on disk. Taking the same items again changes nothing. */
  async take(items: readonly Captured[]): Promise<void> {
    let group: EventDraft[] = [];
    let last: EventDraft | undefined;
    for (const item of items) {
      if ('draft' in item) {
        group.push(item.draft);
        last = item.draft;
        continue;
      }
      await this.store(group);
      group = [];
      await this.deps.onSignal(item, last);
    }
    await this.store(group);
  }

  private async store(drafts: EventDraft[]): Promise<void> {
    if (drafts.length === 0) return;
    const results = await this.deps.ingest.ingest(drafts);
    results.forEach((result, index) => {
      const draft = drafts[index];
      if (draft) this.deps.onStored(result, draft);
    });
  }
}
