/** Limits of readers, for a session and for the gateway: beyond them every door refuses with rate_limited and stores nothing. */
import type { Socket } from 'node:net';
import { type AgentBench, startBench } from '../support/agent_bench';
import type { ChatClient } from '../support/chat_client';
import type { ErrorBody, PageBody } from '../support/rest_client';
import { until } from '../support/until';

let bench: AgentBench;

beforeAll(async () => {
  bench = await startBench({ env: { NETA_MAX_READERS: '70' } });
  bench.model.onTurn('endless', { text: 'A story without an end.', chunkSize: 5, pauseAfter: 2 });
});

afterAll(() => bench?.stop());

async function openStream(runId: string, readers: AbortController): Promise<Response> {
  const headers = { accept: 'text/event-stream' };
  return fetch(`${bench.gateway.url}/api/v1/runs/${runId}/events`, { headers, signal: readers.signal });
}

const countRuns = async () => (await bench.rest.request<PageBody<unknown>>('GET', '/runs?limit=1000')).body.data.length;

it('refuses the 65th reader of a session and the 71st of the gateway, and accepts new ones when others leave', async () => {
  const owner = await bench.connect();
  const { runId, sessionId } = await owner.chat('endless one');
  const readers = new AbortController();
  const streams = await Promise.all(Array.from({ length: 63 }, () => openStream(runId, readers)));
  expect(streams.map(({ status }) => status)).toEqual(Array(63).fill(200));
  const tooMany = await bench.rest.request<ErrorBody>('GET', `/runs/${runId}/events`, undefined, { accept: 'text/event-stream' });
  expect(tooMany).toMatchObject({ status: 429, body: { error: { code: 'rate_limited', retryAfterMs: 5_000 } } });
  expect(tooMany.headers.get('retry-after')).toBe('5');
  const stranger = await bench.connect();
  expect((await stranger.send({ type: 'subscribe', sessionId })).error).toMatchObject({ code: 'rate_limited', retryAfterMs: 5_000 });
  expect(await owner.send({ type: 'subscribe', sessionId })).toMatchObject({ ok: true });

  for (let i = 2; i <= 7; i++) await owner.chat(`endless ${i}`);
  const runs = await countRuns();
  expect((await owner.send({ type: 'chat', text: 'endless 8' })).error).toMatchObject({ code: 'rate_limited' });
  const streamed = await bench.rest.request('POST', '/runs', { input: 'endless 9' }, { accept: 'text/event-stream' });
  expect(streamed).toMatchObject({ status: 429, body: { error: { code: 'rate_limited' } } });
  expect(await countRuns()).toBe(runs);

  readers.abort();
  await until(async () => (await stranger.send({ type: 'subscribe', sessionId })).ok);
});

describe('a socket that leaves', () => {
  let small: AgentBench;
  let sessions: string[];

  beforeAll(async () => {
    small = await startBench({ env: { NETA_MAX_READERS: '2' } });
    const createSession = async () => (await small.rest.request<{ id: string }>('POST', '/sessions', {})).body.id;
    sessions = [await createSession(), await createSession()];
  });

  afterAll(() => small?.stop());

  const subscribeToBoth = (client: ChatClient) => Promise.all(sessions.map(sessionId => client.send({ type: 'subscribe', sessionId })));

  /** The gateway has room for both readers only when no other is left. */
  async function expectNoReaders(): Promise<void> {
    const client = await small.connect();
    for (const sessionId of sessions) {
      let ack = await client.send({ type: 'subscribe', sessionId });
      for (let tries = 0; !ack.ok && tries < 500; tries++) ack = await client.send({ type: 'subscribe', sessionId });
      expect(ack).toMatchObject({ ok: true });
    }
    client.close();
  }

  it('leaves no reader when its first two messages came in one tick', async () => {
    const client = await small.connect();
    const acks = await inOneWrite(client, () => subscribeToBoth(client));
    expect(acks).toMatchObject([{ ok: true }, { ok: true }]);
    client.close();
    await expectNoReaders();
  });
});

/** Writes at once what `send` sends, so that the gateway reads it in one turn of its event loop. */
function inOneWrite<T>(client: ChatClient, send: () => T): T {
  const engine = client.socket.io.engine as unknown as { transport: { ws: { _socket: Socket } } };
  const connection = engine.transport.ws._socket;
  connection.cork();
  const sent = send();
  // The client encodes its packets after this turn.
  setImmediate(() => connection.uncork());
  return sent;
}
