import path from 'node:path';
import { crc32 } from 'node:zlib';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SqlJsStatic } from 'sql.js';
import { FILE_MODE, hasCode, type FileSystem } from '../platform/file-system';
import { TEMPORARY_SUFFIX } from '../platform/atomic-file';
import { Database } from './database';
import { ImageTooLargeError } from './errors';
import type { StoreFile } from './file-names';
import { APPLICATION_ID, schemaVersion } from './schema';

/** Above this an image is not loaded: it would take the whole extension host with it (pains 28, 31). */
export const MAX_IMAGE_BYTES = 512 * 1024 * 1024;

const MAGIC = Buffer.from('KLRNIMG1', 'latin1');
const TRAILER_BYTES = MAGIC.length + 8 + 4;
const PIECE_BYTES = 4 * 1024 * 1024;

/**
 * An image is a database file and, behind it, a trailer (magic, length, CRC-32) that SQLite passes over:
 * `quick_check` sees a broken tree, not a flipped bit in a text.
 */
function trailerOf(length: number, sum: number): Buffer {
  const trailer = Buffer.alloc(TRAILER_BYTES);
  MAGIC.copy(trailer);
  trailer.writeBigUInt64BE(BigInt(length), MAGIC.length);
  trailer.writeUInt32BE(sum, MAGIC.length + 8);
  return trailer;
}

/** The database file in an image's bytes; undefined where they are damaged. */
function databaseBytes(bytes: Uint8Array): Uint8Array | undefined {
  const length = bytes.length - TRAILER_BYTES;
  if (length <= 0) return undefined;
  const database = bytes.subarray(0, length);
  const expected = trailerOf(length, crc32(database));
  return expected.equals(bytes.subarray(length)) ? database : undefined;
}

/** Writes an image under a name that was never used before, whole or not at all. */
export async function writeImage(
  fs: FileSystem,
  dir: string,
  name: string,
  database: Uint8Array,
): Promise<number> {
  const target = path.join(dir, name);
  const temporary = target + TEMPORARY_SUFFIX;
  await fs.unlink(temporary).catch(() => undefined);
  const file = await fs.create(temporary, FILE_MODE);
  let sum = 0;
  try {
    for (let at = 0; at < database.length; at += PIECE_BYTES) {
      const piece = database.subarray(at, at + PIECE_BYTES);
      sum = crc32(piece, sum);
      await file.append(piece);
      await nextTurn();
    }
    await file.append(trailerOf(database.length, sum));
    await file.fdatasync();
  } catch (error) {
    await file.close().catch(() => undefined);
    await fs.unlink(temporary).catch(() => undefined);
    throw error;
  }
  await file.close();
  await fs.rename(temporary, target);
  await fs.fsyncDir(dir);
  return database.length + TRAILER_BYTES;
}

export interface LoadedImage {
  db: Database;
  file: StoreFile;
  bytes: number;
  version: number;
}

/** Loads one image; undefined where it is damaged or not one of ours. */
export async function loadImage(
  sqlite: SqlJsStatic,
  fs: FileSystem,
  dir: string,
  file: StoreFile,
): Promise<LoadedImage | undefined> {
  const bytes = await readImage(fs, path.join(dir, file.name));
  const database = databaseBytes(bytes);
  if (!database) return undefined;
  let db: Database | undefined;
  try {
    db = new Database(sqlite, database);
    if (isSound(db)) return { db, file, bytes: bytes.length, version: schemaVersion(db) };
  } catch {
    // Whatever SQLite says of the file, it can't be used; the next generation is tried.
  }
  db?.close();
  return undefined;
}

async function readImage(fs: FileSystem, location: string): Promise<Uint8Array> {
  try {
    return await fs.readFile(location, MAX_IMAGE_BYTES);
  } catch (error) {
    if (!hasCode(error, 'EFBIG')) throw error;
    const size = (await fs.stat(location))?.size ?? 0;
    throw new ImageTooLargeError(size, MAX_IMAGE_BYTES);
  }
}

function isSound(db: Database): boolean {
  if (db.number('PRAGMA application_id') !== APPLICATION_ID) return false;
  if (db.get('PRAGMA quick_check(1)')?.['quick_check'] !== 'ok') return false;
  return db.get("SELECT value FROM state WHERE key = 'store'") !== undefined;
}
