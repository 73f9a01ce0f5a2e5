import { describe, expect, it } from 'vitest';
import { findTimeRanges } from '../../src/text/time-words';

// A Friday.
const NOW = Date.parse('2026-11-20T12:00:00Z');

function days(text: string, timeZone = 'UTC', now = NOW): string[] {
  return findTimeRanges(text, now, timeZone).map(
    ({ from, to }) => `${new Date(from).toISOString()}/${new Date(to).toISOString()}`,
  );
}

function span(from: string, to: string): string {
  return `${from}T00:00:00.000Z/${to}T00:00:00.000Z`;
}

describe('findTimeRanges', () => {
  it.each([
    ['what did we do yesterday', span('2026-11-19', '2026-11-20')],
    ['the day before yesterday', span('2026-11-18', '2026-11-19')],
    ['what broke this morning', span('2026-11-20', '2026-11-21')],
    ['packing problems this week', span('2026-11-16', '2026-11-23')],
    ["last week's leak", span('2026-11-09', '2026-11-16')],
    ['last month', span('2026-10-01', '2026-11-01')],
    ['what did we fix on Monday?', span('2026-11-16', '2026-11-17')],
    ['set up last Friday', span('2026-11-13', '2026-11-14')],
    ['last Tuesday', span('2026-11-10', '2026-11-11')],
    ['coupon changes in August', span('2026-08-01', '2026-09-01')],
    ['decided in December', span('2025-12-01', '2026-01-01')],
    ['on 7 May 2025', span('2025-05-07', '2025-05-08')],
    ['on May 7th', span('2026-05-07', '2026-05-08')],
    ['since 2026-10-03', span('2026-10-03', '2026-10-04')],
    ['three days ago', span('2026-11-17', '2026-11-18')],
    ['two weeks ago', span('2026-11-02', '2026-11-09')],
    ['last week on Wednesday', span('2026-11-11', '2026-11-12')],
    ['on Tuesday of last week', span('2026-11-10', '2026-11-11')],
    ['in the week of 12 October', span('2026-10-12', '2026-10-19')],
    ['gestern', span('2026-11-19', '2026-11-20')],
    ['was lief vorgestern', span('2026-11-18', '2026-11-19')],
    ['heute früh', span('2026-11-20', '2026-11-21')],
    ['letzte Woche', span('2026-11-09', '2026-11-16')],
    ['was haben wir letzte woche am mittwoch gemacht', span('2026-11-11', '2026-11-12')],
    ['am Mittwoch', span('2026-11-18', '2026-11-19')],
    ['am 2. Juni', span('2026-06-02', '2026-06-03')],
    ['am 3.10.2025', span('2025-10-03', '2025-10-04')],
    ['letzten Monat', span('2026-10-01', '2026-11-01')],
    ['im März', span('2026-03-01', '2026-04-01')],
    ['vor drei Tagen', span('2026-11-17', '2026-11-18')],
    ['昨日の変更', span('2026-11-19', '2026-11-20')],
    ['先週の金曜日に決めたこと', span('2026-11-13', '2026-11-14')],
    ['先月の税の作業', span('2026-10-01', '2026-11-01')],
    ['昨天修了什么', span('2026-11-19', '2026-11-20')],
    ['上周的问题', span('2026-11-09', '2026-11-16')],
    ['上个月', span('2026-10-01', '2026-11-01')],
    ['3天前', span('2026-11-17', '2026-11-18')],
    ['10月の作業', span('2026-10-01', '2026-11-01')],
  ])('%s', (text, expected) => {
    expect(days(text)).toEqual([expected]);
  });

  it('counts days in the zone that it is given', () => {
    const late = Date.parse('2026-11-19T23:30:00Z');
    expect(days('today', 'Asia/Tokyo', late)).toEqual(['2026-11-19T15:00:00.000Z/2026-11-20T15:00:00.000Z']);
    expect(days('today', 'America/New_York', late)).toEqual([
      '2026-11-19T05:00:00.000Z/2026-11-20T05:00:00.000Z',
    ]);
  });

  it('gives a day of 25 hours where the clocks go back', () => {
    const now = Date.parse('2026-10-26T12:00:00Z');
    expect(days('yesterday', 'Europe/Vienna', now)).toEqual([
      '2026-10-24T22:00:00.000Z/2026-10-25T23:00:00.000Z',
    ]);
  });

  it.each([
    'we may march on',
    'every second counts',
    'the sun',
    'step 3 of 5',
    '1.2.3',
    'every Monday',
    'next week',
    'nächste Woche',
    'jeden Tag',
    'das mag sein',
  ])('names no time: %s', (text) => {
    expect(days(text)).toEqual([]);
  });
});
