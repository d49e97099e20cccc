/**
 * Stores a notification for each device that shall hear of an event, in the transaction of the event itself. Without devices in the tenant it executes
 * no statement.
 */

import { isAddressed } from '../../port/approval_address';
import type { Clock, IdSource } from '../../port/clock';
import type { NodeBus } from '../../port/node_bus';
import type { Door, TerminalStatus } from '../../port/run_event';
import type { QuestionRecord } from '../../port/store/questions';
import type { RunRecord } from '../../port/store/runs';
import type { ReadableStore, StoreTransaction } from '../../port/store/store';
import type { KeyRing } from '../../service/auth/key_ring';
import type { LoginNotice } from '../../service/auth/login_notice';
import { findOwner } from './push_owner';
import type { PushDeliveryRecord, PushSubscriptionRecord } from './store/push_records';

/** Milliseconds for which the end of a run, or what happened to an account, is worth telling. */
const END_LIFE_MS = 86_400_000;
/** The callers at the other doors wait for their answer. */
const TOLD_DOORS: readonly Door[] = ['socketio', 'rest', 'job', 'hook'];

export interface PushOutboxDeps {
  store: ReadableStore<'push'>;
  clock: Clock;
  ids: Pick<IdSource, 'next'>;
  nodeBus: Pick<NodeBus, 'publish' | 'subscribe' | 'onLoss'>;
  keyRing: Pick<KeyRing, 'principalOf'>;
}

/** Whom an approval is for. `notBy`: callers whose yes does not count. `to`: see approval_address.ts. `onlyThem`: the others were told before. */
interface Address {
  notBy?: readonly string[] | undefined;
  to?: string | undefined;
  onlyThem?: boolean;
}

type Notice = Pick<PushDeliveryRecord, 'kind' | 'sessionId' | 'runId' | 'requestId' | 'outcome' | 'expiresAt'>;

export class PushOutbox {
  /** Tenants with devices. Undefined until they were read. */
  private tenants: ReadonlySet<string> | undefined;
  private hasNews = false;
  /** Is called when notifications are committed. */
  onNews = (): void => {};

  constructor(private readonly deps: PushOutboxDeps) {
    // The dispatcher reads them every few seconds in any case.
    const readAgain = () => void this.refresh().catch(() => {});
    deps.nodeBus.subscribe('push', readAgain);
    deps.nodeBus.onLoss(readAgain);
  }

  /** Reads what this gateway has just changed, and tells the other nodes. */
  async applyChange(): Promise<void> {
    this.deps.nodeBus.publish('push', {});
    await this.refresh();
  }

  /** Reads which tenants have devices, because other processes may have changed them. Resolves whether there is one. */
  async refresh(): Promise<boolean> {
    return (await this.readTenants()).size > 0;
  }

  /**
   * Tells that a run waits for a person. The questions of one answer are told once, each approval and each question to somebody by itself: `isFirst`:
   * the run begins to wait with this question. A question of a crew member opens the chat of its master.
   */
  async addQuestion(tx: StoreTransaction, run: RunRecord, question: QuestionRecord, isFirst: boolean): Promise<void> {
    const { id: requestId, approval, parentSessionId, sessionId, expiresAt, askedTo } = question;
    if (!approval && !isFirst && askedTo === undefined) return;
    const kind = approval ? 'approval' : 'question';
    const notice = { kind, sessionId: parentSessionId ?? sessionId, runId: run.id, requestId, expiresAt } as const;
    await this.add(tx, run, notice, { notBy: approval?.review?.notBy, to: approval?.review?.to ?? askedTo });
  }

  /** Tells those to whom an approval is passed on. */
  async addEscalation(tx: StoreTransaction, run: RunRecord, question: QuestionRecord, to: string): Promise<void> {
    const { id: requestId, parentSessionId, sessionId, expiresAt, approval } = question;
    const kind = approval ? 'approval' : 'question';
    const notice = { kind, sessionId: parentSessionId ?? sessionId, runId: run.id, requestId, expiresAt } as const;
    await this.add(tx, run, notice, { notBy: approval?.review?.notBy, to, onlyThem: true });
  }

