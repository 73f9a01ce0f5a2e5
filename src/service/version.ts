/** Negative where `a` is the older release, positive where it is the newer one; a pre-release precedes its release. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [parse(a), parse(b)];
  for (let i = 0; i < 3; i++) {
    const difference = (left.numbers[i] ?? 0) - (right.numbers[i] ?? 0);
    if (difference !== 0) return difference;
  }
  if (left.pre === right.pre) return 0;
  if (left.pre === '') return 1;
  if (right.pre === '') return -1;
  return left.pre < right.pre ? -1 : 1;
}

function parse(version: string): { numbers: number[]; pre: string } {
  const [core = '', pre = ''] = version.split(/-(.*)/s);
  return { numbers: core.split('.').map((part) => Number.parseInt(part, 10) || 0), pre };
}
