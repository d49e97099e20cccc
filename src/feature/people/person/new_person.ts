/** Makes the account of a person, with a handle that nobody had before. */
import { randomBytes } from 'node:crypto';
import { AppError, invalidField } from '../../../errors';
import type { Clock, IdSource } from '../../../port/clock';
import type { StoreTransaction } from '../../../port/store/store';
import { type AuditRecorder, byActor } from '../../../service/audit/audit_log';
import type { PersonRecord } from '../store/people_records';
import { handleFor } from './person_handle';

const MAX_PEOPLE = 1_000;

export type NewPerson = Pick<PersonRecord, 'tenantId' | 'name' | 'role' | 'locale' | 'passwordHash' | 'madeBy'> & {
  /** Absent: the person has no address that is proven. */
  email?: string | undefined;
};

export interface NewPersonDeps {
  ids: IdSource;
  clock: Clock;
  auditLog: AuditRecorder;
}

/** `details`: for the audit log. Rejects `invalid_request` for an address that has an account, and `quota_exceeded`. */
export async function insertPerson(
  tx: StoreTransaction,
  { email, ...given }: NewPerson,
  details: Record<string, string>,
  { ids, clock, auditLog }: NewPersonDeps,
): Promise<PersonRecord> {
  const { tenantId, name, role } = given;
  if (email !== undefined && (await tx.people.findByEmail(email))) throw emailIsTaken();
  const handles = new Set(await tx.people.listHandles(tenantId));
  if ((await tx.people.list(tenantId)).length >= MAX_PEOPLE) throw new AppError('quota_exceeded');
  const now = clock.now();
  const id = ids.next('per');
  const handle = handleFor(name, email ?? '', handles);
  const subject = randomBytes(32).toString('hex');
  const person: PersonRecord = {
    ...given,
    id,
    handle,
    email: email ?? `${NO_EMAIL}${id}`,
    state: 'active',
    subject,
    createdAt: now,
    updatedAt: now,
  };
  await tx.people.insert(person);
  const actor = byActor({ tenantId, keyName: handle });
  await auditLog.record({ ...actor, action: 'person.create', target: handle, details: { role, ...details } }, tx);
  return person;
}

/** Stands in the place of an address, because addresses are unique. No address has a colon. */
const NO_EMAIL = 'none:';

/** Returns the address of a person; undefined without one. */
export const emailOf = ({ email }: Pick<PersonRecord, 'email'>): string | undefined => (email.includes(':') ? undefined : email);

/** Returns the address as it is stored and compared. */
export const emailKey = (email: string): string => email.trim().normalize('NFC').toLowerCase();

/** Returns true for what looks like an address. */
export const isEmail = (address: string): boolean => address.length <= 254 && /^[^\s@:]+@[^\s@:]+$/.test(address);

export const emailIsTaken = (): AppError => invalidField('/email', 'belongs to another account.', '已属于另一个账户。');
