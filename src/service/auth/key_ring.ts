/**
 * The API keys and logins of all tenants in memory, so that a request costs no statement. Reads the store again every 1.5 seconds, so that a
 * change which another gateway makes on the same store counts here within 2 seconds.
 */

import { timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../port/clock';
import type { NodeBus } from '../../port/node_bus';
import { type CallingPerson, commonScopes, isOperator, LOCAL_PRINCIPAL, type Principal } from '../../port/principal';
import type { LoginRecord } from '../../port/store/api_keys';
import type { Store } from '../../port/store/store';
import { contentHash } from '../../utils/content_hash';
import { SharedReading } from '../../utils/shared_reading';
import type { CallerSource } from './caller_source';
import { GuestRing } from './guest_ring';
import { type ConfiguredKey, type KeyEntry, type KnownKey, toEntry, toKnownKey } from './known_key';
import { Memberships } from './memberships';

/** The credential that a caller shows: the secret of a key, or `token`, the value of the login cookie. */
export type Credential = { secret: string } | { token: string };

/** A known caller, and the key or login that identifies it. Without `keyHash` it is a caller without a key. */
export interface Identity {
  principal: Principal;
  keyHash?: string;
  tokenHash?: string;
}

/** Returns true for a login of the person; false for keys, also for a key of a person, and for a cookie that a key was exchanged for. */
export const isLoginOfPerson = ({ principal: { keyId, person }, tokenHash }: Identity): boolean =>
  tokenHash !== undefined && person !== undefined && keyId === person.id;

export interface KeyRingDeps {
  store: Store;
  clock: Clock;
  configured: readonly ConfiguredKey[];
  /** False where a request without a key may come from another machine. */
  isLoopback: boolean;
  callerSources: readonly CallerSource[];
  nodeBus: Pick<NodeBus, 'publish' | 'subscribe' | 'onLoss'>;
}

const REFRESH_MS = 1_500;
/** Longest delay of a timer of Node. */
const MAX_DELAY_MS = 2 ** 31 - 1;

const LOCAL: Identity = { principal: LOCAL_PRINCIPAL };

export class KeyRing {
  readonly memberships = new Memberships();
  private readonly configured: readonly KeyEntry[];
  private stored: readonly KeyEntry[] = [];
  private people = new Map<string, Principal>();
  private readonly guests = new GuestRing();
  /** Tenant and handle -> person. */
  private handles = new Map<string, Principal>();
  private logins = new Map<string, LoginRecord>();
  private stopTimer = () => {};
  private readonly reading = new SharedReading(() => this.readAll());
  private readonly listeners = new Set<() => void>();

  constructor(private readonly deps: KeyRingDeps) {
    this.configured = deps.configured.map(key => toEntry(toKnownKey(key)));
  }

  /** Reads the store, and again and again until `stop`. Rejects when the first reading fails. */
  async start(): Promise<void> {
    await this.reading.read();
    const { nodeBus } = this.deps;
    nodeBus.subscribe('keys', () => void this.refresh());
    nodeBus.onLoss(() => void this.refresh());
    this.schedule();
  }

  /** Stops the scheduled readings of the store. */
  stop(): void {
    this.stopTimer();
    this.stopTimer = () => {};
  }

  /** Calls `listener` whenever identities may have ended: a key or login was deleted or expired, or the first key was made. */
  onChange(listener: () => void): void {
    this.listeners.add(listener);
  }

  /** True while every caller needs a key or a login. An expired key still locks: time alone must not open the gateway. */
  get isLocked(): boolean {
    return !this.deps.isLoopback || this.configured.length > 0 || this.stored.length > 0 || this.people.size > 0;
  }

  /** True when a person can log in. */
  get hasPeople(): boolean {
    return this.people.size > 0;
  }

  /** Returns the person with this handle, who can log in now. */
  findPerson(tenantId: string, handle: string): CallingPerson | undefined {
    return this.handles.get(`${tenantId}/${handle}`)?.person;
  }

  /** True while there is a link with which guests write. */
  get hasGuests(): boolean {
    return !this.guests.isEmpty;
  }

  /** Returns the session in which a guest writes; undefined when the link has ended. */
  findGuestSession(tenantId: string, name: string): string | undefined {
    return this.guests.findSession(tenantId, name);
  }

  /** True when a person of the tenant, who can log in now, is in the group. */
  hasGroup(tenantId: string, group: string): boolean {
    return [...this.people.values()].some(({ tenantId: of, person }) => of === tenantId && person?.groups?.includes(group));
  }

  /** Returns the handle of a person who can log in now. `name`: the handle or the id. */
  findHandle(tenantId: string, name: string): string | undefined {
    if (this.findPerson(tenantId, name)) return name;
    return [...this.people.values()].find(({ tenantId: of, keyId }) => of === tenantId && keyId === name)?.keyName;
  }

  /** Returns what logins and devices of a key or a person are stored with. `id`: that of the key or the person. Undefined when it is gone. */
  subjectOf(id: string): string | undefined {
    const person = [...this.people].find(([, { keyId }]) => keyId === id);
    return person?.[0] ?? this.listKeys().find(key => key.id === id)?.secretHash;
  }

  /** Keys of NETA_API_KEYS first, then the others, oldest first. */
  listKeys(): readonly KnownKey[] {
    return this.entries.map(({ key }) => key);
  }

  /** Returns true when somebody in the tenant may decide approvals: a person, a key that is valid now, or everybody on a gateway without either. */
  hasApprover(tenantId: string): boolean {
    return this.callersOf(tenantId).some(({ scopes }) => scopes.has('approve'));
  }

  /** Returns the callers of a tenant that are valid now, people and keys; on a gateway without either, the caller without a key. */
  callersOf(tenantId: string): Principal[] {
    if (!this.isLocked) return [{ ...LOCAL_PRINCIPAL, tenantId }];
    const now = this.deps.clock.now();
    const keys = this.entries.flatMap(({ principal }) => this.asOwner(principal) ?? []);
    const callers = [...this.people.values(), ...keys];
    return callers.filter(caller => caller.tenantId === tenantId && (caller.expiresAt ?? Infinity) > now);
  }

  /** The caller of a gateway without keys. Undefined while every caller needs a key. */
  get local(): Identity | undefined {
    return this.isLocked ? undefined : LOCAL;
  }

  /** Returns the caller of a stored right: the key with this hash, or without a hash the caller without a key. Undefined when it has ended. */
  principalOf(keyHash: string | undefined): Principal | undefined {
    return keyHash === undefined ? this.local?.principal : this.findPrincipal(keyHash);
  }

  /** Finds the caller of a credential. Reads the store once more for an unknown credential, because another gateway may have made it just now. */
  async identify(credential: Credential): Promise<Identity | undefined> {
    const known = this.find(credential);
    if (known) return known;
    await this.refresh();
    return this.find(credential);
  }

  /** As `identify`, from memory alone. */
  findLoggedIn(token: string): Identity | undefined {
    return this.find({ token });
  }

  /** Returns the logins of a caller, newest first. */
  loginsOf(keyHash: string): LoginRecord[] {
    const now = this.deps.clock.now();
    const ofCaller = [...this.logins.values()].filter(login => login.keyHash === keyHash && login.expiresAt > now);
    return ofCaller.sort((a, b) => b.createdAt - a.createdAt);
  }

  /** Returns true while the identity is still good: its key or login has not ended, and it may do what it might before, no less and no more. */
  isValid({ principal, keyHash, tokenHash }: Identity): boolean {
    if (keyHash === undefined) return !this.isLocked;
    const present = this.findPrincipal(keyHash);
    return present !== undefined && mayTheSame(present, principal) && (tokenHash === undefined || this.findLogin(tokenHash) !== undefined);
  }

  /** Reads the keys from the store. When that fails, the keys of the last reading stay in use. */
  async refresh(): Promise<void> {
    try {
      await this.reading.read();
    } catch {
      // The next reading comes soon, and readiness tells the operator.
    }
  }

  /** Reads what this gateway has just changed, and tells the other nodes. */
  async applyChange(): Promise<void> {
    this.deps.nodeBus.publish('keys', {});
    await this.refresh();
  }

  private async readAll(): Promise<void> {
    const { read } = this.deps.store;
    this.stored = (await read.apiKeys.list()).map(toEntry);
    const callers = (await Promise.all(this.deps.callerSources.map(source => source.readCallers()))).flat();
    const people = callers.filter(({ principal }) => principal.guestOf === undefined);
    this.people = new Map(people.map(({ subject, principal }) => [subject, principal]));
    this.guests.replaceAll(callers.filter(({ principal }) => principal.guestOf !== undefined));
    this.handles = new Map(people.map(({ principal }) => [`${principal.tenantId}/${principal.keyName}`, principal]));
    const logins = this.isLocked ? await read.apiKeys.listLogins(this.deps.clock.now()) : [];
    this.logins = new Map(logins.map(login => [login.tokenHash, login]));
    for (const listener of this.listeners) listener();
    this.memberships.note(this.handles);
  }

  /**
   * Schedules the next reading of the store. When a key or a login expires before, reads at that time, because the connections of the key or login
   * end then.
   */
  private schedule(): void {
    const { clock } = this.deps;
    const now = clock.now();
    const ends = [...this.listKeys(), ...this.logins.values(), ...this.guests.list()].map(({ expiresAt = Infinity }) => expiresAt);
    const delay = Math.min(REFRESH_MS, ...ends.filter(end => end > now).map(end => end - now));
    this.stopTimer = clock.after(Math.min(delay, MAX_DELAY_MS), () => void this.refresh().finally(() => this.schedule()));
  }

  private find(credential: Credential): Identity | undefined {
    if ('secret' in credential) return this.toIdentity(contentHash(credential.secret));
    const login = this.findLogin(contentHash(credential.token));
    return login && this.toIdentity(login.keyHash, login);
  }

  private toIdentity(keyHash: string, login?: LoginRecord): Identity | undefined {
    const principal = this.findPrincipal(keyHash);
    if (!principal || !login) return principal && { principal, keyHash };
    const expiresAt = Math.min(login.expiresAt, principal.expiresAt ?? Infinity);
    return { principal: { ...principal, expiresAt }, keyHash, tokenHash: login.tokenHash };
  }

  /** Compares the hash of every key as a whole, so that the time does not tell how much of a hash was right. */
  private findPrincipal(keyHash: string): Principal | undefined {
    const person = this.people.get(keyHash);
    if (person) return person;
    const wanted = Buffer.from(keyHash, 'hex');
    const found = this.guests.find(keyHash) ?? this.entries.filter(({ hash }) => timingSafeEqual(hash, wanted))[0]?.principal;
    return found && (found.expiresAt ?? Infinity) > this.deps.clock.now() ? this.asOwner(found) : undefined;
  }

  /** The key of a person is the person, with the scopes that both have, and ends with the person. */
  private asOwner(principal: Principal): Principal | undefined {
    const { tenantId, owner, scopes } = principal;
    if (owner === undefined) return principal;
    const person = this.handles.get(`${tenantId}/${owner}`);
    return (
      person && {
        ...principal,
        keyName: owner,
        person: person.person,
        scopes: commonScopes(scopes, person.scopes),
      }
    );
  }

  private get entries(): readonly KeyEntry[] {
    return this.configured.length === 0 ? this.stored : [...this.configured, ...this.stored];
  }

  private findLogin(tokenHash: string): LoginRecord | undefined {
    const login = this.logins.get(tokenHash);
    return login && login.expiresAt > this.deps.clock.now() ? login : undefined;
  }
}

/** What a person sees follows also from the role: sessions and memories are shared with it. */
const mayTheSame = (one: Principal, other: Principal): boolean =>
  isOperator(one) === isOperator(other) &&
  one.person?.role === other.person?.role &&
  one.scopes.size === other.scopes.size &&
  [...one.scopes].every(scope => other.scopes.has(scope));
