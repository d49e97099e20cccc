/** The routes of webhooks. Every failure rejects with a RequestError. */
import { callRest } from '../../api/call_rest';
import type { Page } from '../../api/rest_types';
import type { Answer } from '../../api/schema_types';

export type Webhook = Answer<'Webhook'>;
export type Delivery = Answer<'WebhookDelivery'>;

const pagePart = (cursor: string | undefined): string => `?limit=50${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`;
const webhookPath = (id: string): string => `/webhooks/${encodeURIComponent(id)}`;

export const webhookApi = {
  list: (cursor?: string): Promise<Page<Webhook>> => callRest('GET', `/webhooks${pagePart(cursor)}`),
  /** Makes a webhook. Only this answer holds the secret. Without `events`, all events are sent. */
  create: (webhook: { url: string; events?: readonly string[] }): Promise<Answer<'NewWebhook'>> => callRest('POST', '/webhooks', webhook),
  remove: (id: string): Promise<void> => callRest('DELETE', webhookPath(id)),
  /** Newest first. */
  deliveries: (id: string, cursor?: string): Promise<Page<Delivery>> => callRest('GET', `${webhookPath(id)}/deliveries${pagePart(cursor)}`),
  /** Sends a delivery again, whatever its result was. */
  replay: (id: string, deliveryId: string): Promise<unknown> =>
    callRest('POST', `${webhookPath(id)}/deliveries/${encodeURIComponent(deliveryId)}/replay`),
};
