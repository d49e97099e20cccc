/** Files of programs: the bytes are a file of the tenant's workspace, which the tools of agents read, and a row tells name, purpose and expiry. */
import { AppError } from '../../../errors';
import type { Clock, IdSource } from '../../../port/clock';
import type { LogError } from '../../../port/logger';
import type { Actor } from '../../../port/principal';
import type { Page } from '../../../port/store/page';
import type { Store, StoreReader } from '../../../port/store/store';
import type { OpenFile } from '../../../port/workspace';
import { assertMayChange, isSeen, type OwnedThings, ownedBy, type SharingRequest, seenBy } from '../../../service/access/owned_things';
import type { AccessCaller } from '../../../service/access/session_access';
import { type AuditRecorder, byActor } from '../../../service/audit/audit_log';
import { type FileService, MAX_UPLOAD_BYTES } from '../../../service/file/file_service';
import { TransferLimit } from '../../../service/file/transfer_limit';
import { mapLimited } from '../../../utils/map_limited';
import type { Purpose, UploadedFileQuery, UploadedFileRecord } from './store/file_records';

interface UploadedFilesDeps {
  store: Store;
  clock: Clock;
  ids: IdSource;
  ownedThings: Pick<OwnedThings, 'userOf' | 'sharingOf'>;
  auditLog: AuditRecorder;
  files: Pick<FileService, 'uploadFile' | 'openFile' | 'deleteFile'>;
  onError: LogError;
}

export interface NewFile {
  filename: string;
  purpose: Purpose;
  bytes: Uint8Array;
  /** Milliseconds until it is deleted. Absent: never. */
  expiresAfterMs?: number;
}

/** `param`: the field of the request that names the file. */
interface FileRequest {
  caller: AccessCaller;
  id: string;
  param?: string | undefined;
}

/** The directory in which the chat page keeps the files that people attach. */
const UPLOADS = 'uploads';
const MIB = 1024 * 1024;
const MAX_FILES = 10_000;
const MAX_NAME_BYTES = 180;
const EXPIRED_AT_ONCE = 200;
/** Files that are held in memory whole. */
const HELD_AT_ONCE = { all: 8, ofTenant: 4 };
const NO_CONDITIONS = { ifMatch: undefined, ifNoneMatch: undefined };

export class UploadedFiles {
  private readonly held = new TransferLimit(HELD_AT_ONCE);

  constructor(private readonly deps: UploadedFilesDeps) {}

  /** Does work that holds a file in memory. Rejects `rate_limited` when the tenant, or all tenants, hold as many as they may. */
  whileHeld<T>(tenantId: string, work: () => Promise<T>): Promise<T> {
    return this.held.whileCounted(tenantId, work);
  }

  /** Stores a file of the caller. Rejects `quota_exceeded` for a tenant with 10,000 files, and as FileService.uploadFile does. */
  async addFile({ tenantId, keyName }: AccessCaller, { filename, purpose, bytes, expiresAfterMs }: NewFile): Promise<UploadedFileRecord> {
    const { store, clock, ids } = this.deps;
    if ((await store.read.uploadedFiles.count(tenantId)) >= MAX_FILES) throw tooManyFiles();
    const id = ids.next('file');
    const path = this.pathOf(`${id}-`, filename);
    await this.write(tenantId, path, bytes);
    const createdAt = clock.now();
    const expiresAt = expiresAfterMs === undefined ? undefined : createdAt + expiresAfterMs;
    const file = { tenantId, id, path, filename, purpose, size: bytes.length, createdAt, expiresAt, ...ownedBy(keyName) };
    await store.transaction('none', tx => tx.uploadedFiles.insert(file));
    return file;
  }

  /** Returns the path in the workspace at which a file is stored. */
  pathOf(prefix: string, filename: string): string {
    return `${UPLOADS}/${prefix}${safeName(filename)}`;
  }

  /** Stores bytes at a path of the workspace. Rejects as FileService.uploadFile does. */
  async write(tenantId: string, path: string, bytes: Uint8Array): Promise<void> {
    await this.deps.files.uploadFile({ tenantId, path }, oneByOne(bytes), NO_CONDITIONS);
  }

