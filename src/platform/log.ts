/** Where a part says what it does. Messages name things and counts, never payload text. */
export interface Log {
  debug(component: string, message: string): void;
  info(component: string, message: string): void;
  warn(component: string, message: string): void;
  error(component: string, message: string): void;
}

export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} };
