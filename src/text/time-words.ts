/** A span of time that a text names: `from` inclusive, `to` exclusive, in milliseconds since 1970. */
export interface TimeRange {
  from: number;
  to: number;
  /** The words that named it, as written. */
  phrase: string;
  /** Where the words stand in the text, in UTF-16 units. */
  start: number;
  end: number;
}

interface CivilDate {
  year: number;
  month: number;
  day: number;
}

const DAY = 86_400_000;

const MONTHS = 'january february march april may june july august september october november december'.split(
  ' ',
);
const WEEKDAYS = 'sunday monday tuesday wednesday thursday friday saturday'.split(' ');
const SMALL_NUMBERS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');

const MONTH = `(?:${MONTHS.map((m) => (m.length > 4 ? `${m}|${m.slice(0, 3)}` : m)).join('|')}|sept)`;
const WEEKDAY = `(?:${WEEKDAYS.join('|')})`;
const COUNT = `(?:\\d{1,3}|a|an|a couple of|a few|${SMALL_NUMBERS.slice(1).join('|')})`;
const UNIT = '(?:day|week|month|year)';
const CJK_DIGITS = '〇一二三四五六七八九十';
const CJK_COUNT = `(?:\\d{1,2}|[一二三四五六七八九十两兩])`;

type Reader = (match: RegExpExecArray, calendar: Calendar) => Span | undefined;
type Span = readonly [from: CivilDate, days: number] | readonly [from: CivilDate, to: CivilDate];

/** Days of one time zone, seen from one moment. Weeks begin on Monday. */
class Calendar {
  readonly today: CivilDate;
  private readonly parts: Intl.DateTimeFormat;

  constructor(now: number, timeZone: string) {
    this.parts = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    const local = this.local(now);
    this.today = { year: local.year, month: local.month, day: local.day };
  }

