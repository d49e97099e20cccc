/** Limits of runs and steering messages: beyond them both doors refuse with rate_limited and store nothing. */
import { type AgentBench, startBench } from '../support/agent_bench';
import type { ErrorBody, PageBody } from '../support/rest_client';

let bench: AgentBench;

beforeAll(async () => {
  bench = await startBench({ env: { NETA_MAX_CONCURRENT_RUNS: '2', NETA_MAX_QUEUED_RUNS: '3' } });
  bench.model.onTurn('slow', { text: 'slow but done', chunkSize: 4, pauseAfter: 1 });
  bench.model.onTurn('quick', 'quick answer');
});

afterAll(() => bench?.stop());

const total = async (list: string) => (await bench.rest.request<PageBody<unknown>>('GET', `${list}?limit=1000`)).body.data.length;

it('executes two runs, queues three across sessions, refuses the next, and starts queued runs in order as slots become free', async () => {
  const client = await bench.connect();
  const running = [await client.chat('slow one'), await client.chat('slow two')];
  await Promise.all(['slow one', 'slow two'].map(text => bench.model.waitFor(text)));
  const waiting = [await client.chat('quick one'), await client.chat('quick two', { sessionId: running[0]!.sessionId })];
  const rest = await bench.rest.request<{ runId: string; status: string }>(
    'POST',
    '/runs',
    { input: 'quick three' },
    { prefer: 'respond-async' },
  );
  expect(rest).toMatchObject({ status: 202, body: { status: 'queued' } });
  expect(bench.model.requests('quick')).toEqual([]);

  const [runs, sessions] = [await total('/runs'), await total('/sessions')];
  const refused = await client.send({ type: 'chat', text: 'quick four', clientMessageId: 'four' });
  expect(refused).toMatchObject({ ok: false, error: { code: 'rate_limited', retryable: true, retryAfterMs: 5_000 } });
  const interrupting = { text: 'quick five', sessionId: running[0]!.sessionId, onBusy: 'interrupt' };
  expect((await client.send({ type: 'chat', ...interrupting })).error).toMatchObject({ code: 'rate_limited' });
  const tooMany = await bench.rest.request<ErrorBody>('POST', '/runs', { input: 'quick four' }, { 'idempotency-key': 'four' });
  expect(tooMany).toMatchObject({ status: 429, body: { error: { code: 'rate_limited' } } });
  expect(tooMany.headers.get('retry-after')).toBe('5');
  expect([await total('/runs'), await total('/sessions')]).toEqual([runs, sessions]);

  await client.send({ type: 'cancel', runId: running[1]!.runId });
  expect((await client.endOf(waiting[0]!.runId)).data.text).toBe('quick answer');
  expect((await bench.rest.stream('GET', `/runs/${rest.body.runId}/events`)).at(-1)).toMatchObject({ data: { text: 'quick answer' } });
  expect(client.eventsOf(waiting[1]!.runId)).toEqual([]);
  bench.model.resume();
  expect((await client.endOf(waiting[1]!.runId)).data.text).toBe('quick answer');

  const again = await client.send({ type: 'chat', text: 'quick four', clientMessageId: 'four' });
  expect(again).toMatchObject({ ok: true, deduplicated: false });
  expect((await client.endOf(String(again['runId']))).data.text).toBe('quick answer');
  expect(await bench.rest.run({ input: 'quick four' }, { 'idempotency-key': 'four' })).toMatchObject({ status: 200 });
});

it('frees the place of a cancelled queued run, and starts queued runs in the next process after a crash', async () => {
  const client = await bench.connect();
  const running = [await client.chat('slow three'), await client.chat('slow four')];
  const waiting = [await client.chat('quick six'), await client.chat('quick seven'), await client.chat('quick eight')];
  expect((await client.send({ type: 'chat', text: 'quick nine' })).error).toMatchObject({ code: 'rate_limited' });
  expect(await client.send({ type: 'cancel', runId: waiting[2]!.runId })).toMatchObject({ ok: true, status: 'cancelled' });
  waiting[2] = await client.chat('quick nine');
  const earlier = new Set(bench.model.requests('slow'));
  await bench.gateway.restart();
  expect((await bench.rest.request<ErrorBody>('POST', '/runs', { input: 'quick ten' })).status).toBe(429);
  for (const text of ['slow three', 'slow four']) await bench.model.waitFor(request => request.userText === text && !earlier.has(request));
  bench.model.resume();
  for (const { runId } of [...running, ...waiting]) {
    const events = await bench.rest.stream('GET', `/runs/${runId}/events`);
    expect(events.at(-1)).toMatchObject({ type: 'run_end', data: { status: 'completed' } });
  }
});

it('accepts at most 32 steering messages and 256 kB for a run on every door, and keeps the accepted ones in the session', async () => {
  const client = await bench.connect();
  const { runId, sessionId } = await client.chat('slow five');
  for (let i = 1; i <= 32; i++) expect(await client.send({ type: 'steer', runId, text: `quick steer ${i}` })).toMatchObject({ ok: true });
  const refused = { code: 'rate_limited', retryable: true, retryAfterMs: 2_000 };
  expect((await client.send({ type: 'steer', runId, text: 'quick steer 33' })).error).toMatchObject(refused);
  expect((await client.send({ type: 'chat', sessionId, text: 'quick steer 33', onBusy: 'steer' })).error).toMatchObject(refused);
  const rest = await bench.rest.request<ErrorBody>('POST', `/runs/${runId}/steer`, { text: 'quick steer 33' });
  expect(rest).toMatchObject({ status: 429, body: { error: refused } });
  expect(rest.headers.get('retry-after')).toBe('2');

  const large = await client.chat('slow six');
  expect(await client.send({ type: 'steer', runId: large.runId, text: 'x'.repeat(190_000) })).toMatchObject({ ok: true });
  expect((await client.send({ type: 'steer', runId: large.runId, text: 'x'.repeat(70_000) })).error).toMatchObject(refused);
  expect(await client.send({ type: 'steer', runId: large.runId, text: 'x'.repeat(60_000) })).toMatchObject({ ok: true });
  await client.send({ type: 'cancel', runId: large.runId });
  bench.model.resume();
  await client.endOf(runId);
  const texts = (await bench.rest.history(sessionId)).flatMap(message => (message.role === 'user' ? [message.content] : []));
  expect(texts.filter(text => text.startsWith('quick steer'))).toHaveLength(32);
});
