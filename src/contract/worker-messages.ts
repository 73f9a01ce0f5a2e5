import type { Settings } from './settings';

/** What an extension host tells its collector worker at start. */
export interface WorkerData {
  /** Global storage of this extension, absolute. */
  storageDir: string;
  /** Folder that holds worker.js, the wasm and the embedding table. */
  distDir: string;
  version: string;
  home: string;
  actorId: string;
  hostName: string;
  windowId: string;
}

/** One workspace folder as its window knows it. */
export interface WindowFolder {
  path: string;
  trusted: boolean;
  settings: Settings;
}

/** Extension host → worker, beside the local API's calls. */
export type HostMessage =
  | { to: 'call'; id: number; method: string; params: unknown }
  | { to: 'folders'; folders: WindowFolder[]; sessionsConsent: boolean; paused: boolean }
  | { to: 'model_reply'; id: number; text?: string; error?: string }
  /** From the window's secret storage, for an endpoint that wants one; '' where there is none. */
  | { to: 'model_key'; key: string }
  | { to: 'shutdown' };

/** Worker → extension host. */
export type WorkerMessage =
  | { from: 'result'; id: number; result?: unknown; error?: { code: string; message: string } }
  | { from: 'stream'; event: unknown }
  | { from: 'ready'; role: 'leader' | 'follower' }
  | { from: 'model_request'; id: number; system: string; prompt: string; maxTokens: number }
  | { from: 'log'; level: 'debug' | 'info' | 'warn' | 'error'; component: string; message: string };
