/** Sends web push messages. The library web-push encrypts and signs; the request goes the way of all requests to addresses that people chose. */
import { createPublicKey } from 'node:crypto';
import type { PushSender, PushTarget } from '../../port/push_sender';
import { WebError } from '../../port/web';
import { type AddressPolicy, createAddressPolicy } from './address_policy';
import { type ResolveHost, requestChecked, resolveWithSystem } from './checked_request';

const IDLE_MS = 10_000;
const AUTH_BYTES = 16;
/** The byte 0x04 and two coordinates. */
const POINT_BYTES = 65;

export interface PushSenderOptions {
  /** host:port entries that may be reached although they are private, on another port or without TLS. */
  allow: readonly string[];
  /** Tells push services whom to ask about this gateway: an address that begins with mailto: or https:. */
  contact: string;
  resolve?: ResolveHost;
}

/** Loaded on demand: many gateways have no device to send to. */
const loadWebPush = async () => (await import('web-push')).default;

/** Creates the sender of web push messages. */
export function createPushSender({ allow, contact, resolve = resolveWithSystem }: PushSenderOptions): PushSender {
  const policy = createAddressPolicy(allow);
  return {
    createKeys: async () => (await loadWebPush()).generateVAPIDKeys(),
    checkTarget: target => checkTarget(target, policy),
    async send(unchecked, { payload, ttlSeconds, urgency, keys }, signal) {
      const target = checkTarget(unchecked, policy);
      const url = new URL(target.endpoint);
      const { generateRequestDetails } = await loadWebPush();
      const { headers, body } = generateRequestDetails(
        { endpoint: target.endpoint, keys: { p256dh: target.publicKey, auth: target.authSecret } },
        payload,
        { vapidDetails: { subject: contact, ...keys }, TTL: ttlSeconds, urgency, contentEncoding: 'aes128gcm' },
      );
      const idle = new AbortController();
      const onIdle = () =>
        idle.abort(new WebError('too_slow', 'The push service did not answer in time.', '推送服务没有及时应答。', { isTransient: true }));
      const incoming = await requestChecked(
        { url, method: 'POST', headers: toTextHeaders(headers), body: body ?? undefined },
        { policy, resolve, signal: AbortSignal.any([signal, idle.signal]), onIdle, idleMs: IDLE_MS },
      );
      // The status says all; a body could be endless.
      incoming.destroy();
      return { status: incoming.statusCode ?? 0, retryAfter: incoming.headers['retry-after'] ?? '' };
    },
  };
}

function checkTarget(target: PushTarget, policy: AddressPolicy): PushTarget {
  const url = policy.checkUrl(target.endpoint);
  if (url.protocol !== 'https:' && !policy.isNamed(url)) {
    throw new WebError('bad_url', 'The endpoint of a push service begins with https.', '推送服务的地址须以 https 开头。');
  }
  if (!isPoint(target.publicKey) || Buffer.from(target.authSecret, 'base64url').length !== AUTH_BYTES) {
    throw new WebError('bad_url', 'The keys are not those of a push subscription.', '这不是推送订阅的密钥。');
  }
  return { ...target, endpoint: url.href };
}

/** Returns true for a point on P-256 in base64url. */
function isPoint(text: string): boolean {
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.length !== POINT_BYTES || bytes[0] !== 4) return false;
  const [x, y] = [bytes.subarray(1, 33), bytes.subarray(33)].map(coordinate => coordinate.toString('base64url'));
  try {
    createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' });
    return true;
  } catch {
    return false;
  }
}

const toTextHeaders = (headers: Record<string, string | number>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
