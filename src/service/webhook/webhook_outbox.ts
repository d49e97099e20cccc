/**
 * Stores a delivery for each webhook that wants an event, in the transaction of the event itself: what happened is announced, and nothing else is.
 * Without webhooks it executes no statement.
 */
import type { Clock, IdSource } from '../../port/clock';
import type { TerminalStatus } from '../../port/run_event';
import type { RunRecord } from '../../port/store/runs';
import type { ReadableStore, StoreTransaction } from '../../port/store/store';
import type { WebhookEvent, WebhookReader, WebhookRecord, WebhookWriter } from '../../port/store/webhooks';

const EVENT_OF: Record<TerminalStatus, WebhookEvent> = {
  completed: 'run.completed',
  incomplete: 'run.completed',
  failed: 'run.failed',
  cancelled: 'run.cancelled',
};

export interface WebhookOutboxDeps {
  store: ReadableStore<WebhookReader>;
  clock: Clock;
  ids: IdSource;
}

export class WebhookOutbox {
  private webhooks: readonly WebhookRecord[] = [];
  private hasNews = false;
  /** Is called when deliveries are committed. */
  onNews = (): void => {};

  constructor(private readonly deps: WebhookOutboxDeps) {}

  /** Reads the webhooks again; other processes may have changed them. Resolves whether there is one. */
  async refresh(): Promise<boolean> {
    this.webhooks = await this.deps.store.read.allWebhooks();
    return this.webhooks.length > 0;
  }

  /** Announces the end of a run. A member of a crew is a part of another run and announces nothing. */
  async addEnd(tx: WebhookWriter, { tenantId, id: runId, sessionId, parent }: RunRecord, status: TerminalStatus): Promise<void> {
    if (!parent) await this.add(tx, tenantId, EVENT_OF[status], { runId, sessionId, status });
  }

  /** Announces that a run waits for a person. */
  async addWait(tx: StoreTransaction, { tenantId, id: runId, sessionId }: RunRecord): Promise<void> {
    await this.add(tx, tenantId, 'run.waiting', { runId, sessionId, status: 'waiting' });
  }

  async add(tx: WebhookWriter, tenantId: string, type: WebhookEvent, data: object): Promise<void> {
    const wanted = this.webhooks.filter(
      ({ tenantId: owner, events, disabledReason }) => owner === tenantId && disabledReason === undefined && events.includes(type),
    );
    if (wanted.length === 0) return;
    const now = this.deps.clock.now();
    const body = JSON.stringify({ type, timestamp: new Date(now).toISOString(), data });
    const shared = { tenantId, type, body, status: 'pending' as const, attempts: 0, nextAttemptAt: now, createdAt: now };
    await tx.insertDeliveries(wanted.map(({ id: webhookId }) => ({ ...shared, id: this.deps.ids.next('dlv'), webhookId })));
    this.hasNews = true;
  }

  /** Call it after the transaction. */
  flush(): void {
    if (!this.hasNews) return;
    this.hasNews = false;
    this.onNews();
  }
}
