/** What errors of SQLite mean for callers. */
import { AppError } from '../../errors';

/** Primary result codes (sqlite.org/rescode.html) that speak of the medium or of other users of it, not of the statement. */
const MEDIUM_CODES = new Set([
  3, // PERM
  5, // BUSY
  6, // LOCKED
  7, // NOMEM
  8, // READONLY
  10, // IOERR
  11, // CORRUPT
  13, // FULL
  14, // CANTOPEN
  15, // PROTOCOL
  26, // NOTADB
]);

/** The error for callers: its message says nothing of statements or paths, the original is its cause. */
export function toStoreError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  const isMedium = isClosedDatabase(thrown) || MEDIUM_CODES.has((resultCode(thrown) ?? 0) & 0xff);
  return new AppError(isMedium ? 'store_unavailable' : 'internal', { cause: thrown });
}

/** Errors of SQLite translated; what a work threw of its own passes as it is. */
export function toWorkError(thrown: unknown): unknown {
  return resultCode(thrown) !== undefined || isClosedDatabase(thrown) ? toStoreError(thrown) : thrown;
}

/** One short reason for the operator. */
export function describeSqliteError(thrown: unknown): string {
  const { code, errstr, message } = thrown as { code?: string; errstr?: string; message?: string };
  return errstr ?? FILE_ERRORS[code ?? ''] ?? message ?? String(thrown);
}

const FILE_ERRORS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EISDIR: 'it is a directory',
  ENOTDIR: 'a part of the path is not a directory',
  EEXIST: 'a part of the path is not a directory',
};

function resultCode(thrown: unknown): number | undefined {
  const { errcode } = (thrown ?? {}) as { errcode?: unknown };
  return typeof errcode === 'number' ? errcode : undefined;
}

/** node:sqlite's own error for a use after close. */
const isClosedDatabase = (thrown: unknown): boolean => (thrown as { code?: string } | undefined)?.code === 'ERR_INVALID_STATE';
