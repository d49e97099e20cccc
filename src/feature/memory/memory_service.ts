/** Memories: saves them without duplicates and secrets, recalls them, and lets a person read, correct and delete them. */
import { AppError } from '../../errors';
import type { Clock, IdSource } from '../../port/clock';
import type { Page, PageRequest } from '../../port/store/page';
import type { Viewer } from '../../port/store/session_access';
import type { Store, StoreTransaction } from '../../port/store/store';
import {
  assertMayChange,
  isSeen,
  type OwnedThings,
  ownedBy,
  type SharingRequest,
  seenBy,
  type ThingUser,
} from '../../service/access/owned_things';
import { type AuditRecorder, byActor } from '../../service/audit/audit_log';
import type { EmbeddingService } from '../../service/embedding/embedding_service';
import { OncePerKey } from '../../service/once_per_key';
import { toPlainText } from '../../utils/plain_text';
import type { MemoryRanking } from './memory_ranking';
import type { MemoryUsage } from './memory_usage';
import { nearestDuplicate } from './near_duplicate';
import { holdsSecret } from './secret_patterns';
import type { MemoryFilter, MemoryKind, MemoryQuery, MemoryRecord, MemorySource } from './store/memory_records';
import type { SaveMemoryOutcome, SaveMemoryRequest } from './tools/memory_access';

const MAX_MEMORIES = 2_000;

/** Best matches among which a near duplicate is looked for. */
const DUPLICATE_CANDIDATES = 50;
const EXPORT_PAGE = 200;

export interface MemoryServiceDeps {
  store: Store;
  clock: Clock;
  ids: IdSource;
  usage: MemoryUsage;
  embeddings: EmbeddingService;
  auditLog: AuditRecorder;
  ownedThings: Pick<OwnedThings, 'sharingOf'>;
  /** A text of a memory is deleted or replaced in this transaction. */
  onForget: () => void;
  /** Ranks by words and meaning. Absent without an embedding model: words alone count. */
  ranking?: MemoryRanking;
}

interface StoredMemory {
  status: 'created' | 'updated' | 'near_duplicate';
  memory: MemoryRecord;
}

/** Fields that are absent stay as they are. */
type MemoryChange = { text?: string; kind?: MemoryKind } & SharingRequest;

/** The outcome of a save, with the whole record. */
export type SavedMemory = StoredMemory | Extract<SaveMemoryOutcome, { status: 'refused' }>;

export class MemoryService {
  constructor(private readonly deps: MemoryServiceDeps) {}

  /**
   * Saves a memory. The same words again update the memory that has them; nearly the same words are not stored unless `force` is set. `replaces`: id
   * of the memory whose text changes. The text has at most 2,000 characters; the caller checks that. Rejects `forbidden` for a memory of another person.
   */
  async saveMemory(user: ThingUser, request: SaveMemoryRequest, source: MemorySource, once = new OncePerKey()): Promise<SavedMemory> {
    const { tenantId } = user;
    const text = toPlainText(request.text);
    if (text === '') return { status: 'refused', reason: 'blank' };
    if (holdsSecret(text)) return { status: 'refused', reason: 'secret' };
    const saved = await this.deps.store.transaction({ tenant: tenantId, ...once.lockOf(tenantId) }, tx =>
      this.storeOnce(tx, user, { ...request, text, source }, once),
    );
    if (saved.status === 'created' || saved.status === 'updated') this.embed(tenantId, text);
    return saved;
  }

  /** Saves what a person wrote. Rejects `invalid_request`, `quota_exceeded` and `idempotency_mismatch`. */
  async addMemory(user: ThingUser, request: Omit<SaveMemoryRequest, 'replaces'>, once?: OncePerKey): Promise<StoredMemory> {
    const saved = await this.saveMemory(user, request, { by: 'person' }, once);
    if (saved.status === 'refused') throw toError(saved.reason);
    return saved;
  }

  /** Reads a memory. Rejects `not_found`. */
  async getMemory(user: ThingUser, id: string): Promise<MemoryRecord> {
    const memory = await this.deps.store.read.memories.get(user.tenantId, id);
    return this.deps.usage.withPending(seenBy(user, memory, noMemory));
  }

  async listMemories({ tenantId, viewer }: ThingUser, { query, kind }: MemoryFilter, page: PageRequest): Promise<Page<MemoryRecord>> {
    const { store, ranking } = this.deps;
    const filter = { kind, viewer };
    const found =
      query !== undefined && ranking
        ? await ranking.listMatches(tenantId, { ...filter, query }, page)
        : await store.lists.memories.list(tenantId, { ...filter, query }, page);
    return { ...found, data: found.data.map(memory => this.deps.usage.withPending(memory)) };
  }

