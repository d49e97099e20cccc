/** Budgets of one run: tokens, money and tool calls end it as incomplete, with an answer from what it has. */
import type { RunResult } from '../../src/service/run_log/run_service';
import { type AgentBench, startBench } from '../support/agent_bench';
import { type CrewBench, delegateAll, startCrewBench } from '../support/crew_bench';
import { startModelBench } from '../support/model_bench';
import type { ErrorBody } from '../support/rest_client';
import { until } from '../support/until';

const USED = { inputTokens: 400, outputTokens: 100 };
const list = { toolCalls: [{ name: 'list_dir', arguments: { path: '.' } }], usage: USED };

describe('a run with limits', () => {
  let bench: AgentBench;

  beforeAll(async () => {
    bench = await startBench({ files: { 'notes.txt': 'A line.\n' } });
    bench.model.onTurn('rounds', { ...list, text: 'First I look at the files.' }, list, list, { text: 'All seen.', usage: USED });
    bench.model.onTurn('at once', { text: 'A long answer.', usage: { inputTokens: 900, outputTokens: 900 } });
    const three = ['.', 'a', 'b'].map(path => ({ name: 'list_dir', arguments: { path } }));
    bench.model.onTurn('three calls', { toolCalls: three }, 'All three seen.');
    bench.model.onTurn('limit of tool calls', request => `Offered: ${request.toolNames.length}.`);
    bench.model.onTurn('next', 'Still here.');
    bench.model.onTurn('stuck', list, { toolCalls: [{ name: 'bash', arguments: { command: 'sleep 60' } }], usage: USED }, list);
  });
  afterAll(() => bench?.stop());

  const run = async (input: string, limits: object, more: object = {}): Promise<RunResult> =>
    (await bench.rest.run({ input, limits, ...more })).body;

  it('makes no model call once maxTokens is used up, and answers from what it has', async () => {
    const result = await run('rounds', { maxTokens: 1_000 });
    expect(result).toMatchObject({ status: 'incomplete', reason: 'budget', usage: { inputTokens: 800, outputTokens: 200 } });
    for (const part of ['maxTokens', 'First I look at the files.', 'list_dir (2)', 'notes.txt']) expect(result.text).toContain(part);
    expect(bench.model.requests('rounds')).toHaveLength(2);
    const history = await bench.rest.history(result.sessionId);
    expect(history.at(-1)).toMatchObject({ role: 'assistant', content: result.text });
    const { text } = await run('next', {}, { sessionId: result.sessionId });
    expect(text).toBe('Still here.');
  });

  it('writes that answer in the language of the run', async () => {
    expect((await run('rounds', { maxTokens: 1_000 }, { locale: 'zh-CN' })).text).toContain('工作尚未完成就已停止');
  });

  it('completes a run whose last answer exceeds maxTokens', async () => {
    expect(await run('at once', { maxTokens: 1_000 })).toMatchObject({ status: 'completed', text: 'A long answer.' });
  });

  it('runs no more than maxToolCalls calls, and lets the model answer without tools', async () => {
    const result = await run('three calls', { maxToolCalls: 2 });
    expect(result).toMatchObject({ status: 'incomplete', reason: 'budget', text: 'Offered: 0.' });
    const refused = result.toolCalls.filter(({ result: text }) => text.startsWith('Not run'));
    expect(refused).toMatchObject([{ args: { path: 'b' }, ok: false }]);
    expect(await run('three calls', { maxToolCalls: 3 })).toMatchObject({ status: 'completed' });
  });

  it('keeps what it has used when it continues after kill -9', async () => {
    const headers = { prefer: 'respond-async' };
    const { body } = await bench.rest.request<RunResult>('POST', '/runs', { input: 'stuck', limits: { maxTokens: 1_000 } }, headers);
    await bench.model.waitFor(request => request.userText === 'stuck' && request.step === 1);
    await until(async () => (await bench.rest.request<RunResult>('GET', `/runs/${body.runId}`)).body.toolCalls.length >= 2);
    await bench.gateway.restart();
    const events = await bench.rest.stream('GET', `/runs/${body.runId}/events`);
    expect(events.at(-1)?.data).toMatchObject({ status: 'incomplete', reason: 'budget', usage: { inputTokens: 800, outputTokens: 200 } });
    expect(bench.model.requests('stuck')).toHaveLength(2);
  });

  it.each([
    ['/limits/maxTokens', { maxTokens: 0 }],
    ['/limits/maxCostUsd', { maxCostUsd: -1 }],
    ['/limits/maxToolCalls', { maxToolCalls: 1.5 }],
    ['/limits/tokens', { tokens: 5 }],
  ])('names the bad field %s', async (param, limits) => {
    const { status, body } = await bench.rest.request<ErrorBody>('POST', '/runs', { input: 'next', limits });
    expect([status, body.error.param]).toEqual([400, param]);
  });
});

