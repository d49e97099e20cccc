/** Tasks of MCP clients (io.modelcontextprotocol/tasks, 2026-07-28), over HTTP as the extension writes it: the client of the SDK has no tasks. */
import { type ApprovalBench, startApprovalBench } from '../support/approval_bench';
import { until } from '../support/until';

const TASKS = { 'io.modelcontextprotocol/tasks': {} };
const ABLE = { extensions: TASKS, elicitation: {} };
const CLOCK = /^\d{4}-\d\d-\d\dT/;

interface Answer {
  result?: {
    resultType: string;
    taskId: string;
    status: string;
    result: { content: { text: string }[] };
    inputRequests: Record<string, object>;
  };
  error?: { code: number; data: unknown };
}

let bench: ApprovalBench;

beforeAll(async () => {
  bench = await startApprovalBench();
  const question = { name: 'clarify', arguments: { question: 'Which colour?', choices: ['red', 'blue'] } };
  bench.model.onTurn('paint', { toolCalls: [question] }, ({ toolResults }) => `told: ${toolResults.at(-1)}`);
  bench.model.onTurn('greet me', 'Good morning.');
  for (const turn of ['slow', 'slow over a restart']) bench.model.onTurn(turn, { text: 'slow but done', chunkSize: 4, pauseAfter: 1 });
  bench.model.onTurn('endless', { text: 'never seen', pauseAfter: 0 });
}, 30_000);
afterAll(() => bench?.stop());

let lastId = 0;
async function send(method: string, params: Record<string, unknown>, capabilities: object = ABLE): Promise<Answer> {
  const { name = params['taskId'] } = params;
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  };
  const response = await fetch(`${bench.gateway.url}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(typeof name === 'string' && { 'mcp-name': name }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: ++lastId, method, params: { ...params, _meta } }),
  });
  const text = await response.text();
  return JSON.parse(/^data: (.+)$/m.exec(text)?.[1] ?? text);
}
const ask = (input: string, capabilities?: object) => send('tools/call', { name: 'ask_default', arguments: { input } }, capabilities);
const taskOf = async (taskId: string) => (await send('tasks/get', { taskId })).result;
const untilStatus = (taskId: string, status: string) =>
  until(
    () => taskOf(taskId),
    task => task?.status === status,
  );

it('answers at once when the run ends at once', async () => {
  const { result } = await ask('greet me');
  expect(result).toMatchObject({ resultType: 'complete', content: [{ text: 'Good morning.' }, {}] });
});

it('gives a task for a run that goes on, whose state then holds the result', async () => {
  const { result } = await ask('slow');
  expect(result).toMatchObject({ resultType: 'task', status: 'working', ttlMs: null, createdAt: expect.stringMatching(CLOCK) });
  const { taskId = '' } = result ?? {};
  expect(await taskOf(taskId)).toMatchObject({ resultType: 'complete', taskId, status: 'working' });
  bench.model.resume();
  expect(await untilStatus(taskId, 'completed')).toMatchObject({ result: { content: [{ text: 'slow but done' }, {}] } });
});

it('asks the questions of a task in its state, and goes on with the answer', async () => {
  const { result } = await ask('paint');
  const { taskId = '' } = result ?? {};
  expect(result?.resultType).toBe('task');
  const task = await untilStatus(taskId, 'input_required');
  const [[key = '', form] = []] = Object.entries(task?.inputRequests ?? {});
  expect(form).toMatchObject({ method: 'elicitation/create', params: { mode: 'form', message: 'Which colour?' } });
  const response = { action: 'accept', content: { answer: 'blue' } };
  expect((await send('tasks/update', { taskId, inputResponses: { [key]: response, 'no-such-question': response } })).result).toMatchObject({
    resultType: 'complete',
  });
  const done = await untilStatus(taskId, 'completed');
  expect(done?.result.content[0]?.text).toContain('The person answered:\nblue');
});

it('cancels the run of a task', async () => {
  const { result: { taskId = '' } = {} } = await ask('endless');
  const request = await bench.model.waitFor('endless');
  expect((await send('tasks/cancel', { taskId })).result).toMatchObject({ resultType: 'complete' });
  expect(await request.ended).toBe('hung_up');
  expect(await untilStatus(taskId, 'cancelled')).not.toHaveProperty('result');
});

it('keeps a task over a restart of the gateway', async () => {
  const { result: { taskId = '' } = {} } = await ask('slow over a restart');
  await bench.gateway.kill();
  await bench.gateway.restart();
  const again = setInterval(() => bench.model.resume(), 200);
  try {
    expect(await untilStatus(taskId, 'completed')).toMatchObject({ result: { content: [{ text: 'slow but done' }, {}] } });
  } finally {
    clearInterval(again);
  }
}, 60_000);

it('gives no task to a client that has not declared tasks, and refuses its requests about tasks', async () => {
  const { result } = await ask('greet me', {});
  expect(result?.resultType).toBe('complete');
  const error = { code: -32021, data: { requiredCapabilities: { extensions: TASKS } } };
  for (const method of ['tasks/get', 'tasks/cancel', 'tasks/update'])
    expect(await send(method, { taskId: 'run_1', inputResponses: {} }, {})).toMatchObject({ error });
});

it.each(['tasks/get', 'tasks/cancel', 'tasks/update'])(
  'refuses a task that does not exist, and a run of another door: %s',
  async method => {
    const { body } = await bench.rest.request<{ runId: string }>('POST', '/runs', { input: 'greet me' });
    for (const taskId of ['run_unknown', body.runId])
      expect(await send(method, { taskId, inputResponses: {} })).toMatchObject({ error: { code: -32602, data: { code: 'not_found' } } });
  },
);

it.each(['tasks/get', 'tasks/cancel', 'tasks/update'])('names a parameter that cannot be used: %s', async method => {
  expect(await send(method, { taskId: 7 })).toMatchObject({ error: { code: -32602, data: { param: '/taskId' } } });
});

it('offers tasks in what it tells of itself', async () => {
  expect((await send('server/discover', {})).result).toMatchObject({ capabilities: { extensions: TASKS } });
});
