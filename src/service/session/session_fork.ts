/**
 * Copies a session in parts, so that the fork of a long session stops no other work. The store hides the new session until the last part. A copy that
 * a dead gateway left is continued by a request with the same idempotency key, or deleted by the clean-up of each hour.
 */
import { AppError } from '../../errors';
import type { Clock, IdSource } from '../../port/clock';
import type { MessagePlace } from '../../port/store/messages';
import type { CopyProgress } from '../../port/store/session_copies';
import type { SessionOrigin, SessionRecord } from '../../port/store/sessions';
import type { Store, StoreTransaction } from '../../port/store/store';
import { accessOfNew } from '../access/session_access';
import { workInParts } from '../in_parts';
import type { OncePerKey } from '../once_per_key';

export interface ForkInput {
  title?: string;
  /** Copies no messages of runs after this ordinal. */
  through?: number;
  origin?: SessionOrigin;
  /** The key or the person that forks. A branch belongs to whoever the chat belongs to. */
  by?: string | undefined;
  /** Makes the copy a branch of the source's chat. */
  branch?: BranchPoint;
}

/** Where a branch leaves its source. */
export interface BranchPoint {
  rootSessionId: string;
  beforeRunId: string;
  beforeSessionId: string;
  /** The first message that is not copied. */
  before: MessagePlace & { createdAt: number };
}

interface ForkDeps {
  store: Store;
  clock: Clock;
  ids: IdSource;
}

/** The first part is in the transaction that inserts the session: it is the whole fork of most sessions. */
const COPY_PARTS = { first: 200, most: 2_000 };
/** A copy without a new part for so long is abandoned. */
const ABANDONED_MS = 600_000;
const COPIES_AT_ONCE = 50;

/**
 * Copies the history, images, summary, plan and settings of `source`, as far as its runs have ended now, and resolves with the id of the complete
 * copy. With the key of an earlier request it is the copy of that request. Resolves with undefined when the source or the copy was deleted before it
 * was complete. Rejects `session_busy` for a branch after a run that has not ended.
 */
export async function forkSession(deps: ForkDeps, source: SessionRecord, input: ForkInput, once: OncePerKey): Promise<string | undefined> {
  const { store, clock, ids } = deps;
  const { tenantId, id: sourceId } = source;
  const now = clock.now();
  const { through, branch } = input;
  const session = toCopy(source, input, { id: ids.next('ses'), now });
  let progress: CopyProgress = 'more';
  await store.transaction({ session: { tenantId, sessionId: sourceId }, ...once.lockOf(tenantId) }, tx =>
    once.makeOnce(tx, { tenantId, now }, async () => {
      if (branch) await tx.sessionBranches.beginChat(tenantId, sourceId);
      await tx.sessions.insert(session);
      const hasBegun = await tx.sessionCopies.begin({ tenantId, sessionId: session.id, sourceId, through, before: branch?.before, now });
      if (!hasBegun) throw new AppError('session_busy', { retryAfterMs: 1_000 });
      progress = await copyPart(deps, tx, session, COPY_PARTS.first);
      return session.id;
    }),
  );
  const copy = { tenantId, id: once.replayedId ?? session.id };
  if (progress === 'more') progress = await copyRest(deps, copy);
  return progress === 'complete' ? copy.id : undefined;
}

/**
 * A fork is a new chat, neither pinned nor archived, in the project of its source. A branch without a run of its own is older than its source, so
 * that the list of chats shows the source until the branch is used.
 */
function toCopy(source: SessionRecord, { title = source.title, origin, branch, by }: ForkInput, { id, now }: { id: string; now: number }) {
  const { parentRunId: _run, parentSessionId: _session, origin: _origin, historyVersion: _version, ...settings } = source;
  const copy = { ...settings, id, title, createdAt: now, origin };
  if (branch) {
    const { rootSessionId, beforeRunId, beforeSessionId } = branch;
    return { ...copy, updatedAt: source.updatedAt - 1, rootSessionId, beforeRunId, beforeSessionId };
  }
  const { owner: _owner, visibility: _visibility, accessId: _access, ...free } = copy;
  const newChat = { pinned: undefined, archived: undefined, rootSessionId: undefined, beforeRunId: undefined, beforeSessionId: undefined };
  return { ...free, ...newChat, ...accessOfNew(by, id), updatedAt: now };
}

type Copy = Pick<SessionRecord, 'tenantId' | 'id'>;

async function copyRest(deps: ForkDeps, copy: Copy): Promise<CopyProgress> {
  let progress: CopyProgress = 'more';
  await workInParts(deps, { session: { tenantId: copy.tenantId, sessionId: copy.id } }, COPY_PARTS, async (tx, size) => {
    progress = await copyPart(deps, tx, copy, size);
    return progress === 'more';
  });
  return progress;
}

const copyPart = ({ clock, ids }: ForkDeps, tx: StoreTransaction, { tenantId, id }: Copy, size: number): Promise<CopyProgress> =>
  tx.sessionCopies.copyPart(tenantId, id, { size, now: clock.now(), nextId: () => ids.next('msg') });

/** Deletes copies that no gateway continues. */
export async function deleteAbandonedCopies(
  { store, clock }: Omit<ForkDeps, 'ids'>,
  purgeSession: (tenantId: string, sessionId: string) => Promise<void>,
): Promise<void> {
  const before = clock.now() - ABANDONED_MS;
  for (const { tenantId, id: sessionId } of await store.read.sessionCopies.abandoned(before, COPIES_AT_ONCE)) {
    // Another gateway may continue the copy now; a copy that is given up is not continued.
    const isOver = await store.transaction({ session: { tenantId, sessionId } }, tx =>
      tx.sessionCopies.giveUp(tenantId, sessionId, before),
    );
    if (isOver) await purgeSession(tenantId, sessionId);
  }
}
