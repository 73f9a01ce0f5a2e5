import path from 'node:path';
import type { Settings } from '../../contract/settings';
import { AcpProvider } from '../../memory/models/acp-provider';
import { OpenAiProvider } from '../../memory/models/openai-provider';
import type { ModelProvider } from '../../memory/models/provider';
import { WindowProvider, type WindowModels } from '../../memory/models/window-provider';

export type ModelSettings = Pick<
  Settings,
  'modelProvider' | 'modelEndpoint' | 'modelName' | 'modelDailyTokens'
>;

interface ModelSetupDeps {
  home: string;
  /** Global storage, absolute. */
  storageDir: string;
  version: string;
  env: NodeJS.ProcessEnv;
  windows: WindowModels;
  /** A session of our own agent begins: it is never captured. */
  onOwnSession(sessionId: string): Promise<void>;
  use(provider: ModelProvider | undefined, dailyTokens: number): void;
}

/** Turns the user's settings into a provider; nothing is made, and nothing reached for, while none is set. */
export class ModelSetup {
  private settings: ModelSettings | undefined;
  private key = '';

  constructor(private readonly deps: ModelSetupDeps) {}

  /** What a window says; the last word counts. */
  configure(settings: ModelSettings): void {
    const { modelProvider, modelEndpoint, modelName, modelDailyTokens } = settings;
    const next = { modelProvider, modelEndpoint, modelName, modelDailyTokens };
    if (JSON.stringify(next) === JSON.stringify(this.settings)) return;
    this.settings = next;
    this.apply();
  }

  /** The endpoint's key out of a window's secret storage; stays in memory. */
  setKey(key: string): void {
    if (key === this.key) return;
    this.key = key;
    if (this.settings?.modelProvider === 'openai-compatible') this.apply();
  }

  private apply(): void {
    const { settings } = this;
    if (settings) this.deps.use(this.provider(settings), settings.modelDailyTokens);
  }

  private provider(settings: ModelSettings): ModelProvider | undefined {
    const { home, storageDir, version, env, windows, onOwnSession } = this.deps;
    switch (settings.modelProvider) {
      case 'none':
        return undefined;
      case 'vscode':
        return new WindowProvider(windows);
      case 'kiro-cli':
        return new AcpProvider({
          home,
          workDir: path.join(storageDir, 'distiller'),
          version,
          env,
          onSession: onOwnSession,
        });
      case 'openai-compatible':
        return new OpenAiProvider({
          endpoint: settings.modelEndpoint,
          model: settings.modelName,
          ...(this.key ? { key: this.key } : {}),
        });
    }
  }
}
