/** Rows of webhooks and deliveries, and the records that they hold. */
import type { DeliveryRecord, DeliveryStatus, WebhookEvent, WebhookRecord } from '../../port/store/webhooks';
import type { TraceContext } from '../../port/trace_context';
import { fromJson, toJson } from './column_values';

export interface WebhookRow {
  tenant_id: string;
  id: string;
  url: string;
  events: string;
  secret: string;
  disabled_reason: string | null;
  created_at: number;
}

export interface DeliveryRow {
  tenant_id: string;
  id: string;
  webhook_id: string;
  type: WebhookEvent;
  body: string;
  status: DeliveryStatus;
  attempts: number;
  next_attempt_at: number | null;
  last_status: number | null;
  last_error: string | null;
  created_at: number;
  delivered_at: number | null;
  trace: string | null;
}

export const WEBHOOK_COLUMNS = ['tenant_id', 'id', 'url', 'events', 'secret', 'disabled_reason', 'created_at'] as const;
export const DELIVERY_COLUMNS = [
  'tenant_id',
  'id',
  'webhook_id',
  'type',
  'body',
  'status',
  'attempts',
  'next_attempt_at',
  'last_status',
  'last_error',
  'created_at',
  'delivered_at',
  'trace',
] as const;

export function toWebhookRow(webhook: WebhookRecord): WebhookRow {
  return {
    tenant_id: webhook.tenantId,
    id: webhook.id,
    url: webhook.url,
    events: JSON.stringify(webhook.events),
    secret: webhook.secret,
    disabled_reason: webhook.disabledReason ?? null,
    created_at: webhook.createdAt,
  };
}

export function toWebhookRecord(row: WebhookRow): WebhookRecord {
  return {
    tenantId: row.tenant_id,
    id: row.id,
    url: row.url,
    events: fromJson<WebhookEvent[]>(row.events),
    secret: row.secret,
    disabledReason: row.disabled_reason ?? undefined,
    createdAt: Number(row.created_at),
  };
}

export function toDeliveryRow(delivery: DeliveryRecord): DeliveryRow {
  return {
    tenant_id: delivery.tenantId,
    id: delivery.id,
    webhook_id: delivery.webhookId,
    type: delivery.type,
    body: delivery.body,
    status: delivery.status,
    attempts: delivery.attempts,
    next_attempt_at: delivery.nextAttemptAt ?? null,
    last_status: delivery.lastStatus ?? null,
    last_error: delivery.lastError ?? null,
    created_at: delivery.createdAt,
    delivered_at: delivery.deliveredAt ?? null,
    trace: toJson(delivery.trace),
  };
}

export function toDeliveryRecord(row: DeliveryRow): DeliveryRecord {
  return {
    tenantId: row.tenant_id,
    id: row.id,
    webhookId: row.webhook_id,
    type: row.type,
    body: row.body,
    status: row.status,
    attempts: Number(row.attempts),
    nextAttemptAt: row.next_attempt_at === null ? undefined : Number(row.next_attempt_at),
    lastStatus: row.last_status === null ? undefined : Number(row.last_status),
    lastError: row.last_error ?? undefined,
    createdAt: Number(row.created_at),
    deliveredAt: row.delivered_at === null ? undefined : Number(row.delivered_at),
    trace: row.trace === null ? undefined : fromJson<TraceContext>(row.trace),
  };
}