it('ends at maxCostUsd, and says what each call and the run cost', async () => {
  const models = `
models:
  - { id: a, baseUrl: "{a}", apiKeyEnv: KEY_A, model: model-a, price: { input: 1.1, output: 0.7 } }
  - { id: b, baseUrl: "{b}", apiKeyEnv: KEY_B, model: model-b }
`;
  const bench = await startModelBench({ models });
  try {
    for (const model of [bench.a, bench.b]) model.onTurn('rounds', list, list, list, { text: 'Done.', usage: USED });
    const limited = await bench.rest.run({ input: 'rounds', limits: { maxCostUsd: 0.0006 } });
    // 400 * 1.1 + 100 * 0.7 = 510 micro-dollars a call.
    expect(limited.body).toMatchObject({ status: 'incomplete', reason: 'budget', usage: { costUsd: 0.00102 } });
    const events = await bench.rest.stream('GET', `/runs/${limited.body.runId}/events`);
    expect(events.flatMap(event => (event.type === 'usage' ? [event.data.costUsd] : []))).toEqual([0.00051, 0.00051]);
    expect(events.at(-1)?.data).toMatchObject({ usage: { costUsd: 0.00102 } });
    const unpriced = await bench.rest.run({ input: 'rounds', model: 'b' });
    expect(unpriced.body.status).toBe('completed');
    expect(unpriced.body.usage).not.toHaveProperty('costUsd');
  } finally {
    await bench.stop();
  }
});

describe('a crew', () => {
  let bench: CrewBench;

  beforeAll(async () => {
    bench = await startCrewBench();
    const look = { toolCalls: [{ name: 'list_dir', arguments: { path: '.' } }], usage: { inputTokens: 1_000, outputTokens: 500 } };
    bench.model.onTurn('share the work', { ...delegateAll([{ task: 'left part' }, { task: 'right part' }]), usage: USED }, request => ({
      text: `Reports: ${request.toolResults}`,
      usage: USED,
    }));
    bench.model.onTurn(/^(left|right) part/, look, look, look, look, { text: 'Part done.', usage: USED });
  });
  afterAll(() => bench?.stop());

  it('shares the budget of the parent evenly among its child runs', async () => {
    const { body } = await bench.rest.run({ input: 'share the work', limits: { maxTokens: 6_500 } });
    // 6,000 are left, the parent keeps a tenth: 2,700 for each child, which ends before its third call of 1,500.
    const children = await bench.childrenOf(body.runId);
    expect(children.map(({ status, text }) => [status, text.includes('maxTokens')])).toEqual([
      ['incomplete', true],
      ['incomplete', true],
    ]);
    expect(bench.model.requests(/^(left|right) part/)).toHaveLength(4);
    // The children used 6,000 and the parent 500 before: its budget is used up, too.
    expect(body).toMatchObject({ status: 'incomplete', reason: 'budget', usage: { inputTokens: 400, outputTokens: 100 } });
  });

  it('starts no child run when nothing is left', async () => {
    const { body } = await bench.rest.run({ input: 'share the work', limits: { maxTokens: 501 } });
    expect(await bench.childrenOf(body.runId)).toEqual([]);
    expect(body).toMatchObject({ status: 'completed', text: expect.stringContaining('stopped by a limit (budget)') });
  });
});
