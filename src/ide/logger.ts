import type * as vscode from 'vscode';
import type { Log } from '../platform/log';

/** Our one output channel; every line names its component. */
export function channelLog(channel: vscode.LogOutputChannel): Log {
  return {
    debug: (component, message) => channel.debug(`[${component}] ${message}`),
    info: (component, message) => channel.info(`[${component}] ${message}`),
    warn: (component, message) => channel.warn(`[${component}] ${message}`),
    error: (component, message) => channel.error(`[${component}] ${message}`),
  };
}
