/** Builds the services of webhooks. */
import { WebhookDispatcher, type WebhookDispatcherDeps } from './webhook_dispatcher';
import { WebhookOutbox, type WebhookOutboxDeps } from './webhook_outbox';
import { WebhookService, type WebhookServiceDeps } from './webhook_service';

export function createWebhookServices(
  deps: Omit<WebhookDispatcherDeps, 'outbox'> & Pick<WebhookOutboxDeps, 'ids'> & Pick<WebhookServiceDeps, 'auditLog'>,
) {
  const outbox = new WebhookOutbox(deps);
  const webhookDispatcher = new WebhookDispatcher({ ...deps, outbox });
  return { outbox, webhookDispatcher, webhookService: new WebhookService({ ...deps, outbox, dispatcher: webhookDispatcher }) };
}
