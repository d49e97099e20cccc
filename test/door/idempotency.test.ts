/** Idempotency: a repeated request with the same key starts no second run, and the same key with another body is refused. */
import { type AgentBench, startBench } from '../support/agent_bench';
import type { ErrorBody } from '../support/rest_client';

let bench: AgentBench;

beforeAll(async () => {
  bench = await startBench();
  bench.model.onTurn('count', request => `asked ${bench.model.requests(request.userText).length} times`);
});

afterAll(() => bench?.stop());

describe('over Socket.IO', () => {
  it('the same clientMessageId of one client gets the same run, also from another socket and at the same time', async () => {
    const [left, right] = [await bench.connect({ clientId: 'c-1' }), await bench.connect({ clientId: 'c-1' })];
    const message = { type: 'chat', text: 'count one', clientMessageId: 'm-1' };
    const acks = await Promise.all([left.send(message), right.send(message), left.send(message)]);
    expect(new Set(acks.map(ack => ack['runId'])).size).toBe(1);
    expect(acks.map(ack => ack['deduplicated']).sort()).toEqual([false, true, true]);
    const runId = String(acks[0]?.['runId']);
    const ends = await Promise.all([left.endOf(runId), right.endOf(runId)]);
    expect(ends.map(end => end.data.text)).toEqual(['asked 1 times', 'asked 1 times']);
  });

  it('two clients with equal clientMessageIds share neither a session nor a run', async () => {
    const message = { type: 'chat', text: 'count strangers', clientMessageId: '1' };
    const clients = [
      await bench.connect({ clientId: 'left' }),
      await bench.connect({ clientId: 'right' }),
      await bench.connect({}),
      await bench.connect({}),
    ];
    const acks = await Promise.all(clients.map(client => client.send(message)));
    expect(acks.map(ack => ack['deduplicated'])).toEqual([false, false, false, false]);
    expect(new Set(acks.map(ack => ack['sessionId'])).size).toBe(4);
    const other = await clients[0]!.send({ ...message, text: 'count something else' });
    expect(other.error).toMatchObject({ code: 'idempotency_mismatch' });
  });

  it('a client that reconnects with its clientId gets the run of its first request', async () => {
    const message = { type: 'chat', text: 'count reconnects', clientMessageId: '1' };
    const first = await bench.connect({ clientId: 'returning' });
    const { runId } = await first.send(message);
    first.close();
    const second = await bench.connect({ clientId: 'returning' });
    expect(await second.send(message)).toMatchObject({ ok: true, runId, deduplicated: true });
  });

  it('the same clientMessageId in one session is the same message, from any client', async () => {
    const [left, right] = [await bench.connect({ clientId: 'a' }), await bench.connect({ clientId: 'b' })];
    const { sessionId } = await left.chat('count alone');
    const { sessionId: elsewhere } = await left.chat('count elsewhere');
    const message = { type: 'chat', text: 'count together', sessionId, clientMessageId: '7' };
    const { runId } = await left.send(message);
    expect(await right.send(message)).toMatchObject({ runId, deduplicated: true });
    expect(await right.send({ ...message, sessionId: elsewhere })).toMatchObject({ ok: true, deduplicated: false });
  });

  it('the same clientMessageId with another text is refused', async () => {
    const client = await bench.connect();
    await client.chat('count two', { clientMessageId: 'm-2' });
    const ack = await client.send({ type: 'chat', text: 'count something else', clientMessageId: 'm-2' });
    expect(ack.error).toMatchObject({ code: 'idempotency_mismatch', retryable: false });
  });
});

describe('over REST', () => {
  it('the same Idempotency-Key replays the result and marks it as replayed', async () => {
    const headers = { 'idempotency-key': 'order 1' };
    const [first, second] = await Promise.all([1, 2].map(() => bench.rest.run({ input: 'count three' }, headers)));
    expect(first?.body).toMatchObject({ status: 'completed', text: 'asked 1 times' });
    expect(second?.body).toEqual(first?.body);
    const replayed = [first, second].map(answer => answer?.headers.get('idempotency-replayed'));
    expect(replayed.sort()).toEqual([null, 'true']);
    const later = await bench.rest.run({ input: 'count three' }, { ...headers, prefer: 'respond-async' });
    expect(later).toMatchObject({ status: 202, body: { runId: first?.body.runId } });
    expect(later.headers.get('idempotency-replayed')).toBe('true');
    const events = await bench.rest.stream('POST', '/runs', { input: 'count three' }, headers);
    expect(events.at(-1)).toMatchObject({ runId: first?.body.runId, type: 'run_end' });
  });

  it('the same Idempotency-Key with another body is refused', async () => {
    await bench.rest.run({ input: 'count four' }, { 'idempotency-key': 'order 2' });
    const answer = await bench.rest.request<ErrorBody>('POST', '/runs', { input: 'count five' }, { 'idempotency-key': 'order 2' });
    expect(answer).toMatchObject({ status: 409, body: { error: { code: 'idempotency_mismatch', retryable: false } } });
    expect(answer.headers.get('x-should-retry')).toBe('false');
    expect(bench.model.requests('count five')).toEqual([]);
  });

  it('the keys of the two doors are separate', async () => {
    const client = await bench.connect();
    await client.chat('count six', { clientMessageId: 'both' });
    expect(await bench.rest.run({ input: 'count seven' }, { 'idempotency-key': 'both' })).toMatchObject({ status: 200 });
  });
});
