/** Sends deliveries: at once, and again after failures, for about three days. Any process that shares the store may send any of them. */
import type { Clock, IdSource } from '../../port/clock';
import type { LogError } from '../../port/logger';
import type { Observer } from '../../port/observer';
import type { Store } from '../../port/store/store';
import { traceHeaders, withNewSpan } from '../../port/traceparent';
import type { WebhookSender } from '../../port/webhook_sender';
import { webhookHeaders } from '../../utils/webhook_signature';
import type { DeliveryPatch, DeliveryRecord } from './store/webhook_records';
import type { WebhookOutbox } from './webhook_outbox';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
/** Pauses after each failed try, as Standard Webhooks 1.0 proposes. */
export const PAUSES_MS = [5 * SECOND, 300 * SECOND, 1_800 * SECOND, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR];
/** Share by which each pause may be longer, so that many deliveries do not come at once. */
const JITTER = 0.1;
const MAX_RETRY_AFTER_MS = 24 * HOUR;

const FIRST_LOOK_MS = 1_000;
/** Webhooks and deliveries of other processes are seen after this time. */
const LOOK_MS = 10_000;
const MAX_IN_FLIGHT = 16;
const TIMEOUT_MS = 15_000;
/**
 * Milliseconds for which a delivery is reserved. Longer than a try takes: afterwards the process has ended, and another one may take the delivery
 * over.
 */
const RESERVED_MS = 60_000;
/** The receiver wants no more events. */
const GONE = 410;
const GONE_REASON = 'The server answered 410 (gone).';
const MAX_ERROR_LENGTH = 300;

export interface WebhookDispatcherDeps {
  store: Store;
  clock: Clock;
  ids: Pick<IdSource, 'uuid'>;
  sender: WebhookSender;
  outbox: WebhookOutbox;
  onError: LogError;
  observer: Observer;
}

export class WebhookDispatcher {
  private isStopped = true;
  private isLooking = false;
  private isStale = false;
  private inFlight = 0;
  private stopTimer = () => {};
  private readonly stopping = new AbortController();

  constructor(private readonly deps: WebhookDispatcherDeps) {
    deps.outbox.onNews = () => this.wake();
  }

  /** Returns at once. */
  start(): void {
    this.isStopped = false;
    this.stopTimer = this.deps.clock.after(FIRST_LOOK_MS, () => void this.look());
  }

  /** Looks for due deliveries now. */
  wake(): void {
    this.isStale = true;
    if (!this.isStopped && !this.isLooking) void this.look();
  }

  /** Breaks off tries in progress; a later process repeats them. */
  stop(): void {
    this.isStopped = true;
    this.stopTimer();
    this.stopping.abort(new Error('The gateway stops.'));
  }

  /** Sends due deliveries and sets the timer to the next. Never rejects. */
  private async look(): Promise<void> {
    this.stopTimer();
    this.isLooking = true;
    let waitMs = LOOK_MS;
    try {
      do {
        this.isStale = false;
        waitMs = await this.sendDue();
      } while (this.isStale && !this.isStopped);
    } catch (thrown) {
      if (!this.isStopped) this.deps.onError('webhooks cannot be read', thrown);
    }
    this.isLooking = false;
    if (!this.isStopped) this.stopTimer = this.deps.clock.after(waitMs, () => void this.look());
  }

  /** Sends due deliveries. Resolves with the milliseconds until the next look. */
  private async sendDue(): Promise<number> {
    const { store, clock, outbox } = this.deps;
    if (!(await outbox.refresh())) return LOOK_MS;
    const now = clock.now();
    const nextAt = await store.read.webhooks.nextDeliveryAt();
    if (nextAt === undefined || this.inFlight >= MAX_IN_FLIGHT) return LOOK_MS;
    if (nextAt > now) return Math.min(LOOK_MS, nextAt - now);
    const times = { now, until: now + RESERVED_MS };
    const claimed = await store.transaction({ leader: 'webhooks' }, tx =>
      tx.webhooks.claimDeliveries(MAX_IN_FLIGHT - this.inFlight, times),
    );
    this.inFlight += claimed.length;
    for (const delivery of claimed) void this.send(delivery);
    this.isStale = this.inFlight < MAX_IN_FLIGHT && claimed.length > 0;
    return LOOK_MS;
  }

  /** Sends one delivery and stores the result. Never rejects. */
  private async send(delivery: DeliveryRecord): Promise<void> {
    const { tenantId, id, webhookId, attempts } = delivery;
    const { store, clock, observer, onError } = this.deps;
    const begunAt = clock.monotonic();
    try {
      const patch = await this.tryOnce(delivery);
      if (this.isStopped && patch.status !== 'delivered') return;
      const result = patch.status === 'delivered' ? 'ok' : patch.status === 'pending' ? 'retry' : 'failed';
      observer.note({ type: 'webhook_delivery', event: delivery.type, result, durationMs: clock.monotonic() - begunAt });
      const isGone = patch.lastStatus === GONE;
      await store.transaction(isGone ? { leader: 'webhooks' } : 'none', async tx => {
        await tx.webhooks.updateDelivery(
          tenantId,
          id,
          attempts,
          isGone ? { status: 'failed', lastStatus: GONE, lastError: GONE_REASON } : patch,
        );
        if (isGone) await tx.webhooks.disable(tenantId, webhookId, GONE_REASON);
      });
    } catch (thrown) {
      onError('the result of a webhook delivery cannot be stored', thrown);
    } finally {
      this.inFlight -= 1;
      this.wake();
    }
  }

  private async tryOnce({ tenantId, id, webhookId, body, attempts, trace }: DeliveryRecord): Promise<DeliveryPatch> {
    const { store, clock, ids, sender } = this.deps;
    const webhook = await store.read.webhooks.get(tenantId, webhookId);
    if (!webhook) return { status: 'failed', lastError: 'The webhook was deleted.' };
    const signed = webhookHeaders(webhook.secret, { id, body, timeMs: clock.now() });
    const headers = trace ? { ...signed, ...traceHeaders(withNewSpan(trace, ids.uuid())) } : signed;
    const timeout = new AbortController();
    const cancelTimer = clock.after(TIMEOUT_MS, () => timeout.abort(new Error('The server did not answer in time.')));
    try {
      const signal = AbortSignal.any([timeout.signal, this.stopping.signal]);
      const { status, retryAfter } = await sender.post(webhook.url, body, headers, signal);
      if (status >= 200 && status < 300) return { status: 'delivered', lastStatus: status, deliveredAt: clock.now() };
      return { ...this.afterFailure(attempts, retryAfter), lastStatus: status, lastError: `The server answered ${status}.` };
    } catch (thrown) {
      const reason = timeout.signal.aborted ? timeout.signal.reason : thrown;
      return { ...this.afterFailure(attempts), lastError: String((reason as Error).message).slice(0, MAX_ERROR_LENGTH) };
    } finally {
      cancelTimer();
    }
  }

  /** Returns the state after a failed try. `attempt`: number of the try, from 1. */
  private afterFailure(attempt: number, retryAfter = ''): Pick<DeliveryPatch, 'status' | 'nextAttemptAt'> {
    const pauseMs = PAUSES_MS[attempt - 1];
    if (pauseMs === undefined) return { status: 'failed' };
    const asked = /^\d+$/.test(retryAfter) ? Math.min(Number(retryAfter) * SECOND, MAX_RETRY_AFTER_MS) : 0;
    return {
      status: 'pending',
      nextAttemptAt: Math.round(this.deps.clock.now() + Math.max(asked, pauseMs * (1 + Math.random() * JITTER))),
    };
  }
}
