/** Links that show a chat to others: read-only, until they expire or are revoked, with the messages that the chat had when the link was made. */
import { AppError, invalidField } from '../../errors';
import type { Clock, IdSource } from '../../port/clock';
import type { Actor } from '../../port/principal';
import type { Redactor } from '../../port/redactor';
import type { MessagePlace, MessageRecord } from '../../port/store/messages';
import type { Page, PageRequest } from '../../port/store/page';
import type { Store, StoreTransaction } from '../../port/store/store';
import { type AuditRecorder, byActor } from '../../service/audit/audit_log';
import { AddressCounts } from '../../service/auth/address_counts';
import type { KeyRing } from '../../service/auth/key_ring';
import { workInParts } from '../../service/in_parts';
import { noSession } from '../../service/session/session_service';
import { contentHash } from '../../utils/content_hash';
import type { ShareRecord } from './store/share_records';

const DAY_MS = 86_400_000;
/** Links of one chat at the same time. */
const MAX_SHARES = 20;
const DEFAULT_DAYS = 30;
/** A day more than a year, for callers whose clock is ahead. */
const MAX_DAYS = 366;
/** Pages of shared chats that one address reads in a minute without a login. */
const MAX_OPEN_READS = 60;
/** The highest number of a run in its session. */
const LAST_ORDINAL = 2 ** 31 - 1;

export interface ShareInput {
  /** Milliseconds since 1970. Absent: in 30 days. */
  expiresAt?: number;
  isPublic: boolean;
  role?: ShareRecord['role'];
}

/** A link with its token, which is shown once. */
export interface MadeShare {
  share: ShareRecord;
  token: string;
}

/** The part of a chat that a link shows. */
export interface SharedChat {
  share: ShareRecord;
  title: string;
  messages: Page<SharedMessage>;
}

export interface SharedMessage {
  role: 'user' | 'assistant';
  content: string;
  createdAt: number;
}

export interface ShareServiceDeps {
  store: Store;
  clock: Clock;
  ids: IdSource;
  createSecret: () => string;
  auditLog: AuditRecorder;
  redactor: Pick<Redactor, 'redact'>;
  keys: Pick<KeyRing, 'applyChange'>;
  /** The operator allows public links, which need no login. */
  allowsPublic: boolean;
}

/** The services of this feature, by the names under which its controllers inject them. */
export interface ShareServices {
  shareService: ShareService;
}

export class ShareService {
  private readonly openReads: AddressCounts;

  constructor(private readonly deps: ShareServiceDeps) {
    this.openReads = new AddressCounts(deps);
  }

  /**
   * Makes a link. Rejects `not_found`, `forbidden` for a temporary chat and for a public link that the operator does not allow, `invalid_request` for
   * a time that is over or too far, and `quota_exceeded`.
   */
  async createShare(actor: Actor, sessionId: string, { expiresAt, role, isPublic }: ShareInput): Promise<MadeShare> {
    const { store, clock, ids, createSecret, auditLog, allowsPublic } = this.deps;
    const { tenantId, keyName } = actor;
    if (isPublic && !allowsPublic) throw publicNotAllowed(role ? '/role' : '/public');
    const token = createSecret();
    const createdAt = clock.now();
    const end = expiresAt ?? createdAt + DEFAULT_DAYS * DAY_MS;
    if (end <= createdAt || end > createdAt + MAX_DAYS * DAY_MS) throw badEnd();
    const link = {
      tenantId,
      id: ids.next('shr'),
      sessionId,
      tokenHash: contentHash(token),
      role,
      isPublic,
      keyName,
      createdAt,
      expiresAt: end,
    };
    const share = await store.transaction({ session: { tenantId, sessionId } }, async tx => {
      const session = await tx.sessions.get(tenantId, sessionId);
      if (!session) throw noSession();
      if (session.temporary) throw isTemporary();
      if ((await tx.shares.list(tenantId, sessionId, createdAt)).length >= MAX_SHARES) throw tooMany();
      const { runOrdinal: lastOrdinal, position: lastPosition } = await lastMessage(tx, tenantId, sessionId);
      const record = { ...link, lastOrdinal, lastPosition };
      await tx.shares.insert(record);
      const details = { sessionId, expires: new Date(end).toISOString(), public: isPublic, role };
      await auditLog.record({ ...byActor(actor), action: 'share.create', target: link.id, details }, tx);
      return record;
    });
    if (role) await this.deps.keys.applyChange();
    return { share, token };
  }

  /** Lists the links of a chat that have not expired. Rejects `not_found`. */
  async listShares(tenantId: string, sessionId: string): Promise<ShareRecord[]> {
    const { store, clock } = this.deps;
    if (!(await store.read.sessions.get(tenantId, sessionId))) throw noSession();
    return store.read.shares.list(tenantId, sessionId, clock.now());
  }

  /** Ends a link at once. Rejects `not_found`. */
  async revokeShare(actor: Actor, id: string): Promise<void> {
    const { store, auditLog } = this.deps;
    const { tenantId } = actor;
    const { role } = await store.transaction('none', async tx => {
      const share = await tx.shares.get(tenantId, id);
      if (!share || !(await tx.shares.delete(tenantId, id))) throw noShare();
      await auditLog.record({ ...byActor(actor), action: 'share.revoke', target: id, details: { sessionId: share.sessionId } }, tx);
      return share;
    });
    // Guests end with their link.
    if (role) await this.deps.keys.applyChange();
  }

