/**
 * Says who sees a session and who may do what in it. The one place for this: doors ask it with the caller and the session. What it has read stays in
 * memory until a session changes hands, so that a turn costs no statement; other gateways on the store tell of their changes.
 */
import { LRUCache } from 'lru-cache';
import { AppError } from '../../errors';
import type { NodeBus } from '../../port/node_bus';
import { type CallingPerson, isGuestName, type Scope } from '../../port/principal';
import type { SessionMember, Viewer, Visibility } from '../../port/store/session_access';
import { PARTICIPANT_ROLES } from '../../port/store/session_access';
import type { SessionRecord } from '../../port/store/sessions';
import type { ReadableStore, StoreReader } from '../../port/store/store';
import { allows, partIsMissing, type SessionAction, type SessionPart } from './session_action';

/** A caller of a door, or whoever a run works for. Names of people begin with @. */
export interface AccessCaller {
  tenantId: string;
  keyName?: string | undefined;
  /** Absent: it has no scope that counts here. */
  scopes?: ReadonlySet<Scope>;
}

type AccessReader = Pick<StoreReader, 'sessions' | 'sessionMembers'>;

type AccessFields = Pick<SessionRecord, 'owner' | 'visibility' | 'accessId'>;

/** Who sees a session. Without `accessId` its tenant does. */
export interface Access {
  accessId?: string;
  owner?: string;
  visibility: Visibility;
  members: readonly SessionMember[];
}

/** A change of who sees the sessions with this access, or of somebody's part in them. */
export interface AccessChange {
  tenantId: string;
  accessId: string;
}

export interface SessionAccessDeps {
  store: ReadableStore<'sessions' | 'sessionMembers'>;
  people: {
    readonly hasPeople: boolean;
    readonly hasGuests: boolean;
    findPerson(tenantId: string, handle: string): CallingPerson | undefined;
    findGuestSession(tenantId: string, name: string): string | undefined;
  };
  nodeBus: Pick<NodeBus, 'publish' | 'subscribe' | 'onLoss'>;
}

const MAX_KNOWN = 10_000;
/** A message of another gateway can be lost without a trace. */
const KNOWN_MS = 60_000;

/** Returns the owner of what a caller makes: the handle of a person. Undefined for keys, whose things belong to the tenant. */
export const ownerOf = (keyName: string | undefined): string | undefined => (keyName?.startsWith('@') ? keyName : undefined);

/** Returns the fields with which a new session of the caller begins: a session of a person is private. */
export const accessOfNew = (keyName: string | undefined, sessionId: string): AccessFields => {
  const owner = ownerOf(keyName);
  return owner === undefined ? {} : { owner, visibility: 'private', accessId: sessionId };
};

/** Returns the fields of a session that is seen by whoever sees `session`: of a branch, or of a child run. */
export const accessLike = ({ owner, visibility, accessId }: AccessFields): AccessFields => ({ owner, visibility, accessId });

export class SessionAccess {
  private readonly known = new LRUCache<string, Access>({ max: MAX_KNOWN, ttl: KNOWN_MS });
  private readonly listeners = new Set<(change?: AccessChange) => void>();
  private hasOwnedSessions = false;
  /** Raised by each change, so that a read that began before it is not kept. */
  private version = 0;

  constructor(private readonly deps: SessionAccessDeps) {}

  async start(): Promise<void> {
    const { store, nodeBus } = this.deps;
    this.hasOwnedSessions = await store.read.sessionMembers.hasOwnedSessions();
    // A gateway of an earlier version does not say what has changed.
    nodeBus.subscribe('access', message => this.forget('accessId' in (message as object) ? (message as AccessChange) : undefined));
    nodeBus.onLoss(() => this.forget());
  }

  /** Returns the caller for lists; undefined while nothing is private, so that lists stay as quick as they were. */
  viewerOf(caller: AccessCaller): Viewer | undefined {
    if (!this.isInUse) return undefined;
    if (isGuestName(caller.keyName)) return { names: [], only: this.guestSessionOf(caller) ?? '' };
    const handle = ownerOf(caller.keyName);
    return handle === undefined ? { names: [] } : { handle, names: this.namesOf(caller.tenantId, handle) };
  }

  /** Rejects `not_found` when the caller does not see the session, and `forbidden` when it may only do less. Resolves for a session that does not exist. */
  async assertMay(caller: AccessCaller, sessionId: string, action: SessionAction): Promise<void> {
    if (!this.isInUse) return;
    const access = await this.accessOf(caller.tenantId, sessionId);
    if (access) this.assertAllowed(caller, sessionId, access, action);
  }

  /** Resolves with true when the caller sees the session, and for one that does not exist. `read`: the transaction in which it is asked. */
  async maySee(caller: AccessCaller, sessionId: string, read?: AccessReader): Promise<boolean> {
    if (!this.isInUse) return true;
    const access = await this.accessOf(caller.tenantId, sessionId, read);
    return !access || this.partIn(caller, sessionId, access) !== undefined;
  }

  /** Resolves with true when the caller may do it in the session, and for a session that does not exist. */
  async mayDo(caller: AccessCaller, sessionId: string, action: SessionAction): Promise<boolean> {
    const access = await this.accessOf(caller.tenantId, sessionId);
    const part = access && this.partOf(caller, access);
    return !access || (part !== undefined && allows(part, action));
  }

