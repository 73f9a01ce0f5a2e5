import { parseArgs } from 'node:util';

export interface CliArguments {
  command: string;
  positionals: string[];
  options: Readonly<Record<string, string | boolean | undefined>>;
}

const OPTIONS = {
  store: { type: 'string' },
  workspace: { type: 'string' },
  prompt: { type: 'string' },
  'prompt-file': { type: 'string' },
  session: { type: 'string' },
  now: { type: 'string' },
  limit: { type: 'string' },
  format: { type: 'string' },
  out: { type: 'string' },
  'by-session': { type: 'boolean' },
  'dry-run': { type: 'boolean' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** A command that can't be carried out as it was given; its message is for the person who typed it. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}

/** @throws UsageError for options that don't exist. */
export function parseArguments(argv: readonly string[]): CliArguments {
  try {
    const { values, positionals } = parseArgs({ args: [...argv], options: OPTIONS, allowPositionals: true });
    const [command = 'help', ...rest] = positionals;
    return { command: values.help ? 'help' : command, positionals: rest, options: values };
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : 'The options could not be read.');
  }
}

/** @throws UsageError where the option is missing. */
export function required(args: CliArguments, name: string): string {
  const value = args.options[name];
  if (typeof value === 'string' && value !== '') return value;
  throw new UsageError(`--${name} is needed.`);
}

export function optional(args: CliArguments, name: string): string | undefined {
  const value = args.options[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
