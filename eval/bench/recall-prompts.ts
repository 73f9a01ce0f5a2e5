import { pick, seeded } from '../retrieval/random';
import type { SetRecord } from '../retrieval/set';

const KINDS = ['short', 'long', 'log'] as const;
export type PromptKind = (typeof KINDS)[number];

const CHAT =
  `the call took longer than planned and nobody wrote minutes so this is from memory and partly from the
whiteboard which someone has wiped in the meantime please read it twice before you change any code because last
time we fixed the wrong thing and had to explain it to the customer who was kind about it but will not be again
there is no hurry today although the release is on thursday and two people are away until then`.split(/\s+/);

/** Prompts of one kind about the given records: questions, 400 words of talk, or a pasted log of 60 lines. */
export function prompts(kind: PromptKind, records: readonly SetRecord[], count: number): string[] {
  const random = seeded(KINDS.indexOf(kind) + 101);
  return Array.from({ length: count }, () => {
    const record = pick(random, records);
    switch (kind) {
      case 'short':
        return `why was ${record.title.toLowerCase()}, and what about ${pick(random, records).concepts.join(' ')}?`;
      case 'long':
        return Array.from({ length: 40 }, (_, i) =>
          i % 8 === 3
            ? pick(random, records).summary.split(' ').slice(0, 10).join(' ')
            : Array.from({ length: 10 }, () => pick(random, CHAT)).join(' '),
        ).join(' ');
      case 'log':
        return logOf(record, random);
    }
  });
}

function logOf(record: SetRecord, random: () => number): string {
  const line = (i: number): string => {
    const time = `2026-11-20T09:${String(i % 60).padStart(2, '0')}:${String(Math.floor(random() * 60)).padStart(2, '0')}.123Z`;
    const hex = Math.floor(random() * 0xffffffff).toString(16);
    if (i % 5 === 0) return `${time} ERROR [${record.concepts[0] ?? 'main'}] ${record.title} (code ${hex})`;
    if (i % 5 === 1)
      return `    at Object.run (/app/node_modules/runner/dist/index.js:${Math.floor(random() * 900)}:13)`;
    if (i % 5 === 2)
      return `    at ${record.concepts.join('.')} (/app/${record.files_touched[0] ?? 'src/main.cpp'}:${i}:7)`;
    return `${time} INFO request id=${hex}${hex} status=200 took=${Math.floor(random() * 400)}ms`;
  };
  return [`what does this mean?`, ...Array.from({ length: 60 }, (_, i) => line(i))].join('\n');
}
