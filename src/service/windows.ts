import type { ApiParsedParams } from '../contract/local-api';
import { parseSettings, type Settings } from '../contract/settings';
import type { CapturePolicy } from '../pipeline/capture-policy';

/** What each window says of its folders; the last known stays in force when a window closes. */
export class Windows {
  private readonly consents = new Map<string, boolean>();
  private latest: Settings | undefined;

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
    const [first] = window.folders;
    if (first) this.latest = parseSettings(first.settings);
    this.consents.set(window.window_id, window.sessions_consent);
    this.changed();
  }

  /** Settings of the application as the window that spoke last knows them; undefined before any had a folder. */
  get applicationSettings(): Settings | undefined {
    return this.latest;
  }

  /** Consent to read session files is the installation's: any window that has it gives it. */
  get sessionsConsent(): boolean {
    return [...this.consents.values()].some(Boolean);
  }
}
