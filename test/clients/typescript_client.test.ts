/** @neta/client against a gateway, through a proxy that breaks connections. */
import { once } from 'node:events';
import { type AddressInfo, createServer, connect as openSocket, type Server, type Socket } from 'node:net';
import { NetaClient, NetaError, type RunEvent } from '../../clients/typescript/src';
import { type AgentBench, startBench } from '../support/agent_bench';
import { until } from '../support/until';

/** Forwards connections to the gateway. `cutAfter`: bytes of an answer after which a connection breaks. */
async function startProxy(target: string): Promise<{ url: string; server: Server; behaviour: { cutAfter: number; connections: number } }> {
  const { port } = new URL(target);
  const behaviour = { cutAfter: Number.POSITIVE_INFINITY, connections: 0 };
  const server = createServer(client => {
    behaviour.connections += 1;
    const upstream = openSocket(Number(port), '127.0.0.1');
    let bytes = 0;
    const end = (socket: Socket) => socket.destroy();
    for (const [one, other] of [[client, upstream] as const, [upstream, client] as const]) {
      one.on('error', () => end(other));
      one.on('close', () => end(other));
    }
    client.on('data', piece => upstream.write(piece));
    upstream.on('data', piece => {
      const room = behaviour.cutAfter - bytes;
      bytes += piece.length;
      client.write(piece.subarray(0, Math.max(0, room)));
      if (bytes >= behaviour.cutAfter) client.destroySoon();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server, behaviour };
}

let bench: AgentBench;
let proxy: Awaited<ReturnType<typeof startProxy>>;
let neta: NetaClient;

beforeAll(async () => {
  bench = await startBench({ files: { 'notes.txt': 'beans\n' } });
  proxy = await startProxy(bench.gateway.url);
  neta = new NetaClient({ url: proxy.url, retries: 20 });
  const { model } = bench;
  model.onTurn('read my notes', { toolCalls: [{ name: 'read_file', arguments: { path: 'notes.txt' } }] }, 'There are beans.');
  model.onTurn('a long story', { text: 'word '.repeat(400), chunkSize: 20 });
  model.onTurn('stop for a restart', { text: 'one two three', chunkSize: 4, pauseAfter: 1, times: 1 });
  model.onTurn('stop for a restart', 'one two three');
  model.onTurn(
    'ask me',
    { toolCalls: [{ name: 'clarify', arguments: { question: 'Which colour?' } }] },
    ({ toolResults }) => `So ${toolResults[0]}`,
  );
});

afterEach(() => {
  proxy.behaviour.cutAfter = Number.POSITIVE_INFINITY;
});

afterAll(async () => {
  proxy?.server.close();
  await bench?.stop();
});

const numbersOf = (events: readonly RunEvent[]) => events.map(({ seq }) => seq);

async function allEvents(runId: string): Promise<RunEvent[]> {
  const { data } = await neta.request('get', '/api/v1/runs/{id}/events', { path: { id: runId }, query: { limit: 1000 } });
  return data;
}

it('runs to the end and gives the result', async () => {
  const types: string[] = [];
  const result = await neta.run({ input: 'read my notes' }, { onEvent: event => types.push(event.type) });
  expect(result).toMatchObject({ status: 'completed', text: 'There are beans.', toolCalls: [{ name: 'read_file' }] });
  expect(types[0]).toBe('run_start');
  expect(types.at(-1)).toBe('run_end');
});

it('yields every event once and in order over connections that break', async () => {
  const run = await neta.startRun({ input: 'a long story' });
  proxy.behaviour.cutAfter = 5_000;
  const before = proxy.behaviour.connections;
  const events: RunEvent[] = [];
  for await (const event of run) events.push(event);
  expect(proxy.behaviour.connections - before).toBeGreaterThan(1);
  proxy.behaviour.cutAfter = Number.POSITIVE_INFINITY;
  expect(events).toEqual(await allEvents(run.id));
  expect(numbersOf(events)).toEqual(events.map((_, i) => i + 1));
});

it('follows a run over kill -9 of the gateway', async () => {
  const run = await neta.startRun({ input: 'stop for a restart' });
  const events: RunEvent[] = [];
  const read = (async () => {
    for await (const event of run) events.push(event);
  })();
  await bench.model.waitFor('stop for a restart');
  await bench.gateway.restart();
  await read;
  expect(events.at(-1)).toMatchObject({ type: 'run_end', data: { status: 'completed', text: 'one two three' } });
});

it('makes one run when the answer to the start is lost', async () => {
  proxy.behaviour.cutAfter = 10;
  const started = neta.startRun({ input: 'read my notes', metadata: { order: 'lost answer' } });
  const isStored = async () => (await bench.rest.request<{ data: { metadata?: { order?: string } }[] }>('GET', '/runs')).body.data;
  await until(async () => (await isStored()).some(({ metadata }) => metadata?.order === 'lost answer'));
  proxy.behaviour.cutAfter = Number.POSITIVE_INFINITY;
  const run = await started;
  expect(await run.result()).toMatchObject({ runId: run.id });
  expect((await isStored()).filter(({ metadata }) => metadata?.order === 'lost answer')).toHaveLength(1);
});

it('asks the callback, and the run goes on with its answer', async () => {
  const questions: string[] = [];
  const onQuestion = ({ question }: { question: string }) => {
    questions.push(question);
    return 'green';
  };
  expect(await neta.run({ input: 'ask me' }, { onQuestion })).toMatchObject({
    status: 'completed',
    text: expect.stringContaining('green'),
  });
  expect(questions).toEqual(['Which colour?']);
  expect(await neta.run({ input: 'ask me' })).toMatchObject({ clarification: { question: 'Which colour?' } });
});

it('rejects with the code, the field and the request id of an error', async () => {
  const thrown = await neta.startRun({ input: 'hello', agent: 'nobody' }).catch((error: unknown) => error);
  expect(thrown).toBeInstanceOf(NetaError);
  expect(thrown).toMatchObject({
    code: expect.stringMatching(/not_found|invalid_request/),
    fields: { param: '/agent', requestId: expect.any(String) },
  });
  await expect(new NetaClient({ url: 'http://127.0.0.1:9', retries: 0 }).startRun({ input: 'x' })).rejects.toMatchObject({
    code: 'unreachable',
    message: expect.stringContaining('http://127.0.0.1:9'),
  });
});
