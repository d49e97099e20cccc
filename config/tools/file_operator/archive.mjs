/**
 * Checks the ZIP archive of an Office document before a parser gets it: unpacks every part with a limit. The sizes that an archive states about
 * itself may be lies, and the same bytes may be the content of many parts.
 */
import { inflateRawSync } from 'node:zlib';

const MAX_PARTS = 5_000;
const MAX_BYTES = 100 * 1024 * 1024;

const END = 0x06054b50;
const PART = 0x02014b50;
const LOCAL = 0x04034b50;
const END_LENGTH = 22;
const MAX_COMMENT = 65_535;
const STORED = 0;
const DEFLATED = 8;
const ENCRYPTED = 1;

export class ArchiveProblem extends Error {
  /** `problem`: broken, locked or too_large. */
  constructor(problem) {
    super(problem);
    this.problem = problem;
  }
}

/** Throws ArchiveProblem unless the archive is whole, not encrypted, and has at most 5,000 parts of 100 MiB together. */
export function checkArchive(file) {
  try {
    let left = MAX_BYTES;
    for (const part of listParts(file)) left -= unpackedLength(file, part, left);
  } catch (error) {
    if (error instanceof ArchiveProblem) throw error;
    throw new ArchiveProblem(error?.code === 'ERR_BUFFER_TOO_LARGE' ? 'too_large' : 'broken');
  }
}

function listParts(file) {
  const end = endOf(file);
  const count = file.readUInt16LE(end + 10);
  if (count > MAX_PARTS) throw new ArchiveProblem('too_large');
  let at = file.readUInt32LE(end + 16);
  // Parsers disagree about an archive whose directory stands elsewhere.
  if (at + file.readUInt32LE(end + 12) !== end) throw new ArchiveProblem('broken');
  const parts = [];
  for (let index = 0; index < count; index += 1) {
    if (file.readUInt32LE(at) !== PART) throw new ArchiveProblem('broken');
    parts.push({
      flags: file.readUInt16LE(at + 8),
      method: file.readUInt16LE(at + 10),
      packed: file.readUInt32LE(at + 20),
      start: file.readUInt32LE(at + 42),
    });
    at += 46 + file.readUInt16LE(at + 28) + file.readUInt16LE(at + 30) + file.readUInt16LE(at + 32);
  }
  if (at !== end) throw new ArchiveProblem('broken');
  return parts;
}

/** The end record stands last, before a comment that may hold anything. */
function endOf(file) {
  for (let at = file.length - END_LENGTH; at >= Math.max(0, file.length - END_LENGTH - MAX_COMMENT); at -= 1) {
    if (file.readUInt32LE(at) === END && at + END_LENGTH + file.readUInt16LE(at + 20) === file.length) return at;
  }
  throw new ArchiveProblem('broken');
}

function unpackedLength(file, { flags, method, packed, start }, left) {
  if (flags & ENCRYPTED) throw new ArchiveProblem('locked');
  if (file.readUInt32LE(start) !== LOCAL) throw new ArchiveProblem('broken');
  const from = start + 30 + file.readUInt16LE(start + 26) + file.readUInt16LE(start + 28);
  const content = file.subarray(from, from + packed);
  if (content.length !== packed) throw new ArchiveProblem('broken');
  if (method === STORED && packed <= left) return packed;
  if (method !== DEFLATED || left <= 0) throw new ArchiveProblem(method === STORED || method === DEFLATED ? 'too_large' : 'broken');
  return inflateRawSync(content, { maxOutputLength: left }).length;
}
