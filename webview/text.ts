import { strings, type StringKey } from './strings';

/** The page's words and numbers in the user's language. */
export class Words {
  private readonly table: Record<string, string>;
  private readonly time: Intl.DateTimeFormat;
  private readonly minute: Intl.DateTimeFormat;
  private readonly dateTime: Intl.DateTimeFormat;
  private readonly date: Intl.DateTimeFormat;
  private readonly number: Intl.NumberFormat;

  constructor(locale: string, translated: Record<string, string>) {
    this.table = { ...strings, ...translated };
    const known = supported(locale);
    this.time = new Intl.DateTimeFormat(known, {
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      hourCycle: 'h23',
    });
    this.minute = new Intl.DateTimeFormat(known, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
    this.dateTime = new Intl.DateTimeFormat(known, { dateStyle: 'medium', timeStyle: 'short' });
    this.date = new Intl.DateTimeFormat(known, { dateStyle: 'medium' });
    this.number = new Intl.NumberFormat(known);
  }

  /** The text of `key`, with `{0}` … replaced. */
  t(key: StringKey, ...args: (string | number)[]): string {
    return (this.table[key] ?? strings[key]).replace(/\{(\d)\}/g, (whole, index: string) => {
      const value = args[Number(index)];
      if (value === undefined) return whole;
      return typeof value === 'number' ? this.number.format(value) : value;
    });
  }

  /** The text of a key that the data names, or the data's own word where we have none. */
  tData(prefix: string, value: string): string {
    return this.table[`${prefix}.${value}`] ?? value;
  }

  n(value: number): string {
    return this.number.format(value);
  }

  clock(iso: string): string {
    return this.format(this.time, iso);
  }

  /** The time where `iso` is today, the date otherwise. */
  when(iso: string, now = new Date()): string {
    const date = new Date(iso);
    const sameDay = date.toDateString() === now.toDateString();
    return this.format(sameDay ? this.minute : this.date, iso);
  }

  moment(iso: string): string {
    return this.format(this.dateTime, iso);
  }

  bytes(value: number): string {
    if (value < 1024) return `${this.n(value)} B`;
    if (value < 1024 * 1024) return `${this.n(Math.round(value / 102.4) / 10)} KB`;
    return `${this.n(Math.round(value / 104_857.6) / 10)} MB`;
  }

  duration(ms: number): string {
    if (ms < 1000) return `${this.n(Math.round(ms))} ms`;
    if (ms < 60_000) return `${this.n(Math.round(ms / 100) / 10)} s`;
    return `${this.n(Math.round(ms / 6000) / 10)} min`;
  }

  private format(formatter: Intl.DateTimeFormat, iso: string): string {
    const date = new Date(iso);
    return Number.isNaN(date.getTime()) ? iso : formatter.format(date);
  }
}

function supported(locale: string): string {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf([locale])[0] ?? 'en';
  } catch {
    return 'en';
  }
}
