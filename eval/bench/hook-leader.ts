/**
 * A process that leads a store, for the hook bench: `hook-leader.js fill|serve <storage> <dist> <workspace>`.
 * `fill` stores records and ends; `serve` says `ready` and answers hooks until it is killed.
 */
import { openStore } from '../../src/cli/open-store';
import type { Leader } from '../../src/service/leader';
import type { Mutation } from '../../src/store/mutation';
import { silentLog } from '../../src/platform/log';
import { distractors } from '../retrieval/distractors';
import { memoryRecords } from '../retrieval/set';
import { HOOK_BENCH_RECORDS, HOOK_BENCH_SEED } from './hook-set';

const perCommit = 200;

async function fill(leader: Leader, namespace: string): Promise<void> {
  const records = memoryRecords(distractors(HOOK_BENCH_RECORDS, HOOK_BENCH_SEED));
  const at = '2026-11-20T12:00:00.000Z';
  for (let start = 0; start < records.length; start += perCommit) {
    const mutations = records.slice(start, start + perCommit).map((record): Mutation => ({
      op: 'record',
      record: { ...record, namespace },
      change: 'created',
      at,
      change_id: `bench:${record.record_id}`,
    }));
    await leader.store.commit(mutations);
  }
  await leader.store.publish();
}

async function main(): Promise<void> {
  const [task, storageDir = '', distDir = '', workspace = ''] = process.argv.slice(2);
  const opened = await openStore(storageDir, { log: silentLog, distDir, serves: task === 'serve' });
  if (task === 'serve') {
    process.stdout.write('ready\n');
    return;
  }
  const { namespace } = await opened.api.call('resolveProject', { path: workspace });
  if (opened.leader) await fill(opened.leader, namespace);
  await opened.dispose();
  process.exit(0);
}

void main();
