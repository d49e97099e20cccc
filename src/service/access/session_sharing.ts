/** Changes who sees a session and who takes part in it. */
import { AppError, invalidField } from '../../errors';
import type { Clock } from '../../port/clock';
import type { Principal } from '../../port/principal';
import type { ParticipantRole, SessionMember, Visibility } from '../../port/store/session_access';
import type { Store, StoreTransaction } from '../../port/store/store';
import { type AuditEntry, type AuditRecorder, byActor } from '../audit/audit_log';
import { type KnownMembers, MAX_MEMBERS, memberOf } from './member_names';
import type { PrivateTexts } from './private_texts';
import type { Access, SessionAccess } from './session_access';

export interface SharingChange {
  visibility?: Visibility;
  /** Handles or ids of people, roles, or groups as `group:<name>`: everybody who sees the session beside its owner. */
  sharedWith?: readonly string[];
}

/** `name`: the handle or the id of a person, or a role. */
export interface GivenPart {
  name: string;
  role: ParticipantRole;
  handsOver?: boolean | undefined;
}

export interface SessionSharingDeps {
  store: Store;
  clock: Clock;
  people: KnownMembers;
  auditLog: AuditRecorder;
  sessionAccess: SessionAccess;
  privateTexts: Pick<PrivateTexts, 'opens'>;
}

/** Access of a session that has an owner. */
type OwnedAccess = Access & { accessId: string; owner: string };

export class SessionSharing {
  constructor(private readonly deps: SessionSharingDeps) {}

  /** Resolves with who sees the session. Rejects `not_found`. */
  async readAccess(tenantId: string, sessionId: string): Promise<Access> {
    const access = await this.deps.sessionAccess.accessOf(tenantId, sessionId);
    if (!access) throw new AppError('not_found', { message: 'There is no such session.', messageZh: '没有这个会话。' });
    return access;
  }

  /**
   * Rejects `not_found`, `forbidden` for a session that is the tenant's and for an admin who would open it to more than other people, and
   * `invalid_request` for what names no person, role or group.
   */
  async changeAccess(by: Principal, sessionId: string, { visibility, sharedWith }: SharingChange): Promise<Access> {
    const { tenantId } = by;
    const { people } = this.deps;
    const access = await this.ownedAccess(tenantId, sessionId);
    const wanted = sharedWith?.map(name => memberOf(people, tenantId, name, '/sharedWith'));
    const next = visibility ?? (wanted === undefined ? access.visibility : wanted.length > 0 ? 'shared' : 'private');
    this.assertMayOpen(by, access, { visibility: next, sharedWith: wanted });
    await this.change(by, { sessionId, access }, { visibility: next, sharedWith: wanted }, async tx => {
      await tx.sessionMembers.setVisibility(tenantId, access.accessId, next);
      if (wanted) await this.replaceMembers(tx, by, access, wanted);
    });
    return this.readAccess(tenantId, sessionId);
  }

  /**
   * Gives a person or a role a part in the session; a private session becomes a shared one. `handsOver`: a caller who drives by its own name watches from
   * then on; an owner keeps the session. Rejects as `changeAccess` does.
   */
  async putParticipant(by: Principal, sessionId: string, { name, role, handsOver = false }: GivenPart): Promise<SessionMember> {
    const { tenantId } = by;
    const access = await this.ownedAccess(tenantId, sessionId);
    const member = memberOf(this.deps.people, tenantId, name, '/person');
    if (member === access.owner) throw invalidField('/person', 'owns the session already.', '已是此会话的所有者。');
    if (handsOver && member === by.keyName) throw invalidField('/person', 'must be somebody else to hand over.', '移交的对象必须是他人。');
    const row = this.rowOf(by, access, member, role);
    await this.change(by, { sessionId, access }, { participant: member, role, handOver: handsOver || undefined }, async tx => {
      // Another gateway may have changed it since the access was remembered.
      const isPrivate = (await tx.sessions.get(tenantId, sessionId))?.visibility === 'private';
      if (isPrivate) await this.openFor(tx, tenantId, access.accessId);
      else if ((await tx.sessionMembers.list(tenantId, access.accessId)).length >= MAX_MEMBERS) throw tooMany('/person');
      await tx.sessionMembers.put(row);
      const isDriver = access.members.some(known => known.member === by.keyName && known.role === 'driver');
      if (handsOver && isDriver) await tx.sessionMembers.put(this.rowOf(by, access, by.keyName, 'watcher'));
    });
    return row;
  }

