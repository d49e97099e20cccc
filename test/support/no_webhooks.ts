/** An outbox of a gateway without webhooks. */
import type { WebhookOutbox } from '../../src/service/webhook/webhook_outbox';

export const NO_WEBHOOKS: Pick<WebhookOutbox, 'addWait' | 'flush'> = { addWait: async () => {}, flush() {} };
