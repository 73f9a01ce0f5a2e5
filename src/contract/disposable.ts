/** Whatever is started can be stopped; disposing twice is harmless. */
export interface Disposable {
  dispose(): void | Promise<void>;
}

/** Collects disposables and ends them in reverse order, each even if another throws. */
export class DisposableStore implements Disposable {
  private readonly items: Disposable[] = [];
  private disposed = false;

  /** Takes charge of `item` and returns it; disposes it at once when the store is already gone. */
  register<T extends Disposable>(item: T): T {
    if (this.disposed) void item.dispose();
    else this.items.push(item);
    return item;
  }

  async dispose(): Promise<void> {
    if (this.disposed) return;
    this.disposed = true;
    const failures: unknown[] = [];
    for (const item of this.items.reverse()) {
      try {
        await item.dispose();
      } catch (error) {
        failures.push(error);
      }
    }
    this.items.length = 0;
    if (failures.length > 0) throw new AggregateError(failures, 'Some parts could not be stopped.');
  }
}
