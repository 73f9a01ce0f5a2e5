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

describe('what the user lays down, in words of many kinds', () => {
  it.each([
    'Decision: SQLite stays, one writer is enough.',
    'We agreed on semantic versioning for the firmware images.',
    'I decided against Redis, memory is too tight.',
    "let's use ruff for linting, black is gone",
    'go with option B, the polling one',
    'We drop Python 3.9 support.',
    'Switch to uv please, pip is too slow. That is final.',
    'OK then: retention is 14 days, not 30.',
    'Use British spelling in docs.',
    'Please write docstrings in numpy style from now on.',
    "Don't ever commit notebooks with output.",
    'Do not use print for debugging in this repo, use the logger.',
    'Stop adding type: ignore comments.',
    "I don't want any new dependencies without asking me first.",
    'Keep functions under 50 lines as a rule.',
    'Tests go into tests/unit, never next to the code.',
    'All timestamps must be UTC in the database.',
    'Every endpoint needs an integration test.',
    'We never deploy on Fridays.',
    'Note: the GPU box is only reachable through the jump host bastion-2.',
    'Keep in mind that the vendor API allows 5 requests per second.',
    'FYI the prod database is read only for us.',
    'My preference is composition over inheritance.',
    "I'd rather have explicit imports than star imports.",
    'No, port 8443 is the right one, 443 belongs to the proxy.',
    'wrong, the unit is micrometers',
    "That's not correct: the column is called device_uid.",
    'Actually, the limit is 20, not 10.',
    'no no, the sensor id comes first',
    'Stop. The calibration factor is 0.98 and comes from calib.toml.',
    'We changed our mind: MQTT 5 instead of AMQP.',
    'We no longer use Jenkins, everything is in GitLab CI now.',
    'From today on we branch from develop.',
    'Nein! Kein Float für Geldbeträge, immer Decimal.',
    'Nein, der Standardwert ist 300 Sekunden.',
    'Stopp, die Spalte heisst kunde_nr, nicht kundennummer.',
    'Das ist falsch, die Messwerte sind in Kelvin.',
    'Merke: Deployments nur über die Pipeline.',
    'Merk dir bitte: Staging läuft auf Port 8090.',
    'Wir verwenden ab sofort Podman statt Docker.',
    'Bitte künftig alle Antworten kurz halten.',
    'Wir haben uns für DuckDB entschieden, weil die Auswertungen lokal laufen.',
    'Gut, dann nehmen wir Variante 2.',
    'Passt, wir bleiben bei PostgreSQL 15.',
    'Niemals Passwörter ins Log schreiben!',
    'Immer zuerst die Tests laufen lassen, dann committen.',
    'Variablennamen bitte auf Englisch.',
    'Ich will keine Mocks in den Integrationstests.',
    'Keine Emojis in Commit-Messages bitte.',
    'Doch lieber Gradle statt Maven.',
    'Logs gehören nach stderr, nicht nach stdout.',
    'Commit-Nachrichten immer im Imperativ.',
    'In diesem Projekt gilt: vier Leerzeichen, keine Tabs.',
    'Bitte nie wieder direkt in der Produktion testen.',
    '必ず日本語でコメントを書いてください',
    '今後はテストを先に書くようにしてください。',
    'いや、単位はミリ秒です。',
    '違います、締め日は毎月25日です。',
    'npmではなくyarnを使ってください。',
    '本番環境のデータは絶対に変更しないでください。',
    '認証はCognitoに決めました。',
    'Redisはやめて、Postgresのキューを使います。',
    'コミットメッセージは英語でお願いします。',
    '変数名はスネークケースで統一してください。',
    '从现在起日志必须用英文。',
    '不对,端口是 9443。',
    '以后提交前都要跑 make lint。',
    '我们决定使用 ClickHouse,因为查询更快。',
    '请务必使用 Decimal 处理金额。',
    '别再用 print 调试了。',
    '记住:测试环境的地址是 10.1.0.7。',
  ])('%s', (prompt) => {
    expect(kinds(prompt).filter((kind) => kind !== 'approval')).not.toEqual([]);
  });

  it.each([
    'Fix the failing test.',
    'Add a retry to the uploader, please.',
    'Can you always reproduce it?',
    'I never understood why we have two parsers.',
    'the tests were always green before',
    'Why should we never use eval?',
    'Does it have to be a float?',
    'Jonas claims we must always use XML.',
    "The reviewer wants every function documented; I don't think so, leave it.",
    'I wonder if we should always pin versions',
    'what would happen if we switch from MQTT to Kafka?',
    'Look at the log and tell me what must be changed.',
    'go through the files and remove what is not used any more',
    'No idea why this happens.',
    'no problem, take your time',
    'No worries.',
    'Please check whether all calls use the new client.',
    'Make the button blue and move it to the left.',
    'run all tests except the slow ones',
    'rename the variable to total and commit',
    'it should work now, try again',
    'Do not touch anything yet, just explain.',
    'The old team always deployed by hand, that was a mess.',
    'We have to finish this today.',
    'kannst du das immer noch reproduzieren?',
    'Das ging noch nie.',
    'Warum ist der Test immer rot?',
    'Schau bitte nach, ob alle Tests laufen.',
    'Füge einen Test für den leeren Fall hinzu.',
    'Mein Chef sagt, wir sollen nie mehr als drei Services haben. Sehe ich anders.',
    'nur laut gedacht: sollten wir alles nach Rust portieren?',
    'Der Kunde will immer alles sofort.',
    'いつもありがとうございます。',
    'なぜ必ず失敗するのですか?',
    'テストを追加してください。',
    'ログを確認してください。',
    '先輩は必ずXMLを使うべきだと言っていました。',
    '请修复这个错误。',
    '为什么总是超时?',
    '同事说应该一律用 XML,我不同意。',
    '帮我加一个测试。',
  ])('but not: %s', (prompt) => {
    expect(kinds(prompt).filter((kind) => kind !== 'approval')).toEqual([]);
  });
});
