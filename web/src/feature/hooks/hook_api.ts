/** The routes of inbound webhooks. Every failure rejects with a RequestError. */
import { callRest } from '../../api/call_rest';
import type { AgentSummary, Page } from '../../api/rest_types';
import type { Answer } from '../../api/schema_types';

export type Hook = Answer<'Hook'>;
export type HookCall = Answer<'HookCall'>;

export interface NewHook {
  name: string;
  template: string;
  agent: string;
  session: Hook['session'];
}

const pagePart = (cursor: string | undefined): string => `?limit=50${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`;
const hookPath = (id: string): string => `/hooks/${encodeURIComponent(id)}`;

export const hookApi = {
  list: (cursor?: string): Promise<Page<Hook>> => callRest('GET', `/hooks${pagePart(cursor)}`),
  /** Makes a hook. Only this answer holds the secret. */
  create: (hook: NewHook): Promise<Answer<'NewHook'>> => callRest('POST', '/hooks', hook),
  setEnabled: (id: string, enabled: boolean): Promise<Hook> => callRest('PATCH', hookPath(id), { enabled }),
  remove: (id: string): Promise<void> => callRest('DELETE', hookPath(id)),
  /** Newest first. */
  calls: (id: string, cursor?: string): Promise<Page<HookCall>> => callRest('GET', `${hookPath(id)}/calls${pagePart(cursor)}`),
  agents: async (): Promise<readonly AgentSummary[]> => (await callRest<Page<AgentSummary>>('GET', '/agents')).data,
};
