/**
 * A long list of which only the pages that were looked at are known. Pages far from the last look are dropped,
 * so the list may have any length.
 */
export class SparsePages<T> {
  private readonly pages = new Map<number, T[]>();
  private knownTotal = 0;

  constructor(
    readonly pageSize: number,
    private readonly maxPages: number,
  ) {}

  get total(): number {
    return this.knownTotal;
  }

  at(index: number): T | undefined {
    return this.pages.get(Math.floor(index / this.pageSize))?.[index % this.pageSize];
  }

  /** Numbers of the pages of `first` to `last` (inclusive) that are not known. */
  missing(first: number, last: number): number[] {
    const result: number[] = [];
    const end = Math.min(last, this.knownTotal - 1);
    for (let page = Math.floor(Math.max(0, first) / this.pageSize); page * this.pageSize <= end; page++) {
      if (!this.pages.has(page)) result.push(page);
    }
    return result;
  }

  set(page: number, items: T[], total: number): void {
    this.pages.delete(page);
    this.pages.set(page, items);
    this.knownTotal = total;
    for (const old of this.pages.keys()) {
      if (this.pages.size <= this.maxPages) break;
      this.pages.delete(old);
    }
  }

  /** All that is known, in order of index. */
  *known(): Generator<[number, T]> {
    for (const page of [...this.pages.keys()].sort((a, b) => a - b)) {
      const items = this.pages.get(page) ?? [];
      for (const [offset, item] of items.entries()) yield [page * this.pageSize + offset, item];
    }
  }

  clear(): void {
    this.pages.clear();
    this.knownTotal = 0;
  }
}