  /** Tells the end of a run, unless it is a part of another run, its caller waits for the answer, or a person cancelled it. */
  async addEnd(tx: StoreTransaction, run: RunRecord, outcome: TerminalStatus): Promise<void> {
    const { parent, door, sessionId, id: runId } = run;
    if (parent || outcome === 'cancelled' || !TOLD_DOORS.includes(door)) return;
    await this.add(tx, run, { kind: 'end', sessionId, runId, outcome, expiresAt: this.deps.clock.now() + END_LIFE_MS });
  }

  /** Tells the devices of a person what happened to the account. */
  async addLoginNotice(tx: StoreTransaction, { tenantId, subject, kind: outcome }: LoginNotice): Promise<void> {
    const notice = { kind: 'login', sessionId: '', runId: '', outcome, expiresAt: this.deps.clock.now() + END_LIFE_MS } as const;
    await this.store(tx, tenantId, notice, held => held.filter(({ keyHash }) => keyHash === subject));
  }

  /** Sends the stored notifications. Call it after the transaction. */
  flush(): void {
    if (!this.hasNews) return;
    this.hasNews = false;
    this.onNews();
  }

  private add(tx: StoreTransaction, { tenantId, keyName }: RunRecord, notice: Notice, address: Address = {}): Promise<void> {
    return this.store(tx, tenantId, notice, held => this.devicesFor(held, notice.kind, { keyName, ...address }));
  }

  private async store(
    tx: StoreTransaction,
    tenantId: string,
    notice: Notice,
    choose: (held: readonly PushSubscriptionRecord[]) => readonly PushSubscriptionRecord[],
  ): Promise<void> {
    if (!(this.tenants ?? (await this.readTenants())).has(tenantId)) return;
    // Held, so that no other process deletes a device before its notification is stored.
    const held = await tx.push.hold(tenantId);
    const devices = choose(held);
    if (devices.length === 0) return;
    const nextAttemptAt = this.deps.clock.now();
    const toDelivery = ({ id: subscriptionId }: PushSubscriptionRecord): PushDeliveryRecord => ({
      ...notice,
      tenantId,
      id: this.deps.ids.next('psd'),
      subscriptionId,
      attempts: 0,
      nextAttemptAt,
    });
    await tx.push.insertDeliveries(devices.map(toDelivery));
    this.hasNews = true;
  }

  /**
   * The devices of those to whom a question or an approval is addressed. Without such a device: those of the key that started the run, and when none of
   * them may decide an approval, all devices of the tenant that may.
   */
  private devicesFor(
    devices: readonly PushSubscriptionRecord[],
    kind: Notice['kind'],
    { keyName, notBy = [], to, onlyThem }: Address & { keyName: string | undefined },
  ) {
    const ownerOf = (device: PushSubscriptionRecord) => findOwner(this.deps.keyRing, device);
    const able = devices.filter(device => {
      const owner = ownerOf(device);
      return owner !== undefined && (kind !== 'approval' || owner.scopes.has('approve')) && !notBy.includes(owner.keyName);
    });
    const addressed = able.filter(device => {
      const owner = ownerOf(device);
      return owner !== undefined && to !== undefined && isAddressed(owner, to);
    });
    if (addressed.length > 0 || onlyThem) return addressed;
    const own = devices.filter(device => device.keyName === keyName);
    if (kind !== 'approval' || own.some(device => able.includes(device))) return own;
    return devices.filter(device => own.includes(device) || able.includes(device));
  }

  private async readTenants(): Promise<ReadonlySet<string>> {
    const tenants = new Set(await this.deps.store.read.push.tenants());
    this.tenants = tenants;
    return tenants;
  }
}
