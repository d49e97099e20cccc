import { callRest } from './call_rest';
import type { Me } from './rest_types';

/** A person shows one of these to log in: a key, e-mail and password, the answer of a passkey, or the token of an invitation with what the account needs. */
export type Shown =
  | { key: string }
  | { email: string; password: string; code?: string | undefined }
  | { passkey: { step: string; response: unknown } }
  | { invitation: string; name?: string | undefined; email?: string | undefined; password: string; code?: string | undefined };

/** Rejects with a RequestError when the gateway refuses it. */
export function sendLogin(shown: Shown): Promise<Me> {
  if ('passkey' in shown) return callRest<Me>('POST', '/login/passkey', shown.passkey);
  if (!('invitation' in shown)) return callRest<Me>('POST', '/login', shown);
  const { invitation, ...account } = shown;
  return callRest<Me>('POST', `/invitations/${encodeURIComponent(invitation)}`, account);
}
