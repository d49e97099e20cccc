/**
 * The audit log: who did what. Services record an act in the transaction that makes it, so that both are stored or neither is. An act on files has no
 * transaction: its row is stored before the act, so that no act is without a row. The sealer adds the rows to the chain of hashes afterwards; readers
 * see sealed rows only, so they seal first.
 */
import type { Clock, IdSource } from '../../port/clock';
import type { Failpoints } from '../../port/failpoints';
import type { LogError } from '../../port/logger';
import { type Actor, DEFAULT_TENANT, LOCAL_KEY_NAME } from '../../port/principal';
import type { Redactor } from '../../port/redactor';
import type { AuditDetails, AuditFilter, AuditRecord, NewAuditRecord } from '../../port/store/audit';
import type { Page, PageRequest } from '../../port/store/page';
import type { Store, StoreTransaction } from '../../port/store/store';
import { clipStart } from '../../utils/clip_text';
import { definedFields } from '../../utils/defined_fields';
import { AuditSealer } from './audit_sealer';
import { type AuditCheck, checkAuditChain } from './check_audit_chain';
import { FailedLogins } from './failed_logins';

export interface AuditEntry extends Omit<NewAuditRecord, 'id' | 'at' | 'details'> {
  details?: AuditDetails;
  /** The API key for which an agent or a job acts; kept in the details. */
  key?: string | undefined;
}

/** Records the acts of a service. */
export type AuditRecorder = Pick<AuditLog, 'record'>;

export interface AuditLogDeps {
  store: Store;
  clock: Clock;
  ids: IdSource;
  failpoints: Failpoints;
  redactor: Pick<Redactor, 'redact'>;
  onError: LogError;
}

/** Most characters of a target, such as a path. */
const MAX_TARGET = 512;

export class AuditLog {
  private readonly failedLogins: FailedLogins;
  private readonly sealer: AuditSealer;

  constructor(private readonly deps: AuditLogDeps) {
    this.failedLogins = new FailedLogins(deps.clock);
    this.sealer = new AuditSealer(deps);
  }

  /** Seals what an earlier process left. Returns at once. */
  start(): void {
    this.sealer.schedule();
  }

  /** Seals the last rows. Never rejects. */
  stop(): Promise<void> {
    return this.sealer.stop();
  }

  /** Seals all rows that wait, those of other gateways too. Rejects `store_unavailable`. */
  seal(): Promise<void> {
    return this.sealer.seal();
  }

  /** Records an act in the transaction `tx`; without one, in a transaction of its own, and resolves once it is stored. */
  async record({ key, target, details, ...entry }: AuditEntry, tx?: Pick<StoreTransaction, 'audit'>): Promise<void> {
    const { store, clock, ids, failpoints, redactor } = this.deps;
    const redact = (text: string) => redactor.redact(text);
    const textOf = (name: string) => {
      const text = details?.[name];
      return typeof text === 'string' ? redact(text).toWellFormed().replaceAll('\0', '\ufffd') : undefined;
    };
    const row: NewAuditRecord = {
      ...entry,
      id: ids.next('aud'),
      at: clock.now(),
      // The hash covers the stored text, and a store holds neither U+0000 nor half a character.
      target: clipStart(redact(target).toWellFormed().replaceAll('\0', '\ufffd'), MAX_TARGET),
      details: {
        ...details,
        // An operator may paste a key into the reason, and a command may hold one.
        ...definedFields({ reason: textOf('reason'), command: textOf('command'), key }),
      },
    };
    const append = async (within: Pick<StoreTransaction, 'audit'>) => {
      await within.audit.append(row);
      await failpoints.reach('audit_row');
    };
    if (tx) await append(tx);
    else await store.transaction('none', append);
    this.sealer.schedule();
  }

  /** Records a wrong key, in the background, a few rows a minute at most: strangers must not fill the log. */
  recordFailedLogin(address: string): void {
    const missed = this.failedLogins.take(address);
    if (missed === undefined) return;
    const entry = { ...byGateway(`address:${address}`), action: 'login.fail' as const, target: address };
    this.record({ ...entry, details: missed > 0 ? { missed } : undefined }).catch(thrown =>
      this.deps.onError('a failed login cannot be written to the audit log', thrown),
    );
  }

  /** Lists the newest first. Each row is sealed. */
  async listRecords(filter: AuditFilter, page: PageRequest): Promise<Page<AuditRecord>> {
    await this.sealer.sealForReader();
    return this.deps.store.lists.audit.list(filter, page);
  }

  /**
   * Seals what waits, then reads the whole chain in slices between which others run. Resolves with the first broken row, if any. Rejects
   * `store_unavailable`.
   */
  async verify(): Promise<AuditCheck> {
    await this.sealer.sealForReader();
    return checkAuditChain(this.deps.store.lists);
  }
}

/** Names the actor as the log does: the API key, or the agent or job that acts for it. */
export function byActor({ tenantId, keyName, through }: Actor): Pick<AuditEntry, 'tenantId' | 'actor' | 'key'> {
  const name = keyName ?? LOCAL_KEY_NAME;
  return through === undefined ? { tenantId, actor: name } : { tenantId, actor: through, key: name };
}

/**
 * An act of the gateway itself, or of a stranger: `gateway:config`, `address:203.0.113.7`. A name with a colon is never that of a key. Such rows
 * belong to the default tenant, the one of the operator.
 */
export const byGateway = (actor: `gateway:${string}` | `address:${string}`): Pick<AuditEntry, 'tenantId' | 'actor'> => ({
  tenantId: DEFAULT_TENANT,
  actor,
});
