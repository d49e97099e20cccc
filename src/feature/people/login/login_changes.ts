/** Changes of the ways of people to log in, and misuse of them: each is a row of the audit log, and the person is told of it at once. */
import type { Clock } from '../../../port/clock';
import type { Actor } from '../../../port/principal';
import type { AuditAction, AuditDetails } from '../../../port/store/audit';
import type { Store, StoreTransaction } from '../../../port/store/store';
import { type AuditRecorder, byActor } from '../../../service/audit/audit_log';
import type { LoginListener, LoginNotice, LoginNoticeKind } from '../../../service/auth/login_notice';
import type { LoginClient } from '../../../service/auth/login_service';
import { emailOf } from '../person/new_person';
import type { PersonRecord } from '../store/people_records';
import { clientOf } from './client_name';

export interface LoginChange {
  kind: Exclude<LoginNoticeKind, 'unusual_sign_in'>;
  person: PersonRecord;
  /** The client in which the person made the change, or whoever else made it. */
  origin: LoginClient | { by: Actor };
  /** The name of the passkey or of the provider. */
  name?: string;
  /** Stored with the row of the audit log. */
  details?: AuditDetails;
}

/** Records a change in the transaction that makes it. */
export type RecordLoginChange = (change: LoginChange) => Promise<void>;

export interface LoginChangesDeps {
  store: Pick<Store, 'transaction'>;
  clock: Pick<Clock, 'now'>;
  auditLog: AuditRecorder;
  listeners: readonly LoginListener[];
}

const ACTIONS: Readonly<Record<LoginChange['kind'], AuditAction>> = {
  password_changed: 'person.password',
  authenticator_added: 'factor.add',
  authenticator_removed: 'factor.remove',
  code_reused: 'factor.reuse',
  passkey_added: 'factor.add',
  passkey_removed: 'factor.remove',
  provider_linked: 'person.link',
  provider_unlinked: 'person.unlink',
};

export class LoginChanges {
  constructor(private readonly deps: LoginChangesDeps) {}

  /** Executes a transaction of the tenant, and tells people what it has recorded once it is committed. Rejects as `work` does. */
  async transaction<T>(tenantId: string, work: (tx: StoreTransaction, record: RecordLoginChange) => Promise<T>): Promise<T> {
    let notices: LoginNotice[] = [];
    const result = await this.deps.store.transaction({ tenant: tenantId }, tx => {
      // A retried transaction records again.
      notices = [];
      return work(tx, async change => {
        notices.push(await this.record(tx, change));
      });
    });
    for (const notice of notices) for (const listener of this.deps.listeners) listener.committed(notice);
    return result;
  }

  private async record(tx: StoreTransaction, { kind, person, origin, name, details }: LoginChange): Promise<LoginNotice> {
    const { clock, auditLog, listeners } = this.deps;
    const { tenantId, handle } = person;
    const by = 'by' in origin ? byActor(origin.by) : undefined;
    const from = 'by' in origin ? undefined : { address: origin.address, client: clientOf(origin.userAgent ?? '') };
    const actor = by ?? byActor({ tenantId, keyName: handle });
    await auditLog.record({ ...actor, action: ACTIONS[kind], target: handle, details }, tx);
    const notice: LoginNotice = { ...toldPerson(person), kind, at: clock.now(), name, from, by: by?.actor };
    for (const listener of listeners) await listener.add?.(tx, notice);
    return notice;
  }
}

/** Returns the fields of a notice that say who is told. */
export const toldPerson = (person: PersonRecord) => ({
  tenantId: person.tenantId,
  person: person.handle,
  subject: person.subject,
  email: emailOf(person),
  locale: person.locale,
});