  private local(at: number): CivilDate & { utc: number } {
    const values: Record<string, number> = {};
    for (const part of this.parts.formatToParts(at)) values[part.type] = Number(part.value);
    const { year = 1970, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = values;
    return { year, month, day, utc: Date.UTC(year, month - 1, day, hour, minute, second) };
  }

  /** The moment at which a day begins here: the offset is asked for at that moment, not now. */
  begin(date: CivilDate): number {
    const wanted = Date.UTC(date.year, date.month - 1, date.day);
    let at = wanted;
    for (let i = 0; i < 2; i++) at = wanted - (this.local(at).utc - at);
    return at;
  }

  /** 0 is Sunday. */
  weekday(date: CivilDate): number {
    return new Date(Date.UTC(date.year, date.month - 1, date.day)).getUTCDay();
  }

  monday(date: CivilDate): CivilDate {
    return plusDays(date, -((this.weekday(date) + 6) % 7));
  }
}

function plusDays(date: CivilDate, days: number): CivilDate {
  const moved = new Date(Date.UTC(date.year, date.month - 1, date.day) + days * DAY);
  return { year: moved.getUTCFullYear(), month: moved.getUTCMonth() + 1, day: moved.getUTCDate() };
}

function plusMonths(date: CivilDate, months: number): CivilDate {
  const moved = new Date(Date.UTC(date.year, date.month - 1 + months, 1));
  return { year: moved.getUTCFullYear(), month: moved.getUTCMonth() + 1, day: 1 };
}

function isAfter(a: CivilDate, b: CivilDate): boolean {
  return Date.UTC(a.year, a.month - 1, a.day) > Date.UTC(b.year, b.month - 1, b.day);
}

function monthIndex(name: string): number {
  return MONTHS.findIndex((month) => month.startsWith(name.toLowerCase().slice(0, 3)));
}

function count(text: string): number {
  const lower = text.toLowerCase();
  if (/^\d+$/.test(lower)) return Number(lower);
  if (lower === 'a couple of' || lower === '两' || lower === '兩') return 2;
  if (lower === 'a few') return 3;
  const cjk = CJK_DIGITS.indexOf(lower);
  if (cjk > 0) return cjk;
  return Math.max(1, SMALL_NUMBERS.indexOf(lower));
}

/** The month that was named without a year: the last one that has begun. */
function pastMonth(calendar: Calendar, month: number, year?: number): Span {
  const { today } = calendar;
  const from: CivilDate = {
    year: year ?? (month > today.month ? today.year - 1 : today.year),
    month,
    day: 1,
  };
  return [from, plusMonths(from, 1)];
}

function pastDay(calendar: Calendar, month: number, day: number, year?: number): Span | undefined {
  if (month < 1 || month > 12 || day < 1 || day > 31) return undefined;
  let date: CivilDate = { year: year ?? calendar.today.year, month, day };
  if (year === undefined && isAfter(date, calendar.today)) date = { ...date, year: date.year - 1 };
  return [date, 1];
}

function weekOf(calendar: Calendar, day: Span | undefined): Span | undefined {
  return day === undefined ? undefined : [calendar.monday(day[0]), 7];
}

function ago(calendar: Calendar, amount: number, unit: string): Span {
  const { today } = calendar;
  switch (unit) {
    case 'day':
      return [plusDays(today, -amount), 1];
    case 'week':
      return [plusDays(calendar.monday(today), -7 * amount), 7];
    case 'month':
      return [plusMonths(today, -amount), plusMonths(today, 1 - amount)];
    default:
      return [
        { year: today.year - amount, month: 1, day: 1 },
        { year: today.year - amount + 1, month: 1, day: 1 },
      ];
  }
}

function pastUnits(calendar: Calendar, amount: number, unit: string): Span {
  const days = { day: 1, week: 7, month: 31, year: 366 }[unit] ?? 1;
  return [plusDays(calendar.today, -amount * days), plusDays(calendar.today, 1)];
}

/** The last such day before today, today itself excluded. */
function lastWeekday(calendar: Calendar, weekday: number, week?: 'last'): Span {
  const back = (calendar.weekday(calendar.today) - weekday + 7) % 7 || 7;
  const date = plusDays(calendar.today, -back);
  const sameWeek = !isAfter(calendar.monday(calendar.today), date);
  // Said on a Friday, "last Tuesday" means the week before: this week's would be "on Tuesday".
  return [week === 'last' && sameWeek ? plusDays(date, -7) : date, 1];
}

function named(name: string): number {
  return WEEKDAYS.indexOf(name.toLowerCase());
}

const ENGLISH: readonly (readonly [RegExp, Reader])[] = [
  [/\bthe day before yesterday\b/gi, (_, c) => [plusDays(c.today, -2), 1]],
  [/\byesterday(?:'s)?\b|\blast night\b/gi, (_, c) => [plusDays(c.today, -1), 1]],
  [/\btoday(?:'s)?\b|\bthis (?:morning|afternoon|evening)\b|\btonight\b/gi, (_, c) => [c.today, 1]],
  [/\bthis week(?:'s)?\b/gi, (_, c) => [c.monday(c.today), 7]],
  [/\b(?:last|previous) week(?:'s)?\b/gi, (_, c) => [plusDays(c.monday(c.today), -7), 7]],
  [
    new RegExp(`\\b(?:last|previous) week(?:'s)?,? (?:on )?(${WEEKDAY})\\b`, 'gi'),
    (m, c) => dayOfWeek(c, named(m[1] ?? ''), -7),
  ],
  [
    new RegExp(`\\b(?:on )?(${WEEKDAY}),? (?:of )?(?:last|previous) week\\b`, 'gi'),
    (m, c) => dayOfWeek(c, named(m[1] ?? ''), -7),
  ],
  [
    new RegExp(
      `\\b(?:in |during )?the week of (?:the )?(\\d{1,2})(?:st|nd|rd|th)?(?: of)? (${MONTH})\\b`,
      'gi',
    ),
    (m, c) => weekOf(c, pastDay(c, monthIndex(m[2] ?? '') + 1, Number(m[1]))),
  ],
  [
    new RegExp(`\\b(?:in |during )?the week of (${MONTH})\\.? (\\d{1,2})(?:st|nd|rd|th)?\\b`, 'gi'),
    (m, c) => weekOf(c, pastDay(c, monthIndex(m[1] ?? '') + 1, Number(m[2]))),
  ],
  [/\blast weekend\b/gi, (_, c) => [plusDays(c.monday(c.today), -2), 2]],
  [/\bthis month(?:'s)?\b/gi, (_, c) => ago(c, 0, 'month')],
  [/\b(?:last|previous) month(?:'s)?\b/gi, (_, c) => ago(c, 1, 'month')],
  [/\bthis year(?:'s)?\b/gi, (_, c) => ago(c, 0, 'year')],
  [/\b(?:last|previous) year(?:'s)?\b/gi, (_, c) => ago(c, 1, 'year')],
  [
    new RegExp(`\\b(?:in |over |during )?the (?:last|past) (${COUNT}) (${UNIT})s?\\b`, 'gi'),
    (m, c) => pastUnits(c, count(m[1] ?? ''), (m[2] ?? '').toLowerCase()),
  ],
  [
    new RegExp(`\\b(${COUNT}) (${UNIT})s? (?:ago|back|earlier)\\b`, 'gi'),
    (m, c) => ago(c, count(m[1] ?? ''), (m[2] ?? '').toLowerCase()),
  ],
  [/\b(\d{4})-(\d{2})-(\d{2})\b(?![T\d])/g, (m, c) => pastDay(c, Number(m[2]), Number(m[3]), Number(m[1]))],
  [
    new RegExp(`\\b(\\d{1,2})(?:st|nd|rd|th)?(?: of)? (${MONTH})\\b\\.?(?:,? (\\d{4})\\b)?`, 'gi'),
    (m, c) => pastDay(c, monthIndex(m[2] ?? '') + 1, Number(m[1]), yearOf(m[3])),
  ],
  [
    new RegExp(`\\b(${MONTH})\\.? (\\d{1,2})(?:st|nd|rd|th)?\\b(?![:.]\\d)(?:,? (\\d{4})\\b)?`, 'gi'),
    (m, c) => pastDay(c, monthIndex(m[1] ?? '') + 1, Number(m[2]), yearOf(m[3])),
  ],
  [
    new RegExp(
      `\\b(?:in|during|since|of|from|last|back in|early|late|mid)[ -](${MONTH})\\b(?:,? (\\d{4})\\b)?`,
      'gi',
    ),
    (m, c) => pastMonth(c, monthIndex(m[1] ?? '') + 1, yearOf(m[2])),
  ],
  [
    new RegExp(`\\b(${MONTHS.join('|')})(?:,? (\\d{4}))\\b`, 'gi'),
    (m, c) => pastMonth(c, monthIndex(m[1] ?? '') + 1, yearOf(m[2])),
  ],
  [
    new RegExp(
      `(?:\\b(last|on|this|since|from) )?(?<!\\b(?:every|each|next|any) )\\b(${WEEKDAY})(?:'s)?\\b`,
      'gi',
    ),
    (m, c) => lastWeekday(c, named(m[2] ?? ''), m[1]?.toLowerCase() === 'last' ? 'last' : undefined),
  ],
];

const GERMAN_MONTHS =
  'januar februar märz april mai juni juli august september oktober november dezember'.split(' ');
const GERMAN_WEEKDAYS = 'sonntag montag dienstag mittwoch donnerstag freitag samstag'.split(' ');
const GERMAN_NUMBERS = 'null ein zwei drei vier fünf sechs sieben acht neun zehn elf zwölf'.split(' ');
const G_MONTH = `(${GERMAN_MONTHS.join('|')}|maerz|jänner)`;
const G_DAY = `(${GERMAN_WEEKDAYS.join('|')}|sonnabend)`;
const G_LAST = '(?:letzte|vorige|vergangene)[nrsm]?';

const GERMAN: readonly (readonly [RegExp, Reader])[] = [
  [/\bvorgestern\b/gi, (_, c) => [plusDays(c.today, -2), 1]],
  [
    /\bgestern(?: (?:früh|morgen|vormittag|mittag|nachmittag|abend|nacht))?\b/gi,
    (_, c) => [plusDays(c.today, -1), 1],
  ],
  [/\bheute(?: (?:früh|morgen|vormittag|mittag|nachmittag|abend))?\b/gi, (_, c) => [c.today, 1]],
  [/\b(?:in )?diese[r]? Woche\b/gi, (_, c) => [c.monday(c.today), 7]],
  [/\bvorletzte[nr]? Woche\b/gi, (_, c) => [plusDays(c.monday(c.today), -14), 7]],
  [new RegExp(`\\b(?:in der )?${G_LAST} Woche\\b`, 'gi'), (_, c) => [plusDays(c.monday(c.today), -7), 7]],
  [
    new RegExp(`\\b(?:in der )?${G_LAST} Woche,? (?:am )?${G_DAY}\\b`, 'gi'),
    (m, c) => dayOfWeek(c, germanDay(m[1] ?? ''), -7),
  ],
  [
    new RegExp(`\\b(?:am )?${G_DAY},? (?:in der )?${G_LAST} Woche\\b`, 'gi'),
    (m, c) => dayOfWeek(c, germanDay(m[1] ?? ''), -7),
  ],
  [new RegExp(`\\b(?:am )?${G_LAST} Wochenende\\b`, 'gi'), (_, c) => [plusDays(c.monday(c.today), -2), 2]],
  [/\b(?:in )?diese[nms] Monats?\b/gi, (_, c) => ago(c, 0, 'month')],
  [new RegExp(`\\b(?:im )?${G_LAST} Monats?\\b`, 'gi'), (_, c) => ago(c, 1, 'month')],
  [/\b(?:in )?diese[ms] Jahr(?:es)?\b/gi, (_, c) => ago(c, 0, 'year')],
  [new RegExp(`\\b(?:im )?${G_LAST} Jahr(?:es)?\\b`, 'gi'), (_, c) => ago(c, 1, 'year')],
  [
    new RegExp(
      `\\bvor (\\d{1,3}|${GERMAN_NUMBERS.slice(1).join('|')})(?:e[mnr])? (tag|woche|monat|jahr)e?n?\\b`,
      'gi',
    ),
    (m, c) => ago(c, germanCount(m[1] ?? ''), GERMAN_UNITS[(m[2] ?? '').toLowerCase()] ?? 'day'),
  ],
  [
    new RegExp(`\\b(?:(?:am|vom|seit dem) )?(\\d{1,2})\\. ?${G_MONTH}(?: (\\d{4})\\b)?`, 'gi'),
    (m, c) => pastDay(c, germanMonth(m[2] ?? ''), Number(m[1]), yearOf(m[3])),
  ],
  [
    new RegExp(`\\b(?:in )?der Woche (?:vom|des) (\\d{1,2})\\. ?${G_MONTH}\\b`, 'gi'),
    (m, c) => weekOf(c, pastDay(c, germanMonth(m[2] ?? ''), Number(m[1]))),
  ],
  [
    /\b(?:am|vom|seit dem) (\d{1,2})\.(\d{1,2})\.(\d{4}\b)?/gi,
    (m, c) => pastDay(c, Number(m[2]), Number(m[1]), yearOf(m[3])),
  ],
  [
    new RegExp(`\\b(?:im|seit|Anfang|Ende|Mitte|${G_LAST}) ${G_MONTH}(?: (\\d{4}))?\\b`, 'gi'),
    (m, c) => pastMonth(c, germanMonth(m[1] ?? ''), yearOf(m[2])),
  ],
  [
    new RegExp(`\\b(?:(?:am|seit|vom) )?(?:(${G_LAST}) )?${G_DAY}\\b`, 'gi'),
    (m, c) => lastWeekday(c, germanDay(m[2] ?? ''), m[1] === undefined ? undefined : 'last'),
  ],
];

const GERMAN_UNITS: Readonly<Record<string, string>> = {
  tag: 'day',
  woche: 'week',
  monat: 'month',
  jahr: 'year',
};

function germanMonth(name: string): number {
  const lower = name.toLowerCase().replace('maerz', 'märz').replace('jänner', 'januar');
  return GERMAN_MONTHS.indexOf(lower) + 1;
}

function germanDay(name: string): number {
  return GERMAN_WEEKDAYS.indexOf(name.toLowerCase().replace('sonnabend', 'samstag'));
}

function germanCount(text: string): number {
  return /^\d+$/.test(text) ? Number(text) : Math.max(1, GERMAN_NUMBERS.indexOf(text.toLowerCase()));
}

const CJK_WEEKDAYS: readonly string[] = ['日', '月', '火', '水', '木', '金', '土'];
const CHINESE_WEEKDAYS: readonly string[] = ['日', '一', '二', '三', '四', '五', '六'];

const CJK: readonly (readonly [RegExp, Reader])[] = [
  [/一昨日|おととい|前天/g, (_, c) => [plusDays(c.today, -2), 1]],
  [/昨日|昨晩|昨夜|きのう|昨天|昨晚/g, (_, c) => [plusDays(c.today, -1), 1]],
  [/今日|本日|今朝|今夜|きょう|今天|今早|今晚/g, (_, c) => [c.today, 1]],
  [/先々週|上上周|上上週/g, (_, c) => [plusDays(c.monday(c.today), -14), 7]],
  [/先週の?([日月火水木金土])曜日?/g, (m, c) => dayOfWeek(c, CJK_WEEKDAYS.indexOf(m[1] ?? ''), -7)],
  [
    /上(?:个|個)?(?:周|週|星期|礼拜)([一二三四五六日天])/g,
    (m, c) => dayOfWeek(c, CHINESE_WEEKDAYS.indexOf((m[1] ?? '').replace('天', '日')), -7),
  ],
  [/先週|前週|上(?:个|個)?(?:周|週|星期|礼拜)/g, (_, c) => [plusDays(c.monday(c.today), -7), 7]],
  [
    /(?:这|本)?(?:周|星期|礼拜)([一二三四五六日天])/g,
    (m, c) => lastWeekday(c, CHINESE_WEEKDAYS.indexOf((m[1] ?? '').replace('天', '日'))),
  ],
  [/今週|这(?:个)?(?:周|星期)|本周|這週|本週/g, (_, c) => [c.monday(c.today), 7]],
  [/([月火水木金土日])曜日?/g, (m, c) => lastWeekday(c, CJK_WEEKDAYS.indexOf(m[1] ?? ''))],
  [/先々月|上上个月/g, (_, c) => ago(c, 2, 'month')],
  [/先月|上(?:个|個)?月/g, (_, c) => ago(c, 1, 'month')],
  [/今月|这(?:个)?月|本月|這個月/g, (_, c) => ago(c, 0, 'month')],
  [/去年|昨年/g, (_, c) => ago(c, 1, 'year')],
  [/今年/g, (_, c) => ago(c, 0, 'year')],
  [new RegExp(`(${CJK_COUNT})(?:日|天)(?:前|之前|以前)`, 'g'), (m, c) => ago(c, count(m[1] ?? ''), 'day')],
  [
    new RegExp(`(${CJK_COUNT})(?:週間|周|星期|个星期|週)(?:前|之前|以前)`, 'g'),
    (m, c) => ago(c, count(m[1] ?? ''), 'week'),
  ],
  [
    new RegExp(`(${CJK_COUNT})(?:か月|ヶ月|カ月|个月|個月)(?:前|之前|以前)`, 'g'),
    (m, c) => ago(c, count(m[1] ?? ''), 'month'),
  ],
  [
    /(?:(\d{4})年)?(\d{1,2})月(\d{1,2})[日号號]/g,
    (m, c) => pastDay(c, Number(m[2]), Number(m[3]), yearOf(m[1])),
  ],
  [
    /(?:(\d{4})年)?(\d{1,2}|十[一二]?|[一二三四五六七八九])月(?!曜|\d)/g,
    (m, c) => {
      const month = cjkMonth(m[2] ?? '');
      return month < 1 || month > 12 ? undefined : pastMonth(c, month, yearOf(m[1]));
    },
  ],
];

function cjkMonth(text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  return text.startsWith('十') ? 10 + Math.max(0, CJK_DIGITS.indexOf(text.charAt(1) || '〇')) : count(text);
}

function dayOfWeek(calendar: Calendar, weekday: number, offset: number): Span {
  return [plusDays(calendar.monday(calendar.today), offset + ((weekday + 6) % 7)), 1];
}

function yearOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}

/**
 * The spans of time that `text` names, such as "yesterday", "last week" or 先月, seen from `now` in
 * `timeZone` (an IANA name). A day or month without a year is the last one that has begun; weeks begin on
 * Monday. Where two readings overlap, the longer wins.
 */
export function findTimeRanges(text: string, now: number, timeZone: string): TimeRange[] {
  const found: TimeRange[] = [];
  let calendar: Calendar | undefined;
  const hasCjk = /[\u3040-\u30ff\u4e00-\u9fff]/.test(text);
  for (const [pattern, read] of [...ENGLISH, ...GERMAN, ...(hasCjk ? CJK : [])]) {
    for (const match of text.matchAll(pattern)) {
      calendar ??= new Calendar(now, timeZone);
      const span = read(match, calendar);
      if (span === undefined) continue;
      const [begin, extent] = span;
      const end = typeof extent === 'number' ? plusDays(begin, extent) : extent;
      const start = match.index;
      found.push({
        from: calendar.begin(begin),
        to: calendar.begin(end),
        phrase: match[0].trim(),
        start,
        end: start + match[0].length,
      });
    }
  }
  return withoutOverlaps(found);
}

function withoutOverlaps(ranges: TimeRange[]): TimeRange[] {
  const longestFirst = [...ranges].sort((a, b) => b.end - b.start - (a.end - a.start) || a.start - b.start);
  const kept: TimeRange[] = [];
  for (const range of longestFirst) {
    if (kept.every((other) => range.end <= other.start || range.start >= other.end)) kept.push(range);
  }
  return kept.sort((a, b) => a.start - b.start);
}
