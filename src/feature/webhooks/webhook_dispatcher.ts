/** Sends deliveries: at once, and again after failures, for about three days. Any process that shares the store may send any of them. */
import type { Clock, IdSource } from '../../port/clock';
import type { LogError } from '../../port/logger';
import type { Observer } from '../../port/observer';
import type { Store } from '../../port/store/store';
import { traceHeaders, withNewSpan } from '../../port/traceparent';
import type { WebhookSender } from '../../port/webhook_sender';
import { askedPauseMs, DeliveryLoop } from '../../service/delivery_loop';
import type { RunNews, WebhookForm } from '../../service/webhook/run_webhooks';
import { webhookHeaders } from '../../utils/webhook_signature';
import type { DeliveryPatch, DeliveryRecord, WebhookRecord } from './store/webhook_records';
import type { WebhookOutbox } from './webhook_outbox';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
/** Pauses after each failed try, as Standard Webhooks 1.0 proposes. */
export const PAUSES_MS = [5 * SECOND, 300 * SECOND, 1_800 * SECOND, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR];
/** Share by which each pause may be longer, so that many deliveries do not come at once. */
const JITTER = 0.1;
const MAX_RETRY_AFTER_MS = 24 * HOUR;

/** The receiver wants no more events. */
const GONE = 410;
const GONE_REASON = 'The server answered 410 (gone).';
const MAX_ERROR_LENGTH = 300;

export interface WebhookDispatcherDeps {
  store: Store;
  clock: Clock;
  ids: Pick<IdSource, 'uuid'>;
  sender: WebhookSender;
  /** Name -> form of bodies. */
  forms: ReadonlyMap<string, WebhookForm>;
  outbox: WebhookOutbox;
  onError: LogError;
  observer: Observer;
}

export class WebhookDispatcher {
  private readonly loop: DeliveryLoop<DeliveryRecord>;

  constructor(private readonly deps: WebhookDispatcherDeps) {
    const { store, clock, outbox, onError } = deps;
    this.loop = new DeliveryLoop({
      clock,
      refresh: async () => {
        await outbox.refresh();
        // The webhooks of runs are not among those that were read, and their deliveries wait too.
        return true;
      },
      nextAt: () => store.read.webhooks.nextDeliveryAt(),
      claim: (limit, times) => store.transaction({ leader: 'webhooks' }, tx => tx.webhooks.claimDeliveries(limit, times)),
      send: delivery => this.send(delivery),
      onSendError: thrown => onError('the result of a webhook delivery cannot be stored', thrown),
      onReadError: thrown => onError('webhooks cannot be read', thrown),
    });
    outbox.onNews = () => this.wake();
  }

  /** Returns at once. */
  start(): void {
    this.loop.start();
  }

  /** Looks for due deliveries now. */
  wake(): void {
    this.loop.wake();
  }

  /** Breaks off tries in progress; a later process repeats them. */
  stop(): void {
    this.loop.stop();
  }

  private async send(delivery: DeliveryRecord): Promise<void> {
    const { tenantId, id, webhookId, attempts } = delivery;
    const { store, clock, observer } = this.deps;
    const begunAt = clock.monotonic();
    const patch = await this.tryOnce(delivery);
    if (this.loop.isStopped && patch.status !== 'delivered') return;
    const result = patch.status === 'delivered' ? 'ok' : patch.status === 'pending' ? 'retry' : 'failed';
    observer.note({ type: 'webhook_delivery', event: delivery.type, result, durationMs: clock.monotonic() - begunAt });
    const isGone = patch.lastStatus === GONE;
    const stored: DeliveryPatch = isGone ? { status: 'failed', lastStatus: GONE, lastError: GONE_REASON } : patch;
    await store.transaction(isGone ? { leader: 'webhooks' } : 'none', async tx => {
      await tx.webhooks.updateDelivery(tenantId, id, attempts, stored);
      if (isGone) await tx.webhooks.disable(tenantId, webhookId, GONE_REASON);
    });
  }

  private async tryOnce({ tenantId, id, webhookId, body, attempts, trace }: DeliveryRecord): Promise<DeliveryPatch> {
    const { store, clock, ids, sender } = this.deps;
    const webhook = await store.read.webhooks.get(tenantId, webhookId);
    if (!webhook) return { status: 'failed', lastError: 'The webhook was deleted.' };
    const tooLate = new Error('The server did not answer in time.');
    try {
      const { text, contentType } = await this.toForm(webhook, body);
      if (text === undefined) return { status: 'failed', lastError: 'The run was deleted.' };
      const signed = webhookHeaders(webhook.secret, { id, body: text, timeMs: clock.now() });
      const traced = trace && traceHeaders(withNewSpan(trace, ids.uuid()));
      const headers = { ...webhook.headers, ...signed, ...traced, ...(contentType && { 'content-type': contentType }) };
      const { status, retryAfter } = await this.loop.tryOnce(tooLate, signal => sender.post(webhook.url, text, headers, signal));
      if (status >= 200 && status < 300) return { status: 'delivered', lastStatus: status, deliveredAt: clock.now() };
      return { ...this.afterFailure(attempts, retryAfter), lastStatus: status, lastError: `The server answered ${status}.` };
    } catch (thrown) {
      return { ...this.afterFailure(attempts), lastError: String((thrown as Error).message).slice(0, MAX_ERROR_LENGTH) };
    }
  }

  /** Writes the stored body in the form of the webhook. Resolves without a text when its run was deleted. */
  private async toForm({ tenantId, form }: WebhookRecord, body: string): Promise<{ text: string | undefined; contentType?: string }> {
    if (form === undefined) return { text: body };
    const known = this.deps.forms.get(form);
    if (!known) throw new Error(`This gateway knows no form ${form} of webhooks.`);
    // The outbox has written it.
    const { timestamp, data } = JSON.parse(body) as { timestamp: string; data: Pick<RunNews, 'runId' | 'status'> };
    return { text: await known.toBody({ tenantId, timestamp, ...data }), contentType: known.contentType };
  }

  /** Returns the state after a failed try. `attempt`: number of the try, from 1. */
  private afterFailure(attempt: number, retryAfter = ''): Pick<DeliveryPatch, 'status' | 'nextAttemptAt'> {
    const pauseMs = PAUSES_MS[attempt - 1];
    if (pauseMs === undefined) return { status: 'failed' };
    return {
      status: 'pending',
      nextAttemptAt: Math.round(
        this.deps.clock.now() + Math.max(askedPauseMs(retryAfter, MAX_RETRY_AFTER_MS), pauseMs * (1 + Math.random() * JITTER)),
      ),
    };
  }
}
