import { createHmac } from 'node:crypto';
import { createWebhookSecret, isWebhookSecret, webhookHeaders } from '../../src/utils/webhook_signature';

it('signs id, time and body as the other libraries of Standard Webhooks do', () => {
  // The example of the specification's libraries.
  const delivery = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', body: '{"test": 2432232314}', timeMs: 1_614_265_330_999 };
  expect(webhookHeaders('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', delivery)).toEqual({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
});

it('takes the bytes behind the prefix as the key', () => {
  const secret = createWebhookSecret();
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const expected = createHmac('sha256', key).update('a.1.b').digest('base64');
  expect(webhookHeaders(secret, { id: 'a', body: 'b', timeMs: 1_000 })['webhook-signature']).toBe(`v1,${expected}`);
});

it.each([
  ['24 bytes', `whsec_${Buffer.alloc(24).toString('base64')}`, true],
  ['64 bytes', `whsec_${Buffer.alloc(64).toString('base64')}`, true],
  ['23 bytes', `whsec_${Buffer.alloc(23).toString('base64')}`, false],
  ['65 bytes', `whsec_${Buffer.alloc(65).toString('base64')}`, false],
  ['no prefix', Buffer.alloc(32).toString('base64'), false],
  ['another alphabet', `whsec_${'-_'.repeat(22)}`, false],
])('judges a secret of %s', (_what, secret, isValid) => {
  expect(isWebhookSecret(secret)).toBe(isValid);
});
