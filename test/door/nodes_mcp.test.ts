/** An MCP client behind a balancer that gives each request to the next gateway: its session is at all of them. */
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { MODEL_KEY } from '../support/agent_bench';
import { type ApprovalBench, startApprovalBench } from '../support/approval_bench';
import { type Gateway, startGateway } from '../support/gateway';
import { type CallOutcome, callTool, connectMcp, type McpDoorClient, type McpDoorClientOptions } from '../support/mcp_client';
import { describeWithPostgres, type PostgresServer, startPostgres } from '../support/postgres_server';

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
    bench = await startApprovalBench({ env: { DATABASE_URL } });
    second = await startGateway({ env: { OPENAI_BASE_URL: bench.model.baseUrl, OPENAI_API_KEY: MODEL_KEY, DATABASE_URL } });
    bench.model.onTurn('hello', 'Good day.');
    for (const turn of ['wait 0', 'wait 1', 'wait for the end']) bench.model.onTurn(turn, { text: 'never seen', pauseAfter: 0 });
    const question = { name: 'clarify', arguments: { question: 'Which colour?', choices: ['red', 'blue'] } };
    bench.model.onTurn('paint', { toolCalls: [question] }, ({ toolResults }) => `told: ${toolResults.at(-1)}`);
  }, 60_000);
  beforeEach(() => {
    served.clear();
  });
  afterEach(async () => {
    await Promise.all(clients.splice(0).map(client => client.close()));
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

  it('goes on at the other gateway when one is killed', async () => {
    const client = await connect();
    expect(textOf(await ask(client, 'hello'))).toBe('Good day.');
    await bench.gateway.kill();
    for (let i = 0; i < 3; i++) expect(textOf(await ask(client, 'hello'))).toBe('Good day.');
    await bench.gateway.restart();
    for (let i = 0; i < 3; i++) expect(textOf(await ask(client, 'hello'))).toBe('Good day.');
  }, 30_000);
});
