/** The sign-ins of each person, and which of them are unusual: from a network or a browser that the person had not used before. */
import type { IdSource } from '../../../port/clock';
import type { LoginRecord } from '../../../port/store/api_keys';
import type { StoreTransaction } from '../../../port/store/store';
import { type AuditRecorder, byActor } from '../../../service/audit/audit_log';
import { networkOf } from '../../../service/auth/address_counts';
import type { LoginListener, LoginNotice } from '../../../service/auth/login_notice';
import type { LoginClient, LoginService, StartedLogin } from '../../../service/auth/login_service';
import type { PersonRecord } from '../store/people_records';
import type { SignInRecord } from '../store/sign_in_records';
import { clientOf } from './client_name';
import type { DeviceCookies } from './device_cookies';
import { toldPerson } from './login_changes';
import { loginOf } from './person_callers';

/** The sign-ins that are kept of a person. */
const MAX_KEPT = 100;

export interface SignInDeps {
  ids: IdSource;
  auditLog: AuditRecorder;
  logins: Pick<LoginService, 'start'>;
  devices: Pick<DeviceCookies, 'create'>;
  listeners: readonly LoginListener[];
}

/** A person who has proven who it is. `way`: password, invitation, passkey, or provider:<id>. */
export interface ProvenPerson {
  person: PersonRecord;
  way: string;
}

export class SignInLog {
  constructor(private readonly deps: SignInDeps) {}

  /** Starts a login of the person and keeps it; an unusual one is told when it is stored. `also`: more writes in the transaction. */
  async start(
    proven: ProvenPerson,
    client: LoginClient,
    also?: (tx: StoreTransaction, login: LoginRecord) => Promise<void>,
  ): Promise<StartedLogin> {
    const { logins, listeners, devices } = this.deps;
    const { person, way } = proven;
    let unusual: LoginNotice | undefined;
    const started = await logins.start({ ...loginOf(person), way }, client, async (tx, login) => {
      unusual = await this.record(tx, proven, login);
      await also?.(tx, login);
    });
    if (unusual) for (const listener of listeners) listener.committed(unusual);
    return { ...started, device: devices.create(person) };
  }

  /** Resolves with the sign-in when it is unusual; then it has a row of its own in the audit log. */
  private async record(tx: StoreTransaction, { person, way }: ProvenPerson, login: LoginRecord): Promise<LoginNotice | undefined> {
    const { ids, auditLog, listeners } = this.deps;
    const { tenantId, id: personId, handle } = person;
    const { address = '', userAgent = '', createdAt: at } = login;
    const [network, client] = [rangeOf(address), clientOf(userAgent)];
    const before = await tx.signIns.listOfPerson(tenantId, personId);
    const isKnown = before.length === 0 || (before.some(each => each.network === network) && before.some(each => each.client === client));
    const kind: SignInRecord['kind'] = isKnown ? 'usual' : 'unusual';
    await tx.signIns.insert({ tenantId, id: ids.next('sig'), personId, at, way, address, network, client, kind });
    for (const { id } of before.slice(MAX_KEPT - 1)) await tx.signIns.delete(tenantId, id);
    if (isKnown) return undefined;
    const actor = byActor({ tenantId, keyName: handle });
    await auditLog.record({ ...actor, action: 'login.unusual', target: handle, details: { address, client, way } }, tx);
    const notice: LoginNotice = { ...toldPerson(person), kind: 'unusual_sign_in', at, way, from: { address, client } };
    for (const listener of listeners) await listener.add?.(tx, notice);
    return notice;
  }
}

/** Returns the range in which the address of one network changes: /24, and /64 for IPv6. */
const rangeOf = (address: string): string => toRange(networkOf(address));

/** Returns the range of addresses that one stranger can easily have: /24, and /48 for IPv6. */
export const siteOf = (address: string): string => toRange(networkOf(address, 48));

const toRange = (network: string): string => network.replace(/^(\d+\.\d+\.\d+)\.\d+$/, '$1.0/24');
