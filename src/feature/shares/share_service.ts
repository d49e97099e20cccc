/** Links that show a chat to others: read-only, until they expire or are revoked, with the messages that the chat had when the link was made. */
import { AppError } from '../../errors';
import type { Clock, IdSource } from '../../port/clock';
import type { Actor } from '../../port/principal';
import type { Redactor } from '../../port/redactor';
import type { MessageRecord } from '../../port/store/messages';
import type { Page, PageRequest } from '../../port/store/page';
import type { Store, StoreTransaction } from '../../port/store/store';
import { type AuditRecorder, byActor } from '../../service/audit/audit_log';
import { AddressCounts } from '../../service/auth/address_counts';
import { workInParts } from '../../service/in_parts';
import { noSession } from '../../service/session/session_service';
import { contentHash } from '../../utils/content_hash';
import type { ShareRecord } from './store/share_records';

const DAY_MS = 86_400_000;
/** Links of one chat at the same time. */
const MAX_SHARES = 20;
/** Pages of shared chats that one address reads in a minute without a login. */
const MAX_OPEN_READS = 60;

export interface ShareInput {
  days: number;
  withoutLogin: boolean;
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
  /** The operator allows links that need no login. */
  allowsWithoutLogin: boolean;
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

  get allowsWithoutLogin(): boolean {
    return this.deps.allowsWithoutLogin;
  }

  /** Makes a link. Rejects `not_found`, `forbidden` for a link without login that the operator does not allow, and `quota_exceeded`. */
  async createShare(actor: Actor, sessionId: string, { days, withoutLogin }: ShareInput): Promise<MadeShare> {
    const { store, clock, ids, createSecret, auditLog, allowsWithoutLogin } = this.deps;
    const { tenantId, keyName } = actor;
    if (withoutLogin && !allowsWithoutLogin) throw loginNeeded();
    const token = createSecret();
    const createdAt = clock.now();
    const expiresAt = createdAt + days * DAY_MS;
    const share = { tenantId, id: ids.next('shr'), sessionId, tokenHash: contentHash(token), withoutLogin, keyName, createdAt, expiresAt };
    await store.transaction({ session: { tenantId, sessionId } }, async tx => {
      if (!(await tx.sessions.get(tenantId, sessionId))) throw noSession();
      if ((await tx.shares.list(tenantId, sessionId, createdAt)).length >= MAX_SHARES) throw tooMany();
      await tx.shares.insert(share);
      const details = { sessionId, expires: new Date(expiresAt).toISOString(), withoutLogin };
      await auditLog.record({ ...byActor(actor), action: 'share.create', target: share.id, details }, tx);
    });
    return { share, token };
  }

  /** Lists the links of a chat that have not expired. Rejects `not_found`. */
  async listShares(tenantId: string, sessionId: string): Promise<ShareRecord[]> {
    const { store, clock } = this.deps;
    if (!(await store.read.sessions.get(tenantId, sessionId))) throw noSession();
    return store.read.shares.list(tenantId, sessionId, clock.now());
  }

  /** Ends a link at once. Rejects `not_found`. */
  async revokeShare(actor: Actor, sessionId: string, id: string): Promise<void> {
    const { store, auditLog } = this.deps;
    await store.transaction('none', async tx => {
      if (!(await tx.shares.delete(actor.tenantId, sessionId, id))) throw noShare();
      await auditLog.record({ ...byActor(actor), action: 'share.revoke', target: id, details: { sessionId } }, tx);
    });
  }

  /**
   * Reads a page of the chat behind a link. `tenantId`: that of the reader; undefined: the reader has no login. Rejects `not_found` for a link that is
   * unknown, expired, revoked, of another tenant, or for people with a login.
   */
  async readShared(token: string, tenantId: string | undefined, page: PageRequest): Promise<SharedChat> {
    const { store, clock, allowsWithoutLogin } = this.deps;
    const share = await store.read.shares.findByHash(contentHash(token));
    if (!share || share.expiresAt <= clock.now()) throw noShare();
    const isOpen = share.withoutLogin && allowsWithoutLogin;
    if (tenantId === undefined ? !isOpen : share.tenantId !== tenantId) throw noShare();
    const session = await store.read.sessions.get(share.tenantId, share.sessionId);
    if (!session) throw noShare();
    const { data, nextCursor } = await store.lists.messages.list(share.tenantId, share.sessionId, page, 'asc');
    const shown = data.filter(({ createdAt }) => createdAt <= share.createdAt);
    const messages = shown.flatMap(row => this.toShared(row));
    const isWhole = shown.length === data.length;
    return {
      share,
      title: this.deps.redactor.redact(session.title),
      messages: { data: messages, nextCursor: isWhole ? nextCursor : undefined },
    };
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

  /** Texts alone: no calls and results of tools, no images. */
  private toShared({ message, createdAt }: MessageRecord): SharedMessage[] {
    const { role, content } = message;
    if ((role !== 'user' && role !== 'assistant') || !content?.trim()) return [];
    return [{ role, content: this.deps.redactor.redact(content), createdAt }];
  }
}

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

const loginNeeded = (): AppError =>
  new AppError('forbidden', {
    param: '/withoutLogin',
    message: 'The operator of this gateway allows no links without login (NETA_SHARE_WITHOUT_LOGIN).',
    messageZh: '此网关的运维人员不允许免登录的链接（NETA_SHARE_WITHOUT_LOGIN）。',
  });

const tooMany = (): AppError =>
  new AppError('invalid_request', {
    message: `A chat has at most ${MAX_SHARES} links. Revoke one of them first.`,
    messageZh: `一个对话最多有 ${MAX_SHARES} 个链接。请先撤销其中一个。`,
  });
