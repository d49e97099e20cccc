/** Two gateways behind nginx with deploy/nginx/neta-gateway.conf: every door, without sticky sessions, also when a gateway is killed. */
import { HttpAgent } from '@ag-ui/client';
import OpenAI from 'openai';
import { io, type Socket } from 'socket.io-client';
import type { RunEvent } from '../../src/port/run_event';
import { type AgentBench, MODEL_KEY, startBench } from '../support/agent_bench';
import { connectChat } from '../support/chat_client';
import { type Gateway, startGateway } from '../support/gateway';
import { callTool, connectMcp } from '../support/mcp_client';
import { type Nginx, noNginx, startNginx } from '../support/nginx';
import { describeWithPostgres, type PostgresServer, startPostgres } from '../support/postgres_server';
import { createRestClient, type RestClient } from '../support/rest_client';
import { until } from '../support/until';

const NAME = 'two gateways behind nginx';
const describeHere: typeof describeWithPostgres =
  noNginx === undefined ? describeWithPostgres : (name, body) => describe.skip(`${name} (skipped: ${noNginx})`, body);

const POLLING = '/socket.io/?EIO=4&transport=polling';

describeHere(NAME, () => {
  let server: PostgresServer;
  let bench: AgentBench;
  let second: Gateway;
  let nginx: Nginx;
  let rest: RestClient;

  beforeAll(async () => {
    server = await startPostgres();
    const shared = { DATABASE_URL: await server.createDatabase(), NETA_TRUST_PROXY: '127.0.0.1' };
    bench = await startBench({ env: shared });
    second = await startGateway({ env: { ...shared, OPENAI_BASE_URL: bench.model.baseUrl, OPENAI_API_KEY: MODEL_KEY } });
    nginx = await startNginx([bench.gateway.url, second.url]);
    rest = createRestClient(nginx.url);
    bench.model.onTurn('hello', 'Good day.');
    bench.model.onTurn('slow', { text: 'slow but done', chunkSize: 4, pauseAfter: 1 });
  }, 60_000);
  afterAll(async () => {
    await nginx?.stop();
    await second?.stop();
    await bench?.stop();
    await server?.stop();
  });

  /** Reads a stream until the text has come, while the model still pauses; then lets the model go on and reads the rest. */
  async function expectWordByWord(response: Response, text: string): Promise<string> {
    const reader = (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream()).getReader();
    let read = '';
    while (!read.includes(text)) {
      const { value, done } = await reader.read();
      if (done) throw new Error(`the stream ended without "${text}": ${read}`);
      read += value;
    }
    bench.model.resume();
    for (let next = await reader.read(); !next.done; next = await reader.read()) read += next.value;
    return read;
  }

  it('serves chats over WebSocket, and a person at one gateway sees the run of the other', async () => {
    const people = [await connectChat(nginx.url), await connectChat(nginx.url)] as const;
    const [one, other] = people;
    const { sessionId, runId } = await one.chat('slow');
    await other.send({ type: 'subscribe', sessionId, after: { runId, seq: 0 } });
    await other.waitForText(runId, 'slow');
    bench.model.resume();
    for (const person of people) {
      expect((await person.endOf(runId)).data.text).toBe('slow but done');
      expect(person.socket.io.engine.transport.name).toBe('websocket');
      person.close();
    }
  });

  it('tells a long-polling client what to set, and serves it with sticky sessions', async () => {
    const opened = await (await fetch(nginx.url + POLLING)).text();
    const { sid } = JSON.parse(opened.slice(1));
    const post = async () => {
      const answer = await fetch(`${nginx.url + POLLING}&sid=${sid}`, { method: 'POST', body: '3' });
      return { status: answer.status, text: await answer.text() };
    };
    const elsewhere = [await post(), await post()].find(({ status }) => status === 400);
    expect(elsewhere?.text).toContain('let the balancer send all requests of a client to one gateway');
    await nginx.setSticky(true);
    const socket = io(nginx.url, { transports: ['polling'], forceNew: true, reconnection: false });
    try {
      const ends: Promise<RunEvent> = new Promise(resolve =>
        socket.on('message', (event: RunEvent) => event.type === 'run_end' && resolve(event)),
      );
      expect(await socket.timeout(10_000).emitWithAck('message', { type: 'chat', text: 'hello' })).toMatchObject({ ok: true });
      expect(await ends).toMatchObject({ data: { text: 'Good day.' } });
    } finally {
      socket.close();
      await nginx.setSticky(false);
    }
  }, 30_000);

  it('passes event streams of REST on word by word', async () => {
    const response = await fetch(`${nginx.url}/api/v1/runs`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify({ input: 'slow' }),
    });
    expect(await expectWordByWord(response, 'text_delta')).toContain('slow but done');
  });

  it('passes answers of /v1 on word by word', async () => {
    const client = new OpenAI({ baseURL: `${nginx.url}/v1`, apiKey: 'none' });
    const stream = await client.chat.completions.create({ model: 'default', messages: [{ role: 'user', content: 'slow' }], stream: true });
    let text = '';
    for await (const { choices } of stream) {
      const piece = choices[0]?.delta.content ?? '';
      if (text === '' && piece !== '') bench.model.resume();
      text += piece;
    }
    expect(text).toBe('slow but done');
  });

  it('serves the turns of an AG-UI thread at either gateway', async () => {
    const agent = new HttpAgent({ url: `${nginx.url}/agui/default`, threadId: 'thread-behind-nginx' });
    for (let turn = 1; turn <= 4; turn++) {
      agent.addMessage({ id: `user-${turn}`, role: 'user', content: 'hello' });
      const { newMessages } = await agent.runAgent();
      expect(newMessages.at(-1)).toMatchObject({ role: 'assistant', content: 'Good day.' });
    }
  });

  it('serves the requests of an MCP session at either gateway', async () => {
    const client = await connectMcp(nginx.url);
    for (let call = 0; call < 4; call++) {
      expect((await callTool(client, 'ask_default', { input: 'hello' })).content[0]?.text).toBe('Good day.');
    }
    await client.close();
  });

  it('goes on with chats, requests and sessions when a gateway is killed in the middle of their runs', async () => {
    const mcp = await connectMcp(nginx.url);
    // Each is at another gateway.
    const people = await Promise.all([startPerson(nginx.url), startPerson(nginx.url)]);
    await until(() => people.every(({ events }) => events.some(({ type }) => type === 'text_delta')));
    await bench.gateway.kill();
    for (let i = 0; i < 6; i++) expect((await rest.request('GET', '/sessions')).status).toBe(200);
    expect((await callTool(mcp, 'ask_default', { input: 'hello' })).content[0]?.text).toBe('Good day.');
    const haveEnded = () => {
      // The gateway that takes the run over asks the model again, which pauses again.
      bench.model.resume();
      return people.every(({ events }) => events.some(({ type }) => type === 'run_end'));
    };
    await until(haveEnded, Boolean, { limitMs: 45_000 });
    for (const { events, socket } of people) {
      expect(events.at(-1)).toMatchObject({ type: 'run_end', data: { status: 'completed', text: 'slow but done' } });
      socket.close();
    }
    await mcp.close();
    await bench.gateway.restart();
  }, 90_000);
});

interface Person {
  socket: Socket;
  /** The events of the run, each once, in order. */
  events: RunEvent[];
}

/** Starts a slow run over a connection like that of the page, which comes back by itself and continues behind its last event. */
async function startPerson(url: string): Promise<Person> {
  const options = { transports: ['websocket', 'polling'], tryAllTransports: true, reconnectionDelay: 100, reconnectionDelayMax: 500 };
  const socket = io(url, { ...options, forceNew: true });
  const events: RunEvent[] = [];
  socket.on('message', (event: RunEvent) => {
    if (event.seq !== undefined) events.push(event);
  });
  const { sessionId, runId } = await socket.timeout(10_000).emitWithAck('message', { type: 'chat', text: 'slow' });
  socket.io.on('reconnect', () => {
    const seq = events.at(-1)?.seq ?? 0;
    socket.emit('message', { type: 'subscribe', sessionId, after: { runId, seq } });
  });
  return { socket, events };
}
