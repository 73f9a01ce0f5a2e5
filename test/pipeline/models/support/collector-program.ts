/**
 * A collector that does a day's work without a model: leads, serves, captures turns, distils, answers prompts, saves
 * notes. `node program.js <storage> <dist>`.
 */
import { openStore } from '../../../../src/cli/open-store';
import { SETTINGS } from '../../../../src/contract/settings';
import { silentLog } from '../../../../src/platform/log';
import { mintKey } from '../../../../src/platform/launcher-key';
import { ApiClient } from '../../../../src/service/client';

const [storageDir = '', distDir = ''] = process.argv.slice(2);

async function main(): Promise<void> {
  const opened = await openStore(storageDir, { log: silentLog, distDir, serves: true });
  const { leader } = opened;
  if (!leader) throw new Error('somebody else leads');
  const settings = Object.fromEntries(
    Object.entries(SETTINGS).map(([name, { default: value }]) => [name, value]),
  );
  const client = new ApiClient({ storageDir, log: silentLog });
  await client.call('window', {
    window_id: 'w1',
    folders: [{ path: storageDir, trusted: true, settings }],
    sessions_consent: false,
    paused: false,
  });
  for (let n = 0; n < 5; n++) {
    const common = { surface: 'kiro-ide' as const, session_id: 's', cwd: '/srv/acme', turn_id: `t${n}` };
    await leader.collector.capture([
      { ...common, kind: 'prompt', body: { type: 'text', content: `Raise limit ${n}` }, identity: `p${n}` },
      {
        ...common,
        kind: 'session_summary',
        body: { type: 'text', content: `The limit of module ${n} is ${4700 + n} now. `.repeat(9) },
        identity: `a${n}`,
        ends_turn: true,
      },
    ]);
    await leader.collector.distilNow();
  }
  await client.call('saveObservation', {
    workspace: '/srv/acme',
    key: mintKey(Date.now()),
    session_id: 'mcp',
    observation: {
      observation_type: 'discovery',
      title: 'Limits are per module',
      summary: 'Each module has its own.',
      facts: [],
      concepts: [],
      files_touched: [],
    },
  });
  await client.call('ask', { prompt: 'what is the limit of module 3?', workspace: '/srv/acme' });
  await client.call('search', { query: 'limit' });
  await client.call('status', {});
  await leader.collector.models.runDue();
  await client.call('retryModel', {});
  client.dispose();
  await opened.dispose();
}

void main().then(() => process.exit(0));
