/** Tool calls as models make them: wrong, unknown, many, in a loop. Each call gets one result and the run goes on. */
import { type AgentBench, startBench } from '../support/agent_bench';
import type { ModelRequest, ScriptedCall } from '../support/mock_model';
import type { PageBody } from '../support/rest_client';

let bench: AgentBench;

beforeAll(async () => {
  bench = await startBench({ env: { NETA_MAX_TOOL_ITERATIONS: '3', NETA_MAX_CONTEXT_MESSAGES: '6' }, files: { 'a.txt': 'alpha\n' } });
});

afterAll(() => bench?.stop());

/** Runs one turn in which the model makes these calls and then repeats their results. */
async function runCalls(text: string, toolCalls: ScriptedCall[]) {
  bench.model.onTurn(text, { toolCalls }, 'done');
  const { body } = await bench.rest.run({ input: text });
  const request = bench.model.requests(text).at(-1) as ModelRequest;
  return { body, told: request.toolResults, messages: request.body.messages };
}

describe('a tool call', () => {
  it.each<[string, ScriptedCall, RegExp]>([
    ['with arguments that are not JSON', { name: 'read_file', arguments: '{"path": a.txt' }, /arguments of read_file are not valid JSON/],
    ['with a list for arguments', { name: 'read_file', arguments: '["a.txt"]' }, /object/i],
    ['with a missing argument', { name: 'read_file', arguments: {} }, /path/],
    ['with a wrong field', { name: 'read_file', arguments: { path: 'a.txt', encoding: 'x' } }, /encoding/],
    ['of a tool that does not exist', { name: 'format_disk', arguments: {} }, /There is no tool "format_disk".*read_file/],
    ['of a tool named like something objects inherit', { name: 'constructor', arguments: {} }, /There is no tool "constructor"/],
    ['that leads out of the workspace', { name: 'read_file', arguments: { path: '../../etc/passwd' } }, /workspace/],
    ['with too many choices', { name: 'clarify', arguments: { question: 'q', choices: ['1', '2', '3', '4', '5'] } }, /choices/],
  ])('%s gets an error result, and the run goes on', async (what, call, expected) => {
    const { body, told } = await runCalls(`try a call ${what}`, [call]);
    expect(body).toMatchObject({ status: 'completed', text: 'done', toolCalls: [{ name: call.name, ok: false }] });
    expect(told).toEqual([expect.stringMatching(expected)]);
  });

  it('gets an error result when the tool itself refuses', async () => {
    const two = [
      { id: 'a', content: 'one', status: 'in_progress' },
      { id: 'b', content: 'two', status: 'in_progress' },
    ];
    const { told } = await runCalls('plan two at once', [{ name: 'todo', arguments: { todos: two } }]);
    expect(told).toEqual([expect.stringMatching(/only one item may be in_progress/i)]);
  });
});

describe('several calls in one attempt', () => {
  it('get one result each in the order of the calls, invalid calls included', async () => {
    const { told, messages, body } = await runCalls('do four things', [
      { name: 'write_file', id: 'w', arguments: { path: 'b.txt', content: 'beta\n' } },
      { name: 'read_file', id: 'r', arguments: { path: 'b.txt' } },
      { name: 'read_file', id: 'x', arguments: 'broken' },
      { name: 'list_dir', id: 'l', arguments: {} },
    ]);
    expect(told[1]).toContain('beta');
    const ids = messages.flatMap(message => (message.role === 'tool' ? [message.tool_call_id] : []));
    expect(ids).toEqual(['w', 'r', 'x', 'l']);
    expect(body.toolCalls.map(call => [call.toolCallId, call.ok])).toEqual([
      ['w', true],
      ['r', true],
      ['x', false],
      ['l', true],
    ]);
  });

  it('may reuse ids of an earlier answer', async () => {
    const read = { name: 'read_file', id: 'call_0', arguments: { path: 'a.txt' } };
    bench.model.onTurn('count from zero', { toolCalls: [read] }, { toolCalls: [read] }, 'done');
    const { body } = await bench.rest.run({ input: 'count from zero' });
    expect(body).toMatchObject({ status: 'completed', toolCalls: [{ ok: true }, { ok: true }] });
    expect(new Set(body.toolCalls.map(call => call.toolCallId)).size).toBe(2);
  });
});

