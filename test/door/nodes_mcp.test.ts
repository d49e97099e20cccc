/** An MCP client behind a balancer that gives each request to the next gateway: its session is at all of them. */
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { MODEL_KEY } from '../support/agent_bench';
import { type ApprovalBench, startApprovalBench } from '../support/approval_bench';
import { type Gateway, startGateway } from '../support/gateway';
import { type CallOutcome, callTool, connectMcp, type McpDoorClient, type McpDoorClientOptions } from '../support/mcp_client';
import { connectStateless, type StatelessClient, type StatelessClientOptions } from '../support/mcp_stateless_client';
import { describeWithPostgres, type PostgresServer, startPostgres } from '../support/postgres_server';
import { until } from '../support/until';

const textOf = ({ content }: CallOutcome): string => content[0]?.text ?? '';

describeWithPostgres('an MCP client of two gateways', () => {
  let server: PostgresServer;
  let bench: ApprovalBench;
  let second: Gateway;
  /** The gateway that gets the next request. */
  let next = 0;
  /** `method` of each request to the gateways -> the gateways that got one. */
  const served = new Map<string, Set<number>>();
  const clients: McpDoorClient[] = [];
  const stateless: StatelessClient[] = [];

  /** Gives each request to the next gateway, and the one after that where nothing listens. */
  const roundRobin: typeof fetch = async (input, init) => {
    const urls = [bench.gateway.url, second.url];
    const { pathname } = new URL(input instanceof Request ? input.url : input);
    const { method = 'GET' } = typeof init?.body === 'string' ? JSON.parse(init.body) : {};
    for (const _url of urls) {
      const index = next++ % urls.length;
      const sent = fetch(urls[index] + pathname, init);
      const answer = await sent.catch(thrown => (thrown.cause?.code === 'ECONNREFUSED' ? undefined : Promise.reject(thrown)));
      if (!answer) continue;
      served.set(method, (served.get(method) ?? new Set()).add(index));
      return answer;
    }
    throw new Error('no gateway');
  };
  const connect = async (options: McpDoorClientOptions = {}) => {
    const client = await connectMcp('http://balancer', { ...options, fetch: roundRobin });
    clients.push(client);
    return client;
  };
  const ask = (client: McpDoorClient, input: string, options = {}) => callTool(client, 'ask_default', { input }, options);

  beforeAll(async () => {
    server = await startPostgres();
    const DATABASE_URL = await server.createDatabase();
    bench = await startApprovalBench({ env: { DATABASE_URL, NETA_MCP_TOOLS: 'calculator' } });
    second = await startGateway({ env: { OPENAI_BASE_URL: bench.model.baseUrl, OPENAI_API_KEY: MODEL_KEY, DATABASE_URL } });
    bench.model.onTurn('hello', 'Good day.');
    for (const turn of ['slow', 'slow to the end']) bench.model.onTurn(turn, { text: 'slow but done', chunkSize: 4, pauseAfter: 1 });
    for (const turn of ['wait 0', 'wait 1', 'wait for the end']) bench.model.onTurn(turn, { text: 'never seen', pauseAfter: 0 });
    const question = { name: 'clarify', arguments: { question: 'Which colour?', choices: ['red', 'blue'] } };
    bench.model.onTurn('paint', { toolCalls: [question] }, ({ toolResults }) => `told: ${toolResults.at(-1)}`);
  }, 60_000);
  beforeEach(() => {
    served.clear();
  });
  afterEach(async () => {
    await Promise.all([...clients.splice(0), ...stateless.splice(0)].map(client => client.close()));
  });
  afterAll(async () => {
    await second?.stop();
    await bench?.stop();
    await server?.stop();
  });

  it('has one session for all requests, whichever gateway serves them', async () => {
    const client = await connect();
    const results: string[] = [];
    for (let i = 0; i < 6; i++) results.push(textOf(await ask(client, 'hello')));
    expect(results).toEqual(Array.from({ length: 6 }, () => 'Good day.'));
    expect(served.get('tools/call')?.size).toBe(2);
  });

  it.each([0, 1])('answers a question at either gateway, that of the call or the other (%i)', async more => {
    const client = await connect({ onElicitation: () => ({ action: 'accept', content: { answer: 'blue' } }) });
    next += more;
    expect(textOf(await ask(client, 'paint'))).toContain('The person answered:\nblue');
    expect(client.asked).toHaveLength(1);
  });

  it.each([0, 1])('cancels a call at either gateway (%i)', async more => {
    const client = await connect();
    next += more;
    const stop = new AbortController();
    const calling = ask(client, `wait ${more}`, { signal: stop.signal });
    const request = await bench.model.waitFor(`wait ${more}`);
    stop.abort('changed my mind');
    await expect(calling).rejects.toThrow('changed my mind');
    expect(await request.ended).toBe('hung_up');
  });

  it('ends the session and its call by a DELETE at the other gateway', async () => {
    const { client, transport } = await connect();
    const calling = client.callTool({ name: 'ask_default', arguments: { input: 'wait for the end' } }).catch(() => 'lost');
    const request = await bench.model.waitFor('wait for the end');
    const other = new StreamableHTTPClientTransport(new URL('http://balancer/mcp'), {
      sessionId: transport.sessionId,
      fetch: roundRobin,
    });
    await other.terminateSession();
    expect(await request.ended).toBe('hung_up');
    await expect(client.ping()).rejects.toThrow('There is no such MCP session');
    await client.close();
    expect(await calling).toBe('lost');
  });

  describe('a stream that breaks', () => {
    const headers = (session: string) => ({
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-session-id': session,
      'mcp-protocol-version': '2025-11-25',
    });
    const QUESTION = 'elicitation/create';
    interface Steps {
      /** Resolves when the call has begun. */
      begins?: () => Promise<unknown>;
      /** Called when the stream goes on. */
      meanwhile?: () => void;
      /** Called when the stream that goes on shows the question. */
      onQuestion?: () => void;
    }
    /** Calls a tool at the first gateway, breaks the stream after its first event, and continues at the second one. */
    async function continueElsewhere(
      session: string,
      params: object,
      { begins = async () => {}, meanwhile = () => {}, onQuestion = () => {} }: Steps = {},
    ): Promise<string> {
      const stop = new AbortController();
      const body = JSON.stringify({ jsonrpc: '2.0', id: 'my-call', method: 'tools/call', params });
      const post = { method: 'POST', headers: headers(session), body, signal: stop.signal };
      const { body: stream } = await fetch(`${bench.gateway.url}/mcp`, post);
      const { value = '' } = (await stream?.pipeThrough(new TextDecoderStream()).getReader().read()) ?? {};
      const [, lastEventId = ''] = /^id: (.+)$/m.exec(value) ?? [];
      await begins();
      stop.abort();
      const continued = await fetch(`${second.url}/mcp`, {
        headers: { ...headers(session), accept: 'text/event-stream', 'last-event-id': lastEventId },
      });
      meanwhile();
      let text = '';
      for await (const part of continued.body?.pipeThrough(new TextDecoderStream()) ?? []) {
        const isAsked = text.includes(QUESTION);
        text += part;
        if (!isAsked && text.includes(QUESTION)) onQuestion();
      }
      return text;
    }
    /** Resolves when the run of a turn is stored: the model is asked while that happens. */
    async function isRunning(turn: string): Promise<void> {
      await bench.model.waitFor(turn);
      const running = async () => (await bench.rest.request<{ data: object[] }>('GET', '/runs?status=running')).body.data;
      await until(running, data => data.length > 0);
    }
    /** The message with the answer, from a stream. */
    const answerIn = (stream: string) => JSON.parse(/^data: (.*"my-call".*)$/m.exec(stream)?.[1] ?? '{}');

    it('goes on at the other gateway with the answer of the run', async () => {
      const { transport } = await connect();
      const call = { name: 'ask_default', arguments: { input: 'slow' } };
      const answer = await continueElsewhere(transport.sessionId ?? '', call, {
        begins: () => isRunning('slow'),
        meanwhile: () => bench.model.resume(),
      });
      expect(answerIn(answer)).toMatchObject({
        id: 'my-call',
        result: { structuredContent: { text: 'slow but done', status: 'completed' } },
      });
    });

    it('goes on at the other gateway with a question that is open', async () => {
      const { transport } = await connect({ onElicitation: () => ({ action: 'cancel' }) });
      const session = transport.sessionId ?? '';
      const open = async () =>
        (await bench.rest.request<{ data: { requestId: string }[] }>('GET', '/clarifications?status=pending')).body.data;
      const answers = async () => {
        const message = {
          jsonrpc: '2.0',
          id: `question-${(await open())[0]?.requestId}`,
          result: { action: 'accept', content: { answer: 'red' } },
        };
        await fetch(`${second.url}/mcp`, { method: 'POST', headers: headers(session), body: JSON.stringify(message) });
      };
      const stream = await continueElsewhere(
        session,
        { name: 'ask_default', arguments: { input: 'paint' } },
        {
          begins: () => until(open, data => data.length > 0),
          onQuestion: () => void answers(),
        },
      );
      expect(answerIn(stream).result.content[0].text).toContain('The person answered:\nred');
    });

    it('says that the answer of a direct call is lost', async () => {
      const { transport } = await connect();
      const stream = await continueElsewhere(transport.sessionId ?? '', { name: 'calculator', arguments: { expression: '6 * 7' } });
      expect(answerIn(stream)).toMatchObject({ result: { isError: true, _meta: { 'neta/error': { code: 'not_found' } } } });
    });

    it('goes on when the gateway of the call is killed', async () => {
      next = 0;
      const client = await connect({ reconnects: true });
      // The session is opened with two requests and a stream, so a request more begins the call at the first gateway.
      while (next % 2 !== 0) await client.client.ping();
      const calling = ask(client, 'slow to the end');
      await isRunning('slow to the end');
      await bench.gateway.kill();
      const again = setInterval(() => bench.model.resume(), 200);
      try {
        expect(textOf(await calling)).toBe('slow but done');
      } finally {
        clearInterval(again);
        await bench.gateway.restart();
      }
    }, 60_000);
  });

  describe('without a session', () => {
    const connectWithout = async (onElicitation?: StatelessClientOptions['onElicitation']) => {
      const client = await connectStateless('http://balancer', { onElicitation, fetch: roundRobin });
      stateless.push(client);
      return client;
    };
    const blue = { action: 'accept' as const, content: { answer: 'blue' } };

    it('has each request answered by another gateway', async () => {
      const client = await connectWithout();
      for (let i = 0; i < 4; i++) expect(textOf(await client.call('ask_default', { input: 'hello' }))).toBe('Good day.');
      expect(served.get('tools/call')?.size).toBe(2);
    });

    it('asks at one gateway and goes on with the answer at the other', async () => {
      const client = await connectWithout(() => blue);
      expect(textOf(await client.call('ask_default', { input: 'paint' }))).toContain('The person answered:\nblue');
      expect(client.asked).toHaveLength(1);
      expect(served.get('tools/call')?.size).toBe(2);
    });

    it('goes on at the other gateway when the one that has asked is killed', async () => {
      next = 0;
      const client = await connectWithout(async () => {
        await bench.gateway.kill();
        return blue;
      });
      while (next % 2 !== 0) await client.client.listTools();
      try {
        expect(textOf(await client.call('ask_default', { input: 'paint' }))).toContain('The person answered:\nblue');
        expect(client.asked).toHaveLength(1);
      } finally {
        await bench.gateway.restart();
      }
    }, 60_000);
  });

  it('goes on at the other gateway when one is killed', async () => {
    const client = await connect();
    expect(textOf(await ask(client, 'hello'))).toBe('Good day.');
    await bench.gateway.kill();
    for (let i = 0; i < 3; i++) expect(textOf(await ask(client, 'hello'))).toBe('Good day.');
    await bench.gateway.restart();
    for (let i = 0; i < 3; i++) expect(textOf(await ask(client, 'hello'))).toBe('Good day.');
  }, 30_000);
});
