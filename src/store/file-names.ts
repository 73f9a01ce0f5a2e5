/** Files of the store carry the epoch that made them and a number; a name is never used again. */
export type StoreFileKind = 'journal' | 'image' | 'bodies' | 'archive';

export interface StoreFile {
  kind: StoreFileKind;
  epoch: number;
  number: number;
  name: string;
}

const SUFFIXES: Record<StoreFileKind, string> = {
  journal: 'log',
  image: 'sqlite',
  bodies: 'seg',
  archive: 'seg',
};

export function storeFileName(kind: StoreFileKind, epoch: number, number: number): string {
  return `${kind}-${epoch}-${number}.${SUFFIXES[kind]}`;
}

/** What a name says; undefined for a file that is not of the store. */
export function parseStoreFile(name: string): StoreFile | undefined {
  const match = /^(journal|image|bodies|archive)-(\d{1,12})-(\d{1,9})\.(log|sqlite|seg)$/.exec(name);
  if (!match) return undefined;
  const kind = match[1] as StoreFileKind;
  if (match[4] !== SUFFIXES[kind]) return undefined;
  const file = { kind, epoch: Number(match[2]), number: Number(match[3]), name };
  return storeFileName(kind, file.epoch, file.number) === name ? file : undefined;
}

/** Files of one kind, oldest first. */
export function filesOfKind(names: readonly string[], kind: StoreFileKind): StoreFile[] {
  return names
    .flatMap((name) => parseStoreFile(name) ?? [])
    .filter((file) => file.kind === kind)
    .sort((a, b) => a.epoch - b.epoch || a.number - b.number);
}

/** The highest epoch that left a journal or an image; 0 where there is none. */
export function highestEpoch(names: readonly string[]): number {
  let highest = 0;
  for (const name of names) {
    const file = parseStoreFile(name);
    if (file) highest = Math.max(highest, file.epoch);
  }
  return highest;
}
