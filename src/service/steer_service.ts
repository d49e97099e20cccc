/** Messages that a person sends into a running turn. They are stored first, taken by the loop between attempts, and never lost. */
import type { Clock, IdSource } from '../port/clock';
import type { UserMessage } from '../port/llm';
import type { Store, StoreTransaction } from '../port/store';
import type { RunRecord, SteerRecord } from '../port/store_records';
import type { RunWriter } from './run_log';

export class SteerService {
  constructor(private readonly ports: { store: Store; clock: Clock; ids: IdSource }) {}

  /** In a transaction of the caller, which knows that the run is under way. */
  async add(tx: StoreTransaction, run: RunRecord, text: string): Promise<void> {
    const { clock, ids } = this.ports;
    const { tenantId, sessionId, id: runId } = run;
    await tx.insertSteer({ tenantId, id: ids.next('msg'), sessionId, runId, text, createdAt: clock.now() });
  }

  /** Puts what waits for the run into its history and resolves with the texts, oldest first. */
  async take(run: RunRecord, writer: RunWriter): Promise<string[]> {
    const pending = await this.ports.store.read.pendingSteers(run.tenantId, run.id);
    if (pending.length === 0) return [];
    const ids = pending.map(steer => steer.id);
    const records = pending.map((steer, i) => {
      const message: UserMessage = { role: 'user', content: steer.text };
      const isLast = i === pending.length - 1;
      const taken = async (tx: StoreTransaction) => void (await tx.takeSteers(run.tenantId, ids, this.ports.clock.now()));
      return writer.record({ type: 'message_end', data: message }, message, isLast ? taken : undefined);
    });
    await Promise.all(records);
    return pending.map(steer => steer.text);
  }

  /** In the transaction that ends the run: what it did not take becomes the next messages of the session, each a run of its own. */
  async keepAtEnd(
    tx: StoreTransaction,
    run: RunRecord,
    startNext: (tx: StoreTransaction, steer: SteerRecord) => Promise<void>,
  ): Promise<void> {
    const pending = await tx.pendingSteers(run.tenantId, run.id);
    if (pending.length === 0) return;
    for (const steer of pending) await startNext(tx, steer);
    await tx.takeSteers(
      run.tenantId,
      pending.map(steer => steer.id),
      this.ports.clock.now(),
    );
  }
}
