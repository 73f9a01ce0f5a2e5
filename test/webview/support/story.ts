import { deterministicUlid } from '../../../src/contract/ids';
import type { ApiParams } from '../../../src/contract/local-api';

type WireEvent = Record<string, unknown>;

interface Step {
  kind: 'prompt' | 'tool_use' | 'session_summary' | 'note';
  body: unknown;
  more?: WireEvent;
}

const prompt = (content: string): Step => ({ kind: 'prompt', body: { type: 'text', content } });
const answer = (content: string): Step => ({ kind: 'session_summary', body: { type: 'text', content } });
const note = (content: string, more: WireEvent = {}): Step => ({
  kind: 'note',
  body: { type: 'text', content },
  more,
});
const tool = (name: string, input: unknown, result: string, success: boolean): Step => ({
  kind: 'tool_use',
  body: {
    type: 'json',
    data: { tool_name: name, tool_input: input, tool_response: { result, success }, duration_ms: 1840 },
  },
});

/** Two sessions about a made-up program: a decision, a preference, a failure that was mended, a question. */
const sessions: { id: string; steps: Step[] }[] = [
  {
    id: 'sess_5b0e8f0a-1111-4c2d-9b77-0000000000a1',
    steps: [
      prompt(
        'We decided to run background jobs on pg-boss instead of Redis, because the lighthouse has no second server.',
      ),
      tool('read_file', { path: 'src/jobs/queue.ts' }, 'export const queue = createRedisQueue();\n', true),
      tool(
        'fs_write',
        { path: 'src/jobs/queue.ts', text: 'export const queue = createPgBoss();\n' },
        'Replaced text in src/jobs/queue.ts',
        true,
      ),
      tool(
        'fs_write',
        { path: 'docs/adr/0007-queue.md', text: '# Jobs run on pg-boss\n' },
        'Created the docs/adr/0007-queue.md file.',
        true,
      ),
      answer(
        'Jobs now run on pg-boss. The decision is written down in docs/adr/0007-queue.md; Redis is gone from docker-compose.yml.',
      ),
      prompt('Please always run the tests with `npm run test:unit` here, never with npx vitest directly.'),
      tool(
        'execute_bash',
        { command: 'npm run test:unit' },
        'Error: Cannot find module "pg-boss"\n\nExit Code: 1',
        false,
      ),
      tool('execute_bash', { command: 'npm install pg-boss' }, 'added 6 packages\n\nExit Code: 0', true),
      tool('execute_bash', { command: 'npm run test:unit' }, '42 passed\n\nExit Code: 0', true),
      answer('The tests pass: pg-boss was missing from package.json. I use npm run test:unit from now on.'),
    ],
  },
  {
    id: 'sess_5b0e8f0a-2222-4c2d-9b77-0000000000b2',
    steps: [
      note('The agent started.', { type: 'system' }),
      prompt('Why does the tide importer skip row 7?'),
      note('The row has a comma inside quotes; the splitter does not know quotes.', { type: 'reasoning' }),
      note('Checking the parser for quoted fields.', { type: 'reasoning' }),
      tool('grep_search', { query: 'split(",")' }, 'src/import/tides.ts:31: line.split(",")', true),
      tool(
        'fs_write',
        { path: 'src/import/tides.ts', text: 'parseCsv(line)' },
        'Replaced text in src/import/tides.ts',
        true,
      ),
      note('Rate limit reached, trying again.', { type: 'error', severity: 'ERROR' }),
      answer(
        'Row 7 holds a quoted comma. src/import/tides.ts split lines at every comma; it uses parseCsv now.',
      ),
      note('', { type: 'waiting_for_user' }),
    ],
  },
];

/** The story as events of the wire contract, one minute apart, the last a minute before `now`. */
export function storyEvents(now: number): WireEvent[] {
  const count = sessions.reduce((sum, session) => sum + session.steps.length, 0);
  let time = now - (count + 1) * 60_000;
  const events: WireEvent[] = [];
  for (const session of sessions) {
    let parent: string | undefined;
    for (const [index, step] of session.steps.entries()) {
      time += 60_000;
      const id = deterministicUlid(time, `${session.id}:${index}`);
      if (step.kind === 'prompt') parent = undefined;
      events.push({
        event_id: id,
        kind: step.kind,
        body: step.body,
        namespace: '/actor/mira/project/lighthouse/',
        actor_id: 'mira',
        session_id: session.id,
        valid_time: new Date(time).toISOString(),
        source: { surface: 'kiro-ide', version: '1' },
        schema_version: 1,
        ...(parent === undefined ? {} : { parent_event_id: parent }),
        ...step.more,
      });
      if (step.kind === 'prompt') parent = id;
    }
  }
  return events;
}

/** `count` plain events and half as many facts, for long lists. */
export function manyEvents(count: number, now: number): WireEvent[] {
  return Array.from({ length: count }, (_unused, index) => {
    const time = now - (count - index) * 1000;
    return {
      event_id: deterministicUlid(time, `many:${index}`),
      kind: index % 5 === 0 ? 'prompt' : 'tool_use',
      body:
        index % 5 === 0
          ? { type: 'text', content: `Question ${index} about module ${index % 97}` }
          : {
              type: 'json',
              data: {
                tool_name: 'read_file',
                tool_input: { path: `src/module-${index % 97}.ts` },
                tool_response: { result: 'ok', success: true },
              },
            },
      namespace: '/actor/mira/project/lighthouse/',
      actor_id: 'mira',
      session_id: `sess_many_${Math.floor(index / 200)}`,
      valid_time: new Date(time).toISOString(),
      source: { surface: 'kiro-ide', version: '1' },
      schema_version: 1,
    };
  });
}

export function captureParams(events: WireEvent[], workspace: string): ApiParams<'capture'> {
  return { events, workspace };
}
