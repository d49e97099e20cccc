/** Sends notifications: at once, and again after failures as long as they are worth telling. Any process that shares the store may send any of them. */
import type { Clock } from '../../port/clock';
import type { LogError } from '../../port/logger';
import type { Observer } from '../../port/observer';
import type { PushAnswer, PushMessage, PushSender } from '../../port/push_sender';
import type { Store } from '../../port/store/store';
import type { KeyRing } from '../../service/auth/key_ring';
import { askedPauseMs, DeliveryLoop } from '../../service/delivery_loop';
import type { PushKeyPair } from './push_keys';
import type { PushOutbox } from './push_outbox';
import { findOwner } from './push_owner';
import type { PushNoticeWriter } from './push_writer';
import type { PushDeliveryRecord, PushSubscriptionRecord } from './store/push_records';

const SECOND = 1_000;
/** Pauses after each failed try. */
export const PAUSES_MS = [5 * SECOND, 30 * SECOND, 120 * SECOND, 600 * SECOND];
const MAX_RETRY_AFTER_MS = 3_600 * SECOND;
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
  private readonly loop: DeliveryLoop<PushDeliveryRecord>;
  /** Devices whose last notification was refused. A second refusal in a row ends the device. */
  private readonly refused = new Set<string>();

  constructor(private readonly deps: PushDispatcherDeps) {
    const { store, clock, outbox, onError } = deps;
    this.loop = new DeliveryLoop({
      clock,
      refresh: () => outbox.refresh(),
      nextAt: () => store.read.push.nextDeliveryAt(),
      claim: (limit, times) => store.transaction({ leader: 'push' }, tx => tx.push.claimDeliveries(limit, times)),
      send: delivery => this.send(delivery),
      onSendError: thrown => onError('a push notification cannot be sent', thrown),
      onReadError: thrown => onError('push notifications cannot be read', thrown),
    });
    outbox.onNews = () => this.loop.wake();
  }

  /** Returns at once. */
  start(): void {
    this.loop.start();
  }

  /** Breaks off tries in progress; a later process repeats them. */
  stop(): void {
    this.loop.stop();
  }

  private async send(delivery: PushDeliveryRecord): Promise<void> {
    const { kind } = delivery;
    const result = await this.tryOnce(delivery);
    if (this.loop.isStopped && result !== 'ok') return;
    if (result) this.deps.observer.note({ type: 'push_delivery', kind, result: typeof result === 'object' ? 'retry' : result });
    await this.store(delivery, result);
  }

  private async store({ tenantId, id, subscriptionId, attempts }: PushDeliveryRecord, result: Result | undefined): Promise<void> {
    const { store, clock, outbox } = this.deps;
    if (result === 'gone') {
      await store.transaction({ leader: 'push' }, tx => tx.push.delete(tenantId, subscriptionId));
      await outbox.applyChange();
    } else if (typeof result === 'object') {
      await store.transaction('none', tx => tx.push.retryDelivery(tenantId, id, attempts, result.retryAt));
    } else {
      await store.transaction('none', async tx => {
        if (result === 'ok') await tx.push.setLastUse(tenantId, subscriptionId, clock.now());
        await tx.push.deleteDelivery(tenantId, id);
      });
    }
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
    const tooLate = new Error('The push service did not answer in time.');
    return this.loop.tryOnce(tooLate, signal => this.deps.sender.send(device, message, signal)).catch(() => undefined);
  }

  /** A push service that answers 429 or 5xx, or nothing, may take the notification later; any other refusal is final. */
  private resultOf({ attempts, expiresAt }: PushDeliveryRecord, answer: PushAnswer | undefined): Result {
    const { status = 503, retryAfter = '' } = answer ?? {};
    if (status >= 200 && status < 300) return 'ok';
    if (GONE.includes(status)) return 'gone';
    const pauseMs = PAUSES_MS[attempts - 1];
    if (pauseMs === undefined || (status !== 429 && status < 500)) return 'failed';
    const retryAt = this.deps.clock.now() + Math.max(askedPauseMs(retryAfter, MAX_RETRY_AFTER_MS), pauseMs);
    return retryAt < expiresAt ? { retryAt } : 'failed';
  }
}
