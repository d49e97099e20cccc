/** Requests that come many times at once, and repeats of clients that send no key. */

import type { RunResult } from '../../src/service/run/run_service';
import { type AgentBench, startBench } from '../support/agent_bench';

const TIMES = 100;

let bench: AgentBench;

beforeAll(async () => {
  bench = await startBench();
  bench.model.onTurn('count', request => `asked ${bench.model.requests(request.userText).length} times`);
});

afterAll(() => bench?.stop());

const distinct = (values: readonly unknown[]) => [...new Set(values)];

describe(`${TIMES} duplicates at once`, () => {
  it('over Socket.IO, from several sockets, start one run and get the same ack', async () => {
    const clients = await Promise.all([1, 2, 3, 4].map(() => bench.connect({ clientId: 'many-sockets' })));
    const message = { type: 'chat', text: 'count sockets', clientMessageId: 'hundred' };
    const acks = await Promise.all(Array.from({ length: TIMES }, (_, i) => clients[i % 4]!.send(message)));
    expect(distinct(acks.map(ack => ack['runId']))).toHaveLength(1);
    expect(acks.filter(ack => ack['deduplicated'] === false)).toHaveLength(1);
    const ends = await Promise.all(clients.map(client => client.endOf(String(acks[0]?.['runId']))));
    expect(distinct(ends.map(end => end.data.text))).toEqual(['asked 1 times']);
  });

  it('over REST start one run and get the same answer', async () => {
    // A hundred connections at once are much for a gateway that has not answered any yet.
    await bench.rest.run({ input: 'count once' });
    const answers = await Promise.all(
      Array.from({ length: TIMES }, () => bench.rest.run({ input: 'count calls' }, { 'idempotency-key': 'hundred' })),
    );
    expect(distinct(answers.map(answer => answer.status))).toEqual([200]);
    expect(distinct(answers.map(answer => JSON.stringify(answer.body)))).toHaveLength(1);
    expect(answers[0]?.body).toMatchObject({ status: 'completed', text: 'asked 1 times' });
    expect(answers.filter(answer => answer.headers.get('idempotency-replayed') === null)).toHaveLength(1);
  });

  it('are still one run when the gateway was killed in between', async () => {
    const headers = { 'idempotency-key': 'before and after' };
    const first = await bench.rest.run({ input: 'count crashes' }, headers);
    await bench.gateway.restart();
    const second = await bench.rest.run({ input: 'count crashes' }, headers);
    expect(second.body).toEqual(first.body);
  });
});

describe('a client of OpenAI that repeats without a key', () => {
  const body = { input: 'count tries' };
  const send = (tries: number, input: Record<string, unknown> = body) =>
    bench.rest.request<RunResult>('POST', '/runs', input, { 'x-stainless-retry-count': String(tries) });

  it('is attached to the run of its first try; the next first try starts a new one', async () => {
    const first = await send(0);
    const repeat = await send(1);
    expect(repeat.body.runId).toBe(first.body.runId);
    expect(repeat.headers.get('idempotency-replayed')).toBe('true');
    const anew = await send(0);
    expect(anew.body.runId).not.toBe(first.body.runId);
    expect((await send(2)).body.runId).toBe(anew.body.runId);
  });

  it('with another body is another request', async () => {
    const first = await send(0, { input: 'count this' });
    const other = await send(1, { input: 'count that' });
    expect(other.body.runId).not.toBe(first.body.runId);
  });
});
