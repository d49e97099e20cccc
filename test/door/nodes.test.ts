/** Two gateways on one Postgres: people and programs at either one see runs of the other as they happen, and are heard there. */

import { setTimeout as pause } from 'node:timers/promises';
import { MODEL_KEY } from '../support/agent_bench';
import { APPROVER, type ApprovalBench, startApprovalBench } from '../support/approval_bench';
import { type ChatClient, connectChat } from '../support/chat_client';
import { type Gateway, startGateway } from '../support/gateway';
import { describeWithPostgres, endConnections, type PostgresServer, startPostgres } from '../support/postgres_server';
import { createRestClient, parseEventStream, type RestClient } from '../support/rest_client';
import { until } from '../support/until';

/** A look at the store every two seconds would be later than this. */
const AT_ONCE_MS = 1_000;

describeWithPostgres('two gateways on one Postgres', () => {
  let server: PostgresServer;
  let url: string;
  let bench: ApprovalBench;
  let second: Gateway;
  let secondRest: RestClient;
  let elsewhere: ChatClient;

  beforeAll(async () => {
    server = await startPostgres();
    url = await server.createDatabase();
    bench = await startApprovalBench({ env: { DATABASE_URL: url } });
    const model = { OPENAI_BASE_URL: bench.model.baseUrl, OPENAI_API_KEY: MODEL_KEY };
    second = await startGateway({ env: { ...model, DATABASE_URL: url } });
    secondRest = createRestClient(second.url);
    bench.model.onTurn('slow', { text: 'slow but done', chunkSize: 4, pauseAfter: 1 });
    bench.model.onTurn('quick', request => `answer to ${request.userText}`);
    bench.model.onTurn(
      'ask me',
      { toolCalls: [{ name: 'clarify', arguments: { question: 'Which?' } }] },
      request => `Told: ${request.toolResults}`,
    );
    bench.model.onTurn('sleep', { toolCalls: [{ name: 'bash', arguments: { command: 'sleep 30' } }] }, 'It was stopped.');
  });

  beforeEach(async () => {
    elsewhere = await connectChat(second.url, APPROVER);
  });
  afterEach(() => elsewhere?.close());
  afterAll(async () => {
    await second?.stop();
    await bench?.stop();
    await server?.stop();
  });

  /** Resolves with the milliseconds that `work` takes. */
  const timeOf = async (work: () => Promise<unknown>): Promise<number> => {
    const started = performance.now();
    await work();
    return performance.now() - started;
  };
  const gapless = (client: ChatClient, runId: string) => {
    const seqs = client.eventsOf(runId).map(({ seq }) => seq);
    expect(seqs).toEqual(seqs.map((_, i) => i + 1));
  };

  it('a missing file that the session wrote at the other gateway may be there or deleted, and the tool names that gateway', async () => {
    const call = (name: string, args: Record<string, string>) => ({ toolCalls: [{ name, arguments: args }] });
    bench.model.onTurn('write it', call('write_file', { path: 'plan.md', content: 'one' }), 'Written.');
    bench.model.onTurn('read it', call('read_file', { path: 'plan.md' }), ({ toolResults }) => `Read: ${toolResults.at(-1)}`);
    const { body } = await bench.rest.request<{ sessionId: string; runId: string }>('POST', '/runs', { input: 'write it' });
    const readAt = async (rest: RestClient) =>
      (await rest.request<{ text: string }>('POST', '/runs', { input: 'read it', sessionId: body.sessionId })).body.text;
    expect(await readAt(secondRest)).toMatch(
      /There is no plan\.md here\. This session last used it in the gateway process \S+\.\d+\.\d+: it may be on the disk of that gateway, or deleted since\./,
    );
    expect(await readAt(bench.rest)).toContain('one');
  });

  it('shows text that is not stored yet, and the end, to sockets and event streams at the other gateway', async () => {
    const client = await bench.connect();
    const { sessionId, runId } = await client.chat('slow');
    await client.waitForText(runId, 'slow');
    // Subscribed while the run goes on: the first words are not in the store.
    expect(await elsewhere.send({ type: 'subscribe', sessionId, after: { runId, seq: 0 } })).toMatchObject({ ok: true });
    await elsewhere.waitForText(runId, 'slow');
    const stream = secondRest.stream('GET', `/runs/${runId}/events`);
    bench.model.resume();
    await client.endOf(runId);
    expect(await timeOf(() => elsewhere.endOf(runId))).toBeLessThan(AT_ONCE_MS);
    expect(elsewhere.eventsOf(runId)).toEqual(client.eventsOf(runId));
    gapless(elsewhere, runId);
    expect((await stream).map(({ seq }) => seq)).toEqual(client.eventsOf(runId).map(({ seq }) => seq));

    // Subscribed before the run.
    const next = await client.chat('quick one', { sessionId });
    expect((await elsewhere.endOf(next.runId)).data.text).toBe('answer to quick one');
    gapless(elsewhere, next.runId);
    client.close();
  });

  it('answers a person whose session runs at the other gateway', async () => {
    const client = await bench.connect();
    const { sessionId, runId } = await client.chat('slow');
    await client.waitForText(runId, 'slow');
    const queued = await elsewhere.chat('quick two', { sessionId, onBusy: 'enqueue' });
    bench.model.resume();
    expect((await elsewhere.endOf(queued.runId)).data.text).toBe('answer to quick two');
    gapless(elsewhere, queued.runId);
    client.close();
  });

  it('brings an answer, a cancel, and the end of one tool call to the run at once', async () => {
    const client = await bench.connect();
    const asking = await client.chat('ask me');
    const { data: question } = await client.waitFor('clarify_request', event => event.runId === asking.runId);
    const answer = { type: 'clarify_response', sessionId: asking.sessionId, requestId: question.requestId, answer: 'the blue one' };
    const took = await timeOf(async () => {
      expect(await elsewhere.send(answer)).toMatchObject({ ok: true });
      expect((await client.endOf(asking.runId)).data.text).toContain('the blue one');
    });
    expect(took).toBeLessThan(AT_ONCE_MS);

    const slow = await client.chat('slow');
    await client.waitForText(slow.runId, 'slow');
    expect(await timeOf(() => secondRest.request('POST', `/runs/${slow.runId}/cancel`))).toBeLessThan(AT_ONCE_MS);
    expect((await client.endOf(slow.runId)).data.status).toBe('cancelled');
    bench.model.resume();

    const sleeping = await client.chat('sleep');
    const { data: call } = await client.waitFor('tool_call_start', event => event.runId === sleeping.runId);
    const stop = () => secondRest.request('POST', `/runs/${sleeping.runId}/tool-calls/${call.toolCallId}/cancel`);
    expect(await timeOf(async () => expect((await stop()).status).toBe(200))).toBeLessThan(AT_ONCE_MS);
    expect((await client.endOf(sleeping.runId)).data.text).toBe('It was stopped.');
    expect((await stop()).status).toBe(404);
    client.close();
  });

  it('asks a person at the other gateway who can approve, and nobody once this person has left', async () => {
    const client = await bench.connect();
    const { sessionId } = await client.chat('quick three');
    await elsewhere.send({ type: 'subscribe', sessionId });
    // The answer to the subscription is sent before the other gateway hears of the approver.
    await pause(100);
    const { runId } = await client.chat('tally elsewhere', { sessionId });
    const { data: approval } = await elsewhere.waitFor('approval_request', event => event.runId === runId);
    const decision = { type: 'approval_response', sessionId, requestId: approval.requestId, decision: 'allow_once' };
    expect(await elsewhere.send(decision)).toMatchObject({ ok: true });
    expect((await client.endOf(runId)).data.status).toBe('completed');
    expect(await bench.tallyOf('elsewhere')).toBe(1);
    elsewhere.close();
    await pause(500);
    const refused = await client.chat('tally nobody', { sessionId });
    expect((await client.endOf(refused.runId)).data.text).toContain('no person can be asked');
    expect(await bench.tallyOf('nobody')).toBe(0);
    client.close();
  });

  it('starts a run that waits at a full gateway at another one with a free slot', async () => {
    const model = { OPENAI_BASE_URL: bench.model.baseUrl, OPENAI_API_KEY: MODEL_KEY };
    const full = await startGateway({ env: { ...model, DATABASE_URL: url, NETA_MAX_CONCURRENT_RUNS: '1' } });
    const client = await connectChat(full.url, APPROVER);
    try {
      const { runId } = await client.chat('slow');
      await client.waitForText(runId, 'slow');
      const took = await timeOf(async () => {
        const queued = await client.chat('quick while full');
        expect((await client.endOf(queued.runId)).data.text).toBe('answer to quick while full');
      });
      expect(took).toBeLessThan(AT_ONCE_MS);
      bench.model.resume();
      await client.endOf(runId);
    } finally {
      client.close();
      await full.stop();
    }
  }, 30_000);

  it('goes on showing runs after the connections between the gateways broke', async () => {
    const client = await bench.connect();
    const { sessionId, runId } = await client.chat('slow');
    await client.waitForText(runId, 'slow');
    await elsewhere.send({ type: 'subscribe', sessionId, after: { runId, seq: 0 } });
    await elsewhere.waitForText(runId, 'slow');
    await endConnections(url, 'listen');
    bench.model.resume();
    await client.endOf(runId);
    await until(() => elsewhere.eventsOf(runId).some(({ type }) => type === 'run_end'));
    gapless(elsewhere, runId);
    client.close();
  });

  it('shows the rest of a run whose gateway was killed, to a reader at the gateway that takes it over', async () => {
    const client = await bench.connect();
    const { sessionId, runId } = await client.chat('slow');
    await client.waitForText(runId, 'slow');
    await elsewhere.send({ type: 'subscribe', sessionId, after: { runId, seq: 0 } });
    await elsewhere.waitForText(runId, 'slow');
    await bench.gateway.kill();
    // The gateway that takes the run over asks the model again, which pauses again.
    const hasEnded = () => {
      bench.model.resume();
      return elsewhere.received.some(event => event.type === 'run_end' && event.runId === runId);
    };
    await until(hasEnded, Boolean, { limitMs: 40_000 });
    expect((await elsewhere.endOf(runId)).data).toMatchObject({ status: 'completed', text: 'slow but done' });
    expect((await secondRest.request<{ status: string }>('GET', `/runs/${runId}`)).body.status).toBe('completed');
    await bench.gateway.restart();
    client.close();
  });

  it('keeps the order of an event stream that starts anew at the other gateway in the middle of a run', async () => {
    const client = await bench.connect();
    const { runId } = await client.chat('slow');
    await client.waitForText(runId, 'slow');
    const response = await fetch(`${second.url}/api/v1/runs/${runId}/events`, { headers: { accept: 'text/event-stream' } });
    const text = response.text();
    bench.model.resume();
    const end = await client.endOf(runId);
    const events = parseEventStream(await text);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, i) => i + 1));
    expect(events.at(-1)).toMatchObject({ seq: end.seq, type: 'run_end' });
    client.close();
  });
});
