/** The MCP door without sessions (2026-07-28), through the client 2.x of the SDK. */
import type { ElicitResult, Progress } from '@modelcontextprotocol/client';
import { type ApprovalBench, startApprovalBench } from '../support/approval_bench';
import { type CallOutcome, callTool, connectMcp } from '../support/mcp_client';
import { connectStateless, type StatelessClient, type StatelessClientOptions } from '../support/mcp_stateless_client';

let bench: ApprovalBench;
const clients: StatelessClient[] = [];

beforeAll(async () => {
  bench = await startApprovalBench({ env: { NETA_MCP_TOOLS: 'calculator' } });
  const question = { name: 'clarify', arguments: { question: 'Which colour?', choices: ['red', 'blue'] } };
  const told = ({ toolResults }: { toolResults: string[] }) => `told: ${toolResults.at(-1)}`;
  bench.model.onTurn('paint', { toolCalls: [question] }, told);
  bench.model.onTurn('greet me', 'Good morning.');
});
afterEach(async () => {
  await Promise.all(clients.splice(0).map(client => client.close()));
});
afterAll(() => bench?.stop());

async function connect(options: StatelessClientOptions = {}): Promise<StatelessClient> {
  const client = await connectStateless(bench.gateway.url, options);
  clients.push(client);
  return client;
}

const textOf = ({ content }: CallOutcome): string => content[0]?.text ?? '';
const accept = (content: ElicitResult['content']): ElicitResult => ({ action: 'accept', content });

describe('requests without a session', () => {
  it('answers a call of an agent and of a chosen tool, and gives no session', async () => {
    const client = await connect();
    const { tools } = await client.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['ask_default', 'calculator']));
    expect(textOf(await client.call('ask_default', { input: 'greet me' }))).toBe('Good morning.');
    expect(textOf(await client.call('calculator', { expression: '6*7' }))).toContain('42');
    expect(client.client.getServerVersion()).toMatchObject({ name: 'neta-gateway' });
    expect(client.sent.some(({ headers }) => headers.has('mcp-session-id'))).toBe(false);
    expect(client.sent.every(({ method }) => method === 'POST')).toBe(true);
  });

  it('serves a client of an older version beside it', async () => {
    const old = await connectMcp(bench.gateway.url);
    const client = await connect();
    expect(textOf(await callTool(old, 'ask_default', { input: 'greet me' }))).toBe('Good morning.');
    expect(textOf(await client.call('ask_default', { input: 'greet me' }))).toBe('Good morning.');
    await old.close();
  });

  it('reports steps as progress that grows', async () => {
    bench.model.onTurn('look around', { toolCalls: [{ name: 'list_dir', arguments: { path: '.' } }] }, 'Nothing here.');
    const steps: Progress[] = [];
    const result = await (await connect()).call('ask_default', { input: 'look around' }, { onprogress: step => steps.push(step) });
    expect(textOf(result)).toBe('Nothing here.');
    expect(steps.map(({ message }) => message)).toEqual([
      'The run is accepted',
      expect.stringMatching(/^Started: /),
      expect.stringMatching(/^Done: /),
    ]);
  });

  it.each(['ask_nobody', 'bash'])('refuses a tool that is not offered: %s', async name => {
    await expect((await connect()).call(name, {})).rejects.toMatchObject({ code: -32602, data: { code: 'not_found' } });
  });

  it('names the argument that cannot be used', async () => {
    const result = await (await connect()).call('ask_default', { input: ' ' });
    expect(result).toMatchObject({ isError: true, _meta: { 'neta/error': { param: '/input' } } });
  });
});

describe('questions as requests for input', () => {
  it('asks the person, and goes on with the answer of the repeated call', async () => {
    const client = await connect({ onElicitation: () => accept({ answer: 'blue' }) });
    expect(textOf(await client.call('ask_default', { input: 'paint' }))).toContain('The person answered:\nblue');
    expect(client.asked).toMatchObject([
      { message: 'Which colour?', requestedSchema: { properties: { answer: { enum: ['red', 'blue'] } } } },
    ]);
  });

  it('asks for an approval with the exact arguments, and runs the call once', async () => {
    const client = await connect({ onElicitation: () => accept({ decision: 'allow_once' }) });
    expect(textOf(await client.call('ask_default', { input: 'tally stateless please' }))).toContain('Told:');
    expect(client.asked.map(({ message }) => message)).toEqual([expect.stringContaining('echo stateless >> tally.txt')]);
    expect(await bench.tallyOf('stateless')).toBe(1);
  });

  it('a person who declines an approval denies the call', async () => {
    const client = await connect({ onElicitation: () => ({ action: 'decline' }) });
    await client.call('ask_default', { input: 'tally declined please' });
    expect(client.asked).toHaveLength(1);
    expect(await bench.tallyOf('declined')).toBe(0);
  });

  it('answers with the question to a client that cannot ask', async () => {
    const result = await (await connect()).call('ask_default', { input: 'paint' });
    expect(textOf(result)).toContain('Which colour?');
  });

  it('refuses the state of a run that this client has not started', async () => {
    const { body } = await bench.rest.request<{ runId: string }>('POST', '/runs', { input: 'greet me' });
    const client = await connect();
    const result = await client.client.request({
      method: 'tools/call',
      params: { name: 'ask_default', arguments: { input: 'x' }, requestState: body.runId },
    });
    expect(result).toMatchObject({ isError: true, _meta: { 'neta/error': { code: 'not_found', param: '/requestState' } } });
  });
});
