/** The files of a gateway, as archives hold them: its workspaces, configuration, undo copies and skills. */
import { isUtf8 } from 'node:buffer';
import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, open, readdir, readlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { ArchiveEntry, EntryFacts } from './archive_entry';
import { FILES } from './archive_form';

/** The directories in which a gateway keeps its files. */
export interface FilePlaces {
  dataDir: string;
  configDir: string;
  workspace: string;
  /** The directory of the bytes of shared workspaces, when one is set. */
  snapshotDir?: string;
}

export interface PlaceFolder {
  /** The path of the folder below `files/` of the archive. */
  name: string;
  directory: string;
  isKept(path: string): boolean;
}

/** The version of the workspace that one gateway has: it belongs to the machine. */
const STATE_FILE = /^[^/]+\/workspace-state\.json$/;
const keepAll = () => true;

/** Returns the folders of an archive and their directories. */
export function foldersOf({ dataDir, configDir, workspace, snapshotDir }: FilePlaces): PlaceFolder[] {
  const folders: PlaceFolder[] = [
    { name: 'workspace', directory: workspace, isKept: keepAll },
    // TypeScript files belong to the program.
    { name: 'config', directory: configDir, isKept: path => !path.endsWith('.ts') },
    { name: 'undo', directory: join(dataDir, 'undo'), isKept: keepAll },
    { name: 'skills', directory: join(dataDir, 'skills'), isKept: keepAll },
    { name: 'tenants', directory: join(dataDir, 'tenants'), isKept: path => !STATE_FILE.test(path) },
  ];
  if (snapshotDir !== undefined) folders.push({ name: 'snapshots', directory: snapshotDir, isKept: keepAll });
  return folders;
}

/** A larger file is read in pieces. */
const WHOLE_BYTES = 4 * 1024 * 1024;
/** Codes of a file that was deleted or replaced meanwhile. */
const GONE: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTDIR', 'ELOOP']);

/**
 * Yields the files of the places, in the order of their names. Leaves out the directory `leftOut`, sockets and devices, and files that are deleted
 * meanwhile. `report` hears the path of a file that cannot be read, whose name is not UTF-8, or that becomes shorter while it is read.
 */
export async function* readFiles(places: FilePlaces, leftOut: string, report: (path: string) => void): AsyncIterable<ArchiveEntry> {
  for (const folder of foldersOf(places)) yield* readFolder(folder, '', { leftOut: resolve(leftOut), report });
}

interface Walk {
  leftOut: string;
  report(path: string): void;
}

async function* readFolder(folder: PlaceFolder, below: string, walk: Walk): AsyncIterable<ArchiveEntry> {
  const names = await namesIn(join(folder.directory, below), walk);
  for (const name of names) {
    const path = below === '' ? name : `${below}/${name}`;
    if (!folder.isKept(path) || resolve(folder.directory, path) === walk.leftOut) continue;
    const facts = await factsAt(join(folder.directory, path), walk);
    if (facts?.isDirectory()) yield* readDirectory(folder, path, facts, walk);
    else if (facts) yield* readOne(folder, path, facts, walk);
  }
}

/** Resolves with the names in UTF-8. An archive has no place for the bytes of another name. */
async function namesIn(directory: string, { report }: Walk): Promise<string[]> {
  try {
    const names = (await readdir(directory, { encoding: 'buffer' })).map(bytes => ({ text: bytes.toString(), isText: isUtf8(bytes) }));
    for (const { text, isText } of names) if (!isText) report(join(directory, text));
    return names.flatMap(({ text, isText }) => (isText ? [text] : [])).sort();
  } catch (thrown) {
    if (!isGone(thrown)) report(directory);
    return [];
  }
}

/** Resolves undefined for a file that is deleted meanwhile, and for one that is reported. */
async function factsAt(file: string, { report }: Walk): Promise<Stats | undefined> {
  try {
    return await lstat(file);
  } catch (thrown) {
    if (!isGone(thrown)) report(file);
    return undefined;
  }
}

/** A directory comes behind its files. */
async function* readDirectory(folder: PlaceFolder, path: string, facts: Stats, walk: Walk): AsyncIterable<ArchiveEntry> {
  yield* readFolder(folder, path, walk);
  yield { type: 'directory', path: entryPath(folder, path), facts: factsOf(facts) };
}

async function* readOne(folder: PlaceFolder, path: string, facts: Stats, { report }: Walk): AsyncIterable<ArchiveEntry> {
  const file = join(folder.directory, path);
  try {
    if (facts.isSymbolicLink()) {
      yield { type: 'symlink', path: entryPath(folder, path), facts: factsOf(facts), target: await readlink(file) };
    } else if (facts.isFile()) {
      yield* readFile(file, entryPath(folder, path), report);
    }
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).syscall === undefined) throw thrown;
    if (!isGone(thrown)) report(file);
  }
}

async function* readFile(file: string, path: string, report: (path: string) => void): AsyncIterable<ArchiveEntry> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    const facts = await handle.stat();
    const content = { bytes: facts.size, read: () => readExactly(handle, facts.size, () => report(file)) };
    yield { type: 'file', path, facts: factsOf(facts), content };
  } finally {
    await handle.close();
  }
}

/** Yields `bytes` bytes. A file that became shorter is filled up with zeros, because the archive has announced its size. */
async function* readExactly(handle: FileHandle, bytes: number, onShort: () => void): AsyncIterable<Uint8Array> {
  let left = bytes;
  while (left > 0) {
    const piece = Buffer.allocUnsafe(Math.min(left, WHOLE_BYTES));
    const { bytesRead } = await handle.read(piece, 0, piece.length, bytes - left);
    if (bytesRead === 0) {
      onShort();
      piece.fill(0);
    }
    const read = bytesRead === 0 ? piece : piece.subarray(0, bytesRead);
    left -= read.length;
    yield read;
  }
}

const entryPath = ({ name }: PlaceFolder, path: string): string => `${FILES}${name}/${path}`;
const factsOf = ({ mode, mtime }: Stats): EntryFacts => ({ mode: mode & 0o777, changedAt: mtime });
const isGone = (thrown: unknown): boolean => GONE.has((thrown as NodeJS.ErrnoException).code);
