/**
 * An agent that speaks ACP through the SDK, as kiro-cli does, in a process of its own. What it does is told by the
 * file `behaviour` beside it; what it was told is written to `seen.json`.
 */
import { appendFileSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Readable, Writable } from 'node:stream';
import { agent, methods, ndJsonStream, PROTOCOL_VERSION } from '@agentclientprotocol/sdk';

const here = path.dirname(process.argv[1] ?? '');
const behaviour = readFileSync(path.join(here, 'behaviour'), 'utf8').trim();
const see = (what: object) => appendFileSync(path.join(here, 'seen.json'), `${JSON.stringify(what)}\n`);

see({
  argv: process.argv.slice(2),
  cwd: process.cwd(),
  mark: process.env['KIRO_LEARN_DISTILLER'],
  pid: process.pid,
});
if (behaviour === 'dies') process.exit(3);
if (behaviour === 'stubborn') process.on('SIGTERM', () => undefined);

const reply = readFileSync(path.join(here, 'reply'), 'utf8');
const connection = agent({ name: 'test-agent' })
  .onRequest(methods.agent.initialize, ({ params }) => {
    see({ client: params.clientInfo?.name, capabilities: params.clientCapabilities });
    return { protocolVersion: PROTOCOL_VERSION, agentCapabilities: {} };
  })
  .onRequest(methods.agent.session.new, ({ params }) => {
    see({ session_cwd: params.cwd, servers: params.mcpServers });
    return { sessionId: 'distiller-session-1' };
  })
  .onRequest(methods.agent.session.prompt, async ({ params, client }) => {
    see({ prompt: params.prompt });
    const { sessionId } = params;
    if (behaviour === 'silent' || behaviour === 'stubborn') await new Promise(() => undefined);
    if (behaviour === 'dies-midway') process.exit(4);
    if (behaviour === 'errors') throw new Error('model overloaded');
    if (behaviour === 'asks') {
      const answer = await client.request(methods.client.session.requestPermission, {
        sessionId,
        toolCall: { toolCallId: 'call-1', title: 'rm -rf /' },
        options: [{ optionId: 'yes', name: 'Yes', kind: 'allow_always' }],
      });
      see({ permission: answer.outcome });
      await client.notify('_kiro.dev/metadata', { anything: true });
    }
    for (let at = 0; at < reply.length; at += 11) {
      await client.notify(methods.client.session.update, {
        sessionId,
        update: {
          sessionUpdate: 'agent_message_chunk',
          content: { type: 'text', text: reply.slice(at, at + 11) },
        },
      });
    }
    return { stopReason: behaviour === 'refuses' ? 'refusal' : 'end_turn' };
  })
  .connect(
    ndJsonStream(
      Writable.toWeb(process.stdout) as WritableStream<Uint8Array>,
      Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>,
    ),
  );
if (behaviour === 'babbles') process.stdout.write('Welcome to the agent!\n{"half":\n');
void connection.closed.then(() => (behaviour === 'stubborn' ? undefined : process.exit(0)));
if (behaviour === 'stubborn') setInterval(() => undefined, 60_000);
