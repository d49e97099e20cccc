/** Encodes webhooks and deliveries: ISO times, no tenant, no secret. */
import { toIsoTime } from '../../utils/iso_time';
import type { DeliveryRecord, WebhookRecord } from './store/webhook_records';

export function toWireWebhook({ id, url, events, disabledReason, createdAt }: WebhookRecord) {
  const enabled = disabledReason === undefined;
  return { id, url, events: [...events], enabled, disabledReason: enabled ? undefined : disabledReason, createdAt: toIsoTime(createdAt) };
}

export function toWireDelivery(delivery: DeliveryRecord) {
  const { id, webhookId, type, body, status, attempts, nextAttemptAt, lastStatus, lastError, createdAt, deliveredAt } = delivery;
  return {
    id,
    webhookId,
    type,
    status,
    attempts,
    nextAttemptAt: nextAttemptAt === undefined ? undefined : toIsoTime(nextAttemptAt),
    lastStatus,
    lastError,
    body: JSON.parse(body) as Record<string, unknown>,
    createdAt: toIsoTime(createdAt),
    deliveredAt: deliveredAt === undefined ? undefined : toIsoTime(deliveredAt),
  };
}
