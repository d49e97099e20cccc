/**
 * Stores a delivery for each webhook that wants an event, in the transaction of the event itself: everything that happened is announced, and nothing
 * else. Without webhooks it executes no statement, except the one that looks for webhooks.
 */
import type { Clock, IdSource } from '../../port/clock';
import type { NodeBus } from '../../port/node_bus';
import type { TerminalStatus } from '../../port/run_event';
import type { RunRecord } from '../../port/store/runs';
import type { ReadableStore, StoreTransaction } from '../../port/store/store';
import type { TraceContext } from '../../port/trace_context';
import type { WebhookEvent } from '../../port/webhook_sender';
import type { WebhookRecord } from './store/webhook_records';

const EVENT_OF: Record<TerminalStatus, WebhookEvent> = {
  completed: 'run.completed',
  incomplete: 'run.completed',
  failed: 'run.failed',
  cancelled: 'run.cancelled',
};

type WebhookTransaction = Pick<StoreTransaction, 'webhooks'>;

export interface WebhookOutboxDeps {
  store: ReadableStore<'webhooks'>;
  clock: Clock;
  ids: IdSource;
  nodeBus: Pick<NodeBus, 'publish' | 'subscribe' | 'onLoss'>;
}

export class WebhookOutbox {
  /** Undefined until they were read. */
  private webhooks: readonly WebhookRecord[] | undefined;
  private hasNews = false;
  /** Is called when deliveries are committed. */
  onNews = (): void => {};

  constructor(private readonly deps: WebhookOutboxDeps) {
    // The dispatcher reads them every few seconds in any case.
    const readAgain = () => void this.readWebhooks().catch(() => {});
    deps.nodeBus.subscribe('webhooks', readAgain);
    deps.nodeBus.onLoss(readAgain);
  }

  /** Reads what this gateway has just changed, and tells the other nodes. */
  async applyChange(): Promise<void> {
    this.deps.nodeBus.publish('webhooks', {});
    await this.readWebhooks();
  }

  /** Reads the webhooks again, because other processes may have changed them. Resolves whether there is one. */
  async refresh(): Promise<boolean> {
    return (await this.readWebhooks()).length > 0;
  }

  /** Resolves true when a webhook of the tenant gets such events. Reads the webhooks when the dispatcher has not done so since the start. */
  async isWanted(tenantId: string, type: WebhookEvent): Promise<boolean> {
    const webhooks = this.webhooks ?? (await this.readWebhooks());
    return webhooks.some(webhook => wants(webhook, tenantId, type));
  }

  /** Announces the end of a run. A member of a crew is a part of another run and announces nothing. */
  async addEnd(
    tx: WebhookTransaction,
    { tenantId, id: runId, sessionId, parent, trace }: RunRecord,
    status: TerminalStatus,
  ): Promise<void> {
    if (!parent) await this.add(tx, { tenantId, type: EVENT_OF[status], trace }, { runId, sessionId, status });
  }

  /** Announces that a run waits for a person. A crew member's run is announced in the name of its master, whose log shows the question. */
  async addWait(tx: StoreTransaction, { tenantId, id, sessionId: ownSession, parent, trace }: RunRecord): Promise<void> {
    const { runId, sessionId } = parent ?? { runId: id, sessionId: ownSession };
    await this.add(tx, { tenantId, type: 'run.waiting', trace }, { runId, sessionId, status: 'waiting' });
  }

  /** `trace`: that of the run. */
  async add(
    tx: WebhookTransaction,
    { tenantId, type, trace }: { tenantId: string; type: WebhookEvent; trace?: TraceContext | undefined },
    data: object,
  ): Promise<void> {
    if (!(await this.isWanted(tenantId, type))) return;
    // Read again and hold them: a delivery to a webhook that another process deletes could not be stored, and would undo the event itself.
    const wanted = (await tx.webhooks.hold(tenantId)).filter(webhook => wants(webhook, tenantId, type));
    if (wanted.length === 0) return;
    const now = this.deps.clock.now();
    const body = JSON.stringify({ type, timestamp: new Date(now).toISOString(), data });
    const shared = {
      tenantId,
      type,
      body,
      status: 'pending' as const,
      attempts: 0,
      nextAttemptAt: now,
      createdAt: now,
      trace,
    };
    await tx.webhooks.insertDeliveries(wanted.map(({ id: webhookId }) => ({ ...shared, id: this.deps.ids.next('dlv'), webhookId })));
    this.hasNews = true;
  }

  private async readWebhooks(): Promise<readonly WebhookRecord[]> {
    const webhooks = await this.deps.store.read.webhooks.all();
    this.webhooks = webhooks;
    return webhooks;
  }

  /** Sends the stored deliveries. Call it after the transaction. */
  flush(): void {
    if (!this.hasNews) return;
    this.hasNews = false;
    this.onNews();
  }
}

const wants = ({ tenantId: owner, events, disabledReason }: WebhookRecord, tenantId: string, type: WebhookEvent): boolean =>
  owner === tenantId && disabledReason === undefined && events.includes(type);
