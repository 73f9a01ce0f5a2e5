import { crc32 } from 'node:zlib';
import type { EventKind } from '../contract/event';
import type { EventRow } from '../contract/local-api';
import { SegmentDamagedError } from './errors';
import { encodeBlock, intoBlocks, type SegmentItem } from './segment-block';
import type { SegmentReader } from './segment-reader';
import { timeMs } from './stored-time';
import { ulidToBytes } from './ulid-bytes';

/**
 * Events that left the image, in one immutable file: blocks, then the sorted ids of the events, then the ids
 * that collapsed into them, then a directory, then a trailer. The ids outlive the blocks, so that an event
 * that retention removed is still known when it comes again.
 */
export interface ArchiveItem extends SegmentItem {
  row: EventRow;
  timeMs: number;
  id: Uint8Array;
  aliases: Uint8Array[];
}

interface BlockEntry {
  at: number;
  /** Ordinal of its first event. */
  first: number;
  from: number;
  to: number;
}

export interface ArchiveDirectory {
  events: number;
  aliases: number;
  /** Position of the ids; those of the aliases follow. */
  ids: number;
  blocks: BlockEntry[];
  /** Events with a body by namespace and kind. */
  counts: Record<string, Partial<Record<EventKind, number>>>;
  from: number;
  to: number;
  /** The lowest and the highest id, hexadecimal. */
  low: string;
  high: string;
}

const KEY_BYTES = 16;
const ALIAS_BYTES = KEY_BYTES + 4;
const MAGIC = 'KLRNARC1';
const TRAILER_BYTES = 8 + 8 + 4 + 4;

/** The bytes of an archive of `items`. */
export async function encodeArchive(items: readonly ArchiveItem[]): Promise<Buffer> {
  const sorted = [...items].sort((a, b) => Buffer.compare(a.id, b.id));
  const parts: Buffer[] = [];
  const blocks: BlockEntry[] = [];
  let at = 0;
  let first = 0;
  for (const group of intoBlocks(sorted)) {
    const block = await encodeBlock(group);
    const times = group.map((item) => item.timeMs);
    blocks.push({ at, first, from: Math.min(...times), to: Math.max(...times) });
    parts.push(block);
    at += block.length;
    first += group.length;
  }
  return withDirectory(parts, at, sorted, blocks);
}

function withDirectory(
  parts: Buffer[],
  ids: number,
  sorted: readonly ArchiveItem[],
  blocks: BlockEntry[],
): Buffer {
  const aliases = sorted
    .flatMap((item, ordinal) => item.aliases.map((id) => ({ id, ordinal })))
    .sort((a, b) => Buffer.compare(a.id, b.id));
  const aliasKeys = aliases.map(({ id, ordinal }) => {
    const entry = Buffer.alloc(ALIAS_BYTES);
    entry.set(id);
    entry.writeUInt32BE(ordinal, KEY_BYTES);
    return entry;
  });
  const counts: ArchiveDirectory['counts'] = {};
  for (const { row } of sorted) {
    const kinds = (counts[row.namespace] ??= {});
    kinds[row.kind] = (kinds[row.kind] ?? 0) + 1;
  }
  const keys = [...sorted, ...aliases].map(({ id }) => Buffer.from(id).toString('hex')).sort();
  const directory: ArchiveDirectory = {
    events: sorted.length,
    aliases: aliases.length,
    ids,
    blocks,
    counts,
    from: blocks.reduce((least, block) => Math.min(least, block.from), Infinity),
    to: blocks.reduce((most, block) => Math.max(most, block.to), -Infinity),
    low: keys[0] ?? '',
    high: keys[keys.length - 1] ?? '',
  };
  return seal([...parts, ...sorted.map((item) => Buffer.from(item.id)), ...aliasKeys], directory);
}

