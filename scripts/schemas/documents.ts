import { z } from 'zod';
import { CLI_OUTPUT } from '../../src/cli/output';
import { eventSchema } from '../../src/contract/event';

/** JSON Schema of a v1 event as clients send it. */
export function eventContractSchema(): object {
  return { title: 'kiro-learn event, version 1', ...z.toJSONSchema(eventSchema, { io: 'input' }) };
}

/** JSON Schema of what each command prints with `--json`. */
export function cliSchema(): object {
  const commands = Object.entries(CLI_OUTPUT).map(([name, schema]) => {
    const { $schema: _draft, ...body } = z.toJSONSchema(schema);
    return [name, body];
  });
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Output of the kiro-learn command line with --json',
    $defs: Object.fromEntries(commands),
  };
}
