/** The sign-ins of each person, and which of them are unusual: from a network or a browser that the person had not used before. */
import type { IdSource } from '../../port/clock';
import type { LoginRecord } from '../../port/store/api_keys';
import type { StoreTransaction } from '../../port/store/store';
import { type AuditRecorder, byActor } from '../../service/audit/audit_log';
import { networkOf } from '../../service/auth/address_counts';
import type { PersonRecord } from './store/people_records';
import type { SignInRecord } from './store/sign_in_records';

/** The sign-ins that are kept of a person. */
const MAX_KEPT = 100;

export interface SignInDeps {
  ids: IdSource;
  auditLog: AuditRecorder;
}

/** Keeps a login, in the transaction that begins it; an unusual one gets a row of its own in the audit log. */
export async function recordSignIn(
  tx: StoreTransaction,
  { person, login, way }: { person: PersonRecord; login: LoginRecord; way: string },
  { ids, auditLog }: SignInDeps,
): Promise<void> {
  const { tenantId, id: personId, handle } = person;
  const { address = '', userAgent = '', createdAt: at } = login;
  const [network, client] = [rangeOf(address), clientOf(userAgent)];
  const before = await tx.signIns.listOfPerson(tenantId, personId);
  const isKnown = before.length === 0 || (before.some(each => each.network === network) && before.some(each => each.client === client));
  const signIn: SignInRecord = {
    tenantId,
    id: ids.next('sig'),
    personId,
    at,
    way,
    address,
    network,
    client,
    kind: isKnown ? 'usual' : 'unusual',
  };
  await tx.signIns.insert(signIn);
  for (const { id } of before.slice(MAX_KEPT - 1)) await tx.signIns.delete(tenantId, id);
  if (isKnown) return;
  const actor = byActor({ tenantId, keyName: handle });
  await auditLog.record({ ...actor, action: 'login.unusual', target: handle, details: { address, client, way } }, tx);
}

/** Returns the range in which the address of one network changes: /24, and /64 for IPv6. */
const rangeOf = (address: string): string => networkOf(address).replace(/^(\d+\.\d+\.\d+)\.\d+$/, '$1.0/24');

/** Such as "Firefox, Linux". Versions change too often to count. */
function clientOf(userAgent: string): string {
  const browser = /(Firefox|Edg|OPR|Chrome|Safari|curl|node)/.exec(userAgent)?.[1]?.replace('Edg', 'Edge') ?? 'other';
  const system = /Android|iPhone|iPad|Windows|Mac OS|Linux/.exec(userAgent)?.[0];
  return system === undefined ? browser : `${browser}, ${system}`;
}
