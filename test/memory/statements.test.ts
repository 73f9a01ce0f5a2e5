import { describe, expect, it } from 'vitest';
import { statementsIn } from '../../src/memory/extract/statements';
import { viewTurn } from '../../src/memory/extract/turn-view';
import { turnsOf } from './sessions';

function kinds(prompt: string): string[] {
  const session = {
    id: 's',
    title: 'T',
    date: '2026-05-01T08:00:00Z',
    turns: [{ prompt: 'Hi.' }, { prompt }],
  };
  const turn = turnsOf(session)[1];
  return turn ? statementsIn(viewTurn(turn)).map((statement) => statement.kind) : [];
}

describe('standing rules in the user’s own words', () => {
  it.each([
    'Always run ruff before you commit.',
    'never log customer emails',
    'please never touch the vendored folder again',
    'from now on write the changelog in past tense',
    'Going forward, every migration needs a rollback script.',
    'remember: the staging bucket is read only',
    'I prefer table driven tests for this package.',
    'use slog instead of logrus',
    'Use testcontainers for the repository tests, not mocks.',
    'no abbreviations in column names please',
    'handlers must never call the database directly',
    'we should always wrap errors with %w',
    'ask me before you delete anything',
    'only use the internal mirror',
    'In this repo we use tabs.',
    'Ab jetzt bitte immer polars statt pandas nehmen.',
    'Nie direkt auf main pushen.',
    'Bitte keine deutschen Spaltennamen mehr.',
    'merk dir: der Cluster heisst tessin-3',
    'In Zukunft Tests mit pytest-xdist laufen lassen.',
    'Commits immer auf Englisch schreiben.',
    'Nimm immer uv, nicht pip.',
    'テストは必ず RSpec で書いてください。',
    '今後はコントローラーにロジックを書かないでください。',
    'マイグレーションは手で編集してはいけません。',
    '覚えておいて:本番のリージョンは ap-northeast-1 です。',
    'コメントは日本語で統一してください。',
    '以后所有接口都要写单元测试。',
    '记住:数据库密码不要写进代码。',
    '不要直接修改 generated 目录。',
    '统一用 pnpm,而不是 npm。',
  ])('%s', (prompt) => {
    expect(kinds(prompt)).toContain('preference');
  });

  it.each([
    'The nightly job always fails on Sundays.',
    'Why does the loader never finish?',
    'It never worked on my machine.',
    'Kira says we should never use views. I disagree, ignore that.',
    'just thinking aloud: what if we always cached the token?',
    'Tom meint, wir sollten immer alles loggen.',
    'Der Build schlägt immer montags fehl.',
    'Never mind.',
    'add a column to the orders table',
    'check whether the retry is always called',
    'can you explain from now on which test is slow?',
    'いつも失敗します。',
    'このテストは必ず失敗しますか?',
    '构建总是失败。',
    'what must I do to run this?',
    'The doc says "always use v2", is that still true?',
  ])('but not: %s', (prompt) => {
    expect(kinds(prompt)).toEqual([]);
  });
});

describe('decisions', () => {
  it.each([
    'Decided: Parquet with zstd, because CSV takes 40 GB a day.',
    "let's go with NATS for the event bus",
    "we'll stay with sqlc, no ORM",
    'We move from Jenkins to Buildkite next month, reason: the queue times.',
    'ok, Dagster it is.',
    'Good: one topic per tenant, because the replay has to be separate.',
    'Wir bleiben bei Airflow, weil das Team es kennt.',
    'Entschieden: Snowflake statt Redshift.',
    'Wir steigen von Jenkins auf GitLab um.',
    'キューは Sidekiq に決めました。Redis はすでに運用しているので。',
    'やはり Stripe を採用します。',
    '我们决定用 Kafka,因为消息不能丢。',
    '把缓存从 Redis 换成 Valkey。',
  ])('%s', (prompt) => {
    expect(kinds(prompt).some((kind) => kind === 'decision' || kind === 'preference')).toBe(true);
  });

  it.each([
    'Should we go with NATS?',
    'we keep getting timeouts',
    'Wechseln wir auf Kafka?',
    'let me see the log',
  ])('but not: %s', (prompt) => {
    expect(kinds(prompt)).toEqual([]);
  });
});

describe('corrections and consent', () => {
  it.each([
    'No, the amounts are in cents, not in euros.',
    "that's wrong: the cutoff is 18:00 local time, never UTC",
    'Nein, die Zeitzone ist Europe/Zurich und nicht UTC.',
    'Falsch, der Schlüssel besteht aus drei Spalten.',
    'いいえ、金額は税抜きで保存してください。',
    '不对,超时的单位是毫秒,不是秒。',
  ])('%s', (prompt) => {
    expect(kinds(prompt)).toEqual(['correction']);
  });

  it.each([
    'agreed',
    'yes, do it',
    'ok go ahead',
    'ja, mach das so',
    'はい、それでお願いします。',
    '好的,就这样',
  ])('consent: %s', (prompt) => {
    expect(kinds(prompt)).toEqual(['approval']);
  });
});
