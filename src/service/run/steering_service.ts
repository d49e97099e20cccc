/** Steering messages, which a person sends into an active run. They are stored first, and the loop takes them between two attempts. */
import { AppError } from '../../errors';
import type { Clock, IdSource } from '../../port/clock';
import type { UserMessage } from '../../port/llm';
import type { Actor } from '../../port/principal';
import type { RunRecord } from '../../port/store/runs';
import type { Store, StoreTransaction } from '../../port/store/store';
import type { RunLimiter } from '../limits/run_limiter';
import { retryWhileStoreUnavailable } from '../retry_while_store_unavailable';
import type { RunWriter } from '../run_log/run_writer';

/** Limits of the steering messages of one run that the loop has not taken. A single text may have more than `bytes`. */
const MAX_PENDING = { messages: 32, bytes: 256_000 };
/** Limit of pending messages and queued runs of the session together, because a late message becomes a queued run. */
const MAX_WAITING = 64;
const RETRY_AFTER_MS = 2_000;

export class SteeringService {
  constructor(private readonly deps: { store: Store; clock: Clock; ids: IdSource; runLimiter: Pick<RunLimiter, 'countRun'> }) {}

  /**
   * Stores a message of `actor` in a transaction of the caller, who has checked that the run is active. The message counts like a run, because it
   * becomes a run when this run ends before taking it. Rejects `rate_limited` and `quota_exceeded`.
   */
  async addMessage(tx: StoreTransaction, run: RunRecord, text: string, actor: Actor = run): Promise<void> {
    const { clock, ids, runLimiter } = this.deps;
    const { tenantId, sessionId, id: runId } = run;
    await runLimiter.countRun(tx, actor);
    await this.assertRoom(tx, run, Buffer.byteLength(text));
    await tx.steeringMessages.insert({ tenantId, id: ids.next('msg'), sessionId, runId, text, createdAt: clock.now() });
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

  /**
   * Moves the pending messages of the run into its history and resolves with their texts, oldest first. Retries while the store is unavailable;
   * `giveUp` throws when the run is stopped.
   */
  async takeMessages(run: RunRecord, writer: RunWriter, giveUp: () => void): Promise<string[]> {
    const { store, clock } = this.deps;
    const pending = await retryWhileStoreUnavailable(clock, () => store.read.steeringMessages.pending(run.tenantId, run.id), giveUp);
    if (pending.length === 0) return [];
    const ids = pending.map(message => message.id);
    const records = pending.map(({ text }, i) => {
      const message: UserMessage = { role: 'user', content: text };
      const isLast = i === pending.length - 1;
      const markTaken = async (tx: StoreTransaction) => void (await tx.steeringMessages.take(run.tenantId, ids, this.deps.clock.now()));
      return writer.record({ type: 'message_end', data: message }, message, isLast ? markTaken : undefined);
    });
    await Promise.all(records);
    return pending.map(({ text }) => text);
  }
}
