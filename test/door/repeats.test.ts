/** Many duplicates of a request at once, and retries of clients that send no key. */

import type { RunResult } from '../../src/service/run_log/run_service';
import { type AgentBench, startBench } from '../support/agent_bench';

const TIMES = 100;

let bench: AgentBench;

beforeAll(async () => {
  bench = await startBench({ own: 'it is killed' });
  bench.model.onTurn('count', request => `asked ${bench.model.requests(request.userText).length} times`);
});

afterAll(() => bench?.stop());

const distinct = (values: readonly unknown[]) => [...new Set(values)];

describe(`${TIMES} duplicates at once`, () => {
  it('start one run and get the same ack over Socket.IO, from several sockets', async () => {
    const clients = await Promise.all([1, 2, 3, 4].map(() => bench.connect({ clientId: 'many-sockets' })));
    const message = { type: 'chat', text: 'count sockets', clientMessageId: 'hundred' };
    const acks = await Promise.all(Array.from({ length: TIMES }, (_, i) => clients[i % 4]!.send(message)));
    expect(distinct(acks.map(ack => ack['runId']))).toHaveLength(1);
    expect(acks.filter(ack => ack['deduplicated'] === false)).toHaveLength(1);
    const ends = await Promise.all(clients.map(client => client.endOf(String(acks[0]?.['runId']))));
    expect(distinct(ends.map(end => end.data.text))).toEqual(['asked 1 times']);
  });

  it('start one run and get the same answer over REST', async () => {
    // The gateway answers one request first, because a hundred new connections at once are too many for a cold process.
    await bench.rest.run({ input: 'count once' });
    const answers = await Promise.all(
      Array.from({ length: TIMES }, () => bench.rest.run({ input: 'count calls' }, { 'idempotency-key': 'hundred' })),
    );
    expect(distinct(answers.map(answer => answer.status))).toEqual([200]);
    expect(distinct(answers.map(answer => JSON.stringify(answer.body)))).toHaveLength(1);
    expect(answers[0]?.body).toMatchObject({ status: 'completed', text: 'asked 1 times' });
    expect(answers.filter(answer => answer.headers.get('idempotency-replayed') === null)).toHaveLength(1);
  });

  it('start one run although the gateway is killed in between', async () => {
    const headers = { 'idempotency-key': 'before and after' };
    const first = await bench.rest.run({ input: 'count crashes' }, headers);
    await bench.gateway.restart();
    const second = await bench.rest.run({ input: 'count crashes' }, headers);
    expect(second.body).toEqual(first.body);
  });
});

describe('an OpenAI client that retries without a key', () => {
  const body = { input: 'count tries' };
  const send = (tries: number, input: Record<string, unknown> = body) =>
    bench.rest.request<RunResult>('POST', '/runs', input, { 'x-stainless-retry-count': String(tries) });

  it('gets the run of its first request, and its next first request starts a new one', async () => {
    const first = await send(0);
    const repeat = await send(1);
    expect(repeat.body.runId).toBe(first.body.runId);
    expect(repeat.headers.get('idempotency-replayed')).toBe('true');
    const anew = await send(0);
    expect(anew.body.runId).not.toBe(first.body.runId);
    expect((await send(2)).body.runId).toBe(anew.body.runId);
  });

  it('starts another run with another body', async () => {
    const first = await send(0, { input: 'count this' });
    const other = await send(1, { input: 'count that' });
    expect(other.body.runId).not.toBe(first.body.runId);
  });
});
