/**
 * The audit log: who did what. The transaction of an act stores a row without a hash, which no other transaction waits for. One sealer adds such
 * rows to a chain afterwards, in one order for the whole database: each sealed row holds the hash of the row before, so changing or removing a sealed
 * row later is noticed. A row holds ids, names and numbers, the reason that an operator gives, and the
 * command and the directory of the call that a person allowed or denied; no other text and no secret.
 */
import type { Page, PageRequest } from './page';

/** The thing that was acted on, and the verb. */
export type AuditAction =
  | 'question.answer'
  | 'approval.allow'
  | 'approval.deny'
  | 'run.cancel'
  | 'tool_call.cancel'
  | 'key.create'
  | 'key.revoke'
  | 'person.invite'
  | 'person.create'
  | 'person.update'
  | 'person.remove'
  | 'person.export'
  | 'person.erase'
  | 'person.password'
  | 'person.link'
  | 'person.unlink'
  | 'factor.add'
  | 'factor.remove'
  | 'factor.reuse'
  | 'login.create'
  | 'login.fail'
  | 'login.unusual'
  | 'login.end'
  | 'skill.write'
  | 'skill.patch'
  | 'skill.delete'
  | 'skill.enable'
  | 'skill.disable'
  | 'job.create'
  | 'job.update'
  | 'job.delete'
  | 'job.run'
  | 'webhook.create'
  | 'webhook.delete'
  | 'webhook.replay'
  | 'hook.create'
  | 'hook.update'
  | 'hook.delete'
  | 'hook.run'
  | 'mcp.login'
  | 'mcp.logout'
  | 'push.subscribe'
  | 'push.unsubscribe'
  | 'session.read'
  | 'session.delete'
  | 'session.access'
  | 'access.change'
  | 'session.export'
  | 'share.create'
  | 'share.revoke'
  | 'suite.add'
  | 'suite.remove'
  | 'suite.delete'
  | 'suite.run'
  | 'response.delete'
  | 'message.delete'
  | 'memory.delete'
  | 'memory.export'
  | 'file.delete'
  | 'data.export'
  | 'config.reload'
  | 'config.refuse'
  | 'config.write'
  | 'rule.accept'
  | 'rule.dismiss'
  | 'rule.undo'
  | 'limit.raise'
  | 'socket.disconnect'
  | 'tool.enable'
  | 'tool.disable'
  | 'runs.accept'
  | 'runs.refuse'
  | 'audit.prune';

/** A field that is undefined is left out. */
export type AuditDetails = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

/** A row that waits to be sealed: it has no place in the chain yet. */
export interface NewAuditRecord {
  tenantId: string;
  id: string;
  at: number;
  /** The name of an API key, `local` without keys, or a name with a colon that service/audit/audit_log.ts explains. */
  actor: string;
  action: AuditAction;
  /** Id or name of the thing. */
  target: string;
  details: AuditDetails;
}

export interface AuditRecord extends NewAuditRecord {
  /** `hash` of the row before, of whichever tenant; 64 zeros for the first row of all. */
  prevHash: string;
  /** See port/store/audit_hash.ts. */
  hash: string;
}

/** A row with its place: `position` grows along the chain. */
export type PlacedAuditRecord = AuditRecord & { position: number };

export interface AuditFilter {
  /** Absent: all tenants. */
  tenantId?: string;
  actor?: string;
  action?: string;
  /** Any of these actions. */
  actions?: readonly AuditAction[];
  target?: string;
  /** Words, each of which stands in the actor, the action, the target or the details; not only blanks. */
  words?: string;
  /** Milliseconds since 1970, included. */
  from?: number;
  /** Milliseconds since 1970, excluded. */
  to?: number;
}

/** The beginning and the end of the chain, kept apart from the rows. */
export interface AuditEnds {
  /** Position and hash of the last row that retention removed; 0 and 64 zeros before the first removal. */
  prunedThrough: number;
  prunedHash: string;
  /** Hash of the newest sealed row; undefined before the first. */
  head: string | undefined;
}

export interface AuditReader {
  /**
   * Lists the newest sealed rows first. Compares at most 100,000 rows with an actor, actions, a target or words, so such a page may have fewer rows than
   * `limit`, or none, and still a cursor.
   */
  list(filter: AuditFilter, page: PageRequest): Promise<Page<AuditRecord>>;
  /** All tenants: reads the next rows of the chain behind `position`. */
  readChain(position: number, limit: number): Promise<PlacedAuditRecord[]>;
  ends(): Promise<AuditEnds>;
  /** All tenants: counts the rows that wait to be sealed. */
  countUnsealed(): Promise<number>;
}

export interface AuditWriter {
  /** Stores a row that waits to be sealed. */
  append(record: NewAuditRecord): Promise<void>;
  /**
   * All tenants: adds rows that wait to the end of the chain, at most `limit`, in the order in which they were stored. Resolves with their number. A
   * row that is committed later is sealed later. Needs the lock of the leader "audit"; a second sealer at the same time is refused by a key.
   */
  seal(limit: number): Promise<number>;
  /** All tenants: deletes the oldest sealed rows from before the time, at most `limit`. Resolves with their number. */
  prune(before: number, limit: number): Promise<number>;
}
