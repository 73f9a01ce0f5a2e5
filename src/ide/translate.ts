/** Puts a text into the user's language; `{0}`, `{1}` … stand for the arguments. */
export type Translate = (message: string, ...args: (string | number)[]) => string;

/** English as written: for parts that run without an IDE. */
export const english: Translate = (message, ...args) =>
  message.replace(/\{(\d+)\}/g, (whole, index: string) => String(args[Number(index)] ?? whole));
