/** Signatures of Standard Webhooks 1.0: https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;
const MIN_BYTES = 24;
const MAX_BYTES = 64;
/** The most milliseconds between the time of a message and its arrival, in both directions. */
const SIGNATURE_TOLERANCE_MS = 300_000;
/** The most signatures of one message that are compared; a sender gives one for each of its secrets. */
const MAX_SIGNATURES = 10;

/** Creates a secret: `whsec_` and random bytes in base64. */
export const createWebhookSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString('base64');

/** Returns true for `whsec_` and 24 to 64 bytes in base64. */
export function isWebhookSecret(secret: string): boolean {
  const [, encoded = ''] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret) ?? [];
  const bytes = Buffer.from(encoded, 'base64');
  return bytes.length >= MIN_BYTES && bytes.length <= MAX_BYTES && bytes.toString('base64') === encoded;
}

interface SignedMessage {
  id: string;
  body: string | Uint8Array;
}

/** Returns the headers of a delivery. `timeMs`: milliseconds since 1970; the receiver refuses old ones. */
export function webhookHeaders(secret: string, { id, body, timeMs }: SignedMessage & { timeMs: number }): Record<string, string> {
  const timestamp = String(Math.floor(timeMs / 1_000));
  const signature = sign(secret, { id, body, timestamp }).toString('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}

/**
 * Returns true when one of the signatures in the header `webhook-signature` is that of the message, and its time is near `now`. Takes the same time for
 * each wrong signature. `timestamp`: the header `webhook-timestamp`.
 */
export function isSignedMessage(
  secret: string,
  { timestamp, signatures, ...message }: SignedMessage & { timestamp: string; signatures: string },
  now: number,
): boolean {
  if (message.id === '' || !/^[0-9]{1,12}$/.test(timestamp)) return false;
  if (Math.abs(Number(timestamp) * 1_000 - now) > SIGNATURE_TOLERANCE_MS) return false;
  const expected = sign(secret, { ...message, timestamp });
  const given = signatures
    .split(' ', MAX_SIGNATURES)
    .flatMap(signature => (signature.startsWith('v1,') ? [Buffer.from(signature.slice('v1,'.length), 'base64')] : []));
  return given.some(signature => signature.length === expected.length && timingSafeEqual(signature, expected));
}

function sign(secret: string, { id, timestamp, body }: SignedMessage & { timestamp: string }): Buffer {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
  return createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest();
}
