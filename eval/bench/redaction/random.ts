/** Seeded random choices (mulberry32), so that every run makes the same texts. */
export class SeededRandom {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** At least 0, below 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }

  below(max: number): number {
    return Math.floor(this.next() * max);
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)] as T;
  }

  chars(alphabet: string, count: number): string {
    let out = '';
    for (let i = 0; i < count; i += 1) out += alphabet.charAt(this.below(alphabet.length));
    return out;
  }
}

const lower = 'abcdefghijklmnopqrstuvwxyz';
const digits = '0123456789';

export const ALPHABET = {
  hex: '0123456789abcdef',
  lower: lower + digits,
  upper: lower.toUpperCase() + digits,
  base32: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567',
  alnum: lower + lower.toUpperCase() + digits,
  url: lower + lower.toUpperCase() + digits + '_-',
  base64: lower + lower.toUpperCase() + digits + '+/',
  digits,
} as const;
