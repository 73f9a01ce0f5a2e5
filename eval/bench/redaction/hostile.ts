const SIZE = 1024 * 1024;

const fill = (piece: string): string => piece.repeat(Math.ceil(SIZE / piece.length)).slice(0, SIZE);

/** Running text of 1 MiB, what the hostile ones are measured against. */
export function plainText(): string {
  return fill(
    'The harbour office keeps a list of the berths that are free in the coming week, and prints it each morning for ' +
      'the crew. Ana asked for a second copy (in colour) for the gate; it costs 12 cents, she says.\n' +
      'function berths(week: number): Berth[] {\n  return all.filter((berth) => berth.week === week);\n}\n',
  );
}

/** Twenty texts of 1 MiB, each made to send a scanner astray. */
export function hostileTexts(): { name: string; text: string }[] {
  const head = `-----${'BEGIN'} PRIVATE KEY-----\n`;
  return [
    { name: 'one-letter', text: fill('a') },
    { name: 'spaces', text: fill(' ') },
    { name: 'line-ends', text: fill('\n') },
    { name: 'key-block-starts', text: fill('-----BEGIN ') },
    { name: 'key-block-unclosed', text: head + fill('a b ') },
    { name: 'dashes', text: fill('-- ') },
    { name: 'token-prefixes', text: fill('gh' + 'p_ ') },
    { name: 'short-tokens', text: fill('gl' + 'pat-abc ') },
    { name: 'access-key-prefixes', text: fill('AK' + 'IA ') },
    { name: 'jwt-starts', text: fill('eyJa-') },
    { name: 'url-starts', text: fill('://a:a') },
    { name: 'url-ends', text: fill('a://b:c d@') },
    { name: 'assignments', text: fill('a=') },
    { name: 'passwords', text: fill('password: ') },
    { name: 'open-quotes', text: fill('token="a\\') },
    { name: 'announcements', text: fill('key ') },
    { name: 'calls', text: fill('secret: x.y(') },
    { name: 'escapes', text: fill('\\n') },
    { name: 'private-tags', text: fill('<private ') },
    { name: 'random-words', text: fill('aB3dE5gH7jK1mN2pQ4sT6vW8yZ0bC9 ') },
    { name: 'real-tokens', text: fill(`sk_${'live'}_aB3dE5gH7jK1mN2pQ4sT6vW8 `) },
  ];
}
