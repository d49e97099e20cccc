/** Stores changes for undo as files of one directory: a line of JSON, then the bytes that an undo, or a redo, writes. */
import { mkdir, open, readdir, readFile, rm, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { ChangeKey, FileChange, KeptChange, UndoState, UndoStore } from '../../../port/undo_store';
import { contentHash } from '../../../utils/content_hash';
import { KeyedLock } from '../../../utils/keyed_lock';
import { replaceOwnFile } from '../disk/replace_file';
import { missingAsUndefined } from '../disk/safe_path';

export interface UndoFilesOptions {
  directory: string;
  /** Number of changes to keep; default 500. */
  maxChanges?: number;
  /** Size limit in bytes of one file before the change; default 10 MiB. */
  maxFileBytes?: number;
  /** Size limit in bytes of all kept changes; default 1 GiB. */
  maxTotalBytes?: number;
}

/** Opens the directory, creates it when it is missing, and removes files that a crash left half-written. */
export async function openUndoFiles(options: UndoFilesOptions): Promise<UndoStore> {
  const { directory, maxChanges = 500, maxFileBytes = 10 * 1024 * 1024, maxTotalBytes = 1024 ** 3 } = options;
  await mkdir(directory, { recursive: true, mode: 0o700 });
  return new UndoFiles(directory, await readSizes(directory), { maxChanges, maxFileBytes, maxTotalBytes });
}

const SUFFIX = '.undo';
const NEWLINE = 0x0a;
/** A file takes less time to write. */
const LEFT_BEHIND_MS = 60_000;
/** More bytes than the first line of a file has. */
const HEADER_BYTES = 32 * 1024;

type Limits = Required<Omit<UndoFilesOptions, 'directory'>>;

class UndoFiles implements UndoStore {
  private readonly writes = new KeyedLock();

  /** `sizes`: name -> bytes, oldest first. */
  constructor(
    private readonly directory: string,
    private readonly sizes: Map<string, number>,
    private readonly limits: Limits,
  ) {}

  async keep(key: ChangeKey, { path, before, afterHash }: FileChange): Promise<boolean> {
    if (before && before.length > this.limits.maxFileBytes) return false;
    const header: Header = { path, afterHash, status: 'kept', existed: before !== undefined };
    await this.write(key, header, before ?? new Uint8Array());
    return true;
  }

  async find(key: ChangeKey): Promise<KeptChange | undefined> {
    const file = await readFile(join(this.directory, fileName(key))).catch(missingAsUndefined);
    if (!file) return undefined;
    const end = file.indexOf(NEWLINE);
    // Trusted: only this class writes here.
    const header = JSON.parse(file.toString('utf8', 0, end)) as Header;
    const { path } = header;
    const withBytes = ({ afterHash, existed }: StoredContent): FileChange => ({
      path,
      afterHash,
      before: existed ? file.subarray(end + 1) : undefined,
    });
    if (header.status === 'kept') return { status: 'kept', change: withBytes(header) };
    return header.redo ? { status: 'undone', path, redo: withBytes(header.redo) } : { status: 'undone', path };
  }

  async stateOf(key: ChangeKey): Promise<UndoState> {
    const file = await open(join(this.directory, fileName(key))).catch(missingAsUndefined);
    if (!file) return 'gone';
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES, 0);
      const end = buffer.subarray(0, bytesRead).indexOf(NEWLINE);
      // Trusted: only this class writes here.
      const header = JSON.parse(buffer.toString('utf8', 0, end)) as Header;
      if (header.status === 'kept') return 'possible';
      return header.redo ? 'redoable' : 'undone';
    } finally {
      await file.close();
    }
  }

  async markUndone(key: ChangeKey, redo?: FileChange): Promise<void> {
    const kept = await this.find(key);
    if (kept?.status !== 'kept') return;
    const { path } = kept.change;
    const bytes = redo?.before ?? new Uint8Array();
    const isKept = redo !== undefined && bytes.length <= this.limits.maxFileBytes;
    const content = isKept ? { afterHash: redo.afterHash, existed: redo.before !== undefined } : undefined;
    await this.write(key, { path, status: 'undone', redo: content }, isKept ? bytes : new Uint8Array());
  }

  forget(key: ChangeKey): Promise<void> {
    return this.writes.run('', async () => {
      const name = fileName(key);
      await unlink(join(this.directory, name)).catch(missingAsUndefined);
      this.sizes.delete(name);
    });
  }

  private write(key: ChangeKey, header: Header, bytes: Uint8Array): Promise<void> {
    return this.writes.run('', async () => {
      const name = fileName(key);
      const head = Buffer.from(`${JSON.stringify(header)}\n`);
      await replaceOwnFile(join(this.directory, name), Buffer.concat([head, bytes]));
      this.sizes.delete(name);
      this.sizes.set(name, head.length + bytes.length);
      await this.trim();
    });
  }

  private async trim(): Promise<void> {
    let total = 0;
    for (const size of this.sizes.values()) total += size;
    for (const [name, size] of this.sizes) {
      if (this.sizes.size <= this.limits.maxChanges && total <= this.limits.maxTotalBytes) return;
      await unlink(join(this.directory, name)).catch(missingAsUndefined);
      this.sizes.delete(name);
      total -= size;
    }
  }
}

/** `existed`: the bytes after the header are the content of a file; otherwise there was no file. */
interface StoredContent {
  afterHash?: string;
  existed: boolean;
}

type Header = ({ path: string; status: 'kept' } & StoredContent) | { path: string; status: 'undone'; redo?: StoredContent };

const fileName = ({ tenantId, runId, toolCallId }: ChangeKey): string =>
  contentHash(JSON.stringify([tenantId, runId ?? null, toolCallId])) + SUFFIX;

async function readSizes(directory: string): Promise<Map<string, number>> {
  const names = await readdir(directory);
  const left = names.filter(name => !name.endsWith(SUFFIX));
  for (const name of left) await removeHalfWritten(join(directory, name));
  const kept = await Promise.all(
    names.filter(name => name.endsWith(SUFFIX)).map(async name => ({ name, ...pickTimes(await stat(join(directory, name))) })),
  );
  kept.sort((a, b) => a.mtimeMs - b.mtimeMs);
  return new Map(kept.map(({ name, size }) => [name, size]));
}

/** Another gateway on a shared disk may be writing a file that is new. */
async function removeHalfWritten(path: string): Promise<void> {
  const stats = await stat(path).catch(missingAsUndefined);
  if (stats && stats.mtimeMs < Date.now() - LEFT_BEHIND_MS) await rm(path, { force: true });
}

const pickTimes = ({ mtimeMs, size }: { mtimeMs: number; size: number }) => ({ mtimeMs, size });
