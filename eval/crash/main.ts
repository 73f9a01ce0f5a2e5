import { runPowerCuts } from './power-cut';
import { CrashRounds, type Sabotage } from './rounds';

const USAGE = 'crash --rounds N [--json] [--sabotage early-ack|rename-in-place|no-fence|no-fsync]\n';
const SABOTAGES = ['early-ack', 'rename-in-place', 'no-fence', 'no-fsync'];

function option(argv: readonly string[], name: string): string | undefined {
  const at = argv.indexOf(name);
  return at < 0 ? undefined : argv[at + 1];
}

/** Every operation is cut at in a full run; a short one takes a part of them. */
function strideFor(rounds: number): number {
  return rounds >= 100 ? 1 : rounds >= 20 ? 5 : 15;
}

async function main(argv: readonly string[]): Promise<number> {
  const rounds = Number(option(argv, '--rounds') ?? 20);
  const sabotage = option(argv, '--sabotage');
  if (!Number.isInteger(rounds) || rounds < 1 || (sabotage !== undefined && !SABOTAGES.includes(sabotage))) {
    process.stderr.write(USAGE);
    return 2;
  }
  const cutsOnly = sabotage === 'no-fsync';
  const killed = cutsOnly ? undefined : await CrashRounds.run(rounds, sabotage as Sabotage | undefined);
  const cuts =
    sabotage === undefined || cutsOnly
      ? await runPowerCuts({ stride: strideFor(rounds), noFsync: cutsOnly })
      : undefined;
  const lost = (killed?.lost ?? 0) + (cuts?.lost ?? 0);
  const clean =
    lost === 0 && (killed?.duplicated ?? 0) === 0 && (killed?.corrupted ?? 0) === 0 && (cuts?.clean ?? true);
  const report = {
    ...(killed ?? { rounds: 0, acknowledged: cuts?.acknowledged ?? 0, lost: cuts?.lost ?? 0 }),
    ...(cuts ? { power_cut: cuts } : {}),
    ...(sabotage ? { sabotage, caught: lost > 0 } : {}),
  };
  process.stdout.write(`${JSON.stringify(report, null, argv.includes('--json') ? 0 : 2)}\n`);
  return sabotage ? Number(lost === 0) : Number(!clean);
}

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exitCode = 1;
  },
);