  /** Reads a link of the tenant by its id, with a page of what it shows. Rejects `not_found`. */
  async getShare(tenantId: string, id: string, page: PageRequest): Promise<SharedChat> {
    const { store, clock } = this.deps;
    const share = await store.read.shares.get(tenantId, id);
    if (!share || share.expiresAt <= clock.now()) throw noShare();
    return this.showChat(share, page);
  }

  /**
   * Reads a page of the chat behind a link. `tenantId`: that of the reader; undefined: the reader has no login. Rejects `not_found` for a link that is
   * unknown, expired, revoked, of another tenant, or for people with a login.
   */
  async readShared(token: string, tenantId: string | undefined, page: PageRequest): Promise<SharedChat> {
    const { store, clock, allowsPublic } = this.deps;
    const share = await store.read.shares.findByHash(contentHash(token));
    if (!share || share.expiresAt <= clock.now()) throw noShare();
    const isOpen = share.isPublic && allowsPublic;
    if (tenantId === undefined ? !isOpen : share.tenantId !== tenantId) throw noShare();
    return this.showChat(share, page);
  }

  /** As `readShared`, without a login. Rejects `rate_limited` after too many reads of the address: each of them redacts a page of texts. */
  async readOpen(token: string, address: string, page: PageRequest): Promise<SharedChat> {
    const { count, retryAfterMs } = this.openReads.windowOf(address, 'share');
    if (count >= MAX_OPEN_READS) throw tooManyReads(retryAfterMs);
    this.openReads.add(address, 'share');
    return this.readShared(token, undefined, page);
  }

  /** Deletes links that expired. */
  async deleteExpired(): Promise<void> {
    const now = this.deps.clock.now();
    const deletePart = async (tx: StoreTransaction, size: number) => (await tx.shares.deleteExpired(now, size)) > 0;
    await workInParts(this.deps, { leader: 'housekeeping' }, { first: 200, most: 2_000 }, deletePart);
  }

  private async showChat(share: ShareRecord, page: PageRequest): Promise<SharedChat> {
    const { store, redactor } = this.deps;
    const session = await store.read.sessions.get(share.tenantId, share.sessionId);
    if (!session) throw noShare();
    const { data, nextCursor } = await store.lists.messages.list(share.tenantId, share.sessionId, page, 'asc');
    const shown = data.filter(message => isShown(share, message));
    const isWhole = shown.length === data.length;
    return {
      share,
      title: redactor.redact(session.title),
      messages: { data: shown.flatMap(row => this.toShared(row)), nextCursor: isWhole ? nextCursor : undefined },
    };
  }

  /** Texts alone: no calls and results of tools, no images. */
  private toShared({ message, createdAt }: MessageRecord): SharedMessage[] {
    const { role, content } = message;
    if ((role !== 'user' && role !== 'assistant') || !content?.trim()) return [];
    return [{ role, content: this.deps.redactor.redact(content), createdAt }];
  }
}

/**
 * Finds the last message that the chat has now. Messages of queued runs are left out while a run is active: messages of the active run that come later
 * stand before them.
 */
async function lastMessage(tx: StoreTransaction, tenantId: string, sessionId: string): Promise<MessagePlace> {
  const { ordinal = LAST_ORDINAL } = (await tx.runs.active(tenantId, sessionId)) ?? {};
  const [last] = await tx.messages.sizes(tenantId, sessionId, ordinal, 1);
  return last ?? { runOrdinal: -1, position: -1 };
}

const isShown = ({ lastOrdinal, lastPosition }: ShareRecord, { runOrdinal, position }: MessagePlace): boolean =>
  runOrdinal < lastOrdinal || (runOrdinal === lastOrdinal && position <= lastPosition);

const noShare = (): AppError =>
  new AppError('not_found', {
    message: 'There is no such link, or it has expired or was revoked.',
    messageZh: '没有这个链接，或者它已过期或被撤销。',
  });

const tooManyReads = (retryAfterMs: number): AppError =>
  new AppError('rate_limited', {
    message: 'Too many requests for shared chats came from this address.',
    messageZh: '这个地址对共享对话的请求过多。',
    retryAfterMs,
  });

const isTemporary = (): AppError =>
  new AppError('forbidden', {
    message: 'A temporary chat cannot be shared: nothing of it is kept.',
    messageZh: '临时对话不能分享：它的内容不会保留。',
  });

const publicNotAllowed = (param: string): AppError =>
  new AppError('forbidden', {
    param,
    message: 'The operator of this gateway allows no links without login (NETA_PUBLIC_SHARES).',
    messageZh: '此网关的运维人员不允许免登录的链接（NETA_PUBLIC_SHARES）。',
  });

const badEnd = (): AppError =>
  invalidField(
    '/expiresAt',
    `must be a time in the future, at most ${MAX_DAYS} days from now.`,
    `必须是未来的时间，距现在最多 ${MAX_DAYS} 天。`,
  );

const tooMany = (): AppError =>
  new AppError('quota_exceeded', {
    message: `A chat has at most ${MAX_SHARES} links. Revoke one of them first.`,
    messageZh: `一个对话最多有 ${MAX_SHARES} 个链接。请先撤销其中一个。`,
  });
