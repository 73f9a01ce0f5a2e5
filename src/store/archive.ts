import type { EventKind, MemoryEvent } from '../contract/event';
import type { EventRow } from '../contract/local-api';
import { ArchiveKeys, readDirectory, type ArchiveDirectory } from './archive-file';
import type { Bodies } from './bodies';
import type { Database } from './database';
import type { BlockAhead } from './event-stream';
import type { SegmentReader } from './segment-reader';
import type { SegmentTable } from './segment-table';
import { timeMs } from './stored-time';
import { bytesToUlid, ulidToBytes } from './ulid-bytes';

interface ArchiveFile {
  name: string;
  bytes: number;
  directory: ArchiveDirectory;
  low: Uint8Array;
  high: Uint8Array;
}

interface Place {
  file: ArchiveFile;
  keys: ArchiveKeys;
  ordinal: number;
}

export interface ArchiveScan {
  namespace?: string;
  /** Milliseconds: only what lies in between, both included. */
  from: number;
  to: number;
}

/** Keys of this many files stay at hand: about 40 KB each. */
const KEPT_KEYS = 32;

/** Events that left the image. They are read from immutable files, one block at a time. */
export class Archive {
  private files: ArchiveFile[] = [];
  private filesVersion = -1;
  private readonly keys = new Map<string, ArchiveKeys>();

  constructor(
    private readonly db: Database,
    private readonly segments: SegmentTable,
    private readonly reader: SegmentReader,
    private readonly bodies: Bodies,
  ) {}

  /** The event that an id stands for, where it was archived: itself, or the one that it collapsed into. */
  survivorOf(id: Uint8Array): string | undefined {
    const place = this.place(id);
    return place && bytesToUlid(place.keys.idAt(place.ordinal));
  }

  /** Ids that collapsed into an archived event; undefined where it is none. */
  aliasesOf(id: Uint8Array): Uint8Array[] | undefined {
    const place = this.place(id);
    return place?.keys.aliasesOf(place.ordinal);
  }

  event(eventId: string): MemoryEvent | undefined {
    const found = this.item(eventId, 'bodies');
    return found === undefined ? undefined : ((JSON.parse(found) as MemoryEvent | null) ?? undefined);
  }

  row(eventId: string): EventRow | undefined {
    const found = this.item(eventId, 'previews');
    return found === undefined ? undefined : (JSON.parse(found) as EventRow);
  }

  /** Events whose bodies are kept, by kind. */
  countByKind(namespace?: string): Record<EventKind, number> {
    const sums: Record<EventKind, number> = { prompt: 0, tool_use: 0, session_summary: 0, note: 0 };
    for (const { directory } of this.current()) {
      for (const [name, kinds] of Object.entries(directory.counts)) {
        if (namespace !== undefined && name !== namespace) continue;
        for (const kind of Object.keys(sums) as EventKind[]) sums[kind] += kinds[kind] ?? 0;
      }
    }
    return sums;
  }

  /** Milliseconds of the oldest event whose body is kept. */
  get oldest(): number | undefined {
    const times = this.current().flatMap(({ directory }) =>
      directory.blocks.length > 0 ? directory.from : [],
    );
    return times.length === 0 ? undefined : times.reduce((least, time) => Math.min(least, time));
  }

  /**
   * Rows of a span of time, newest first. Before a block is read its newest time is yielded, so that a caller
   * can count what it costs, or stop.
   */
  *rows(scan: ArchiveScan): Generator<EventRow | BlockAhead> {
    const hidden = this.hidden();
    const blocks = this.current()
      .filter(({ directory }) => scan.namespace === undefined || directory.counts[scan.namespace])
      .flatMap((file) => file.directory.blocks.map((block) => ({ file, block })))
      .filter(({ block }) => block.from <= scan.to && block.to >= scan.from)
      .sort((a, b) => b.block.to - a.block.to);
    let ready: EventRow[] = [];
    for (const [index, { file, block }] of blocks.entries()) {
      yield { time: block.to };
      const texts = this.bodies.tolerant(file.name, () => this.reader.previews(file.name, block.at)) ?? [];
      for (const text of texts) {
        const row = JSON.parse(text) as EventRow;
        const at = timeMs(row.valid_time);
        const wanted = scan.namespace === undefined || row.namespace === scan.namespace;
        if (wanted && at >= scan.from && at <= scan.to && !hidden.has(row.event_id)) ready.push(row);
      }
      ready.sort(newestFirst);
      const next = blocks[index + 1]?.block.to ?? -Infinity;
      let taken = 0;
      for (const row of ready) {
        if (timeMs(row.valid_time) <= next) break;
        taken += 1;
        yield row;
      }
      ready = ready.slice(taken);
    }
  }

  /** Ids that were erased and whose file was not written anew yet. */
  private hidden(): Set<string> {
    return new Set(
      this.db.all('SELECT event_id FROM erasing').map((row) => bytesToUlid(row['event_id'] as Uint8Array)),
    );
  }

  private item(eventId: string, part: 'bodies' | 'previews'): string | undefined {
    const id = ulidToBytes(eventId);
    if (this.db.get('SELECT 1 FROM erasing WHERE event_id = ?', [id])) return undefined;
    const place = this.place(id);
    if (!place) return undefined;
    const { file, ordinal } = place;
    const block = file.directory.blocks.findLast((entry) => entry.first <= ordinal);
    if (!block) return undefined;
    return this.bodies.tolerant(
      file.name,
      () => this.reader[part](file.name, block.at)[ordinal - block.first],
    );
  }

  private place(id: Uint8Array): Place | undefined {
    for (const file of this.current()) {
      if (Buffer.compare(id, file.low) < 0 || Buffer.compare(id, file.high) > 0) continue;
      const keys = this.keysOf(file);
      const ordinal = keys?.ordinalOf(id);
      if (keys && ordinal !== undefined) return { file, keys, ordinal };
    }
    return undefined;
  }

  private current(): ArchiveFile[] {
    if (this.filesVersion === this.segments.version) return this.files;
    const known = new Map(this.files.map((file) => [file.name, file]));
    this.files = this.segments.list('archive').flatMap(({ name, bytes }) => {
      return known.get(name) ?? this.bodies.tolerant(name, () => this.load(name, bytes)) ?? [];
    });
    this.filesVersion = this.segments.version;
    return this.files;
  }

  private load(name: string, bytes: number): ArchiveFile {
    const directory = readDirectory(this.reader, name, bytes);
    return {
      name,
      bytes,
      directory,
      low: Buffer.from(directory.low, 'hex'),
      high: Buffer.from(directory.high, 'hex'),
    };
  }

  private keysOf(file: ArchiveFile): ArchiveKeys | undefined {
    const known = this.keys.get(file.name);
    if (known) {
      this.keys.delete(file.name);
      this.keys.set(file.name, known);
      return known;
    }
    const keys = this.bodies.tolerant(file.name, () =>
      ArchiveKeys.read(this.reader, file.name, file.directory),
    );
    if (!keys) return undefined;
    this.keys.set(file.name, keys);
    const [oldest] = this.keys.keys();
    if (this.keys.size > KEPT_KEYS && oldest !== undefined) this.keys.delete(oldest);
    return keys;
  }
}

export function newestFirst(a: EventRow, b: EventRow): number {
  return timeMs(b.valid_time) - timeMs(a.valid_time) || (a.event_id < b.event_id ? 1 : -1);
}
