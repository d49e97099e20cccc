/** Reads the chat behind a link. */
import { API_BASE } from '../api/call_rest';

export interface SharedMessage {
  role: 'user' | 'assistant';
  content: string;
  /** ISO 8601 in UTC. */
  createdAt: string;
}

export interface SharedChat {
  title: string;
  /** guest: whoever has the link writes in the chat. */
  role: 'viewer' | 'guest';
  sharedAt: string;
  expiresAt: string;
  messages: readonly SharedMessage[];
  nextCursor?: string;
}

export type SharedAnswer = { state: 'ready'; chat: SharedChat } | { state: 'gone' | 'login' | 'failed' };

/** Asks with the login of the reader, then without one: a link may need no login. Never rejects. */
export async function readShared(token: string, cursor?: string): Promise<SharedAnswer> {
  const query = `?limit=100${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`;
  // An address would stay in the logs of servers and proxies.
  const request = { headers: { 'x-share-token': token } };
  try {
    const withLogin = await fetch(`${API_BASE}/shared${query}`, request);
    if (withLogin.ok) return { state: 'ready', chat: await withLogin.json() };
    const open = await fetch(`${API_BASE}/public/shared${query}`, request);
    if (open.ok) return { state: 'ready', chat: await open.json() };
    if (withLogin.status === 401) return { state: 'login' };
    return { state: open.status === 404 || open.status === 400 ? 'gone' : 'failed' };
  } catch {
    return { state: 'failed' };
  }
}
