/** The routes of API keys and webhooks. Every failure rejects with a RequestError. */
import type { Scope } from '../../../../src/port/principal';
import { callRest } from '../../api/call_rest';
import type { Page } from '../../api/rest_types';

/** Times are ISO-8601 UTC. */
export interface ApiKey {
  id: string;
  name: string;
  tenant: string;
  scopes: readonly Scope[];
  /** settings: NETA_API_KEYS, which alone can revoke it. */
  source: 'settings' | 'stored';
  createdAt?: string;
  expiresAt?: string;
  lastUsedAt?: string;
}

export interface NewKey {
  name: string;
  scopes: readonly Scope[];
  expiresAt?: string;
}

export interface Webhook {
  id: string;
  url: string;
  events: readonly string[];
  enabled: boolean;
  disabledReason?: string;
  createdAt: string;
}

export interface Delivery {
  id: string;
  webhookId: string;
  type: string;
  status: 'pending' | 'delivered' | 'failed';
  attempts: number;
  nextAttemptAt?: string;
  /** HTTP status of the last answer. */
  lastStatus?: number;
  lastError?: string;
  body: { data?: { runId?: string } };
  createdAt: string;
}

const pagePart = (cursor: string | undefined): string => `?limit=50${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`;
const webhookPath = (id: string): string => `/webhooks/${encodeURIComponent(id)}`;

export const keyApi = {
  list: (cursor?: string): Promise<Page<ApiKey>> => callRest('GET', `/api-keys${pagePart(cursor)}`),
  /** The secret is in this answer alone. */
  create: (key: NewKey): Promise<ApiKey & { secret?: string }> => callRest('POST', '/api-keys', key),
  revoke: (id: string): Promise<void> => callRest('DELETE', `/api-keys/${encodeURIComponent(id)}`),
};

export const webhookApi = {
  list: (cursor?: string): Promise<Page<Webhook>> => callRest('GET', `/webhooks${pagePart(cursor)}`),
  /** The secret is in this answer alone. Without `events` all of them are sent. */
  create: (webhook: { url: string; events?: readonly string[] }): Promise<Webhook & { secret?: string }> =>
    callRest('POST', '/webhooks', webhook),
  remove: (id: string): Promise<void> => callRest('DELETE', webhookPath(id)),
  /** Newest first. */
  deliveries: (id: string, cursor?: string): Promise<Page<Delivery>> => callRest('GET', `${webhookPath(id)}/deliveries${pagePart(cursor)}`),
  /** Sends it again, whatever became of it. */
  replay: (id: string, deliveryId: string): Promise<unknown> =>
    callRest('POST', `${webhookPath(id)}/deliveries/${encodeURIComponent(deliveryId)}/replay`),
};
