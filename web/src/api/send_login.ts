import { callRest } from './call_rest';
import type { Me } from './rest_types';

/** A person shows one of these to log in: a key, e-mail and password, or the token of an invitation with what the account needs. */
export type Shown =
  | { key: string }
  | { email: string; password: string }
  | { invitation: string; name?: string | undefined; email?: string | undefined; password: string };

/** Rejects with a RequestError when the gateway refuses it. */
export function sendLogin(shown: Shown): Promise<Me> {
  if (!('invitation' in shown)) return callRest<Me>('POST', '/login', shown);
  const { invitation, ...account } = shown;
  return callRest<Me>('POST', `/invitations/${encodeURIComponent(invitation)}`, account);
}