  /** Reads a file of the workspace, its first `maxBytes` at most. Rejects as FileService.openFile does. */
  async readBytes(tenantId: string, path: string, maxBytes = MAX_UPLOAD_BYTES): Promise<Uint8Array> {
    const file = await this.deps.files.openFile({ tenantId, path });
    try {
      const pieces: Uint8Array[] = [];
      for await (const piece of file.read(0, Math.min(file.size, maxBytes))) pieces.push(piece);
      return Buffer.concat(pieces);
    } finally {
      await file.close();
    }
  }

  /** Reads an uploaded file that a message names. Rejects `not_found` and `too_large`, with the field `at`. */
  async readUpload(
    caller: AccessCaller,
    id: string,
    { at, maxBytes }: { at: string; maxBytes: number },
  ): Promise<{ name: string; bytes: Uint8Array }> {
    const { tenantId, filename: name, path } = await this.getFile(caller, id, at);
    const bytes = await this.whileHeld(tenantId, () => this.readBytes(tenantId, path, maxBytes + 1));
    if (bytes.length > maxBytes) throw tooLongFor(at, maxBytes);
    return { name, bytes };
  }

  /** True when the workspace has a file of exactly this path. */
  async hasPath(tenantId: string, path: string): Promise<boolean> {
    try {
      const file = await this.deps.files.openFile({ tenantId, path });
      await file.close();
      return file.path === path;
    } catch (thrown) {
      if (thrown instanceof AppError && thrown.code === 'not_found') return false;
      throw thrown;
    }
  }

  /** Finds a file. Rejects `not_found`, also for one that the caller does not see or that has expired. `param`: the field that names it. */
  getFile(caller: AccessCaller, id: string, param?: string): Promise<UploadedFileRecord> {
    return this.readFile(this.deps.store.read, { caller, id, param });
  }

  private async readFile(read: Pick<StoreReader, 'uploadedFiles'>, { caller, id, param }: FileRequest): Promise<UploadedFileRecord> {
    const { clock, ownedThings } = this.deps;
    const found = await read.uploadedFiles.get(caller.tenantId, id);
    const file = seenBy(ownedThings.userOf(caller), found, () => noFile(param));
    if (file.expiresAt !== undefined && file.expiresAt <= clock.now()) throw noFile(param);
    return file;
  }

  /** Lists the files that the caller sees. `after`: id of the last file of the page before. Rejects `not_found` for it. */
  async listFiles(
    caller: AccessCaller,
    query: Omit<UploadedFileQuery, 'after' | 'now' | 'viewer'> & { after?: string },
  ): Promise<Page<UploadedFileRecord>> {
    const after = query.after === undefined ? undefined : await this.getFile(caller, query.after, '/after');
    const { viewer } = this.deps.ownedThings.userOf(caller);
    return this.deps.store.lists.uploadedFiles.list(caller.tenantId, { ...query, after, now: this.deps.clock.now(), viewer });
  }

  /** Opens the file as it is in the workspace now; the caller closes it. Rejects `not_found`, also when an agent has deleted it. */
  async openFile(caller: AccessCaller, id: string): Promise<{ file: UploadedFileRecord; content: OpenFile }> {
    const file = await this.getFile(caller, id);
    return { file, content: await this.deps.files.openFile({ tenantId: file.tenantId, path: file.path }) };
  }

  /**
   * Changes who sees a file. Resolves undefined when the caller no longer sees it. Rejects `not_found`, `forbidden`, and `invalid_request` for a name
   * that is none.
   */
  async shareFile(caller: AccessCaller, id: string, request: SharingRequest): Promise<UploadedFileRecord | undefined> {
    const { store, ownedThings, auditLog } = this.deps;
    const user = ownedThings.userOf(caller);
    return store.transaction({ tenant: user.tenantId }, async tx => {
      const file = await this.readFile(tx, { caller, id });
      const change = ownedThings.sharingOf(user, file, request);
      if (!change) return file;
      await tx.uploadedFiles.share(user.tenantId, id, change);
      await auditLog.record({ ...byActor(user), action: 'access.change', target: id, details: change }, tx);
      const changed = { ...file, ...change };
      return isSeen(user.viewer, changed) ? changed : undefined;
    });
  }

