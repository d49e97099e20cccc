/** The files of a tenant's workspace, for people and programs: list, read, upload, delete. */

import { posix } from 'node:path';
import { AppError, invalidField } from '../../errors';
import type { Actor } from '../../port/principal';
import type { Page, PageRequest } from '../../port/store/page';
import type { StoreTransaction } from '../../port/store/store';
import { type FileStat, type OpenFile, type Workspace, WorkspaceError } from '../../port/workspace';
import type { Workspaces } from '../../port/workspaces';
import { isKeyFile } from '../../tools/files/key_files';
import { distinctName } from '../../utils/look_alike_names';
import { type AuditRecorder, byActor } from '../audit/audit_log';
import { asFileErrors } from '../workspace/file_errors';
import { type FileChangeLog, MAX_UNDO_BYTES } from './file_change_log';
import { assertConditions, type FileConditions } from './file_conditions';
import { TransferLimit } from './transfer_limit';

export interface FileRow {
  name: string;
  /** Relative to the workspace. */
  path: string;
  size: number;
  type: FileStat['kind'];
  /** Milliseconds since 1970. */
  modifiedAt: number;
}

/** A file that was stored. */
export interface ChangedFile {
  row: FileRow;
  version: string;
  /** The tool execution under which the change is logged and can be undone. */
  executionId: string;
}

/** A file of a tenant. `path`: absolute inside the workspace or relative to it. */
export interface FileKey {
  tenantId: string;
  path: string;
}

export interface FileServiceDeps {
  workspaces: Workspaces;
  changeLog: FileChangeLog;
  auditLog: AuditRecorder;
  /** Brings the files of a tenant up to date. */
  bring: (tenantId: string) => Promise<unknown>;
  /** Stores the files of a tenant for other gateways. Never rejects. It locks files itself, so it is called outside the lock of a file. */
  keep: (tenantId: string) => Promise<unknown>;
}

/** Largest upload in bytes. */
export const MAX_UPLOAD_BYTES = 25 * 1024 * 1024;
const MAX_PATH_BYTES = 4_096;
const MAX_NAME_BYTES = 255;
const CONTROL_CHARACTER = /\p{Cc}/u;
/** Paths that the gateway keeps in a workspace for itself. */
const INTERNAL = /^\.neta(\/|$)/i;

export class FileService {
  private readonly transfers = new TransferLimit();

  constructor(private readonly deps: FileServiceDeps) {}

  /** Lists a directory in name order. Rejects `not_found`, and `invalid_request` for a file. */
  async listFiles({ tenantId, path }: FileKey, { limit, cursor }: PageRequest): Promise<Page<FileRow>> {
    const workspace = await this.workspaceOf(tenantId);
    return asFileErrors(async () => {
      const directory = await resolveUsable(workspace, await existingPath(workspace, path));
      const { entries, isMore } = await workspace.listPage(directory, { after: readCursor(cursor), limit });
      const last = entries.at(-1);
      const rows = entries.map(entry => toRow(directory === '.' ? entry.name : `${directory}/${entry.name}`, entry));
      const data = rows.filter(row => !INTERNAL.test(row.path));
      if (!isMore || !last) return { data };
      const nextCursor = writeCursor(last.name);
      return data.length > 0 ? { data, nextCursor } : this.listFiles({ tenantId, path }, { limit, cursor: nextCursor });
    });
  }

  /**
   * Opens a file; the caller closes it. Rejects `not_found`, `forbidden` for a key file, `invalid_request` for anything but a file, `rate_limited`.
   */
  async openFile({ tenantId, path }: FileKey): Promise<OpenFile> {
    const workspace = await this.workspaceOf(tenantId);
    const end = this.transfers.begin(tenantId);
    let file: OpenFile | undefined;
    try {
      const opened = await asFileErrors(async () => workspace.openFile(await existingPath(workspace, path)));
      file = opened;
      // The path of the open file counts: no link can lead elsewhere afterwards.
      assertUsable(opened.path);
      const close = async () => {
        end();
        await opened.close();
      };
      return { ...opened, close };
    } catch (thrown) {
      end();
      await file?.close();
      throw thrown;
    }
  }

