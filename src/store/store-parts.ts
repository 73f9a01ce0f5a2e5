import path from 'node:path';
import type { FileSystem } from '../platform/file-system';
import type { Log } from '../platform/log';
import { Applier } from './apply';
import { Archive } from './archive';
import { ArchiveRewriter } from './archive-rewriter';
import { Archiver } from './archiver';
import { Bodies } from './bodies';
import { BodyMover } from './body-mover';
import type { Database } from './database';
import { Erasure } from './erasure';
import type { Journal } from './journal';
import { Names } from './names';
import { Publisher, type Generation, type PublisherDeps } from './publisher';
import { Quarantine } from './quarantine';
import { Retention } from './retention';
import { SegmentReader } from './segment-reader';
import { SegmentTable } from './segment-table';
import { SegmentWriter } from './segment-writer';

/** Folder of the segments below that of the store. */
export const BODIES = 'bodies';

/** What reads the store and applies frames to it. */
export interface ReadingParts {
  db: Database;
  names: Names;
  segments: SegmentTable;
  reader: SegmentReader;
  bodies: Bodies;
  archive: Archive;
  applier: Applier;
}

export function readingParts(db: Database, fs: FileSystem, dir: string, log: Log): ReadingParts {
  const names = new Names(db);
  const segments = new SegmentTable(db);
  const reader = new SegmentReader(fs, path.join(dir, BODIES));
  const bodies = new Bodies(db, segments, reader, log);
  const archive = new Archive(db, segments, reader, bodies);
  const applier = new Applier(db, names, bodies, archive);
  return { db, names, segments, reader, bodies, archive, applier };
}

/** What only the owner of the store has. */
export interface WritingParts {
  journal: Journal;
  publisher: Publisher;
  erasure: Erasure;
  retention: Retention;
}

export function writingParts(
  reading: ReadingParts,
  journal: Journal,
  deps: Omit<PublisherDeps, 'bodiesDir'>,
  opened: { loaded: Generation | undefined; backlog: number; otherBytes: number },
): WritingParts {
  const { db, names, segments, reader, bodies, applier } = reading;
  const bodiesDir = path.join(deps.dir, BODIES);
  const place = { fs: deps.fs, dir: bodiesDir, epoch: deps.epoch };
  const writer = new SegmentWriter(deps.fs, bodiesDir, deps.epoch);
  const mover = new BodyMover(db, segments, writer);
  const archiver = new Archiver(place, db, names, bodies, segments);
  const rewriter = new ArchiveRewriter(place, db, segments, reader, bodies, archiver);
  const publisher = new Publisher(
    { ...deps, bodiesDir },
    { db, journal, applier, segments, writer, mover, archiver },
    opened.loaded,
    opened.backlog,
  );
  const quarantine = new Quarantine(deps.fs, deps.dir);
  const erasure = new Erasure({
    fs: deps.fs,
    bodiesDir,
    db,
    applier,
    segments,
    reader,
    writer,
    bodies,
    mover,
    rewriter,
    publisher,
    quarantine,
  });
  const totalBytes = (): number =>
    publisher.imageBytes + journal.bytes + segments.totalBytes() + opened.otherBytes;
  const retention = new Retention({
    db,
    segments,
    reader,
    bodies,
    archiver,
    rewriter,
    publisher,
    totalBytes,
  });
  return { journal, publisher, erasure, retention };
}