  /** As readAllMemories, for a person who exports the memories; the audit log records the export first. */
  async exportMemories(user: ThingUser): Promise<AsyncGenerator<readonly MemoryRecord[]>> {
    await this.deps.auditLog.record({ ...byActor(user), action: 'memory.export', target: user.tenantId });
    return this.readAllMemories(user);
  }

  /** Yields every memory that the user sees, the most recently changed first, a page at a time. */
  private async *readAllMemories(user: ThingUser): AsyncGenerator<readonly MemoryRecord[]> {
    let cursor: string | undefined;
    do {
      const page = await this.listMemories(user, {}, { limit: EXPORT_PAGE, cursor });
      yield page.data;
      cursor = page.nextCursor;
    } while (cursor !== undefined);
  }

  /**
   * Changes a memory, or who sees it, for a person. Resolves undefined when the person no longer sees it. Rejects `not_found`, `forbidden`, and
   * `invalid_request` for a text that another memory has already.
   */
  async updateMemory(user: ThingUser, id: string, change: MemoryChange): Promise<MemoryRecord | undefined> {
    const { store, clock, ownedThings, auditLog } = this.deps;
    const { tenantId } = user;
    const { kind, visibility, sharedWith } = change;
    const text = change.text === undefined ? undefined : toPlainText(change.text);
    if (text === '') throw toError('blank');
    if (text !== undefined && holdsSecret(text)) throw toError('secret');
    await store.transaction({ tenant: tenantId }, async tx => {
      const old = seenBy(user, await tx.memories.get(tenantId, id), noMemory);
      const sharing = ownedThings.sharingOf(user, old, { visibility, sharedWith });
      if (text !== undefined || kind !== undefined) assertMayChange(user, old);
      const source = text === undefined ? undefined : await this.sourceOfCorrected(tx, old, text);
      await tx.memories.update(tenantId, id, { text, source, kind, updatedAt: sharing ? undefined : clock.now(), ...sharing });
      if (sharing) await auditLog.record({ ...byActor(user), action: 'access.change', target: id, details: sharing }, tx);
    });
    if (text !== undefined) this.embed(tenantId, text);
    const changed = await store.read.memories.get(tenantId, id);
    return changed && isSeen(user.viewer, changed) ? this.deps.usage.withPending(changed) : undefined;
  }

  /** Deletes a memory of a person who is forgotten. */
  eraseMemory(tx: StoreTransaction, memory: MemoryRecord): Promise<void> {
    return this.remove(tx, memory);
  }

  /** Deletes a memory, which also leaves the prompts of all sessions. Resolves undefined when it does not exist. Rejects `forbidden`. */
  async deleteMemory(user: ThingUser, id: string): Promise<MemoryRecord | undefined> {
    return this.deps.store.transaction({ tenant: user.tenantId }, async tx => {
      const memory = await tx.memories.get(user.tenantId, id);
      if (!memory || !isSeen(user.viewer, memory)) return undefined;
      assertMayChange(user, memory);
      await this.remove(tx, memory);
      await this.deps.auditLog.record({ ...byActor(user), action: 'memory.delete', target: id }, tx);
      return memory;
    });
  }

  /** Finds the memories that fit the query best, best first; `*`: the newest. Marks these as used; that is not committed yet when this resolves. */
  async recallMemories({ tenantId, viewer }: ThingUser, query: string, limit: number): Promise<MemoryRecord[]> {
    const { usage } = this.deps;
    const found = await (query.trim() === '*' ? this.newest(tenantId, viewer, limit) : this.findBest(tenantId, { query, viewer }, limit));
    usage.markUsed(
      tenantId,
      found.map(({ id }) => id),
    );
    return found;
  }

  private async newest(tenantId: string, viewer: Viewer, limit: number): Promise<MemoryRecord[]> {
    return (await this.deps.store.read.memories.list(tenantId, { viewer }, { limit })).data;
  }

  private findBest(tenantId: string, query: MemoryQuery, limit: number): Promise<MemoryRecord[]> {
    const { store, ranking } = this.deps;
    return ranking?.findBest(tenantId, query, limit) ?? store.read.memories.rank(tenantId, query, limit);
  }

  private async storeOnce(
    tx: StoreTransaction,
    user: ThingUser,
    request: SaveMemoryRequest & { source: MemorySource },
    once: OncePerKey,
  ): Promise<SavedMemory> {
    const { tenantId } = user;
    let saved: SavedMemory | undefined;
    await once.makeOnce(tx, { tenantId, now: this.deps.clock.now() }, async () => {
      saved = await this.store(tx, user, request);
      return saved.status === 'refused' ? undefined : `${saved.status}:${saved.memory.id}`;
    });
    if (saved) return saved;
    const [status = '', id = ''] = once.replayedId?.split(':') ?? [];
    const memory = await tx.memories.get(tenantId, id);
    if (!memory) throw noMemory();
    return { status: status as StoredMemory['status'], memory };
  }

