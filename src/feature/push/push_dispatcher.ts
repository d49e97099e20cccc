/** Sends notifications: at once, and again after failures as long as they are worth telling. Any process that shares the store may send any of them. */
import type { Clock } from '../../port/clock';
import type { LogError } from '../../port/logger';
import type { Observer } from '../../port/observer';
import type { PushAnswer, PushMessage, PushSender } from '../../port/push_sender';
import type { Store } from '../../port/store/store';
import type { KeyRing } from '../../service/auth/key_ring';
import type { PushKeyPair } from './push_keys';
import type { PushOutbox } from './push_outbox';
import { findOwner } from './push_owner';
import type { PushNoticeWriter } from './push_writer';
import type { PushDeliveryRecord, PushSubscriptionRecord } from './store/push_records';

const SECOND = 1_000;
/** Pauses after each failed try. */
export const PAUSES_MS = [5 * SECOND, 30 * SECOND, 120 * SECOND, 600 * SECOND];
const MAX_RETRY_AFTER_MS = 3_600 * SECOND;
const FIRST_LOOK_MS = 1_000;
/** Devices and notifications of other processes are seen after this time. */
const LOOK_MS = 10_000;
const MAX_IN_FLIGHT = 16;
const TIMEOUT_MS = 15_000;
/** Longer than a try takes: afterwards its process has ended, and another one may take the delivery over. */
const RESERVED_MS = 60_000;
/** The device does not exist any more. */
const GONE = [404, 410];
/** The push service does not take the signature of this gateway: the device may have subscribed with an older key pair. */
const REFUSED = [401, 403];

export interface PushDispatcherDeps {
  store: Store;
  clock: Clock;
  sender: PushSender;
  outbox: PushOutbox;
  keyPair: PushKeyPair;
  writer: PushNoticeWriter;
  keyRing: Pick<KeyRing, 'principalOf' | 'refresh'>;
  onError: LogError;
  observer: Observer;
}

type Result = 'ok' | 'failed' | 'gone' | { retryAt: number };

export class PushDispatcher {
  private isStopped = true;
  private isLooking = false;
  private isStale = false;
  private inFlight = 0;
  /** Devices whose last notification was refused. A second refusal in a row ends the device. */
  private readonly refused = new Set<string>();
  private stopTimer = () => {};
  private readonly stopping = new AbortController();

  constructor(private readonly deps: PushDispatcherDeps) {
    deps.outbox.onNews = () => this.wake();
  }

  /** Returns at once. */
  start(): void {
    this.isStopped = false;
    this.stopTimer = this.deps.clock.after(FIRST_LOOK_MS, () => void this.look());
  }

  /** Breaks off tries in progress; a later process repeats them. */
  stop(): void {
    this.isStopped = true;
    this.stopTimer();
    this.stopping.abort(new Error('The gateway stops.'));
  }

  private wake(): void {
    this.isStale = true;
    if (!this.isStopped && !this.isLooking) void this.look();
  }

