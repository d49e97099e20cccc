/** Webhooks that are limited to one run. They end with it, and are deleted when nothing is tried again any more. */
import { AppError } from '../../errors';
import type { Clock, IdSource } from '../../port/clock';
import type { Actor } from '../../port/principal';
import type { Store, StoreTransaction } from '../../port/store/store';
import { WEBHOOK_EVENTS, type WebhookSender } from '../../port/webhook_sender';
import { type AuditRecorder, byActor } from '../../service/audit/audit_log';
import { workInParts } from '../../service/in_parts';
import type { RunWebhook, RunWebhooks } from '../../service/webhook/run_webhooks';
import { createWebhookSecret } from '../../utils/webhook_signature';
import { checkWebhookUrl } from './check_webhook_url';
import type { WebhookRecord } from './store/webhook_records';

const MAX_OF_RUN = 10;
const DAY_MS = 86_400_000;
/** A webhook has deliveries, which are deleted with it. */
const PARTS = { first: 50, most: 500 };
/** The last try of a delivery is some three days after the first. */
const KEPT_AFTER_END_MS = 7 * DAY_MS;
/** A run that was deleted before it ended leaves its webhooks behind. */
const KEPT_MS = 30 * DAY_MS;

interface RunWebhookDeps {
  store: Store;
  clock: Clock;
  ids: IdSource;
  sender: WebhookSender;
  auditLog: AuditRecorder;
}

export class RunWebhookService implements RunWebhooks {
  readonly isAvailable = true;

  constructor(private readonly deps: RunWebhookDeps) {}

  checkUrl(url: string, field: string): string {
    return checkWebhookUrl(this.deps.sender, url, field);
  }

  async put(tx: StoreTransaction, actor: Actor, { runId, label, url, form, headers }: RunWebhook): Promise<void> {
    const { clock, ids, auditLog } = this.deps;
    const { tenantId } = actor;
    const known = await tx.webhooks.ofRun(tenantId, runId);
    const old = known.find(webhook => webhook.label === label);
    const place = { url, form, headers };
    // Not deleted and inserted: that would lock its deliveries beside other works. It may be deleted since it was read.
    const isChanged = old !== undefined && (await tx.webhooks.moveTo(tenantId, old.id, place));
    if (!old && known.length >= MAX_OF_RUN) throw tooMany();
    const webhook: WebhookRecord = {
      tenantId,
      id: isChanged ? old.id : ids.next('whk'),
      ...place,
      events: WEBHOOK_EVENTS.filter(event => event.startsWith('run.')),
      secret: createWebhookSecret(),
      createdAt: clock.now(),
      runId,
      label,
    };
    if (!isChanged) await tx.webhooks.insert(webhook);
    const details = { host: new URL(url).host, events: webhook.events, runId };
    await auditLog.record({ ...byActor(actor), action: 'webhook.create', target: webhook.id, details }, tx);
  }

  async passOn(tx: StoreTransaction, run: Actor & { id: string }, nextId: string): Promise<void> {
    const known = (await tx.webhooks.ofRun(run.tenantId, run.id)).filter(({ disabledReason }) => disabledReason === undefined);
    for (const webhook of known) await this.put(tx, run, { ...toRunWebhook(webhook), runId: nextId });
  }

  async list(tenantId: string, runId: string): Promise<RunWebhook[]> {
    return (await this.deps.store.read.webhooks.ofRun(tenantId, runId)).map(toRunWebhook);
  }

  async delete(actor: Actor, runId: string, label: string): Promise<boolean> {
    const { tenantId } = actor;
    return this.deps.store.transaction({ leader: 'webhooks' }, async tx => {
      const found = (await tx.webhooks.ofRun(tenantId, runId)).find(webhook => webhook.label === label);
      if (!found || !(await tx.webhooks.delete(tenantId, found.id))) return false;
      await this.deps.auditLog.record({ ...byActor(actor), action: 'webhook.delete', target: found.id, details: { runId } }, tx);
      return true;
    });
  }

  /** All tenants: deletes those whose runs have ended long ago. */
  async deleteEnded(): Promise<void> {
    const { store, clock } = this.deps;
    const now = clock.now();
    const times = { endedBefore: now - KEPT_AFTER_END_MS, createdBefore: now - KEPT_MS };
    await workInParts({ store, clock }, { leader: 'webhooks' }, PARTS, async (tx, size) => {
      return (await tx.webhooks.deleteOfEndedRuns(times, size)) > 0;
    });
  }
}

const toRunWebhook = ({ runId = '', label = '', url, form = '', headers = {} }: WebhookRecord): RunWebhook => ({
  runId,
  label,
  url,
  form,
  headers,
});

const tooMany = (): AppError =>
  new AppError('quota_exceeded', {
    message: `A run has at most ${MAX_OF_RUN} webhooks: delete one first.`,
    messageZh: `一个运行最多有 ${MAX_OF_RUN} 个 webhook：请先删除一个。`,
  });
