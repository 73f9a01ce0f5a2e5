import { describe, expect, it } from 'vitest';
import { holdsLiteral, literalsIn } from '../../src/memory/extract/literals';
import { eventText } from '../../src/memory/extract/event-text';
import { PIPELINE, SERVICE } from './made-up';
import { edit, fails, Learner, run, said, type SessionSpec, type TurnSpec, read, write } from './sessions';

const one = (...turns: TurnSpec[]): SessionSpec => ({
  id: 'x',
  title: 'Made up',
  date: '2026-06-01T08:00:00Z',
  turns,
});

describe('a German pipeline', () => {
  const learner = new Learner().learn(...PIPELINE);

  it('pairs the failure with its fix', () => {
    const [error] = learner.current('error');
    expect(error?.title).toContain('SchemaError: expected Float64 for column "kwh", got String');
    expect(said(error)).toContain('decimal_comma=True');
    expect(said(error)).toContain('Dezimalkomma');
    expect(error?.files_touched).toEqual(['src/zaehler/load.py']);
  });

  it('keeps the rules as they were typed', () => {
    const preferences = learner.current('preference').map(said).join('\n');
    expect(preferences).toContain('ab jetzt immer uv, nie pip direkt.');
    expect(preferences).toContain('spaltennamen bitte nur englisch');
    for (const record of learner.current('preference')) expect(record.origin).toBe('user_words');
  });

  it('keeps the decision with its reason', () => {
    expect(learner.current('decision').map(said).join('\n')).toContain(
      'Parquet mit zstd statt CSV, weil CSV 40 GB am Tag braucht',
    );
  });

  it('learns what the agent found out', () => {
    expect(learner.current('discovery').map(said).join('\n')).toContain('Europe/Zurich ohne Offset');
  });

  it('supersedes the summary that the user corrected', () => {
    const old = [...learner.records.values()].find((record) => said(record).includes('raw_days ist 35'));
    expect(old?.status).toBe('superseded');
    expect(old?.valid_to).toBeDefined();
    expect(learner.records.get(old?.superseded_by ?? '')?.summary).toContain('pro Netzbetreiber');
  });
});

describe('a Go service', () => {
  const learner = new Learner().learn(...SERVICE);

  it('makes the proposal that was taken a decision, in the agent’s name', () => {
    const taken = [...learner.records.values()].find(
      (record) => record.observation_type === 'decision' && said(record).includes('outbox table in Postgres'),
    );
    expect(taken?.origin).toBe('agent_words');
    expect(said(taken)).toContain('yes do it');
  });

  it('does not keep the bare proposal', () => {
    expect(
      [...learner.records.values()].filter(
        (r) => r.observation_type === 'discovery' && /outbox table/.test(said(r)),
      ),
    ).toEqual([]);
  });

  it('supersedes a value that an edit changed', () => {
    const old = [...learner.records.values()].filter((record) =>
      said(record).includes('sends 64 rows a batch'),
    );
    expect(old.filter((record) => record.status !== 'superseded')).toEqual([]);
    const current = learner.current().map(said).join('\n');
    expect(current).toContain('const batch is 256');
  });

  it('marks what came from the web and drops what it orders', () => {
    const external = learner.current().filter((record) => record.origin === 'external');
    expect(external.map(said).join('\n')).toContain('8 times over 3 hours');
    expect(learner.current().map(said).join('\n')).not.toMatch(/credentials|previous instructions/i);
  });
});

describe('grounding', () => {
  it.each([
    ['pipeline', PIPELINE],
    ['service', SERVICE],
  ])('every literal of %s stands in a cited event', (_name, sessions) => {
    const learner = new Learner().learn(...sessions);
    for (const draft of learner.drafts) {
      const cited = draft.evidence.map(({ event_id }) => {
        const event = learner.events.get(event_id);
        return event ? eventText(event) : '';
      });
      for (const literal of [draft.summary, ...draft.facts].flatMap(literalsIn)) {
        expect(
          cited.some((text) => holdsLiteral(text, literal)),
          `${draft.title}: ${literal.value}`,
        ).toBe(true);
      }
      for (const { excerpt } of draft.evidence) expect(excerpt.length).toBeLessThanOrEqual(300);
    }
  });

  it('leaves out a sentence whose literal no event holds only where the text is not the agent’s own', () => {
    const learner = new Learner().learn(
      one({ prompt: 'fix it', calls: [edit('a.ts', 'x', 'y')], answer: 'Set y in a.ts.' }),
    );
    expect(learner.current('session_summary').map(said).join('')).toContain('Set y in a.ts.');
  });
});

describe('routine', () => {
  it.each<[string, TurnSpec]>([
    [
      'a listing',
      { prompt: 'show the folder', calls: [run('ls -la src', 'a.ts\nb.ts')], answer: 'There are two files.' },
    ],
    ['an acknowledgement', { prompt: 'thanks!', answer: "You're welcome." }],
    [
      'thinking aloud',
      {
        prompt: 'just thinking aloud: should we always cache?',
        answer: 'It would be faster with 3 nodes in cache.ts.',
      },
    ],
    [
      'a refused call',
      {
        prompt: 'check the token',
        calls: [fails('curl https://x.example', 'The user denied this tool call.')],
        answer: 'I did not call the API because it was denied.',
      },
    ],
  ])('%s teaches nothing', (_what, turn) => {
    expect(new Learner().learn(one({ prompt: 'Hello.' }, turn)).records.size).toBe(0);
  });

  it('an edit that found no match is no error', () => {
    const miss = {
      tool: 'str_replace',
      input: { path: 'a.ts', oldStr: 'q', newStr: 'r' },
      output: 'No match found',
      ok: false,
    };
    const learner = new Learner().learn(
      one({ prompt: 'rename it', calls: [miss, edit('a.ts', 'x', 'y')], answer: 'Renamed in a.ts.' }),
    );
    expect(learner.current('error')).toEqual([]);
  });
});

