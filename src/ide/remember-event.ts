import * as vscode from 'vscode';
import type { Disposable } from '../contract/disposable';
import type { LocalApi } from '../contract/local-api';
import type { MemoryRecord } from '../contract/memory-record';

const maxRecords = 200;

/** Fires with the records behind each change of the stream; asks for them only while somebody listens. */
export function rememberEvent(
  client: LocalApi,
): Disposable & { event: vscode.Event<{ records: MemoryRecord[] }> } {
  const emitter = new vscode.EventEmitter<{ records: MemoryRecord[] }>();
  let listeners = 0;
  const subscription = client.subscribe((event) => {
    if (event.stream === 'records' && listeners > 0) void fire(event.record_ids.slice(0, maxRecords));
  });
  const fire = async (ids: string[]) => {
    const answers = await Promise.allSettled(ids.map((id) => client.call('getMemory', { record_id: id })));
    const records = answers.flatMap((answer) =>
      answer.status === 'fulfilled' ? (answer.value.record ?? []) : [],
    );
    if (records.length > 0) emitter.fire({ records });
  };
  return {
    event: (listener, self, disposables) => {
      listeners += 1;
      const registration = emitter.event(listener, self);
      const entry = new vscode.Disposable(() => {
        listeners -= 1;
        registration.dispose();
      });
      disposables?.push(entry);
      return entry;
    },
    dispose: () => {
      subscription.dispose();
      emitter.dispose();
    },
  };
}
