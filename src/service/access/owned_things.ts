/**
 * Says who sees a thing that is no session, such as a memory or a job, and who may change it. What a person makes is private to the person; what a key
 * makes belongs to the tenant. The owner changes it and who sees it; others who see it only read. An admin takes it away from others.
 */
import { AppError, invalidField } from '../../errors';
import type { Actor } from '../../port/principal';
import type { Owned, OwnedChange } from '../../port/store/owned';
import type { Viewer, Visibility } from '../../port/store/session_access';
import { type KnownMembers, MAX_MEMBERS, memberOf } from './member_names';
import { type AccessCaller, ownerOf, type SessionAccess } from './session_access';

/** Whoever makes, reads or changes things: a caller of a door, or a run that works for one. */
export interface ThingUser extends Actor {
  viewer: Viewer;
  scopes?: AccessCaller['scopes'];
}

/** The part of a run that says for whom it works and who sees its chat. */
export interface RunOfSession {
  tenantId: string;
  sessionId: string;
  keyName?: string | undefined;
}

/** `sharedWith`: names of people, roles and groups as doors give them. */
export interface SharingRequest {
  visibility?: Visibility;
  sharedWith?: readonly string[];
}

export interface OwnedThingsDeps {
  sessionAccess: Pick<SessionAccess, 'viewerOf' | 'accessOf' | 'isInUse'>;
  people: KnownMembers;
}

/** Sees what the whole tenant sees. */
export const TENANT_VIEWER: Viewer = { names: [] };

const ORDER: readonly Visibility[] = ['private', 'shared', 'tenant'];

/** Returns the fields of a new thing. */
export const ownedBy = (keyName: string | undefined): Pick<Owned, 'owner' | 'visibility'> => {
  const owner = ownerOf(keyName);
  return owner === undefined ? {} : { owner, visibility: 'private' };
};

/** Returns true when the viewer sees the thing. */
export function isSeen({ handle, names }: Viewer, { owner, visibility = 'tenant', sharedWith = [] }: Owned): boolean {
  if (visibility === 'tenant' || (handle !== undefined && handle === owner)) return true;
  return visibility === 'shared' && sharedWith.some(member => names.includes(member));
}

/** Returns the thing. Throws `missing()` when there is none or the user does not see it. */
export function seenBy<T extends Owned>({ viewer }: ThingUser, thing: T | undefined, missing: () => AppError): T {
  if (!thing || !isSeen(viewer, thing)) throw missing();
  return thing;
}

/** Returns true when the user may change the thing: its owner, and everybody for a thing of the tenant. */
const mayChange = ({ keyName }: Actor, { owner }: Owned): boolean => owner === undefined || owner === ownerOf(keyName);

/** Throws `forbidden` when the user sees the thing and may not change it. */
export function assertMayChange(user: Actor, thing: Owned): void {
  if (!mayChange(user, thing)) throw ofAnother(thing);
}

export class OwnedThings {
  constructor(private readonly deps: OwnedThingsDeps) {}

  /** Returns the caller with what it sees. */
  userOf<Caller extends AccessCaller>(caller: Caller): Caller & { viewer: Viewer } {
    return { ...caller, viewer: this.deps.sessionAccess.viewerOf(caller) ?? TENANT_VIEWER };
  }

  /**
   * Returns what a run sees. It works for the person or the key that asked. In a chat that others see, it sees what the tenant sees: what is private to
   * the person who asks stays out of the sight of others. No promise on a gateway without people, where a turn makes as few as before.
   */
  viewerOfRun(run: RunOfSession): Viewer | Promise<Viewer> {
    const handle = ownerOf(run.keyName);
    return this.deps.sessionAccess.isInUse && handle !== undefined ? this.viewerInChat(run, handle) : TENANT_VIEWER;
  }

  /** As viewerOfRun, with the run. */
  async userOfRun<Run extends RunOfSession>(run: Run): Promise<Run & { viewer: Viewer }> {
    return { ...run, viewer: await this.viewerOfRun(run) };
  }

  /** Resolves with the user of a tool call: of a run, or a direct call. Ask for each call, because a chat may be shared while its run goes on. */
  async userOfCall<Caller extends AccessCaller & { run?: { sessionId: string } }>(caller: Caller): Promise<Caller & { viewer: Viewer }> {
    if (!caller.run) return this.userOf(caller);
    const { viewer } = await this.userOfRun({ ...caller, sessionId: caller.run.sessionId });
    return { ...caller, viewer };
  }

  private async viewerInChat(run: RunOfSession, handle: string): Promise<Viewer> {
    const access = await this.deps.sessionAccess.accessOf(run.tenantId, run.sessionId);
    const isAlone = access?.visibility === 'private' && access.owner === handle;
    return isAlone ? this.userOf(run).viewer : TENANT_VIEWER;
  }

  /**
   * Returns who sees the thing after the change; undefined without one. Throws `forbidden` for a thing of the tenant and for others than its owner and an
   * admin who takes it away from others, and `invalid_request` for what names no person, role or group.
   */
  sharingOf(user: ThingUser, thing: Owned, { visibility, sharedWith: names }: SharingRequest): OwnedChange | undefined {
    if (visibility === undefined && names === undefined) return undefined;
    if (thing.owner === undefined) throw ofTenant();
    const { visibility: before = 'tenant', sharedWith: known = [], owner } = thing;
    if (names && names.length > MAX_MEMBERS)
      throw invalidField('/sharedWith', `at most ${MAX_MEMBERS} entries.`, `最多 ${MAX_MEMBERS} 项。`);
    const members = names?.map(name => memberOf(this.deps.people, user.tenantId, name, '/sharedWith')) ?? known;
    const sharedWith = [...new Set(members)].filter(member => member !== owner);
    const next = visibility ?? (sharedWith.length > 0 ? 'shared' : 'private');
    const opens = ORDER.indexOf(next) > ORDER.indexOf(before) || (next === 'shared' && before === 'shared' && hasNew(sharedWith, known));
    if (!mayChange(user, thing) && (opens || !user.scopes?.has('admin'))) throw ofAnother(thing);
    // Those with whom it was shared before do not see it again.
    return { visibility: next, sharedWith: next === 'private' ? [] : sharedWith };
  }
}

const hasNew = (members: readonly string[], known: readonly string[]): boolean => members.some(member => !known.includes(member));

const ofAnother = ({ owner = '' }: Owned): AppError =>
  new AppError('forbidden', {
    message: `This belongs to ${owner}, who alone changes it. An admin may take it away from others: set visibility to private.`,
    messageZh: `这属于 ${owner}，只有其本人可以修改。管理员可以收回他人的访问：把 visibility 设为 private。`,
  });

const ofTenant = (): AppError =>
  new AppError('forbidden', {
    message: 'This belongs to the tenant. Only what a person has made can be private or shared.',
    messageZh: '这属于整个租户。只有个人建立的内容可以设为私有或共享。',
  });
