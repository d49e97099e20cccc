/** Sending the same thing twice does it once; the same key with something else is refused. */
import { type AgentBench, startBench } from '../support/agent_bench';
import type { ErrorBody } from '../support/rest_client';

let bench: AgentBench;

beforeAll(async () => {
  bench = await startBench();
  bench.model.onTurn('count', request => `asked ${bench.model.requests(request.userText).length} times`);
});

afterAll(() => bench?.stop());

describe('over Socket.IO', () => {
  it('the same clientMessageId gives the same run, also from another socket and at the same time', async () => {
    const [left, right] = [await bench.connect(), await bench.connect()];
    const message = { type: 'chat', text: 'count one', clientMessageId: 'm-1' };
    const acks = await Promise.all([left.send(message), right.send(message), left.send(message)]);
    expect(new Set(acks.map(ack => ack['runId'])).size).toBe(1);
    expect(acks.map(ack => ack['deduplicated']).sort()).toEqual([false, true, true]);
    const runId = String(acks[0]?.['runId']);
    const ends = await Promise.all([left.endOf(runId), right.endOf(runId)]);
    expect(ends.map(end => end.data.text)).toEqual(['asked 1 times', 'asked 1 times']);
  });

  it('the same clientMessageId with another text is refused', async () => {
    const client = await bench.connect();
    await client.chat('count two', { clientMessageId: 'm-2' });
    const ack = await client.send({ type: 'chat', text: 'count something else', clientMessageId: 'm-2' });
    expect(ack.error).toMatchObject({ code: 'idempotency_mismatch', retryable: false });
  });
});

describe('over REST', () => {
  it('the same Idempotency-Key replays the result and says so', async () => {
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

  it('keys of the two doors do not meet', async () => {
    const client = await bench.connect();
    await client.chat('count six', { clientMessageId: 'both' });
    expect(await bench.rest.run({ input: 'count seven' }, { 'idempotency-key': 'both' })).toMatchObject({ status: 200 });
  });
});
