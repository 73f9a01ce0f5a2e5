/** Imported first by extension.ts: when the bundle began to run, milliseconds of `performance.now()`. */
export const loadStart = performance.now();
