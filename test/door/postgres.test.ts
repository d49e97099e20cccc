/** The built gateway over Postgres: chat, REST, questions, kill -9, an outage of the server, and two gateways on one database. */
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import type { RunResult } from '../../src/service/run_log/run_service';
import { type AgentBench, MODEL_KEY, startBench } from '../support/agent_bench';
import { connectChat } from '../support/chat_client';
import { type Gateway, startAndFail, startGateway } from '../support/gateway';
import { readMetrics } from '../support/metrics';
import { untilOneWaits } from '../support/open_transactions';
import { describeWithPostgres, ownPostgres, type PostgresServer, startPostgres } from '../support/postgres_server';
import { createRestClient, type PageBody, type RestClient } from '../support/rest_client';
import { until } from '../support/until';

describeWithPostgres('the gateway over Postgres', () => {
  let server: PostgresServer;
  let url: string;
  let bench: AgentBench;
  let second: Gateway;
  let secondRest: RestClient;

  beforeAll(async () => {
    server = await startPostgres();
    url = await server.createDatabase();
    bench = await startBench({ env: { DATABASE_URL: url } });
    const model = { OPENAI_BASE_URL: bench.model.baseUrl, OPENAI_API_KEY: MODEL_KEY };
    second = await startGateway({ env: { ...model, DATABASE_URL: url } });
    secondRest = createRestClient(second.url);
    bench.model.onTurn('endless', { text: 'It never ends.', chunkSize: 4, pauseAfter: 1 });
    bench.model.onTurn('slow', { text: 'slow but done', chunkSize: 4, pauseAfter: 1 });
    bench.model.onTurn(
      'ask me',
      { toolCalls: [{ name: 'clarify', arguments: { question: 'Which?' } }] },
      request => `Told: ${request.toolResults}`,
    );
    bench.model.onTurn('hello', request => `You said: ${request.userText}`);
  });

  afterAll(async () => {
    await second?.stop();
    await bench?.stop();
    await server?.stop();
  });

  const eventsOf = async (rest: RestClient, runId: string) =>
    (await rest.request<PageBody<{ type: string; seq: number }>>('GET', `/runs/${runId}/events`)).body.data;

  it('answers a chat and a REST call, which the other gateway reads, finds and reports as sound', async () => {
    const client = await bench.connect();
    const { runId } = await client.chat('hello from the 花园');
    expect((await client.endOf(runId)).data).toMatchObject({ status: 'completed', text: 'You said: hello from the 花园' });
    const { body } = await bench.rest.run({ input: 'hello by REST' });
    expect(body).toMatchObject({ status: 'completed', text: 'You said: hello by REST' });
    const events = await eventsOf(secondRest, runId);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, i) => i + 1));
    const found = await secondRest.request<PageBody<{ runId: string }>>('GET', `/search?q=${encodeURIComponent('花园')}`);
    expect(found.body.data[0]).toMatchObject({ runId });
    const doctor = await secondRest.request<{ checks: { name: string }[] }>('GET', '/ops/doctor');
    expect(doctor.body.checks.find(({ name }) => name === 'database')).toMatchObject({
      status: 'ok',
      message: expect.stringContaining('Postgres'),
    });
  });

  it('names its database in the metrics', async () => {
    const metrics = await readMetrics(bench.gateway.url);
    for (const name of ['neta_store_operation_duration_seconds_count', 'neta_store_size_bytes']) {
      expect(metrics.sum(name, { store: 'postgres' })).toBeGreaterThan(0);
      expect(metrics.samples.filter(({ labels }) => labels['store'] === 'sqlite')).toEqual([]);
    }
  });

  it('stores a text with U+0000, which Postgres cannot hold', async () => {
    const { body } = await bench.rest.run({ input: 'hello \u0000 there' });
    expect(body).toMatchObject({ status: 'completed' });
  });

  it('changes a chat through two of its branches at two gateways at once', async () => {
    const { sessionId, runId } = (await bench.rest.run({ input: 'hello branches' })).body;
    const branch = async () =>
      (await bench.rest.request<{ id: string }>('POST', `/sessions/${sessionId}/branches`, { before: runId })).body.id;
    const [locked, other] = [await branch(), await branch()];
    // Another row of the chat is locked, so that both changes have begun before one of them can end.
    const client = new Client({ connectionString: url });
    await client.connect();
    try {
      await client.query('begin');
      await client.query('select 1 from sessions where id = $1 for update', [locked]);
      const change = (rest: RestClient, id: string) => rest.request('PATCH', `/sessions/${id}`, { title: 'Renamed', metadata: { by: id } });
      const changed = [change(bench.rest, sessionId)];
      await untilOneWaits(client);
      changed.push(change(secondRest, other));
      await pause(300);
      await client.query('commit');
      expect((await Promise.all(changed)).map(({ status }) => status)).toEqual([200, 200]);
    } finally {
      await client.end();
    }
  });

  it('an answer and a cancel at one gateway reach a run of the other within a second', async () => {
    const client = await bench.connect();
    const asking = await client.chat('ask me');
    const { data: question } = await client.waitFor('clarify_request', event => event.runId === asking.runId);
    const answered = performance.now();
    const elsewhere = await connectChat(second.url);
    const answer = { type: 'clarify_response', sessionId: asking.sessionId, requestId: question.requestId, answer: 'the blue one' };
    expect(await elsewhere.send(answer)).toMatchObject({ ok: true });
    elsewhere.close();
    expect((await client.endOf(asking.runId)).data.text).toContain('the blue one');
    expect(performance.now() - answered).toBeLessThan(3_000);

    const { body: endless } = await bench.rest.request<{ runId: string }>(
      'POST',
      '/runs',
      { input: 'endless' },
      { prefer: 'respond-async' },
    );
    await bench.model.waitFor('endless');
    const asked = performance.now();
    const cancelled = await secondRest.request<RunResult>('POST', `/runs/${endless.runId}/cancel`);
    expect(cancelled).toMatchObject({ status: 200, body: { status: 'cancelled' } });
    expect(performance.now() - asked).toBeLessThan(3_000);
  });

  it('loses nothing acknowledged by kill -9: runs and questions go on, each run ends once', async () => {
    const client = await bench.connect();
    const [slow, asking] = [await client.chat('slow'), await client.chat('ask me')];
    await client.waitForText(slow.runId, 'slow');
    const { data: question } = await client.waitFor('clarify_request', event => event.runId === asking.runId);
    await bench.gateway.restart();
    const again = await bench.connect();
    await again.send({ type: 'subscribe', sessionId: asking.sessionId, after: { runId: asking.runId, seq: 0 } });
    const answer = { type: 'clarify_response', sessionId: asking.sessionId, requestId: question.requestId, answer: 'this one' };
    expect(await again.send(answer)).toMatchObject({ ok: true });
    expect((await again.endOf(asking.runId)).data).toMatchObject({ status: 'completed', text: expect.stringContaining('this one') });
    bench.model.resume();
    await again.send({ type: 'subscribe', sessionId: slow.sessionId, after: { runId: slow.runId, seq: 0 } });
    expect((await again.endOf(slow.runId)).data).toMatchObject({ status: 'completed', text: 'slow but done' });
    for (const { runId } of [slow, asking]) {
      const events = await eventsOf(bench.rest, runId);
      expect(events.map(({ seq }) => seq)).toEqual(events.map((_, i) => i + 1));
      expect(events.filter(({ type }) => type === 'run_end')).toEqual([events.at(-1)]);
    }
  });

  (ownPostgres ? it : it.skip)(
    'refuses runs while the server is gone, and goes on by itself when it is back',
    async () => {
      const client = await bench.connect();
      const waiting = await client.chat('slow');
      await client.waitForText(waiting.runId, 'slow');
      await server.kill();
      expect(await bench.rest.request('POST', '/runs', { input: 'hello' })).toMatchObject({
        status: 503,
        body: { error: { code: 'store_unavailable' } },
      });
      expect((await fetch(`${bench.gateway.url}/readyz`)).status).toBe(503);
      await server.restart();
      await until(async () => (await fetch(`${bench.gateway.url}/readyz`)).status === 200, Boolean, { limitMs: 60_000 });
      bench.model.resume();
      expect((await client.endOf(waiting.runId)).data).toMatchObject({ status: 'completed', text: 'slow but done' });
      expect((await bench.rest.run({ input: 'hello again' })).body).toMatchObject({ status: 'completed' });
      const events = await eventsOf(bench.rest, waiting.runId);
      expect(events.map(({ seq }) => seq)).toEqual(events.map((_, i) => i + 1));
    },
    60_000,
  );

  it('names a database that it cannot open, without its password', async () => {
    const address = new URL(url);
    address.pathname = '/nowhere';
    address.password = 'hidden-0123456789';
    const { code, output } = await startAndFail({ DATABASE_URL: address.href });
    expect([code, output]).toEqual([1, expect.stringContaining('/nowhere cannot be opened')]);
    expect(output).not.toContain('hidden-0123456789');
    const refused = await startAndFail({ DATABASE_URL: 'mysql://neta@127.0.0.1/neta' });
    expect([refused.code, refused.output]).toEqual([1, expect.stringContaining('DATABASE_URL must be an address of Postgres')]);
  });
});
