/** The devices on which a person gets notifications: subscribed, listed, removed. A subscription belongs to the API key of the person. */
import { AppError, invalidField } from '../../errors';
import type { Clock, IdSource } from '../../port/clock';
import type { Logger } from '../../port/logger';
import type { Principal } from '../../port/principal';
import type { PushSender, PushTarget } from '../../port/push_sender';
import type { Store, StoreTransaction } from '../../port/store/store';
import { WebError } from '../../port/web';
import { type AuditRecorder, byActor } from '../../service/audit/audit_log';
import type { KeyRing } from '../../service/auth/key_ring';
import { workInParts } from '../../service/in_parts';
import type { PushActions } from './push_actions';
import type { PushKeyPair } from './push_keys';
import type { PushOutbox } from './push_outbox';
import { findOwner } from './push_owner';
import type { PushSubscriptionRecord } from './store/push_records';

/** Devices of one key. */
const MAX_DEVICES = 20;

export interface PushServiceDeps {
  store: Store;
  clock: Clock;
  ids: Pick<IdSource, 'next'>;
  sender: Pick<PushSender, 'checkTarget'>;
  keyRing: Pick<KeyRing, 'subjectOf' | 'principalOf' | 'refresh'>;
  keyPair: PushKeyPair;
  outbox: PushOutbox;
  auditLog: AuditRecorder;
  logger: Pick<Logger, 'info'>;
  /** The contact that push services get while the operator has named none. Absent: the operator has named one. */
  madeUpContact?: string | undefined;
}

/** The choices of a person for the notifications of one device. */
export interface DeviceChoice extends Pick<PushSubscriptionRecord, 'locale' | 'name'> {
  /** Absent: as the device had it, otherwise true. */
  preview?: boolean | undefined;
}

/** The services of this feature, by the names under which its controllers inject them. */
export interface PushServices {
  pushService: PushService;
  pushActions: PushActions;
}

export class PushService {
  private hasToldOfContact = false;

  constructor(private readonly deps: PushServiceDeps) {}

  /** Resolves with the key that a browser needs to subscribe, in base64url. */
  async publicKey(): Promise<string> {
    return (await this.deps.keyPair.read()).publicKey;
  }

  /**
   * Subscribes a device. A device that the same key has subscribed already is changed, and what waits for it stays; the device of another person belongs
   * to this caller from now on. Rejects with `invalid_request` for an endpoint that may not be reached or for malformed keys, and with `quota_exceeded`.
   */
  async subscribe(caller: Principal, target: PushTarget, choice: DeviceChoice): Promise<PushSubscriptionRecord> {
    const { store, outbox } = this.deps;
    const { tenantId, keyName } = caller;
    const keyHash = this.keyHashOf(caller);
    const { endpoint, publicKey, authSecret } = this.checkTarget(target);
    const device = await store.transaction({ tenant: tenantId, leader: 'push' }, async tx => {
      const known = await tx.push.findEndpoint(endpoint);
      const isOwn = known?.tenantId === tenantId && known.keyHash === keyHash;
      const { preview = isOwn ? known.preview : true, locale, name } = choice;
      const change = { publicKey, authSecret, locale, keyName, name, preview };
      if (!isOwn) return this.insert(tx, caller, { ...change, tenantId, endpoint, keyHash });
      await tx.push.update(tenantId, known.id, change);
      return { ...known, ...change };
    });
    this.tellOfContact();
    await outbox.applyChange();
    return device;
  }

  /** Lists the devices of the caller's key, oldest first. */
  async listOwn(caller: Principal): Promise<PushSubscriptionRecord[]> {
    const keyHash = this.keyHashOf(caller);
    const devices = await this.deps.store.read.push.list(caller.tenantId);
    return devices.filter(device => device.keyHash === keyHash);
  }