  /**
   * Stores all of `data` as the file, or nothing. Rejects `too_large` above 25 MiB, `precondition_failed`, `forbidden`, `invalid_request` for a
   * directory, `rate_limited`. The result's `executionId` is needed to undo the change.
   */
  async uploadFile(key: FileKey, data: AsyncIterable<Uint8Array>, conditions: FileConditions): Promise<ChangedFile & { created: boolean }> {
    const workspace = await this.workspaceOf(key.tenantId);
    const end = this.transfers.begin(key.tenantId);
    try {
      const changed = await asFileErrors(() => this.replaceFile(workspace, key, data, conditions));
      await this.deps.keep(key.tenantId);
      return changed;
    } finally {
      end();
    }
  }

  /** Deletes one file. Rejects `not_found`, `precondition_failed`, `forbidden`, and `invalid_request` for a directory. */
  async deleteFile(actor: Actor, { path: name }: Pick<FileKey, 'path'>, conditions: FileConditions): Promise<{ executionId: string }> {
    const { tenantId } = actor;
    const workspace = await this.workspaceOf(tenantId);
    const deleted = await asFileErrors(async () => {
      const path = await resolveUsable(workspace, name);
      return workspace.withFileLock(path, async () => {
        const file = await workspace.openFile(path);
        await file.close();
        assertConditions(conditions, file.version);
        const before = await previousBytes(workspace, path);
        const entry = { ...byActor(actor), action: 'file.delete' as const, target: path };
        const alsoWrite = (tx: Pick<StoreTransaction, 'audit'>) => this.deps.auditLog.record(entry, tx);
        const change = { tenantId, tool: 'file_delete' as const, path, before, alsoWrite };
        return { executionId: await this.deps.changeLog.recordChange(change, () => workspace.removeFile(path)) };
      });
    });
    await this.deps.keep(tenantId);
    return deleted;
  }

  private async replaceFile(
    workspace: Workspace,
    key: FileKey,
    data: AsyncIterable<Uint8Array>,
    conditions: FileConditions,
  ): Promise<ChangedFile & { created: boolean }> {
    const path = await resolveUsable(workspace, key.path);
    // Checked before the upload, too, so that a refusal comes early.
    assertConditions(conditions, await versionAt(workspace, path));
    const staged = await workspace.stageFile(data, { maxBytes: MAX_UPLOAD_BYTES });
    try {
      return await workspace.withFileLock(path, async () => {
        assertConditions(conditions, await versionAt(workspace, path));
        const before = await previousBytes(workspace, path);
        const { size, hash: afterHash } = staged;
        const change = { tenantId: key.tenantId, tool: 'file_write' as const, path, before, after: { size, hash: afterHash } };
        let created = false;
        const executionId = await this.deps.changeLog.recordChange(change, async () => {
          ({ created } = await staged.replace(path));
        });
        return { ...(await describe(workspace, path)), executionId, created };
      });
    } finally {
      await staged.discard();
    }
  }

  private async workspaceOf(tenantId: string): Promise<Workspace> {
    await asFileErrors(() => this.deps.bring(tenantId));
    return this.deps.workspaces.workspaceOf(tenantId).workspace;
  }
}

/** Resolves the symlinks of a path; rejects a path that a caller may not use. */
async function resolveUsable(workspace: Workspace, path: string): Promise<string> {
  const real = await workspace.resolvePath(checkedPath(path));
  assertUsable(real);
  return real;
}

