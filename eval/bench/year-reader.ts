import { existsSync } from 'node:fs';
import path from 'node:path';
import { nodeFileSystem } from '../../src/platform/file-system';
import { silentLog } from '../../src/platform/log';
import { loadStaticTable } from '../../src/recall/embedding/static-table';
import { Recall } from '../../src/recall/recall';
import { RecordIndex } from '../../src/recall/record-index';
import { Store } from '../../src/store/store';

/** A fresh process as the command line is one: opens the store for reading, then builds the index with vectors. */
async function main(dir: string, wasm: string, table: string): Promise<void> {
  const began = performance.now();
  const store = await Store.open({
    dir,
    fs: nodeFileSystem,
    wasm,
    epoch: 0,
    fence: () => false,
    clock: { now: () => Date.now() },
    log: silentLog,
    readOnly: true,
  });
  const open_ms = Math.round(performance.now() - began);
  const { events, records, oldest_event } = store.stats();
  const rss = process.memoryUsage.rss();
  const index = new RecordIndex();
  for (const record of store.records.iterate()) index.add(record);
  const embedder = existsSync(path.join(table, 'table.bin')) ? loadStaticTable(table) : undefined;
  const recall = new Recall({
    index,
    clock: { now: () => Date.now() },
    timeZone: 'UTC',
    ...(embedder ? { embedder } : {}),
  });
  while (!recall.prepare(5000));
  process.stdout.write(
    JSON.stringify({
      open_ms,
      events,
      records,
      oldest: oldest_event ?? '',
      rss,
      indexed_rss: process.memoryUsage.rss(),
      vectors: embedder ? index.size : 0,
    }),
  );
  await store.close();
}

main(process.argv[2] ?? '', process.argv[3] ?? '', process.argv[4] ?? '').catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exit(1);
});
