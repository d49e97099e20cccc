/** Webhooks: the gateway reports to addresses of a tenant what happens to its runs. */
import type { Feature } from '../../feature';
import { found } from '../../service/status/doctor_checks';
import { WebhooksController } from './routes';
import { RunWebhookService } from './run_webhook_service';
import { webhookStore } from './store/webhook_store';
import { WebhookDispatcher } from './webhook_dispatcher';
import { WebhookOutbox } from './webhook_outbox';
import { WebhookService, type WebhookServices } from './webhook_service';
import { toWireWebhook } from './wire_webhooks';

export const webhooks: Feature = {
  name: 'webhooks',
  routes: [WebhooksController],
  store: webhookStore,
  install({
    sessionAccess,
    questionAccess,
    settings,
    ports: { store, clock, ids, observer, logger, webhookSender: sender, nodeBus },
    auditLog,
    keyRing,
    webhookForms: forms,
  }) {
    const outbox = new WebhookOutbox({ store, clock, ids, nodeBus, sessionAccess, questionAccess, keyRing });
    const dispatcher = new WebhookDispatcher({ store, clock, ids, sender, forms, outbox, observer, onError: logger.error });
    const webhookService = new WebhookService({ store, clock, ids, sender, outbox, dispatcher, auditLog });
    const runWebhooks = new RunWebhookService({ store, clock, ids, sender, auditLog });
    return {
      runWebhooks,
      services: { webhookService } satisfies WebhookServices,
      onRun: {
        waiting: (tx, run) => outbox.addWait(tx, run),
        asked: (tx, run, { question }) => outbox.addQuestion(tx, run, question),
        escalated: (tx, run, { question, to }) => outbox.addEscalation(tx, run, { question, to }),
        ending: (tx, run, { status }) => outbox.addEnd(tx, run, status),
        committed: () => outbox.flush(),
      },
      budgetListener: {
        isWanted: tenantId => outbox.isWanted(tenantId, 'budget.threshold'),
        add: async (tx, tenantId, alert) => void (await outbox.add(tx, { tenantId, type: 'budget.threshold' }, alert)),
        flush: () => outbox.flush(),
      },
      onLoginNotice: { add: (tx, notice) => outbox.addLoginNotice(tx, notice), committed: () => outbox.flush() },
      async *exportData(read, tenantId) {
        for (const webhook of await read.webhooks.all())
          if (webhook.tenantId === tenantId) yield { type: 'feature', name: 'webhook', data: toWireWebhook(webhook) };
      },
      checks: {
        webhooks: async () => {
          const hooks = await store.read.webhooks.all();
          const failing = hooks.filter(({ disabledReason }) => disabledReason !== undefined).length;
          return failing > 0
            ? found(
                'warn',
                `${failing} of ${hooks.length} webhooks are disabled after failures.`,
                `${hooks.length} 个 webhook 中有 ${failing} 个因失败而停用。`,
              )
            : found('ok', `${hooks.length} webhooks.`, `${hooks.length} 个 webhook。`);
        },
      },
      storedFigures: async () => [{ metric: 'neta_webhook_pending', labels: [], value: await store.read.webhooks.countPending() }],
      async cleanUp() {
        await runWebhooks.deleteEnded();
        await webhookService.deleteOldDeliveries(settings.retention.deliveries);
      },
      serve: () => dispatcher.start(),
      endWork: () => dispatcher.stop(),
    };
  },
};
