import { existsSync } from 'node:fs';
import type { Log } from '../platform/log';
import type { CliOutput } from './output';
import { openStore } from './open-store';

type Finding = CliOutput<'doctor'>['findings'][number];

/** Opens the store as an IDE would and says what it found. */
export async function diagnoseStore(dir: string, log: Log): Promise<CliOutput<'doctor'>> {
  if (!existsSync(dir)) {
    return { sound: false, findings: [{ level: 'error', message: `There is no store at ${dir}.` }] };
  }
  const findings: Finding[] = [];
  const add = (level: Finding['level'], message: string) => findings.push({ level, message });
  const opened = await openStore(dir, { log, distDir: __dirname });
  try {
    const health = await opened.api.call('health', {});
    const { status } = health;
    if (opened.leader) add('ok', 'No window has the store open; it opened and passed its checks.');
    else
      add(
        'ok',
        `A window leads (process ${status.leader?.pid ?? 0}, version ${status.leader?.version ?? '?'}).`,
      );
    add('ok', `${status.events} events, ${status.records} memories, ${status.buffered} events wait.`);
    for (const [name, bytes] of Object.entries(health.sizes)) add('ok', `${name}: ${bytes} bytes`);
    for (const problem of status.problems) add('warning', problem.message);
    if (status.store?.read_only) add('error', 'The store is open read only.');
    if (health.spool.dropped > 0) add('warning', `${health.spool.dropped} hook events could not be kept.`);
    for (const hook of health.hooks) add('ok', `hook ${hook.name}: ${hook.state} (${hook.detail})`);
  } finally {
    await opened.dispose();
  }
  return { sound: findings.every((finding) => finding.level !== 'error'), findings };
}
