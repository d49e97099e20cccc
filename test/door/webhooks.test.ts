/** Webhooks through REST: what is announced, to whom, over kill -9. */
import { type AgentBench, startBench } from '../support/agent_bench';
import { until } from '../support/until';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook_receiver';

let bench: AgentBench;
let receiver: WebhookReceiver;

interface Webhook {
  id: string;
  secret: string;
  enabled: boolean;
}
interface Delivery {
  id: string;
  status: string;
  attempts: number;
  lastStatus?: number;
  body: { type: string; data: { runId: string; status: string } };
}

beforeAll(async () => {
  receiver = await startWebhookReceiver();
  bench = await startBench({ env: { NETA_WEBHOOK_ALLOW: new URL(receiver.url).host } });
  bench.model.onTurn('say hello', 'Hello.');
  bench.model.onTurn('fail', { error: { status: 400, message: 'no' } });
  bench.model.onTurn('ask', { toolCalls: [{ name: 'clarify', arguments: { question: 'Which one?' } }] }, 'Thanks.');
  bench.model.onTurn('go on for ever', { text: 'on and on', chunkSize: 2, pauseAfter: 1 });
});

afterAll(async () => {
  await bench?.stop();
  await receiver?.stop();
});

const create = async (body: object) => (await bench.rest.request<Webhook>('POST', '/webhooks', body)).body;
const remove = (id: string) => bench.rest.request('DELETE', `/webhooks/${id}`);
const deliveriesOf = async (id: string) => (await bench.rest.request<{ data: Delivery[] }>('GET', `/webhooks/${id}/deliveries`)).body.data;
const nextEvent = async () => JSON.parse((await receiver.next()).body);

it('reports completed, failed, cancelled and waiting runs', async () => {
  const { id, secret } = await create({ url: receiver.url });
  expect(secret).toMatch(/^whsec_/);
  const { body: done } = await bench.rest.run({ input: 'say hello' });
  const { runId, sessionId } = done;
  expect(await nextEvent()).toEqual({
    type: 'run.completed',
    timestamp: expect.stringMatching(/Z$/),
    data: { runId, sessionId, status: 'completed' },
  });
  await bench.rest.run({ input: 'fail' });
  expect(await nextEvent()).toMatchObject({ type: 'run.failed', data: { status: 'failed' } });
  const { body: asking } = await bench.rest.request<{ runId: string }>(
    'POST',
    '/runs',
    { input: 'ask', clarify: 'wait' },
    { prefer: 'respond-async' },
  );
  expect(await nextEvent()).toMatchObject({ type: 'run.waiting', data: { runId: asking.runId, status: 'waiting' } });
  await bench.rest.request('POST', `/runs/${asking.runId}/cancel`);
  expect(await nextEvent()).toMatchObject({ type: 'run.cancelled', data: { runId: asking.runId } });
  await remove(id);
});

it('reports a run that is cancelled in the queue', async () => {
  const { id } = await create({ url: receiver.url, events: ['run.cancelled'] });
  const start = (sessionId?: string) =>
    bench.rest.request<{ runId: string; sessionId: string }>(
      'POST',
      '/runs',
      { input: 'go on for ever', ...(sessionId && { sessionId }) },
      { prefer: 'respond-async' },
    );
  const first = (await start()).body;
  const queued = (await start(first.sessionId)).body;
  await bench.rest.request('POST', `/runs/${queued.runId}/cancel`);
  expect(await nextEvent()).toMatchObject({ data: { runId: queued.runId } });
  await bench.rest.request('POST', `/runs/${first.runId}/cancel`);
  expect(await nextEvent()).toMatchObject({ data: { runId: first.runId } });
  await remove(id);
});

it('sends only the events that a webhook wants, lists what it sent, and sends one again', async () => {
  const { id } = await create({ url: receiver.url, events: ['run.failed'] });
  await bench.rest.run({ input: 'say hello' });
  await bench.rest.run({ input: 'fail' });
  const first = await receiver.next();
  expect(JSON.parse(first.body)).toMatchObject({ type: 'run.failed' });
  const settled = async () => {
    const [delivery] = await until(
      () => deliveriesOf(id),
      rows => rows[0]?.status === 'delivered',
    );
    if (!delivery) throw new Error('the list of deliveries is empty');
    return delivery;
  };
  const delivery = await settled();
  expect(delivery).toMatchObject({ attempts: 1, id: first.headers['webhook-id'], body: JSON.parse(first.body) });
  expect(await deliveriesOf(id)).toHaveLength(1);
  const { status } = await bench.rest.request('POST', `/webhooks/${id}/deliveries/${delivery.id}/replay`);
  expect(status).toBe(202);
  const again = await receiver.next();
  expect([again.headers['webhook-id'], again.body]).toEqual([first.headers['webhook-id'], first.body]);
  expect((await settled()).attempts).toBe(2);
  await remove(id);
  expect((await bench.rest.request('GET', `/webhooks/${id}/deliveries`)).status).toBe(404);
});

it('sends after kill -9 what was announced before', async () => {
  const { id } = await create({ url: receiver.url, events: ['run.completed'] });
  receiver.answer(500);
  const { body } = await bench.rest.run({ input: 'say hello' });
  await receiver.next();
  // Before its result is stored, a try is reserved for a minute.
  await until(async () => (await deliveriesOf(id))[0]?.lastStatus !== undefined);
  await bench.gateway.restart();
  receiver.answer(204);
  expect(await nextEvent()).toMatchObject({ data: { runId: body.runId } });
  await remove(id);
}, 90_000);

it('makes one webhook for a repeated request, and shows its secret once', async () => {
  const post = () => bench.rest.request<Webhook>('POST', '/webhooks', { url: receiver.url }, { 'idempotency-key': 'hook-1' });
  const [first, again] = [await post(), await post()];
  expect(again.body.id).toBe(first.body.id);
  expect([first.body.secret, again.body.secret]).toEqual([expect.any(String), undefined]);
  await remove(first.body.id);
});

it('refuses addresses inside, bad secrets and unknown webhooks, and names the field', async () => {
  const refused = async (body: object) => (await bench.rest.request('POST', '/webhooks', body)).body.error;
  for (const url of [
    'http://127.0.0.1:9/',
    'http://10.0.0.1/',
    'file:///etc/passwd',
    'http://[::1]:8080/',
    'https://user:pass@example.com/',
  ]) {
    expect(await refused({ url })).toMatchObject({ code: 'invalid_request', param: '/url' });
  }
  expect(await refused({ url: receiver.url, secret: 'whsec_short' })).toMatchObject({ param: '/secret' });
  expect(await refused({ url: receiver.url, events: ['run.started'] })).toMatchObject({ param: '/events/0' });
  expect((await remove('whk_unknown')).status).toBe(404);
  expect((await bench.rest.request('GET', '/webhooks')).body).toMatchObject({ data: [] });
});
