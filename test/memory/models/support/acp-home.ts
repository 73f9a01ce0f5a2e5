import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { distillerAgentFile, distillerAgentPath } from '../../../../src/memory/models/distiller-agent';
import { bundle } from '../../../hook/support/bundle';

export interface AcpHome {
  home: string;
  workDir: string;
  env: NodeJS.ProcessEnv;
  seen(): Promise<Record<string, unknown>[]>;
}

/** A home folder with the agent file and a `kiro-cli` on PATH that behaves as told. */
export async function acpHome(behaviour: string, reply = '', withAgent = true): Promise<AcpHome> {
  const home = await mkdtemp(path.join(os.tmpdir(), 'kl-acp-'));
  onTestFinished(() => rm(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }));
  const bin = path.join(home, 'tools');
  await mkdir(bin);
  const script = await bundle('test/memory/models/support/acp-agent.ts', path.join(bin, 'agent.js'));
  await writeFile(path.join(bin, 'kiro-cli'), `#!/bin/sh\nexec "${process.execPath}" "${script}" "$@"\n`, {
    mode: 0o755,
  });
  await writeFile(path.join(bin, 'behaviour'), behaviour);
  await writeFile(path.join(bin, 'reply'), reply);
  if (withAgent) {
    const file = distillerAgentPath(home);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, distillerAgentFile());
  }
  return {
    home,
    workDir: path.join(home, 'storage', 'distiller'),
    env: { ...process.env, PATH: `${bin}${path.delimiter}${process.env['PATH'] ?? ''}` },
    seen: async () => {
      const text = await readFile(path.join(bin, 'seen.json'), 'utf8').catch(() => '');
      return text
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Record<string, unknown>);
    },
  };
}
