type MaybeUndefined<T> = { [K in keyof T]: T[K] | undefined };

/** Copy of `value` without the keys that are undefined, as optional fields are never set to undefined. */
export function compact<T extends object>(value: MaybeUndefined<T>): T {
  const entries = Object.entries(value).filter(([, field]) => field !== undefined);
  return Object.fromEntries(entries) as T;
}
