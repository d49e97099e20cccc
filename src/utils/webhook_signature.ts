/** Signatures of Standard Webhooks 1.0: https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md */
import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;
const MIN_BYTES = 24;
const MAX_BYTES = 64;

/** Creates a secret: `whsec_` and random bytes in base64. */
export const createWebhookSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString('base64');

/** Returns true for `whsec_` and 24 to 64 bytes in base64. */
export function isWebhookSecret(secret: string): boolean {
  const [, encoded = ''] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret) ?? [];
  const bytes = Buffer.from(encoded, 'base64');
  return bytes.length >= MIN_BYTES && bytes.length <= MAX_BYTES && bytes.toString('base64') === encoded;
}

/** Returns the headers of a delivery. `timeMs`: milliseconds since 1970; the receiver refuses old ones. */
export function webhookHeaders(secret: string, { id, body, timeMs }: { id: string; body: string; timeMs: number }): Record<string, string> {
  const timestamp = String(Math.floor(timeMs / 1_000));
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}
