import { runActivationBench } from './activation';
import { runHookBench } from './hook';
import { runIdleBench } from './idle';
import { runRecallBench } from './recall';
import { runRedactionBench } from './redaction';
import { runStoreBench } from './store';
import { runYearBench } from './year';

const BENCHES: Record<string, () => Promise<unknown>> = {
  redaction: runRedactionBench,
  store: runStoreBench,
  recall: runRecallBench,
  hook: runHookBench,
  activation: runActivationBench,
  year: runYearBench,
  idle: runIdleBench,
};

async function main(argv: readonly string[]): Promise<number> {
  const [name] = argv.filter((word) => !word.startsWith('--'));
  const bench = name ? BENCHES[name] : undefined;
  if (!bench) {
    process.stderr.write(`Which bench? One of: ${Object.keys(BENCHES).join(', ')}\n`);
    return 2;
  }
  const report = await bench();
  await new Promise((resolve) => process.stdout.write(`${JSON.stringify(report, null, 2)}\n`, resolve));
  return 0;
}

main(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exit(1);
  },
);