  /** Rejects `not_found` when there is no such participant. */
  async removeParticipant(by: Principal, sessionId: string, name: string): Promise<void> {
    const { tenantId } = by;
    const access = await this.ownedAccess(tenantId, sessionId);
    const member = memberOf(this.deps.people, tenantId, name, '/person');
    await this.change(by, { sessionId, access }, { participant: member, role: 'none' }, async tx => {
      if (!(await tx.sessionMembers.delete(tenantId, access.accessId, member))) throw noParticipant();
    });
  }

  private async ownedAccess(tenantId: string, sessionId: string): Promise<OwnedAccess> {
    const access = await this.readAccess(tenantId, sessionId);
    const { accessId, owner } = access;
    if (accessId === undefined || owner === undefined) throw belongsToTenant();
    return { ...access, accessId, owner };
  }

  /** An admin who is not the owner narrows, and names other people. Nothing else, so that an admin never opens a chat to itself. */
  private assertMayOpen(by: Principal, access: OwnedAccess, { visibility, sharedWith }: SharingChange): void {
    const { sessionAccess, privateTexts } = this.deps;
    if (sessionAccess.partOf(by, access) === 'owner' || privateTexts.opens(by)) return;
    const opensToAll = visibility === 'tenant' && access.visibility !== 'tenant';
    // The members of an earlier time would see the session again, and the admin may be one of them.
    const opensAgain = visibility === 'shared' && access.visibility === 'private' && sharedWith === undefined;
    const known = new Set(access.members.map(({ member }) => member));
    const isOther = (member: string) => member.startsWith('@') && member !== by.keyName && member !== by.owner;
    if (opensToAll || opensAgain || sharedWith?.some(member => !known.has(member) && !isOther(member))) throw adminOpensMore();
  }

  private async change(
    by: Principal,
    { sessionId, access }: { sessionId: string; access: OwnedAccess },
    details: AuditEntry['details'],
    work: (tx: StoreTransaction) => Promise<void>,
  ): Promise<void> {
    const { store, auditLog, sessionAccess } = this.deps;
    await store.transaction({ tenant: by.tenantId }, async tx => {
      await work(tx);
      await auditLog.record({ ...byActor(by), action: 'session.access', target: sessionId, details }, tx);
    });
    sessionAccess.applyChange({ tenantId: by.tenantId, accessId: access.accessId });
  }

  /** Participants keep their part; others who join read only. */
  private async replaceMembers(tx: StoreTransaction, by: Principal, access: OwnedAccess, wanted: readonly string[]): Promise<void> {
    if (wanted.length > MAX_MEMBERS) throw tooMany('/sharedWith');
    const { tenantId } = by;
    const present = await tx.sessionMembers.list(tenantId, access.accessId);
    for (const { member } of present) {
      if (!wanted.includes(member)) await tx.sessionMembers.delete(tenantId, access.accessId, member);
    }
    const known = new Set(present.map(({ member }) => member));
    const added = wanted.filter(member => !known.has(member) && member !== access.owner);
    for (const member of new Set(added)) await tx.sessionMembers.put(this.rowOf(by, access, member, 'watcher'));
  }

  /** Those with whom a private session was shared before do not see it again. */
  private async openFor(tx: StoreTransaction, tenantId: string, accessId: string): Promise<void> {
    for (const { member } of await tx.sessionMembers.list(tenantId, accessId)) await tx.sessionMembers.delete(tenantId, accessId, member);
    await tx.sessionMembers.setVisibility(tenantId, accessId, 'shared');
  }

  private rowOf(by: Principal, { accessId }: OwnedAccess, member: string, role: ParticipantRole): SessionMember {
    return { tenantId: by.tenantId, accessId, member, role, addedBy: by.keyName, addedAt: this.deps.clock.now() };
  }
}

const tooMany = (field: string): AppError =>
  invalidField(field, `at most ${MAX_MEMBERS} take part in a session.`, `一个会话最多 ${MAX_MEMBERS} 个参与者。`);

const noParticipant = (): AppError =>
  new AppError('not_found', { param: '/person', message: 'There is no such participant.', messageZh: '没有这个参与者。' });

const adminOpensMore = (): AppError =>
  new AppError('forbidden', {
    message:
      'An admin gives a session of another person only to people, by their handles in sharedWith, and not to itself. Only the owner gives it to roles, groups or the tenant.',
    messageZh: '管理员只能在 sharedWith 中按标识把他人的会话交给其他人，不能交给自己。只有所有者能把它共享给角色、组或整个租户。',
  });

const belongsToTenant = (): AppError =>
  new AppError('forbidden', {
    message: 'A key made this session, so it belongs to the tenant. Only sessions of people can be private or shared.',
    messageZh: '此会话由密钥建立，属于整个租户。只有人的会话可以设为私有或共享。',
  });
