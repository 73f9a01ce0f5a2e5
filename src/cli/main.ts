import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ApiError } from '../contract/local-api';
import type { Log } from '../platform/log';
import { optional, parseArguments, required, UsageError, type CliArguments } from './arguments';
import { diagnoseStore } from './doctor';
import { HELP } from './help';
import { openStore } from './open-store';
import { CLI_OUTPUT, type CliOutput } from './output';
import { describe } from './describe';
import { importFile } from './import';
import { replay } from './replay';

type Command = keyof typeof CLI_OUTPUT;

const stderrLog: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: (component, message) => process.stderr.write(`${component}: ${message}\n`),
  error: (component, message) => process.stderr.write(`${component}: ${message}\n`),
};

const COMMANDS: { [C in Command]: (args: CliArguments) => Promise<CliOutput<C>> } = {
  replay: (args) => replay(args, stderrLog),
  ask: async (args) => {
    const file = optional(args, 'prompt-file');
    const prompt = file ? await readFile(file, 'utf8') : required(args, 'prompt');
    const session = optional(args, 'session');
    const now = optional(args, 'now');
    return withApi(args, (api) =>
      api.call('ask', {
        prompt,
        workspace: required(args, 'workspace'),
        ...(session ? { session_id: session } : {}),
        ...(now ? { now } : {}),
      }),
    );
  },
  search: (args) => {
    const query = args.positionals.join(' ');
    if (!query) throw new UsageError('Which words should be looked for?');
    const workspace = optional(args, 'workspace');
    const limit = Number(optional(args, 'limit') ?? 10);
    return withApi(args, (api) => api.call('search', { query, limit, ...(workspace ? { workspace } : {}) }));
  },
  stats: (args) =>
    withApi(args, async (api) => {
      const workspace = optional(args, 'workspace');
      const project = workspace ? await api.call('resolveProject', { path: workspace }) : undefined;
      return api.call('stats', project ? { namespace: project.namespace } : {});
    }),
  doctor: (args) => diagnoseStore(path.resolve(required(args, 'store')), stderrLog),
  export: (args) =>
    withApi(args, async (api) => {
      const format = optional(args, 'format') === 'markdown' ? 'markdown' : 'json';
      const { text, records } = await api.call('exportMemories', { format });
      const out = optional(args, 'out');
      if (!out) return { records, text };
      await writeFile(out, text, { mode: 0o600 });
      return { records, path: path.resolve(out) };
    }),
  import: (args) => importFile(args, stderrLog),
};

async function withApi<T>(
  args: CliArguments,
  work: (api: Awaited<ReturnType<typeof openStore>>['api']) => Promise<T>,
): Promise<T> {
  const opened = await openStore(required(args, 'store'), { log: stderrLog, distDir: __dirname });
  try {
    return await work(opened.api);
  } finally {
    await opened.dispose();
  }
}

function isCommand(name: string): name is Command {
  return Object.hasOwn(COMMANDS, name);
}

async function main(argv: readonly string[]): Promise<number> {
  const args = parseArguments(argv);
  if (args.command === 'help') {
    process.stdout.write(HELP);
    return 0;
  }
  if (!isCommand(args.command)) throw new UsageError(`There is no command "${args.command}". Try --help.`);
  const output = CLI_OUTPUT[args.command].parse(await COMMANDS[args.command](args));
  const text = args.options['json'] ? JSON.stringify(output, null, 2) : describe(args.command, output);
  await new Promise((resolve) => process.stdout.write(`${text}\n`, resolve));
  return args.command === 'doctor' && 'sound' in output && !output.sound ? 1 : 0;
}

main(process.argv.slice(2))
  .catch((error: unknown) => {
    const known = error instanceof UsageError || error instanceof ApiError;
    process.stderr.write(`kiro-learn: ${known || error instanceof Error ? error.message : String(error)}\n`);
    return known ? 2 : 1;
  })
  .then((code) => process.exit(code))
  .catch(() => process.exit(1));
