/** Reads archives entry by entry, and checks them. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { type Duplex, PassThrough, pipeline, Readable } from 'node:stream';
import { createGunzip, createZstdDecompress } from 'node:zlib';
import type { TarHeader } from 'modern-tar';
import {
  ArchiveError,
  type ArchiveHeader,
  type ArchiveManifest,
  decodeHeader,
  decodeManifest,
  HEADER_PATH,
  MANIFEST_PATH,
  tableOf,
} from './archive_form';

export interface ReadEntry {
  header: TarHeader;
  /** Read it to its end before the next entry. */
  body: AsyncIterable<Uint8Array>;
}

export interface CheckedArchive {
  header: ArchiveHeader;
  manifest: ArchiveManifest;
  /** Names the content of the archive: the hash of its manifest. */
  id: string;
}

/** Yields the entries of an archive in their order. Rejects with an ArchiveError when the file is damaged or no archive. */
export async function* readEntries(path: string): AsyncIterable<ReadEntry> {
  const { createTarDecoder } = await import('modern-tar');
  const decompressor = await decompressorFor(path);
  // The reader of the last stream gets the error.
  pipeline(createReadStream(path), decompressor, () => {});
  // The types of Node's web streams and of the global ones differ.
  const tar = Readable.toWeb(decompressor) as unknown as ReadableStream<Uint8Array>;
  const entries = tar.pipeThrough(createTarDecoder({ strict: true }));
  for await (const { header, body } of reportDamage(path, entries)) yield { header, body: reportDamage(path, body) };
}

/** Passes on what a stream yields. Its error becomes an ArchiveError. */
async function* reportDamage<T>(path: string, stream: ReadableStream<T>): AsyncIterable<T> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((cause: unknown) => {
        const reason = cause instanceof Error && cause.message !== '' ? cause.message : 'it ends too early';
        throw new ArchiveError(`${path} is damaged or no archive of a gateway: ${reason.replace(/\.$/, '')}.`, { cause });
      });
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

/** Reads the whole archive and compares each entry with the manifest. Rejects with an ArchiveError that names the first difference. */
export async function checkArchive(path: string): Promise<CheckedArchive> {
  const found: ArchiveManifest = { rows: {}, entries: {}, incomplete: [] };
  let header: ArchiveHeader | undefined;
  let manifest: { json: string; value: ArchiveManifest } | undefined;
  for await (const { header: tar, body } of readEntries(path)) {
    if (manifest) throw new ArchiveError(`${path} has entries behind its manifest.`);
    if (tar.name === HEADER_PATH) header = decodeHeader(await readText(body, json => noteEntry(found, tar, [json])));
    else if (tar.name === MANIFEST_PATH) {
      const json = await readText(body);
      manifest = { json, value: decodeManifest(json) };
    } else await noteEntry(found, tar, body);
  }
  if (!header || !manifest) throw new ArchiveError(`${path} is incomplete: it has no ${header ? MANIFEST_PATH : HEADER_PATH}.`);
  compare(path, found, manifest.value);
  return { header, manifest: manifest.value, id: createHash('sha256').update(manifest.json).digest('hex') };
}

/** Reads a small entry as text. */
export async function readText(body: AsyncIterable<Uint8Array>, note?: (bytes: Uint8Array) => unknown): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of body) pieces.push(piece);
  const bytes = Buffer.concat(pieces);
  await note?.(bytes);
  return bytes.toString();
}

async function noteEntry(found: ArchiveManifest, tar: TarHeader, body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void> {
  const hash = createHash('sha256');
  const table = tableOf(tar.name);
  let bytes = 0;
  let lines = 0;
  if (tar.type === 'symlink') hash.update(tar.linkname ?? '');
  for await (const piece of body) {
    hash.update(piece);
    bytes += piece.byteLength;
    if (table !== undefined) lines += countLines(piece);
  }
  found.entries[tar.name.replace(/\/$/, '')] = { bytes, sha256: hash.digest('hex') };
  if (table !== undefined) found.rows[table] = (found.rows[table] ?? 0) + lines;
}

const NEWLINE = 0x0a;

function countLines(bytes: Uint8Array): number {
  let lines = 0;
  for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) lines += 1;
  return lines;
}

function compare(path: string, found: ArchiveManifest, expected: ArchiveManifest): void {
  for (const [name, { bytes, sha256 }] of Object.entries(expected.entries)) {
    const entry = found.entries[name];
    if (!entry) throw new ArchiveError(`${path} is damaged: its entry ${name} is missing.`);
    if (entry.bytes !== bytes || entry.sha256 !== sha256)
      throw new ArchiveError(`${path} is damaged: its entry ${name} is not what the manifest says.`);
  }
  const extra = Object.keys(found.entries).find(name => !Object.hasOwn(expected.entries, name));
  if (extra !== undefined) throw new ArchiveError(`${path} is damaged: its manifest does not name the entry ${extra}.`);
  for (const [table, rows] of Object.entries(expected.rows)) {
    const count = found.rows[table] ?? 0;
    if (count !== rows) throw new ArchiveError(`${path} is damaged: the table ${table} should have ${rows} rows and has ${count}.`);
  }
}

async function decompressorFor(path: string): Promise<Duplex> {
  const facts = await stat(path).catch(() => undefined);
  if (!facts?.isFile()) throw new ArchiveError(`There is no file ${path}.`);
  const file = await open(path);
  try {
    const { buffer } = await file.read(Buffer.alloc(4), 0, 4, 0);
    if (buffer.readUInt32LE() === 0xfd2fb528) return createZstdDecompress();
    return buffer.readUInt16BE() === 0x1f8b ? createGunzip() : new PassThrough();
  } finally {
    await file.close();
  }
}