  private async store(tx: StoreTransaction, user: ThingUser, request: SaveMemoryRequest & { source: MemorySource }): Promise<SavedMemory> {
    const { text, replaces, force } = request;
    const { tenantId, keyName, viewer } = user;
    const access = ownedBy(keyName);
    const replaced = replaces === undefined ? undefined : await tx.memories.get(tenantId, replaces);
    if (replaces !== undefined && !(replaced && isSeen(viewer, replaced))) return { status: 'refused', reason: 'missing' };
    if (replaced) assertMayChange(user, replaced);
    const same = await tx.memories.findSame(tenantId, text, access.owner);
    if (same) {
      if (replaced && replaced.id !== same.id) await this.remove(tx, replaced);
      // A known text keeps its mark: a tool result that repeats it makes it no less trustworthy, and an agent that repeats it no more.
      return this.update(tx, same, request.source.by === 'agent' ? { ...request, source: same.source } : request);
    }
    if (!force) {
      const candidates = await tx.memories.rank(tenantId, { query: text, viewer }, DUPLICATE_CANDIDATES);
      const near = nearestDuplicate(
        text,
        candidates.filter(({ id }) => id !== replaces),
      );
      if (near) return { status: 'near_duplicate', memory: near };
    }
    if (replaced) return this.update(tx, replaced, request);
    if ((await tx.memories.count(tenantId, access.owner)) >= MAX_MEMORIES) return { status: 'refused', reason: 'full' };
    const { kind = 'fact', source } = request;
    const now = this.deps.clock.now();
    const memory: MemoryRecord = { tenantId, id: this.deps.ids.next('mem'), text, kind, source, createdAt: now, updatedAt: now, ...access };
    await tx.memories.insert(memory);
    return { status: 'created', memory };
  }

  private async update(
    tx: StoreTransaction,
    old: MemoryRecord,
    { text, kind = old.kind, source }: SaveMemoryRequest & { source: MemorySource },
  ): Promise<SavedMemory> {
    const updatedAt = this.deps.clock.now();
    if (text !== old.text) await this.forgetText(tx, old);
    await tx.memories.update(old.tenantId, old.id, { text, kind, source, updatedAt });
    return { status: 'updated', memory: { ...old, text, kind, source, updatedAt } };
  }

  private async remove(tx: StoreTransaction, memory: MemoryRecord): Promise<void> {
    await tx.memories.delete(memory.tenantId, memory.id);
    await this.forgetText(tx, memory);
  }

  /** Deletes the vector of a text with the text, because a vector tells what its text was about. */
  private async forgetText(tx: StoreTransaction, { tenantId, text }: MemoryRecord): Promise<void> {
    await tx.vectors.delete(this.deps.embeddings.forgetTexts([text], tenantId));
    this.deps.onForget();
  }

  /** Returns the source of a memory whose text a person corrects. Rejects `invalid_request` for a text that another memory has already. */
  private async sourceOfCorrected(tx: StoreTransaction, old: MemoryRecord, text: string): Promise<MemorySource> {
    const same = await tx.memories.findSame(old.tenantId, text, old.owner);
    if (same && same.id !== old.id) throw alreadyKnown(same);
    if (text !== old.text) await this.forgetText(tx, old);
    // The person has read the corrected text, so it no longer counts as written by strangers.
    const { tainted: _tainted, ...source } = old.source;
    return source;
  }

  /** In the background. */
  private embed(tenantId: string, text: string): void {
    void this.deps.embeddings.vectorsFor([text], tenantId);
  }
}

/** The services of this feature, by the names under which its controllers inject them. */
export interface MemoryServices {
  memoryService: MemoryService;
}

const noMemory = (): AppError =>
  new AppError('not_found', { param: '/id', message: 'There is no such memory.', messageZh: '没有这条记忆。' });

const alreadyKnown = ({ id }: MemoryRecord): AppError =>
  new AppError('invalid_request', {
    param: '/text',
    message: '/text: another memory says this already.',
    messageZh: '/text: 另一条记忆已经包含这项内容。',
    details: { id },
  });

function toError(reason: Extract<SaveMemoryOutcome, { status: 'refused' }>['reason']): AppError {
  switch (reason) {
    case 'blank':
      return new AppError('invalid_request', { param: '/text', message: '/text: must not be blank.', messageZh: '/text: 不能为空白。' });
    case 'secret':
      return new AppError('invalid_request', {
        param: '/text',
        message: '/text: looks like it holds a key or a password, which memories must not.',
        messageZh: '/text: 似乎含有密钥或密码，记忆中不能保存。',
      });
    case 'full':
      return new AppError('quota_exceeded', {
        message: `There are ${MAX_MEMORIES} memories already: delete some before you add more.`,
        messageZh: `已有 ${MAX_MEMORIES} 条记忆：请先删除一些再添加。`,
        details: { limit: MAX_MEMORIES },
      });
    case 'missing':
      return noMemory();
  }
}