  /** Returns what `viewer` sees, one session at a time; undefined when everything is seen. */
  lookOf(tenantId: string, viewer: Viewer | undefined): ((sessionId: string) => Promise<boolean>) | undefined {
    if (!viewer) return undefined;
    const { handle: keyName, only } = viewer;
    return async sessionId => (only === undefined ? this.maySee({ tenantId, keyName }, sessionId) : sessionId === only);
  }

  /** Keeps the rows whose session the caller sees; rows without a session stay. */
  async keepSeen<T>(caller: AccessCaller, rows: readonly T[], sessionIdOf: (row: T) => string | undefined): Promise<T[]> {
    if (!this.isInUse) return [...rows];
    const kept: T[] = [];
    for (const row of rows) {
      const sessionId = sessionIdOf(row);
      if (sessionId === undefined || (await this.maySee(caller, sessionId))) kept.push(row);
    }
    return kept;
  }

  /** Resolves with who sees the session; undefined when it does not exist. */
  async accessOf(tenantId: string, sessionId: string, read: AccessReader = this.deps.store.read): Promise<Access | undefined> {
    const key = `${tenantId}/${sessionId}`;
    const known = this.known.get(key);
    if (known) return known;
    const { version } = this;
    const { sessions, sessionMembers } = read;
    const session = await sessions.get(tenantId, sessionId);
    if (!session) return undefined;
    const { owner, accessId, visibility = 'tenant' } = session;
    const isJoined = accessId !== undefined && visibility !== 'private';
    const members = isJoined ? await sessionMembers.list(tenantId, accessId) : [];
    const access = { owner, accessId, visibility, members };
    if (version === this.version) this.known.set(key, access);
    return access;
  }

  /** Returns the part of the caller in the session; undefined when the caller does not see it. */
  partOf({ tenantId, keyName }: AccessCaller, { accessId, owner, visibility, members }: Access): SessionPart | undefined {
    if (accessId === undefined) return 'everybody';
    const handle = ownerOf(keyName);
    if (handle !== undefined && handle === owner) return 'owner';
    if (visibility === 'tenant') return 'tenant';
    if (handle === undefined || visibility === 'private') return undefined;
    const names = new Set(this.namesOf(tenantId, handle));
    const roles = new Set(members.filter(({ member }) => names.has(member)).map(({ role }) => role));
    return PARTICIPANT_ROLES.find(role => roles.has(role));
  }

  /** Notes a new session, so that its first turn reads nothing. */
  noteNew({ tenantId, id, owner, accessId, visibility = 'tenant' }: SessionRecord): void {
    if (accessId === undefined) return;
    this.hasOwnedSessions = true;
    const access = accessId === id ? { owner, accessId, visibility, members: [] } : this.known.get(`${tenantId}/${accessId}`);
    if (access) this.known.set(`${tenantId}/${id}`, access);
  }

  /** Asks again who sees what is followed. Call it when roles or groups of people have changed. */
  checkFollowers(): void {
    for (const listener of [...this.listeners]) listener();
  }

  /** Call it after a change is stored. */
  applyChange({ tenantId, accessId }: AccessChange): void {
    this.deps.nodeBus.publish('access', { tenantId, accessId });
    this.forget({ tenantId, accessId });
  }

  /** Calls `listener` with each change, here or at another gateway; without one when any may have been missed. */
  onChange(listener: (change?: AccessChange) => void): void {
    this.listeners.add(listener);
  }

  /** Calls `end` when the caller no longer sees the session, until the returned function is called. */
  follow(caller: AccessCaller, sessionId: string, end: () => void): () => void {
    const check = () => void this.maySee(caller, sessionId).then(sees => (sees ? undefined : end()), end);
    this.listeners.add(check);
    return () => this.listeners.delete(check);
  }

  private assertAllowed(caller: AccessCaller, sessionId: string, access: Access, action: SessionAction): void {
    // An admin changes who sees a session, which does not let the admin read it.
    if (action === 'share' && caller.scopes?.has('admin')) return;
    const part = this.partIn(caller, sessionId, access);
    if (part === undefined) throw new AppError('not_found', { message: 'There is no such session.', messageZh: '没有这个会话。' });
    if (!allows(part, action)) throw partIsMissing(part, action);
  }

  private partIn(caller: AccessCaller, sessionId: string, access: Access): SessionPart | undefined {
    if (!isGuestName(caller.keyName)) return this.partOf(caller, access);
    return this.guestSessionOf(caller) === sessionId ? 'guest' : undefined;
  }

  private guestSessionOf({ tenantId, keyName = '' }: AccessCaller): string | undefined {
    return this.deps.people.findGuestSession(tenantId, keyName);
  }

  private namesOf(tenantId: string, handle: string): string[] {
    const person = this.deps.people.findPerson(tenantId, handle);
    if (!person) return [handle];
    return [handle, `role:${person.role}`, ...(person.groups ?? []).map(group => `group:${group}`)];
  }

  /** False on a gateway without people and guests, where everybody sees everything of the tenant. */
  get isInUse(): boolean {
    const { hasPeople, hasGuests } = this.deps.people;
    this.hasOwnedSessions ||= hasPeople;
    return this.hasOwnedSessions || hasGuests;
  }

  private forget(change?: AccessChange): void {
    this.version += 1;
    this.known.clear();
    for (const listener of [...this.listeners]) listener(change);
  }
}
