/** Converts errors of SQLite into AppErrors. */
import { AppError } from '../../errors';
import { SessionBusyError } from '../../port/store/store_errors';

const BUSY = 5;
/** A unique key refuses a row. */
const CONSTRAINT_UNIQUE = 2067;
/** SQLite names the columns of the index that refuses a row: here `runs_one_active` and `runs_by_ordinal`. */
const KEYS_IN_SESSION = /^UNIQUE constraint failed: runs\.tenant_id, runs\.session_id(, runs\.ordinal)?$/;

/** Primary result codes (sqlite.org/rescode.html) about the medium or its other users, not about the statement. */
const MEDIUM_CODES = new Set([
  3, // PERM
  BUSY,
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

/** Creates the error for callers. Its message names no statement and no path; the original is its cause. */
export function toStoreError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  if (isSessionBusy(thrown)) return new SessionBusyError(thrown);
  const isMedium = isClosedDatabase(thrown) || MEDIUM_CODES.has(primaryCode(thrown));
  return new AppError(isMedium ? 'store_unavailable' : 'internal', { cause: thrown });
}

/** Says whether a unique key of the runs of a session refused a row. */
function isSessionBusy(thrown: unknown): boolean {
  return resultCode(thrown) === CONSTRAINT_UNIQUE && KEYS_IN_SESSION.test((thrown as { message: string }).message);
}

/** Says whether another connection held the lock that a statement needs. */
export const isBusy = (thrown: unknown): boolean => primaryCode(thrown) === BUSY;

/** Converts errors of SQLite; returns an error that the work itself threw unchanged. */
export function toWorkError(thrown: unknown): unknown {
  return resultCode(thrown) !== undefined || isClosedDatabase(thrown) ? toStoreError(thrown) : thrown;
}

/** Describes the error for the operator, in a few words. */
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

const primaryCode = (thrown: unknown): number => (resultCode(thrown) ?? 0) & 0xff;

function resultCode(thrown: unknown): number | undefined {
  const { errcode } = (thrown ?? {}) as { errcode?: unknown };
  return typeof errcode === 'number' ? errcode : undefined;
}

/** Returns true for the error of node:sqlite when a closed database is used. */
const isClosedDatabase = (thrown: unknown): boolean => (thrown as { code?: string } | undefined)?.code === 'ERR_INVALID_STATE';
