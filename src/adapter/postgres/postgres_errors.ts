/** Converts errors of Postgres into AppErrors. */
import { DatabaseError } from 'pg';
import { AppError } from '../../errors';
import { SessionBusyError } from '../../port/store/store_errors';

/** Classes of SQLSTATE (Appendix A of the manual) about the server, its disk or its other users, not about the statement. */
const MEDIUM_CLASSES = new Set(['08', '28', '3D', '40', '53', '55', '57', '58', 'F0', 'XX']);
/** The database takes no writes now: it is a standby, or somebody made it read-only. */
const READ_ONLY = '25006';
/** The server ended a transaction that waited too long for its gateway. */
const IDLE_ENDED = '25P03';
/** The server ended a statement after its time limit. */
const TOOK_TOO_LONG = '57014';
/** A read conflicts with the recovery of a replica. */
const CONFLICT = '40001';
/** Unique keys of the runs of a session. */
const KEYS_IN_SESSION = new Set<string | undefined>(['runs_one_active', 'runs_by_ordinal']);
/** Errors after which the server may still have committed. */
const CUT_CLASSES = new Set(['08', '57']);

/** Creates the error for callers. Its message names no statement and no address; the original is its cause. */
export function toStoreError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  if (thrown instanceof DatabaseError && KEYS_IN_SESSION.has(thrown.constraint)) return new SessionBusyError(thrown);
  return new AppError(isMedium(thrown) ? 'store_unavailable' : 'internal', { cause: thrown });
}

/** True when the connection broke, so it is unknown whether the server executed the last statement. */
export function isConnectionLost(thrown: unknown): boolean {
  const code = sqlState(thrown);
  return code === undefined || code === IDLE_ENDED || CUT_CLASSES.has(code.slice(0, 2));
}

/** True when the server takes no writes now. */
export const isReadOnly = (thrown: unknown): boolean => sqlState(thrown) === READ_ONLY;

/**
 * Tells why a read of a replica failed. `server`: the replica is away or ends. `conflict`: the replica had to remove rows that the read needed; the primary
 * has them. `statement`: the statement would fail at the primary, too, such as one that takes too long.
 */
export function replicaFault(thrown: unknown): 'server' | 'conflict' | 'statement' {
  const code = sqlState(thrown);
  if (code === CONFLICT) return 'conflict';
  return code !== TOOK_TOO_LONG && isMedium(thrown) ? 'server' : 'statement';
}

/** Describes the error for the operator, in a few words. */
export function describePostgresError(thrown: unknown): string {
  const { code, message } = thrown as { code?: string; message?: string };
  if (TAKEN_NAMES.has(code ?? '')) return `it belongs to another program (${message}), and the gateway needs one of its own`;
  if (message?.startsWith('SASL') && message.includes('password must be')) return 'the server wants a password, and the address has none';
  return CONNECTION_ERRORS[code ?? ''] ?? message ?? String(thrown);
}

/** A migration finds a table, function or constraint of this name. */
const TAKEN_NAMES = new Set(['42P07', '42710', '42723']);

const CONNECTION_ERRORS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens at this address',
  ENOTFOUND: 'the name of the host is not known',
  EAI_AGAIN: 'the name of the host is not known',
  ETIMEDOUT: 'the host does not answer',
  EHOSTUNREACH: 'the host cannot be reached',
  ECONNRESET: 'the server closed the connection',
};

/** An error that is not an answer of the server comes from the connection. */
function isMedium(thrown: unknown): boolean {
  const code = sqlState(thrown);
  return code === undefined || isReadOnly(thrown) || code === IDLE_ENDED || MEDIUM_CLASSES.has(code.slice(0, 2));
}

const sqlState = (thrown: unknown): string | undefined => (thrown instanceof DatabaseError ? thrown.code : undefined);
