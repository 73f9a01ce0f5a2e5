import type { CLI_OUTPUT, CliOutput } from './output';

type Command = keyof typeof CLI_OUTPUT;

/** A command's result in words, for people. */
export function describe(command: Command, output: unknown): string {
  switch (command) {
    case 'ask':
      return describeAsk(output as CliOutput<'ask'>);
    case 'search':
      return (output as CliOutput<'search'>).items
        .map(({ record, score, reasons }) => {
          const head = `${record.valid_from.slice(0, 10)}  ${record.observation_type}  ${record.title}`;
          return `${head}\n    ${record.record_id}  ${score.toFixed(2)}  ${reasons.join('; ')}`;
        })
        .join('\n');
    case 'doctor':
      return (output as CliOutput<'doctor'>).findings
        .map(({ level, message }) => `${level.padEnd(8)}${message}`)
        .join('\n');
    case 'export': {
      const result = output as CliOutput<'export'>;
      return result.text ?? `${result.records} memories were written to ${result.path ?? 'the file'}.`;
    }
    default:
      return JSON.stringify(output, null, 2);
  }
}

function describeAsk(answer: CliOutput<'ask'>): string {
  if (!answer.context) return `Nothing is injected: ${answer.abstained ?? 'nothing matches'}.`;
  const why = answer.records.map((record) => `  ${record.title}: ${record.reasons.join('; ')}`).join('\n');
  return `${answer.context}\n\n${answer.tokens} tokens, ${answer.latency_ms} ms\n${why}`;
}