describe('limits of a run (beaver.limits)', () => {
  it('end a loop of tool calls with a last answer without tools, marked incomplete', async () => {
    const again = { toolCalls: [{ name: 'list_dir', arguments: {} }] };
    bench.model.onTurn('loop for ever', again, again, again);
    bench.model.onTurn(
      request =>
        request.body.messages.some(message => message.role === 'user' && message.content === 'loop for ever') &&
        request.toolNames.length === 0,
      'That is all I found.',
    );
    const { body } = await bench.rest.run({ input: 'loop for ever' });
    expect(body).toMatchObject({ status: 'incomplete', reason: 'max_iterations', text: 'That is all I found.' });
    const { body: listed } = await bench.rest.request<PageBody<unknown>>('GET', `/runs?sessionId=${body.sessionId}`);
    expect(listed.data).toMatchObject([{ runId: body.runId, status: 'incomplete', reason: 'max_iterations' }]);
    const events = await bench.rest.stream('GET', `/runs/${body.runId}/events`);
    expect(events.at(-1)).toMatchObject({ type: 'run_end', data: { status: 'incomplete', reason: 'max_iterations' } });
    expect(body.toolCalls).toHaveLength(3);
    const stored = await bench.rest.history(body.sessionId);
    expect(stored.map(message => message.role)).toEqual([
      'user',
      'assistant',
      'tool',
      'assistant',
      'tool',
      'assistant',
      'tool',
      'assistant',
    ]);
    bench.model.onTurn('and now', 'fine');
    expect((await bench.rest.run({ input: 'and now', sessionId: body.sessionId })).body).toMatchObject({
      status: 'completed',
      text: 'fine',
    });
  });

  it('can be lowered by the request', async () => {
    const again = { toolCalls: [{ name: 'list_dir', arguments: {} }] };
    bench.model.onTurn('loop shortly', again);
    bench.model.onTurn(request => request.toolNames.length === 0, 'Short.');
    const { body } = await bench.rest.run({ input: 'loop shortly', limits: { maxToolIterations: 1 } });
    expect(body).toMatchObject({ status: 'incomplete', text: 'Short.' });
    expect(body.toolCalls).toHaveLength(1);
  });

  it('truncate the history between turns, never between a call and its result', async () => {
    bench.model.onTurn(/^turn \d/, { toolCalls: [{ name: 'list_dir', arguments: {} }] }, 'seen');
    let sessionId: string | undefined;
    for (const n of [1, 2, 3]) {
      const { body } = await bench.rest.run({ input: `turn ${n}`, ...(sessionId && { sessionId }) });
      sessionId = body.sessionId;
    }
    const sent = bench.model.requests('turn 3').map(request => request.body.messages.slice(1));
    expect(sent[0]?.map(message => message.role)).toEqual(['user', 'assistant', 'tool', 'assistant', 'user']);
    expect(sent[0]?.[0]?.content).toBe('turn 2');
    expect(sent[1]?.map(message => message.role)).toEqual(['user', 'assistant', 'tool']);
    expect(await bench.rest.history(String(sessionId))).toHaveLength(12);
  });

  it.each([
    ['length', 'output_limit'],
    ['content_filter', 'content_filter'],
  ])('report why an answer is incomplete when the model stopped with %s', async (finishReason, reason) => {
    bench.model.onTurn(`cut by ${finishReason}`, { text: 'As far as it', finishReason });
    const { body } = await bench.rest.run({ input: `cut by ${finishReason}` });
    expect(body).toMatchObject({ status: 'incomplete', reason, text: 'As far as it' });
    const events = await bench.rest.stream('GET', `/runs/${body.runId}/events`);
    expect(events.find(event => event.type === 'message_end')).toMatchObject({ data: { truncated: true, reason } });
    await bench.gateway.restart();
    expect((await bench.rest.request('GET', `/runs/${body.runId}`)).body).toMatchObject({ status: 'incomplete', reason });
  });

  it('keep the answer so far when a run reaches its time limit', async () => {
    bench.model.onTurn('talk for ever', { text: 'said in time. '.repeat(10), chunkSize: 14, pauseAfter: 2 });
    const { body } = await bench.rest.run({ input: 'talk for ever', limits: { timeoutMs: 1_000 } });
    expect(body).toMatchObject({ status: 'incomplete', reason: 'timeout', text: expect.stringMatching(/^said in time\. /) });
    expect((await bench.rest.history(body.sessionId)).at(-1)).toMatchObject({ role: 'assistant', content: body.text });
  });

  it('stop a run at its time limit', async () => {
    bench.model.onTurn('take your time', { text: 'never comes', pauseAfter: 0 });
    const { body } = await bench.rest.run({ input: 'take your time', limits: { timeoutMs: 1_000 } });
    expect(body).toMatchObject({ status: 'incomplete', reason: 'timeout', error: { code: 'run_timeout', retryable: false } });
    expect(await bench.model.requests('take your time')[0]?.ended).toBe('hung_up');
  });
});

describe('the prompt of a run', () => {
  it('names the tools that are sent, and ends with the time (neta.executor, beaver.runtime_context)', async () => {
    bench.model.onTurn('who are you', 'an agent');
    await bench.rest.run({ input: 'who are you' });
    const request = bench.model.requests('who are you')[0] as ModelRequest;
    const { body: agent } = await bench.rest.request<{ tools: string[] }>('GET', '/agents/default');
    expect(request.toolNames).toEqual(agent.tools);
    expect(agent.tools).toEqual(expect.arrayContaining(['bash', 'read_file', 'write_file', 'list_dir', 'patch', 'todo', 'clarify']));
    const prompt = request.body.messages[0]?.content ?? '';
    // An agent with clarify is told of one way to ask.
    for (const name of request.toolNames.filter(each => each !== 'escalate')) expect(prompt).toContain(name);
    const now = new Date().toISOString();
    expect(prompt.split('\n\n').at(-1)).toContain(now.slice(0, 10));
  });

  it('is in the language of the session', async () => {
    bench.model.onTurn('你是谁', '助手');
    await bench.rest.run({ input: '你是谁', locale: 'zh-CN' });
    const request = bench.model.requests('你是谁')[0] as ModelRequest;
    expect(request.body.messages[0]?.content).toMatch(/[\u4e00-\u9fff]{20}/);
    expect(request.body.tools?.[0]?.function.description).toMatch(/[\u4e00-\u9fff]/);
  });
});
