/** Webhooks go to public addresses alone, whatever DNS answers and when. */
import { createWebhookSender } from '../../../src/adapter/web/webhook_sender';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/webhook_receiver';

let receiver: WebhookReceiver;
let port: string;
beforeAll(async () => {
  receiver = await startWebhookReceiver();
  ({ port } = new URL(receiver.url));
});
afterAll(() => receiver.stop());

const post = (url: string, { allow = [] as string[], addresses = ['127.0.0.1'] } = {}) =>
  createWebhookSender({
    allow,
    resolve: async () => addresses.map(address => ({ address, family: address.includes(':') ? 6 : 4 })),
  }).post(url, '{}', {}, AbortSignal.timeout(5_000));

it.each([
  ['this machine', ['127.0.0.1']],
  ['this machine as IPv6', ['::1']],
  ['this machine as IPv4 in IPv6', ['::ffff:127.0.0.1']],
  ['the metadata service of a cloud', ['169.254.169.254']],
  ['a private network behind a public address', ['203.0.113.7', '10.0.0.7']],
])('refuses a public name that DNS sends to %s, at the time of sending', async (_name, addresses) => {
  await expect(post('http://hooks.example.com/in', { addresses })).rejects.toMatchObject({ code: 'forbidden_address' });
  expect(receiver.count()).toBe(0);
});

it('sends to a private address that the operator has named with its port, and to no other port of it', async () => {
  const allow = [`hooks.internal:${port}`];
  expect(await post(`http://hooks.internal:${port}/in`, { allow })).toMatchObject({ status: 204 });
  await expect(post('http://hooks.internal/in', { allow })).rejects.toMatchObject({ code: 'forbidden_address' });
  expect(receiver.count()).toBe(1);
});