/** The bytes of an archive without its blocks: what it held is gone, what it knew stays. */
export function withoutBlocks(reader: SegmentReader, name: string, bytes: number): Buffer {
  const directory = readDirectory(reader, name, bytes);
  const length = directory.events * KEY_BYTES + directory.aliases * ALIAS_BYTES;
  const keys = Buffer.from(reader.slice(name, directory.ids, length));
  return seal([keys], { ...directory, ids: 0, blocks: [], counts: {} });
}

function seal(parts: Buffer[], directory: ArchiveDirectory): Buffer {
  const text = Buffer.from(JSON.stringify(directory), 'utf8');
  const position = parts.reduce((sum, part) => sum + part.length, 0);
  const trailer = Buffer.alloc(TRAILER_BYTES);
  trailer.writeBigUInt64BE(BigInt(position), 0);
  trailer.writeUInt32BE(text.length, 8);
  trailer.writeUInt32BE(crc32(text), 12);
  trailer.write(MAGIC, 16, 'latin1');
  return Buffer.concat([...parts, text, trailer]);
}

/** @param length bytes of the file. @throws SegmentDamagedError */
export function readDirectory(reader: SegmentReader, name: string, length: number): ArchiveDirectory {
  const trailer = Buffer.from(reader.slice(name, Math.max(0, length - TRAILER_BYTES), TRAILER_BYTES));
  if (trailer.toString('latin1', 16) !== MAGIC) throw new SegmentDamagedError(name);
  const text = reader.slice(name, Number(trailer.readBigUInt64BE(0)), trailer.readUInt32BE(8));
  if (crc32(text) !== trailer.readUInt32BE(12)) throw new SegmentDamagedError(name);
  return JSON.parse(Buffer.from(text).toString('utf8')) as ArchiveDirectory;
}

/** Sorted keys of an archive, for look-ups. */
export class ArchiveKeys {
  private constructor(
    private readonly ids: Buffer,
    private readonly aliases: Buffer,
  ) {}

  static read(reader: SegmentReader, name: string, directory: ArchiveDirectory): ArchiveKeys {
    const idBytes = directory.events * KEY_BYTES;
    const bytes = Buffer.from(reader.slice(name, directory.ids, idBytes + directory.aliases * ALIAS_BYTES));
    return new ArchiveKeys(bytes.subarray(0, idBytes), bytes.subarray(idBytes));
  }

  /** Ordinal of the event that an id stands for; its own or that of the one it collapsed into. */
  ordinalOf(id: Uint8Array): number | undefined {
    const own = search(this.ids, KEY_BYTES, id);
    if (own !== undefined) return own;
    const alias = search(this.aliases, ALIAS_BYTES, id);
    return alias === undefined ? undefined : this.aliases.readUInt32BE(alias * ALIAS_BYTES + KEY_BYTES);
  }

  idAt(ordinal: number): Uint8Array {
    return this.ids.subarray(ordinal * KEY_BYTES, (ordinal + 1) * KEY_BYTES);
  }

  /** The ids that collapsed into an event. */
  aliasesOf(ordinal: number): Uint8Array[] {
    const found: Uint8Array[] = [];
    for (let at = 0; at < this.aliases.length; at += ALIAS_BYTES) {
      if (this.aliases.readUInt32BE(at + KEY_BYTES) === ordinal)
        found.push(this.aliases.subarray(at, at + KEY_BYTES));
    }
    return found;
  }
}

function search(keys: Buffer, size: number, id: Uint8Array): number | undefined {
  let low = 0;
  let high = keys.length / size - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const order = Buffer.compare(keys.subarray(middle * size, middle * size + KEY_BYTES), id);
    if (order === 0) return middle;
    if (order < 0) low = middle + 1;
    else high = middle - 1;
  }
  return undefined;
}

/** A row that {@link encodeArchive} takes, from what a block holds. */
export function archiveItem(item: SegmentItem, aliases: Uint8Array[]): ArchiveItem {
  const row = JSON.parse(item.preview) as EventRow;
  return { ...item, row, timeMs: timeMs(row.valid_time), id: ulidToBytes(row.event_id), aliases };
}
