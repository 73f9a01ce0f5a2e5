import { describe, expect, it } from 'vitest';
import { AcpProvider } from '../../../src/memory/models/acp-provider';
import { ModelFailedError, ModelUnavailableError } from '../../../src/memory/models/provider';
import { acpHome, type AcpHome } from './support/acp-home';

const REQUEST = { system: 'the task', prompt: 'the log', maxTokens: 400 };
const never = new AbortController().signal;

function providerFor(home: AcpHome, sessions: string[] = []): AcpProvider {
  return new AcpProvider({
    ...home,
    version: '1.0.0',
    onSession: async (id) => void sessions.push(`${id} after ${(await home.seen()).length}`),
  });
}

async function pidOf(home: AcpHome): Promise<number> {
  for (;;) {
    const [first] = await home.seen();
    if (first) return Number(first['pid']);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Resolves when the process is gone. */
async function ended(pid: number): Promise<void> {
  for (;;) {
    try {
      process.kill(pid, 0);
    } catch {
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe('AcpProvider', () => {
  it('asks an agent of our own, marked, in our own folder, and collects what it says', async () => {
    const text = '{"records":[]} – 決定 '.repeat(9);
    const home = await acpHome('answers', text);
    const sessions: string[] = [];
    expect(await providerFor(home, sessions).complete(REQUEST, never)).toEqual({ text });
    const seen = Object.assign({}, ...(await home.seen())) as Record<string, unknown>;
    expect(seen['argv']).toEqual(['acp', '--agent', 'kiro-learn-ide-distiller']);
    expect(seen['cwd']).toBe(home.workDir);
    expect(seen['session_cwd']).toBe(home.workDir);
    expect(seen['mark']).toBe('1');
    expect(seen['servers']).toEqual([]);
    expect(seen['prompt']).toEqual([{ type: 'text', text: 'the task\n\nthe log' }]);
    // The session was known as ours before the prompt was sent.
    expect(sessions).toEqual(['distiller-session-1 after 3']);
    await ended(Number(seen['pid']));
  });

  it('grants nothing that the agent asks for', async () => {
    const home = await acpHome('asks', 'done');
    expect((await providerFor(home).complete(REQUEST, never)).text).toBe('done');
    const seen = Object.assign({}, ...(await home.seen())) as Record<string, unknown>;
    expect(seen['permission']).toEqual({ outcome: 'cancelled' });
    expect(seen['capabilities']).toMatchObject({ fs: { readTextFile: false, writeTextFile: false } });
  });

  it.each([
    ['dies', ModelUnavailableError],
    ['dies-midway', ModelFailedError],
    ['errors', ModelFailedError],
    ['refuses', ModelFailedError],
  ])('tells when the agent %s', async (behaviour, kind) => {
    const home = await acpHome(behaviour, 'text');
    await expect(providerFor(home).complete(REQUEST, never)).rejects.toBeInstanceOf(kind);
  });

  it('reads the answer of an agent that babbles', async () => {
    const home = await acpHome('babbles', 'answer');
    expect((await providerFor(home).complete(REQUEST, never)).text).toBe('answer');
  });

  it.each(['silent', 'stubborn'])('ends an agent that stays %s', async (behaviour) => {
    const home = await acpHome(behaviour);
    const stop = new AbortController();
    const asking = providerFor(home).complete(REQUEST, stop.signal);
    const pid = await pidOf(home);
    stop.abort();
    await expect(asking).rejects.toBeInstanceOf(ModelFailedError);
    await ended(pid);
  });

  it('starts nothing where the user did not agree to the agent file', async () => {
    const home = await acpHome('answers', 'text', false);
    await expect(providerFor(home).complete(REQUEST, never)).rejects.toMatchObject({ reason: 'not_set_up' });
    expect(await home.seen()).toEqual([]);
  });
});
