/** The routes of API keys. Every failure rejects with a RequestError. */
import type { Scope } from '../../../../src/port/principal';
import { callRest } from '../../api/call_rest';
import type { Page } from '../../api/rest_types';
import type { Answer } from '../../api/schema_types';

export type ApiKey = Answer<'ApiKey'>;

export interface NewKey {
  name: string;
  scopes: readonly Scope[];
  expiresAt?: string;
}

const pagePart = (cursor: string | undefined): string => `?limit=50${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`;

export const keyApi = {
  list: (cursor?: string): Promise<Page<ApiKey>> => callRest('GET', `/api-keys${pagePart(cursor)}`),
  /** The secret is in this answer alone. */
  create: (key: NewKey): Promise<Answer<'MadeApiKey'>> => callRest('POST', '/api-keys', key),
  revoke: (id: string): Promise<void> => callRest('DELETE', `/api-keys/${encodeURIComponent(id)}`),
};
