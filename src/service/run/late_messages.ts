/** Moves steering messages that came too late for their run to the queue of the session, each as a run of its own. */
import type { Clock } from '../../port/clock';
import type { RunRecord } from '../../port/store/runs';
import type { StoreTransaction } from '../../port/store/store';
import type { RunAdmission } from './run_admission';

export class LateMessages {
  constructor(private readonly deps: { clock: Clock; admission: RunAdmission }) {}

  /**
   * Queues the late messages of a run. Call it in the transaction that ends the run. Resolves with the number of queued runs; after the commit the
   * caller counts them with RunCapacity.joinQueue, because a transaction can be repeated.
   */
  async moveToQueue(tx: StoreTransaction, run: RunRecord): Promise<number> {
    const { tenantId, id } = run;
    const messages = await tx.steeringMessages.pending(tenantId, id);
    if (messages.length === 0) return 0;
    for (const message of messages) await this.deps.admission.enqueueSteeringMessage(tx, run, message);
    const ids = messages.map(message => message.id);
    await tx.steeringMessages.take(tenantId, ids, this.deps.clock.now());
    return messages.length;
  }
}
