/** Posts webhooks to public addresses, and to private ones that the operator allows. */
import { WebError } from '../../port/web';
import type { WebhookSender } from '../../port/webhook_sender';
import { createAddressPolicy } from './address_policy';
import { type ResolveHost, requestChecked, resolveWithSystem } from './checked_request';

const IDLE_MS = 10_000;

export interface WebhookSenderOptions {
  /** host:port entries that may be reached although they are private or on another port. */
  allow: readonly string[];
  resolve?: ResolveHost;
}

/** Creates the sender of webhooks. `allow`: host:port entries that it may reach although they are private. */
export function createWebhookSender({ allow, resolve = resolveWithSystem }: WebhookSenderOptions): WebhookSender {
  const policy = createAddressPolicy(allow);
  return {
    checkUrl: url => policy.checkUrl(url).href,
    async post(text, body, headers, signal) {
      const url = policy.checkUrl(text);
      const idle = new AbortController();
      const onIdle = () =>
        idle.abort(new WebError('too_slow', 'The server did not answer in time.', '服务器没有及时应答。', { isTransient: true }));
      const incoming = await requestChecked(
        { url, method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body },
        { policy, resolve, signal: AbortSignal.any([signal, idle.signal]), onIdle, idleMs: IDLE_MS },
      );
      // The status says all; a body could be endless.
      incoming.destroy();
      return { status: incoming.statusCode ?? 0, retryAfter: incoming.headers['retry-after'] ?? '' };
    },
  };
}
