/** Writes an archive: a stream from the store and the files to the disk, whose memory does not grow with the data. */
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { PassThrough, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as WebStream } from 'node:stream/web';
import { constants, createGzip, createZstdCompress } from 'node:zlib';
import type { TarHeader } from 'modern-tar';
import { type ArchiveEntry, ownEntry } from './archive_entry';
import { type ArchiveHeader, type ArchiveManifest, encode, HEADER_PATH, MANIFEST_PATH } from './archive_form';
import { readParts } from './row_lines';
import type { StoreSnapshot } from './store_snapshot';

export interface ArchiveContent {
  header: ArchiveHeader;
  snapshot: StoreSnapshot;
  /** Entries behind the rows. */
  more?: AsyncIterable<ArchiveEntry>;
  /** Files that could not be read as they are; read after the entries. */
  incomplete?: readonly string[];
}

/**
 * The path of a new file says how it is compressed. The file must not exist. Closes the snapshot when its rows are read, because files may take long and
 * the store cannot clean up behind an open transaction. Rejects with the error of the file system.
 */
export async function writeArchive(path: string, content: ArchiveContent): Promise<ArchiveManifest> {
  const { createTarPacker } = await import('modern-tar');
  const { readable, controller } = createTarPacker();
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true });
  // The types of Node's web streams and of the global ones differ.
  const written = pipeline(Readable.fromWeb(readable as unknown as WebStream), compressorFor(path), file);
  // The writes below fail too, with an error that says less.
  written.catch(() => {});
  const manifest: ArchiveManifest = { rows: {}, entries: {}, incomplete: [] };
  try {
    for await (const entry of entriesOf(content, manifest)) await writeEntry(entry, controller.add(tarHeader(entry)), manifest);
    controller.finalize();
  } catch (thrown) {
    controller.error(thrown);
    // The file system says why its stream ended.
    await written;
    throw thrown;
  }
  await written;
  return manifest;
}

async function* entriesOf(
  { header, snapshot, more, incomplete = [] }: ArchiveContent,
  manifest: ArchiveManifest,
): AsyncIterable<ArchiveEntry> {
  for (const { name } of header.tables) manifest.rows[name] = 0;
  yield ownEntry(HEADER_PATH, encode(header));
  for await (const { table, path, rows, content } of readParts(snapshot)) {
    manifest.rows[table] = (manifest.rows[table] ?? 0) + rows;
    yield ownEntry(path, content);
  }
  await snapshot.close();
  if (more) yield* more;
  manifest.incomplete.push(...incomplete);
  yield ownEntry(MANIFEST_PATH, encode(manifest));
}

/** Writes the content of an entry, and its size and hash into the manifest. */
async function writeEntry(entry: ArchiveEntry, body: WritableStream<Uint8Array>, manifest: ArchiveManifest): Promise<void> {
  const writer = body.getWriter();
  // The writes report the same error.
  writer.closed.catch(() => {});
  const hash = createHash('sha256');
  let bytes = 0;
  if (entry.type === 'symlink') hash.update(entry.target);
  if (entry.type === 'file') {
    for await (const piece of entry.content.read()) {
      hash.update(piece);
      bytes += piece.byteLength;
      await writer.write(piece);
    }
  }
  await writer.close();
  manifest.entries[entry.path] = { bytes, sha256: hash.digest('hex') };
}

function tarHeader(entry: ArchiveEntry): TarHeader {
  const { type, path, facts } = entry;
  const header: TarHeader = { name: path, type, size: 0, mode: facts.mode, mtime: facts.changedAt };
  if (type === 'file') header.size = entry.content.bytes;
  if (type === 'symlink') header.linkname = entry.target;
  return header;
}

function compressorFor(path: string): PassThrough | ReturnType<typeof createGzip> | ReturnType<typeof createZstdCompress> {
  if (/\.t?gz$/.test(path)) return createGzip();
  // A checksum finds bytes that changed on the disk.
  if (path.endsWith('.zst')) return createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 } });
  return new PassThrough();
}
