/** Direct calls over REST: their context, their place in the log, and calls that go on in the background. */
import { type AgentBench, startBench } from '../support/agent_bench';
import type { ErrorBody, PageBody } from '../support/rest_client';
import { until } from '../support/until';

let bench: AgentBench;

beforeAll(async () => {
  bench = await startBench({ files: { 'a.txt': 'alpha\n' } });
});
afterAll(() => bench?.stop());

type Row = Record<string, unknown>;

const callTool = <T = Row>(body: Record<string, unknown>, headers?: Record<string, string>) =>
  bench.rest.request<T>('POST', '/tools/call', body, headers);
const log = async (query: string) => (await bench.rest.request<PageBody<Row>>('GET', `/tool-executions?${query}`)).body.data;

const ASYNC = { prefer: 'respond-async' };

async function callLater(body: Record<string, unknown>): Promise<string> {
  const { status, headers, body: row } = await callTool(body, ASYNC);
  expect([status, row]).toMatchObject([202, { status: 'running', createdAt: expect.any(String) }]);
  expect(headers.get('location')).toBe(`/api/v1/tool-executions/${row['id']}`);
  return String(row['id']);
}

/** A call that has ended has its answer: callers wait for the status. */
function answerOf(id: string): Promise<Row> {
  return until(
    async () => (await bench.rest.request<Row>('GET', `/tool-executions/${id}`)).body,
    body => body['status'] !== 'running',
  );
}

describe('a request', () => {
  it.each([
    ['a command that no tool has', { toolName: 'read_file', command: 'read' }, 404, '/command', /no manifest/],
    ['a manifest that does not exist', { toolName: 'greenhouse', command: 'open' }, 404, '/toolName', /no such tool/],
    ['a command that is no name', { toolName: 'read_file', command: 'a b' }, 400, '/command', /command/],
    ['a context that is a list', { toolName: 'read_file', context: [] }, 400, '/context', /object/],
    ['a language that does not exist', { toolName: 'read_file', context: { locale: 'fr' } }, 400, '/context/locale', /en, zh-CN/],
    ['a context over 16 KiB', { toolName: 'read_file', context: { note: 'x'.repeat(20_000) } }, 400, '/context', /16384/],
    ['a time limit that is no number', { toolName: 'read_file', timeout: '1' }, 400, '/timeout', /integer/],
    ['a field that does not exist', { toolName: 'read_file', colour: 1 }, 400, '/colour', /colour/],
  ])('with %s is refused and names the field (jarvis.call)', async (_what, body, status, param, message) => {
    const answer = await callTool<ErrorBody>({ parameters: { path: 'a.txt' }, ...body });
    expect([answer.status, answer.body.error.param]).toEqual([status, param]);
    expect(answer.body.error.message).toMatch(message);
  });

  it('may carry any context (jarvis.call)', async () => {
    const { status, body } = await callTool({
      toolName: 'read_file',
      parameters: { path: 'a.txt' },
      context: { ticket: { id: 7 }, user: 5 },
    });
    expect([status, body['status']]).toEqual([200, 'success']);
  });
});

describe('the execution log', () => {
  it('names the user and the agent, and finds calls by them (jarvis.log)', async () => {
    const context = { user: 'Ann', agent: 'gardener' };
    await callTool({ toolName: 'read_file', parameters: { path: 'a.txt' }, context });
    const [row] = await log('user=Ann');
    expect(row).toMatchObject({
      tool: 'read_file',
      args: '{"path":"a.txt"}',
      status: 'success',
      durationMs: expect.any(Number),
      ...context,
    });
    expect(row).toMatchObject({ id: expect.any(String), createdAt: expect.any(String) });
    expect(await log('agent=gardener')).toEqual([row]);
    expect(await log('agent=gardener&user=Bob')).toEqual([]);
  });

  it('names the agent of a run (jarvis.log)', async () => {
    bench.model.onTurn('read it', { toolCalls: [{ name: 'read_file', arguments: { path: 'a.txt' } }] }, 'alpha');
    const { body } = await bench.rest.run({ input: 'read it' });
    expect(await log(`run=${body.runId}`)).toMatchObject([{ tool: 'read_file', agent: 'default' }]);
  });

  it('refuses a filter that does not exist', async () => {
    expect(await bench.rest.request('GET', '/tool-executions?colour=red')).toMatchObject({
      status: 400,
      body: { error: { param: '/colour' } },
    });
  });
});

describe('a call with Prefer: respond-async', () => {
  it('answers 202 at once, and its execution has the whole answer later (jarvis.call)', async () => {
    const id = await callLater({ toolName: 'bash', parameters: { command: 'sleep 0.3; echo done' } });
    expect(await answerOf(id)).toMatchObject({
      tool: 'bash',
      status: 'success',
      answer: { status: 'success', error: null, result: { exitCode: 0, output: 'done\n' }, durationMs: expect.any(Number) },
    });
  });

  it('keeps a failure too', async () => {
    const id = await callLater({ toolName: 'read_file', parameters: { path: 'missing.txt' } });
    expect(await answerOf(id)).toMatchObject({
      status: 'error',
      answer: { status: 'error', result: null, error: expect.stringMatching('missing') },
    });
  });

  it('is refused when the request is bad', async () => {
    expect(await callTool({ toolName: 'nothing' }, ASYNC)).toMatchObject({ status: 404, body: { error: { param: '/toolName' } } });
  });

  it('is refused with rate_limited beyond 32 at once, however fast they come', async () => {
    const body = { toolName: 'bash', parameters: { command: 'until [ -e go.txt ]; do sleep 0.1; done' } };
    const answers = await Promise.all(Array.from({ length: 40 }, () => callTool(body, ASYNC)));
    const statuses = answers.map(({ status }) => status);
    expect([statuses.filter(status => status === 202).length, statuses.filter(status => status === 429).length]).toEqual([32, 8]);
    await callTool({ toolName: 'write_file', parameters: { path: 'go.txt', content: 'go' } });
    const ids = answers.filter(({ status }) => status === 202).map(({ body: row }) => String(row['id']));
    for (const id of ids) expect(await answerOf(id)).toMatchObject({ status: 'success', answer: { status: 'success' } });
    expect(await callTool({ toolName: 'read_file', parameters: { path: 'a.txt' } }, ASYNC)).toMatchObject({ status: 202 });
  });

  it('ends when the gateway stops', async () => {
    const id = await callLater({ toolName: 'bash', parameters: { command: 'sleep 60' } });
    expect(await bench.gateway.terminate()).toBe(0);
    await bench.gateway.restart();
    expect(await answerOf(id)).toMatchObject({
      status: 'error',
      answer: { status: 'error', error: expect.stringMatching(/stop|cancel/i) },
    });
  });
});

it('an execution that does not exist is not found', async () => {
  expect(await bench.rest.request('GET', '/tool-executions/exe_none')).toMatchObject({ status: 404 });
});
