import path from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { systemClock } from './contract/clock';
import type { HostMessage, WorkerData, WorkerMessage } from './contract/worker-messages';
import { CollectorHost } from './service/collector-host';
import type { Log } from './platform/log';

/** Composition root of the collector's worker thread. */
function main(): void {
  const port = parentPort;
  if (!port) return;
  const data = workerData as WorkerData;
  const post = (message: WorkerMessage) => port.postMessage(message);
  const say =
    (level: 'debug' | 'info' | 'warn' | 'error') =>
    (component: string, message: string): void =>
      post({ from: 'log', level, component, message });
  const log: Log = { debug: say('debug'), info: say('info'), warn: say('warn'), error: say('error') };
  const host = new CollectorHost({
    ...data,
    distDir: path.resolve(data.distDir),
    clock: systemClock,
    log,
    post,
  });
  port.on('message', (message: HostMessage) => {
    if (message.to !== 'shutdown') {
      host.receive(message);
      return;
    }
    void host.dispose().finally(() => process.exit(0));
  });
  host.start();
}

main();