describe('habits', () => {
  it('makes a command a pattern at its third turn and reinforces it later', () => {
    const turn = (n: number): TurnSpec => ({
      prompt: `step ${n}`,
      calls: [edit(`f${n}.py`, 'a', 'b'), run('uv run pytest -q', 'ok\n\nExit Code: 0')],
      answer: `Changed f${n}.py.`,
    });
    const learner = new Learner();
    learner.learn(one(...[1, 2].map(turn)));
    expect(learner.current('pattern')).toEqual([]);
    const rest = [3, 4, 5, 6, 7, 8, 9, 10].map(turn);
    learner.learn({ ...one(...rest), id: 'y', date: '2026-06-02T08:00:00Z' });
    const [pattern, ...others] = learner.current('pattern');
    expect(others).toEqual([]);
    expect(pattern?.title).toBe('Command for tests: uv run pytest -q');
  });
});

describe('failures across turns', () => {
  it('keeps what a delegate found, and why one stopped', () => {
    const delegate = (name: string, prompt: string, output: string, ok: boolean) => ({
      tool: `subagent_${name}`,
      input: { prompt },
      output,
      ok,
    });
    const found = new Learner()
      .learn(
        one({
          prompt: 'send two helpers',
          calls: [
            delegate('profiler', 'Profile the importer.', 'parse() in lib/csv.rb takes 61 % of 18 s.', true),
            delegate('link-checker', 'Check docs/guide.md.', 'stopped: call budget of 12 used up', false),
          ],
          answer: 'The profile is in. The link helper stopped after it saw a dead link in docs/guide.md.',
        }),
      )
      .current('discovery')
      .filter((record) => /^(?:profiler|link-checker): /.test(record.title));
    expect(found.map((record) => record.files_touched)).toEqual([['lib/csv.rb'], ['docs/guide.md']]);
    expect(said(found[0])).toContain('takes 61 % of 18 s');
    expect(said(found[1])).toMatch(/call budget of 12 used up.*dead link in docs\/guide\.md/s);
  });

  it('names the file that an answer was read from', () => {
    const [found] = new Learner()
      .learn(
        one({
          prompt: 'how long do we keep a hold?',
          calls: [read('lib/holds.rb', 'HOLD_SECONDS = 1260'), read('README.md', 'Welcome')],
          answer: 'A hold is kept for 1260 seconds, then the sweeper frees the seat again.',
        }),
      )
      .current('discovery');
    expect(found?.files_touched).toEqual(['lib/holds.rb']);
  });

  it('reads the exception off a test runner’s summary line', () => {
    const [error] = new Learner()
      .learn(
        one({
          prompt: 'fix the zone parser',
          calls: [
            fails(
              'pytest -q',
              'FAILED tests/test_zone.py::test_eir - ZoneError: no outward code\n\nExit Code: 1',
            ),
            edit('zone.py', 'A = 1', 'A = 2'),
            run('pytest -q', '12 passed in 0.2s\n\nExit Code: 0'),
          ],
          answer: 'The routing key has three characters.',
        }),
      )
      .current('error');
    expect(error?.title).toBe('ZoneError: no outward code');
  });

  it('keeps the list that a standing rule announces, and drops the task behind a decision', () => {
    const learner = new Learner().learn(
      one(
        {
          prompt: 'and this is for all tests you write here:\n- freeze the clock\n- one topic each',
          calls: [write('test/a_test.rb', 'x')],
          answer: 'Written.',
        },
        {
          prompt:
            'We decided to keep rates in Redis because the API allows 60 calls. Write that into docs/rates.md.',
          calls: [write('docs/rates.md', 'Redis')],
          answer: 'docs/rates.md records it.',
        },
      ),
    );
    expect(said(learner.current('preference')[0])).toContain('freeze the clock one topic each');
    expect(said(learner.current('decision')[0])).not.toContain('Write that');
  });

  it('pairs a failure with the turn that overcame it', () => {
    const learner = new Learner().learn(
      one(
        {
          prompt: 'publish it',
          calls: [
            fails('cargo publish', 'error: crate name `tide` is already taken (403)\n\nExit Code: 101'),
          ],
          answer: 'The name is taken.',
        },
        {
          prompt: 'use our own registry',
          calls: [
            edit('.cargo/config.toml', '', 'registry = "quay"'),
            run('cargo publish --registry quay', 'Uploaded tide v0.2.0\n\nExit Code: 0'),
          ],
          answer: 'Published to the registry quay.',
        },
      ),
    );
    const [error] = learner.current('error');
    expect(error?.title).toContain('already taken (403)');
    expect(said(error)).toContain('cargo publish --registry quay');
  });

  it('names a failure that keeps coming back', () => {
    const failing: TurnSpec = {
      prompt: 'again',
      calls: [fails('terraform apply', 'Error: Error acquiring the state lock\n\nExit Code: 1')],
      answer: 'The state is locked by run 118.',
    };
    const learner = new Learner().learn(one(failing, failing));
    expect(learner.current('error').map(said).join('\n')).toContain('keeps failing');
  });
});

it('gives the same drafts for the same turns', () => {
  const ids = (): string[] => [...new Learner().learn(...PIPELINE, ...SERVICE).records.keys()];
  expect(ids()).toEqual(ids());
});