  /** Deletes a file and its bytes. Rejects `not_found`, and `forbidden` for a file of another person. */
  async deleteFile(actor: Actor, id: string): Promise<void> {
    const file = await this.getFile(actor, id);
    assertMayChange(actor, file);
    await this.remove(actor, file);
  }

  /** Deletes the files of all tenants that have expired. One that cannot be deleted is reported, and tried again the next time. */
  async deleteExpired(): Promise<void> {
    const { store, clock } = this.deps;
    const expired = await store.read.uploadedFiles.expired(clock.now(), EXPIRED_AT_ONCE);
    const deleted = await mapLimited(expired, 1, file => this.removeExpired(file));
    if (expired.length === EXPIRED_AT_ONCE && deleted.includes(true)) await this.deleteExpired();
  }

  /** Resolves true when the file is deleted. Never rejects. */
  private async removeExpired(file: UploadedFileRecord): Promise<boolean> {
    const { tenantId, id } = file;
    try {
      await this.remove({ tenantId, keyName: EXPIRY }, file);
      return true;
    } catch (thrown) {
      this.deps.onError(`the file ${id} has expired and cannot be deleted`, thrown, { tenant: tenantId });
      return false;
    }
  }

  /** Deletes the bytes, the text beside a PDF, and the row. */
  private async remove(actor: Actor, { tenantId, id, path }: UploadedFileRecord): Promise<void> {
    await this.removeBytes(actor, path);
    if (isPdf(path)) await this.removeBytes(actor, textPathOf(path));
    await this.deps.store.transaction('none', tx => tx.uploadedFiles.delete(tenantId, id));
  }

  /** An agent may have deleted or moved the bytes, or made a directory in their place. */
  private async removeBytes(actor: Actor, path: string): Promise<void> {
    await this.deps.files.deleteFile(actor, { path }, NO_CONDITIONS).catch(thrown => {
      if (!(thrown instanceof AppError && ['not_found', 'invalid_request'].includes(thrown.code))) throw thrown;
    });
  }
}

export const isPdf = (path: string): boolean => /\.pdf$/i.test(path);

/** Returns the path of the text that stands beside a PDF. */
export const textPathOf = (path: string): string => `${path}.txt`;

/** Who deletes expired files, in the audit log. */
const EXPIRY = 'gateway:expiry';

async function* oneByOne(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** Returns the name without directories and without characters that a path may not have. */
function safeName(filename: string): string {
  const name = (filename.toWellFormed().split(/[\\/]/).at(-1) ?? '').replace(/[\p{Cc}"]/gu, '').trim();
  return clipBytes(name === '' || /^\.+$/.test(name) ? 'file' : name);
}

/** Keeps the end, which says the type. */
function clipBytes(name: string): string {
  let characters = [...name];
  while (Buffer.byteLength(characters.join('')) > MAX_NAME_BYTES) characters = characters.slice(1);
  return characters.join('');
}

const tooLongFor = (param: string, maxBytes: number): AppError =>
  new AppError('too_large', {
    param,
    message: `${param}: the file has more than ${maxBytes / MIB} MiB. Name its path in the text of the message instead.`,
    messageZh: `${param}：文件超过 ${maxBytes / MIB} MiB。请改为在消息文本中写明它的路径。`,
  });

const noFile = (param = '/file_id'): AppError =>
  new AppError('not_found', { param, message: 'There is no such file.', messageZh: '没有这个文件。' });

const tooManyFiles = (): AppError =>
  new AppError('quota_exceeded', {
    param: '/file',
    message: `There are ${MAX_FILES} files already. Delete some first.`,
    messageZh: `已有 ${MAX_FILES} 个文件。请先删除一些。`,
  });
