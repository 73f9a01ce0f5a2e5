import type { ApiParsedParams } from '../contract/local-api';
import { parseSettings } from '../contract/settings';
import type { CapturePolicy } from '../pipeline/capture-policy';

/** What each window says of its folders; the last known stays in force when a window closes. */
export class Windows {
  private readonly consents = new Map<string, boolean>();

  constructor(
    private readonly policy: CapturePolicy,
    private readonly changed: () => void,
  ) {}

  set(window: ApiParsedParams<'window'>): void {
    this.policy.setFolders(
      window.folders.map((folder) => ({
        ...folder,
        paused: window.paused,
        settings: parseSettings(folder.settings),
      })),
    );
    this.consents.set(window.window_id, window.sessions_consent);
    this.changed();
  }

  /** Consent to read session files is the installation's: any window that has it gives it. */
  get sessionsConsent(): boolean {
    return [...this.consents.values()].some(Boolean);
  }
}
