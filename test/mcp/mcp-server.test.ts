import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  buildPrograms,
  idIn,
  killHard,
  leadElsewhere,
  makePlace,
  openHere,
  startAgent,
  writeMcpLauncher,
  type Place,
  type Programs,
} from './support/mcp-setup';

let programs: Programs;
beforeAll(async () => {
  programs = await buildPrograms();
});
afterAll(() => programs.dispose());

const QUEUE = {
  title: 'Jobs run in pg-boss, not in BullMQ',
  summary: 'Postgres is there already; a Redis only for jobs was not worth its upkeep.',
  observation_type: 'decision',
  facts: ['pg-boss 9.0.3', 'schema: jobs'],
  concepts: ['queue'],
  files_touched: ['docs/adr/0007-queue.md'],
};

async function spooled(place: Place): Promise<string[]> {
  const names = await readdir(path.join(place.storageDir, 'spool')).catch(() => []);
  return names.filter((name) => name.endsWith('.json'));
}

describe('the MCP server while a window leads', () => {
  it('lists its tools with schemas that name no project', async () => {
    const place = await makePlace();
    const { client } = await startAgent(programs, place);
    const { tools } = await client.listTools();
    expect(tools.map((tool) => tool.name)).toEqual([
      'search_memory',
      'get_memory',
      'timeline',
      'save_observation',
      'save_session_summary',
      'forget_memory',
    ]);
    for (const { inputSchema, annotations } of tools) {
      const fields = Object.keys(inputSchema.properties ?? {});
      expect(fields.filter((field) => /project|workspace|namespace|path|cwd/.test(field))).toEqual([]);
      expect(annotations?.readOnlyHint).toBeTypeOf('boolean');
    }
    expect(tools[0]?.inputSchema.required).toEqual(['query']);
  });

  it('keeps a note, finds it, shows it with its evidence, places it in time, and hides it', async () => {
    const place = await makePlace();
    await leadElsewhere(programs, place);
    const agent = await startAgent(programs, place, { roots: [place.project], cwd: place.storageDir });
    const id = idIn(await agent.call('save_observation', QUEUE));

    const index = await agent.call('search_memory', { query: 'which queue do jobs run in?' });
    expect(index).toContain(id);
    expect(index).toContain(QUEUE.title);
    expect(index).toMatch(/\d{4}-\d{2}-\d{2} decision/);
    expect(index).toContain('source: session "Notes of test-agent"; docs/adr/0007-queue.md');
    expect(index).not.toContain('pg-boss 9.0.3');

    const full = await agent.call('get_memory', { record_ids: [id] });
    expect(full).toContain('- pg-boss 9.0.3');
    expect(full).toContain('by mcp from mcp');
    expect(full).toMatch(/note [0-9A-HJKMNP-TV-Z]{26}: "Postgres is there already/);

    const summary = await agent.call('save_session_summary', {
      request: 'Move the mail jobs',
      completed: 'Mail jobs are on pg-boss.',
      next_steps: 'Drop Redis.',
      files_modified: ['src/jobs/mail.ts'],
    });
    const line = await agent.call('timeline', { record_id: id });
    expect(line.indexOf(id)).toBeLessThan(line.indexOf(idIn(summary)));
    expect(line).toContain(`> [${id}]`);

    expect(await agent.call('forget_memory', { record_id: id })).toContain('is hidden now');
    expect(await agent.call('search_memory', { query: 'queue of the jobs' })).not.toContain(id);
    expect(await agent.call('get_memory', { record_ids: [id] })).toContain('decision (forgotten)');
  });

  it('sees the project of the client root and no other, whatever it is asked', async () => {
    const place = await makePlace();
    await leadElsewhere(programs, place);
    const here = await startAgent(programs, place, { roots: [place.project] });
    const there = await startAgent(programs, place, { roots: [place.otherProject] });
    const id = idIn(await here.call('save_observation', QUEUE));
    const workspace = place.project;
    const namespace = '/actor/x/project/y/';
    expect(await there.call('search_memory', { query: 'queue pg-boss', workspace, namespace })).toContain(
      'No note of project "other" fits',
    );
    expect(await there.call('get_memory', { record_ids: [id] })).toContain('is no note of project "other"');
    expect(await there.call('timeline', { record_id: id })).toContain('is no note of project "other"');
    expect(await there.call('forget_memory', { record_id: id })).toContain('is no note of this project');
    expect(await here.call('search_memory', { query: 'queue pg-boss' })).toContain(id);
  });

  it('answers a question a fourth time with a word, and anew after a change', async () => {
    const place = await makePlace();
    await leadElsewhere(programs, place);
    const agent = await startAgent(programs, place);
    const first = idIn(await agent.call('save_observation', QUEUE));
    const ask = () => agent.call('search_memory', { query: 'queue for jobs' });
    for (let i = 0; i < 3; i++) expect(await ask()).toContain(first);
    expect(await ask()).toContain('asked and answered 3 times');
    await agent.call('save_observation', {
      ...QUEUE,
      title: 'Mail is sent by a job',
      summary: 'Not inline.',
    });
    expect(await ask()).toContain(first);
    expect(idIn(await agent.call('save_observation', QUEUE))).toBe(first);
    const timeline = await agent.call('timeline', {});
    expect(timeline.split(first)).toHaveLength(2);
  });

  it('keeps no secret, cuts what is too long, and says what is wrong in words', async () => {
    const place = await makePlace();
    await leadElsewhere(programs, place);
    const agent = await startAgent(programs, place);
    const secret = `ghp_${'a1B2'.repeat(9)}`;
    const id = idIn(
      await agent.call('save_observation', {
        title: 'x'.repeat(500),
        summary: `Deploy with ${secret}. <private>the customer is Initech</private>`,
        observation_type: 'discovery',
        facts: 'one fact\nanother fact',
      }),
    );
    const full = await agent.call('get_memory', { record_ids: [id] });
    expect(full).not.toContain(secret);
    expect(full).not.toContain('Initech');
    expect(full).toContain('- another fact');
    expect(full).toContain('x'.repeat(200));
    expect(full).not.toContain('x'.repeat(201));
    const wrong = await agent.raw('save_observation', {
      title: 'No kind',
      summary: 'x',
      observation_type: 'rumour',
    });
    expect(wrong.isError).toBe(true);
    expect(wrong.text).toContain('observation_type');
    expect((await agent.raw('drop_tables')).isError).toBe(true);
  });

  it('does not let an agent forget what the user pinned', async () => {
    const place = await makePlace();
    const opened = await openHere(programs, place);
    const { record_id } = await opened.api.call('remember', {
      text: 'Never use floats for money.',
      workspace: place.project,
    });
    await opened.api.call('pinMemories', { record_ids: [record_id], pinned: true });
    await opened.dispose();
    await leadElsewhere(programs, place);
    const agent = await startAgent(programs, place);
    expect(await agent.call('forget_memory', { record_id })).toContain('was pinned by the user');
    expect(await agent.call('search_memory', { query: 'floats for money' })).toContain(record_id);
  });
});

describe('the MCP server when the leader is killed', () => {
  it('loses nothing: what was kept before and after is there, once each, under the ids that were told', async () => {
    const place = await makePlace();
    const leader = await leadElsewhere(programs, place);
    const agent = await startAgent(programs, place);
    const before = idIn(await agent.call('save_observation', QUEUE));
    await killHard(leader);

    expect(await agent.call('search_memory', { query: 'queue for jobs' })).toContain(before);
    const said = await agent.call('save_observation', {
      title: 'Prices are whole cents',
      summary: 'Floats lost a cent in VAT rounding.',
      observation_type: 'discovery',
    });
    const after = idIn(said);
    expect(said).toContain('waits on disk');
    expect(await agent.call('search_memory', { query: 'prices in cents' })).toContain(after);
    expect(await agent.call('get_memory', { record_ids: [after] })).toContain('Floats lost a cent');
    expect(await agent.call('forget_memory', { record_id: before })).toContain('once an IDE window');
    expect(await agent.call('search_memory', { query: 'queue for jobs' })).not.toContain(before);

    const next = await leadElsewhere(programs, place);
    expect(await spooled(place)).toEqual([]);
    const { api } = await openHere(programs, place);
    const { namespace } = await api.call('resolveProject', { path: place.project });
    const { items } = await api.call('listMemories', { namespace });
    expect(items.map((record) => [record.record_id, record.status]).sort()).toEqual(
      [
        [before, 'forgotten'],
        [after, 'current'],
      ].sort(),
    );
    expect(items.every((r) => r.origin === 'mcp' && r.strategy === 'mcp' && !r.pinned)).toBe(true);
    expect(next.exitCode).toBeNull();
    expect(await agent.call('get_memory', { record_ids: [after] })).toContain('Floats lost a cent');
  });

  it('keeps each of many notes once while leaders come and go', async () => {
    const place = await makePlace();
    const agent = await startAgent(programs, place);
    let leader = await leadElsewhere(programs, place);
    const ids: string[] = [];
    for (let round = 0; round < 3; round++) {
      const saving = ['tax', 'mail', 'search', 'login', 'cart', 'stock'].map((area) =>
        agent.call('save_observation', {
          title: `The ${area} module of round ${round} owns table ${area}_${round}`,
          summary: `Only ${area} writes to ${area}_${round}.`,
          observation_type: 'discovery',
        }),
      );
      await killHard(leader);
      ids.push(...(await Promise.all(saving)).map(idIn));
      leader = await leadElsewhere(programs, place);
    }
    await killHard(leader);
    const { api } = await openHere(programs, place);
    const { items } = await api.call('listMemories', { limit: 100 });
    expect(items.map((record) => record.record_id).sort()).toEqual([...new Set(ids)].sort());
    expect(ids).toHaveLength(18);
  });
});

describe('the MCP server with no window open', () => {
  it('works on a store that was never opened', async () => {
    const place = await makePlace();
    const agent = await startAgent(programs, place);
    expect(await agent.call('search_memory', { query: 'anything' })).toContain('No note');
    const id = idIn(await agent.call('save_observation', QUEUE));
    const second = await startAgent(programs, place);
    expect(await second.call('search_memory', { query: 'queue for jobs' })).toContain(id);
    const elsewhere = await startAgent(programs, place, { cwd: place.otherProject });
    expect(await elsewhere.call('search_memory', { query: 'queue for jobs' })).toContain('No note');
    const { api } = await openHere(programs, place);
    const { record } = await api.call('getMemory', { record_id: id });
    expect(record?.facts).toEqual(QUEUE.facts);
  });

  it('is started by the launcher in global storage, and finds the store by where it lies', async () => {
    const place = await makePlace();
    const launcher = await writeMcpLauncher(programs, place);
    const agent = await startAgent(programs, place, { launcher });
    const id = idIn(await agent.call('save_observation', QUEUE));
    expect(await spooled(place)).toHaveLength(1);
    expect(await agent.call('get_memory', { record_ids: [id] })).toContain('- pg-boss 9.0.3');
  });

  it('spools nothing that is secret, and nothing where memory is off', async () => {
    const place = await makePlace();
    const agent = await startAgent(programs, place);
    const secret = `ghp_${'a1B2'.repeat(9)}`;
    await agent.call('save_observation', { ...QUEUE, summary: `Token ${secret}` });
    const [name = ''] = await spooled(place);
    const text = await readFile(path.join(place.storageDir, 'spool', name), 'utf8');
    expect(text).not.toContain(secret);
    expect(text).toContain('REDACTED');
    await writeFile(
      path.join(place.storageDir, 'hook-policy.json'),
      JSON.stringify({ everywhere: true, namespaces: [], folders: [] }),
      { mode: 0o600 },
    );
    const refused = await agent.raw('save_observation', { ...QUEUE, title: 'Another' });
    expect(refused).toEqual({ text: 'The user paused memory.', isError: true });
    expect(await spooled(place)).toHaveLength(1);
  });
});