/** Throws `not_found` for files that the gateway keeps for itself, and `forbidden` for files that usually hold keys. `path`: without symlinks. */
function assertUsable(path: string): void {
  if (INTERNAL.test(path))
    throw new AppError('not_found', { param: '/path', message: 'There is no such file.', messageZh: '没有这个文件。' });
  if (isKeyFile(path)) {
    throw new AppError('forbidden', {
      param: '/path',
      message: 'Files that usually hold keys or passwords are neither sent nor changed here.',
      messageZh: '通常存放密钥或密码的文件在这里既不发送也不改动。',
    });
  }
}

/**
 * Resolves with the asked path when it exists, and otherwise with the only existing path that looks the same. When several paths look the same,
 * rejects `not_found` and names them.
 */
async function existingPath(workspace: Workspace, asked: string): Promise<string> {
  const path = checkedPath(asked);
  const isThere = await workspace.stat(path).then(
    () => true,
    (thrown: unknown) => !(thrown instanceof WorkspaceError && thrown.code === 'not_found'),
  );
  if (isThere) return path;
  const [found, ...others] = await workspace.lookAlikes(path);
  if (others.length === 0) return found ?? path;
  const names = [found, ...others].map(name => distinctName(name ?? ''));
  const shown = distinctName(path);
  throw new WorkspaceError(
    'not_found',
    `${shown} does not exist. These look the same: ${names.join(', ')}.`,
    `${shown} 不存在。看起来相同的有：${names.join('、')}。`,
  );
}

function checkedPath(path: string): string {
  const isTooLong = Buffer.byteLength(path) > MAX_PATH_BYTES || path.split('/').some(name => Buffer.byteLength(name) > MAX_NAME_BYTES);
  if (isTooLong)
    throw badPath(
      `must have at most ${MAX_PATH_BYTES} bytes, and each name at most ${MAX_NAME_BYTES}`,
      `最多 ${MAX_PATH_BYTES} 字节，每个名称最多 ${MAX_NAME_BYTES} 字节`,
    );
  if (CONTROL_CHARACTER.test(path)) throw badPath('must have no control characters', '不得含有控制字符');
  return path === '' ? '.' : path;
}

const badPath = (rule: string, ruleZh: string): AppError => invalidField('/path', `${rule}.`, `${ruleZh}。`);

const toRow = (path: string, { size, kind, modifiedAt }: FileStat): FileRow => ({
  name: posix.basename(path),
  path,
  size,
  type: kind,
  modifiedAt,
});

async function describe(workspace: Workspace, path: string): Promise<{ row: FileRow; version: string }> {
  const file = await workspace.openFile(path);
  await file.close();
  return { row: toRow(path, { ...file, kind: 'file' }), version: file.version };
}

/** Reads the version of a file. Resolves undefined when there is no such file. Rejects with `not_a_file`. */
async function versionAt(workspace: Workspace, path: string): Promise<string | undefined> {
  try {
    return (await describe(workspace, path)).version;
  } catch (thrown) {
    if (thrown instanceof WorkspaceError && thrown.code === 'not_found') return undefined;
    throw thrown;
  }
}

/** Reads the content for undo. `unknown`: the file is too large to keep. */
async function previousBytes(workspace: Workspace, path: string): Promise<Uint8Array | 'absent' | 'unknown'> {
  try {
    return await workspace.readFile(path, { maxBytes: MAX_UNDO_BYTES });
  } catch (thrown) {
    if (thrown instanceof WorkspaceError && thrown.code === 'not_found') return 'absent';
    if (thrown instanceof WorkspaceError && thrown.code === 'too_large') return 'unknown';
    throw thrown;
  }
}

const writeCursor = (name: string): string => Buffer.from(name).toString('base64url');

function readCursor(cursor = ''): string {
  const name = Buffer.from(cursor, 'base64url').toString();
  if (writeCursor(name) === cursor && !name.includes('/')) return name;
  throw invalidField('/cursor', 'must be the nextCursor of a page.', '必须是某一页的 nextCursor。');
}
