/** Steering messages, which a person sends into an active run. They are stored first, and the loop takes them between two attempts. */
import { AppError } from '../../errors';
import type { Clock, IdSource } from '../../port/clock';
import { type Attachments, toFileReference, toReference, toShownFile } from '../../port/image_input';
import type { UserMessage } from '../../port/llm';
import type { NodeBus } from '../../port/node_bus';
import type { Actor } from '../../port/principal';
import type { RunRecord } from '../../port/store/runs';
import type { SteeringMessage } from '../../port/store/steering_messages';
import type { Store, StoreTransaction } from '../../port/store/store';
import type { RunLimiter } from '../limits/run_limiter';
import { retryWhileStoreUnavailable } from '../retry_while_store_unavailable';
import type { RunWriter } from '../run_log/run_writer';
import { shownWriter } from './message_writer';
import type { StartRequest } from './start_request';

/** Limits of the steering messages of one run that the loop has not taken. A single text may have more than `bytes`. */
const MAX_PENDING = { messages: 32, bytes: 256_000 };
/** Limit of pending messages and queued runs of the session together, because a late message becomes a queued run. */
const MAX_WAITING = 64;
const RETRY_AFTER_MS = 2_000;
/** A run looks for messages this often although nobody told it of one: the note of another gateway may be lost. */
const LOOK_AGAIN_MS = 2_000;

/** What a person sends into a run. */
export interface SteeringInput extends Pick<SteeringMessage, 'text' | 'metadata' | 'writtenBy'>, Attachments {}

/** A message for a run. `alsoWrite` gets the run that takes the message, in the transaction that stores it. */
export type SteeringRequest = SteeringInput & Pick<StartRequest, 'alsoWrite'>;

interface SteeringDeps {
  store: Store;
  clock: Clock;
  ids: IdSource;
  runLimiter: Pick<RunLimiter, 'countRun'>;
  nodeBus: Pick<NodeBus, 'publish'>;
}

/** Remembers whether messages may wait for a run that executes here. */
interface Watch {
  /** A message was stored since the run looked for messages. */
  isNoted: boolean;
  /** When the run looked for messages, in milliseconds of the monotonic clock. */
  lookedAt: number;
}

export class SteeringService {
  /** The runs that execute here, by id. */
  private readonly watches = new Map<string, Watch>();

  constructor(private readonly deps: SteeringDeps) {}

  /**
   * Stores a message of `actor` in a transaction of the caller, who has checked that the run is active. The message counts like a run, because it
   * becomes a run when this run ends before taking it. Rejects `rate_limited` and `quota_exceeded`.
   */
  async addMessage(tx: StoreTransaction, run: RunRecord, message: SteeringInput, actor: Actor = run): Promise<void> {
    await this.deps.runLimiter.countRun(tx, actor);
    await this.insertMessage(tx, run, message);
  }

  /** Like `addMessage`, for a message that counts for no limit: it belongs to an answer for which the run waits. Rejects `rate_limited`. */
  async insertMessage(tx: StoreTransaction, run: RunRecord, { text, images, files, metadata, writtenBy }: SteeringInput): Promise<void> {
    const { clock, ids } = this.deps;
    const { tenantId, sessionId, id: runId } = run;
    const createdAt = clock.now();
    await this.assertRoom(tx, run, Buffer.byteLength(text));
    for (const { id, mediaType, bytes } of [...(images ?? []), ...(files ?? [])])
      await tx.images.insert({ tenantId, sessionId, id, mediaType, bytes, createdAt });
    const references = { images: images?.map(toReference), files: files?.map(toFileReference) };
    const message = { tenantId, id: ids.next('msg'), sessionId, runId, text, writtenBy, ...references, metadata, createdAt };
    await tx.steeringMessages.insert(message);
  }

  private async assertRoom(tx: StoreTransaction, { tenantId, sessionId, id }: RunRecord, bytes: number): Promise<void> {
    const pending = await tx.steeringMessages.countPending(tenantId, id);
    const isTooMuch = pending.count > 0 && pending.bytes + bytes > MAX_PENDING.bytes;
    const queued = isTooMuch ? 0 : await tx.runs.countQueued(tenantId, sessionId);
    if (pending.count < MAX_PENDING.messages && pending.count + queued < MAX_WAITING && !isTooMuch) return;
    throw new AppError('rate_limited', {
      message: `At most ${MAX_PENDING.messages} messages and ${MAX_PENDING.bytes / 1_000} kB may wait for a run.`,
      messageZh: `最多有 ${MAX_PENDING.messages} 条消息、共 ${MAX_PENDING.bytes / 1_000} kB 等待一个运行。`,
      retryAfterMs: RETRY_AFTER_MS,
    });
  }

  /** From now on `noteMessage` reaches the run, until `unwatchRun`. `isNew`: the run is not stored yet, so it has no message. */
  watchRun(runId: string, { isNew }: { isNew: boolean }): void {
    this.watches.set(runId, { isNoted: !isNew, lookedAt: this.deps.clock.monotonic() });
  }

  unwatchRun(runId: string): void {
    this.watches.delete(runId);
  }

  /** Tells the run, wherever it executes, of a message. Call it once the message is stored. */
  tellRun(runId: string): void {
    if (!this.noteMessage(runId)) this.deps.nodeBus.publish('steering', { runId });
  }

  /** Makes the run look for messages before its next model call. Returns false when the run does not execute here. */
  noteMessage(runId: string): boolean {
    const watch = this.watches.get(runId);
    if (watch) watch.isNoted = true;
    return watch !== undefined;
  }

  /** As `noteMessage`, for every run here: notes of other gateways may have been lost. */
  noteLoss(): void {
    for (const watch of this.watches.values()) watch.isNoted = true;
  }

  /**
   * Moves the pending messages of the run into its history and resolves with them, oldest first. Reads the store only when there may be a message,
   * and repeats the read while the store is unavailable; `giveUp` throws when the run is stopped. A message that is not found here becomes a queued run
   * at the end of this run.
   */
  async takeMessages(run: RunRecord, writer: RunWriter, giveUp: () => void): Promise<UserMessage[]> {
    const pending = await this.readPending(run, giveUp);
    if (pending.length === 0) return [];
    const ids = pending.map(message => message.id);
    const messages = pending.map(toUserMessage);
    const records = messages.map((message, i) => {
      const { role, content, by, images, files } = message;
      const isLast = i === pending.length - 1;
      const markTaken = async (tx: StoreTransaction) => void (await tx.steeringMessages.take(run.tenantId, ids, this.deps.clock.now()));
      return writer.record(
        { type: 'message_end', data: { role, content, by, images: images && [...images], files: files?.map(toShownFile) } },
        message,
        isLast ? markTaken : undefined,
      );
    });
    await Promise.all(records);
    return messages;
  }

  private async readPending({ tenantId, id }: RunRecord, giveUp: () => void): Promise<SteeringMessage[]> {
    const { store, clock } = this.deps;
    const watch = this.watches.get(id);
    const now = clock.monotonic();
    if (watch && !watch.isNoted && now - watch.lookedAt < LOOK_AGAIN_MS) return [];
    // Before the read: a message that is noted during the read may be too late for it.
    if (watch) watch.isNoted = false;
    const pending = await retryWhileStoreUnavailable(clock, () => store.read.steeringMessages.pending(tenantId, id), giveUp);
    if (watch) watch.lookedAt = now;
    return pending;
  }
}

const toUserMessage = ({ text, writtenBy, images, files }: SteeringMessage): UserMessage => ({
  role: 'user',
  content: text,
  by: shownWriter(writtenBy),
  images,
  files,
});