  /** Sends due notifications and sets the timer to the next. Never rejects. */
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
      if (!this.isStopped) this.deps.onError('push notifications cannot be read', thrown);
    }
    this.isLooking = false;
    if (!this.isStopped) this.stopTimer = this.deps.clock.after(waitMs, () => void this.look());
  }

  /** Sends due notifications. Resolves with the milliseconds until the next look. */
  private async sendDue(): Promise<number> {
    const { store, clock, outbox } = this.deps;
    if (!(await outbox.refresh())) return LOOK_MS;
    const now = clock.now();
    const nextAt = await store.read.push.nextDeliveryAt();
    if (nextAt === undefined || this.inFlight >= MAX_IN_FLIGHT) return LOOK_MS;
    if (nextAt > now) return Math.min(LOOK_MS, nextAt - now);
    const times = { now, until: now + RESERVED_MS };
    const claimed = await store.transaction({ leader: 'push' }, tx => tx.push.claimDeliveries(MAX_IN_FLIGHT - this.inFlight, times));
    this.inFlight += claimed.length;
    for (const delivery of claimed) void this.send(delivery);
    this.isStale = this.inFlight < MAX_IN_FLIGHT && claimed.length > 0;
    return LOOK_MS;
  }

  /** Sends one notification and stores the result. Never rejects. */
  private async send(delivery: PushDeliveryRecord): Promise<void> {
    const { kind } = delivery;
    const { observer, onError } = this.deps;
    try {
      const result = await this.tryOnce(delivery);
      if (this.isStopped && result !== 'ok') return;
      if (result) observer.note({ type: 'push_delivery', kind, result: typeof result === 'object' ? 'retry' : result });
      await this.store(delivery, result);
    } catch (thrown) {
      onError('a push notification cannot be sent', thrown);
    } finally {
      this.inFlight -= 1;
      this.wake();
    }
  }

  private async store({ tenantId, id, subscriptionId, attempts }: PushDeliveryRecord, result: Result | undefined): Promise<void> {
    const { store, outbox } = this.deps;
    if (result === 'gone') {
      await store.transaction({ leader: 'push' }, tx => tx.push.delete(tenantId, subscriptionId));
      await outbox.applyChange();
    } else if (typeof result === 'object') {
      await store.transaction('none', tx => tx.push.retryDelivery(tenantId, id, attempts, result.retryAt));
    } else await store.transaction('none', tx => tx.push.deleteDelivery(tenantId, id));
  }

  /** Resolves with undefined when there was nothing to send. */
  private async tryOnce(delivery: PushDeliveryRecord): Promise<Result | undefined> {
    const { store, keyPair, writer } = this.deps;
    const device = await store.read.push.get(delivery.tenantId, delivery.subscriptionId);
    if (!device) return undefined;
    const owner = await this.findOwner(device);
    if (!owner) return 'gone';
    const message = await writer.write(delivery, { device, owner });
    if (!message) return undefined;
    const answer = await this.post(device, { ...message, keys: await keyPair.read() });
    return this.isRefusedAgain(device.id, answer?.status) ? 'gone' : this.resultOf(delivery, answer);
  }

  private isRefusedAgain(deviceId: string, status: number | undefined): boolean {
    if (status === undefined) return false;
    const wasRefused = this.refused.delete(deviceId);
    if (!REFUSED.includes(status)) return false;
    if (!wasRefused) this.refused.add(deviceId);
    return wasRefused;
  }

  /** Reads the keys once more for an unknown key, because another gateway may have made the key just now. */
  private async findOwner(device: PushSubscriptionRecord) {
    const { keyRing } = this.deps;
    const known = findOwner(keyRing, device);
    if (known) return known;
    await keyRing.refresh();
    return findOwner(keyRing, device);
  }

  /** Resolves with undefined when the push service could not be reached. */
  private async post(device: PushSubscriptionRecord, message: PushMessage): Promise<PushAnswer | undefined> {
    const { clock, sender } = this.deps;
    const timeout = new AbortController();
    const cancelTimer = clock.after(TIMEOUT_MS, () => timeout.abort(new Error('The push service did not answer in time.')));
    try {
      return await sender.send(device, message, AbortSignal.any([timeout.signal, this.stopping.signal]));
    } catch {
      return undefined;
    } finally {
      cancelTimer();
    }
  }

  /** A push service that answers 429 or 5xx, or nothing, may take the notification later; any other refusal is final. */
  private resultOf({ attempts, expiresAt }: PushDeliveryRecord, answer: PushAnswer | undefined): Result {
    const { status = 503, retryAfter = '' } = answer ?? {};
    if (status >= 200 && status < 300) return 'ok';
    if (GONE.includes(status)) return 'gone';
    const pauseMs = PAUSES_MS[attempts - 1];
    if (pauseMs === undefined || (status !== 429 && status < 500)) return 'failed';
    const asked = /^\d+$/.test(retryAfter) ? Math.min(Number(retryAfter) * SECOND, MAX_RETRY_AFTER_MS) : 0;
    const retryAt = this.deps.clock.now() + Math.max(asked, pauseMs);
    return retryAt < expiresAt ? { retryAt } : 'failed';
  }
}
