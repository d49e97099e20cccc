/** The webhook event budget.threshold: most of a day is used. */
import { type LimitsBench, startLimitsBench } from '../support/limits_bench';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook_receiver';

let bench: LimitsBench;
let receiver: WebhookReceiver;

const LIMITS = 'default: { tokensPerDay: 1200 }\ntenants: { default: { tokensPerDay: 1800 } }\n';

beforeAll(async () => {
  receiver = await startWebhookReceiver();
  bench = await startLimitsBench(LIMITS, { env: { NETA_WEBHOOK_ALLOW: new URL(receiver.url).host } });
  bench.model.onTurn('quick', { text: 'quick answer', usage: { inputTokens: 400, outputTokens: 100 } });
});

afterAll(async () => {
  await bench?.stop();
  await receiver?.stop();
});

it('is sent once a day for each limit of a key and a tenant, also over kill -9', async () => {
  const webhook = { url: receiver.url, events: ['budget.threshold'] };
  const { body } = await bench.rest.request<{ id: string }>('POST', '/webhooks', webhook);
  const nextData = async () => JSON.parse((await receiver.next()).body);
  await bench.rest.run({ input: 'quick one' });
  await bench.rest.run({ input: 'quick two' });
  expect(await nextData()).toMatchObject({
    type: 'budget.threshold',
    data: { scope: 'key', name: 'local', limit: 'tokensPerDay', used: 1_000, max: 1_200 },
  });
  await bench.gateway.restart();
  await bench.rest.run({ input: 'quick three' });
  expect((await nextData()).data).toEqual({ scope: 'tenant', name: 'default', limit: 'tokensPerDay', used: 1_500, max: 1_800 });
  const { body: deliveries } = await bench.rest.request<{ data: unknown[] }>('GET', `/webhooks/${body.id}/deliveries`);
  expect(deliveries.data).toHaveLength(2);
});