  /** Rejects with `not_found`, also for a device of another key. */
  async unsubscribe(caller: Principal, id: string): Promise<void> {
    const { store, outbox, auditLog } = this.deps;
    const { tenantId } = caller;
    const device = await store.read.push.get(tenantId, id);
    if (!device || device.keyHash !== this.keyHashOf(caller)) throw new AppError('not_found');
    await store.transaction({ leader: 'push' }, async tx => {
      if (!(await tx.push.delete(tenantId, id))) throw new AppError('not_found');
      await auditLog.record({ ...byActor(caller), action: 'push.unsubscribe', target: id }, tx);
    });
    await outbox.applyChange();
  }

  /** Ends all devices of a key, with the actions of their notifications. */
  async endDevices(tenantId: string, keyHash: string): Promise<void> {
    const { store, outbox } = this.deps;
    const isOwn = (device: PushSubscriptionRecord) => device.keyHash === keyHash;
    if (!(await store.read.push.list(tenantId)).some(isOwn)) return;
    await store.transaction({ leader: 'push' }, async tx => {
      for (const { id } of (await tx.push.list(tenantId)).filter(isOwn)) await tx.push.delete(tenantId, id);
    });
    await outbox.applyChange();
  }

  /** All tenants: deletes the devices of keys that have ended, and expired actions. */
  async cleanUp(): Promise<void> {
    const { store, clock, keyRing, outbox } = this.deps;
    await keyRing.refresh();
    const tenants = await store.read.push.tenants();
    const devices = (await Promise.all(tenants.map(tenantId => store.read.push.list(tenantId)))).flat();
    for (const device of devices.filter(each => !findOwner(keyRing, each)))
      await store.transaction({ leader: 'push' }, tx => tx.push.delete(device.tenantId, device.id));
    await outbox.refresh();
    const now = clock.now();
    const deletePart = async (tx: StoreTransaction, size: number) => (await tx.push.deleteOldActions(now, size)) > 0;
    await workInParts({ store, clock }, { leader: 'push' }, { first: 200, most: 2_000 }, deletePart);
  }

  private async insert(
    tx: StoreTransaction,
    caller: Principal,
    device: Omit<PushSubscriptionRecord, 'id' | 'createdAt' | 'lastUsedAt'>,
  ): Promise<PushSubscriptionRecord> {
    const { clock, ids, auditLog } = this.deps;
    const { tenantId, endpoint, keyHash } = device;
    await tx.push.deleteEndpoint(endpoint);
    const others = (await tx.push.list(tenantId)).filter(other => other.keyHash === keyHash);
    if (others.length >= MAX_DEVICES) throw tooMany();
    const subscription = { ...device, id: ids.next('psh'), createdAt: clock.now() };
    await tx.push.insert(subscription);
    // The rest of the endpoint is a secret.
    const details = { host: new URL(endpoint).host };
    await auditLog.record({ ...byActor(caller), action: 'push.subscribe', target: subscription.id, details }, tx);
    return subscription;
  }

  /** Writes one line, once: push services may refuse a gateway whose contact is made up. */
  private tellOfContact(): void {
    const { logger, madeUpContact } = this.deps;
    if (madeUpContact === undefined || this.hasToldOfContact) return;
    this.hasToldOfContact = true;
    logger.info(
      'a device subscribed to notifications',
      `Push services get the contact ${madeUpContact}: set NETA_PUSH_CONTACT to your own.`,
    );
  }

  /** Undefined for a caller without a key or an account. Rejects with `unauthenticated` when it has just ended. */
  private keyHashOf({ keyId }: Principal): string | undefined {
    if (keyId === undefined) return undefined;
    const subject = this.deps.keyRing.subjectOf(keyId);
    if (subject === undefined) throw new AppError('unauthenticated');
    return subject;
  }

  private checkTarget(target: PushTarget): PushTarget {
    try {
      return this.deps.sender.checkTarget(target);
    } catch (thrown) {
      if (!(thrown instanceof WebError)) throw thrown;
      throw invalidField('', `the subscription cannot be used: ${thrown.message}`, `无法使用这个订阅：${thrown.messageZh}`);
    }
  }
}

const tooMany = (): AppError =>
  new AppError('quota_exceeded', {
    message: `There are ${MAX_DEVICES} devices with push notifications already: remove one first.`,
    messageZh: `已有 ${MAX_DEVICES} 台设备开启了推送通知：请先移除一台。`,
  });
