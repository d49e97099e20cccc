import { builtinTools } from '../../src/builtin_tools';
import { ToolExecutor, type ToolExecutorOptions } from '../../src/runtime/tool_executor';
import { Type } from '../../src/tool_kit';
import { AgentTool, toolsOf } from '../../src/tools/agent_tool_decorator';
import { type AgentTool as Tool, type ToolContext, textResult } from '../../src/tools/common';
import { ToolRegistry } from '../../src/tools/registry';
import { aTool, clock } from '../support/runner_bench';

const bench = (tools: readonly Tool[], more: Partial<ToolExecutorOptions> = {}) => {
  const ends: Record<string, unknown>[] = [];
  const executor = new ToolExecutor({
    registry: new ToolRegistry(tools),
    clock,
    onEvent: ({ type, data }) => type === 'tool_call_end' && void ends.push(data as never),
    ...more,
  });
  return { executor, flags: () => ends.splice(0).map(({ cached = false, duplicate = false }) => ({ cached, duplicate })) };
};

let ids = 0;
const call = (name: string, args: unknown = {}) => ({ id: `call_${ids++}`, type: 'function', function: { name, arguments: args } });

const counting = (name: string, effect: Tool['effect'], failures = 0) => {
  let runs = 0;
  const tool = aTool(name, effect, async () => {
    if (++runs <= failures) throw new Error('not now');
    return textResult(`${name} ${runs}`);
  });
  return { tool, runs: () => runs };
};

describe('processToolCalls (nanoclaw.executor)', () => {
  it('gives one message for each id, in the order of the calls, whatever a call looks like', async () => {
    const circle: Record<string, unknown> = {};
    circle['circle'] = circle;
    const { executor } = bench([counting('look', 'read').tool, counting('fail', 'write', 9).tool]);
    const rows: [{ id: string; function?: { name: string; arguments?: unknown } }, RegExp][] = [
      [call('look', '{"value":1}'), /^look 1$/],
      [call('look', { value: 1 }), /^look 1$/],
      [call('look', ''), /^look 2$/],
      [call('look', null), /^look 2$/],
      [call('fail'), /^fail failed unexpectedly: not now$/],
      [call('nothing_like_it'), /There is no tool "nothing_like_it". Available tools: look, fail/],
      [call('look', '{"value":'), /not valid JSON/],
      [call('look', '[1]'), /must be a JSON object/],
      [call('look', circle), /not valid JSON/],
      [call('look', { value: 'one', other: 2 }), /value: must be an integer|is no parameter/],
      [{ id: 'call_x' }, /names no tool/],
      [call(''), /names no tool/],
    ];
    const messages = await executor.processToolCalls(rows.map(([given]) => given));
    expect(messages.map(({ role, tool_call_id }) => [role, tool_call_id])).toEqual(rows.map(([{ id }]) => ['tool', id]));
    for (const [index, [, text]] of rows.entries()) expect(messages[index]?.content).toMatch(text);
  });

  it('runs the first of calls with the same id, and has no message for an answer without calls', async () => {
    const { tool, runs } = counting('act', 'write');
    const { executor } = bench([tool]);
    const twice = call('act');
    expect(await executor.processToolCalls([twice, twice, { ...call('look'), id: twice.id }])).toHaveLength(1);
    expect(runs()).toBe(1);
    for (const none of [[], null, undefined]) expect(await executor.processToolCalls(none)).toEqual([]);
  });

  it('reports duplicates in an answer and in the session, and cached results of an earlier session', async () => {
    const { tool, runs } = counting('look', 'read');
    const { executor, flags } = bench([tool]);
    await executor.processToolCalls([call('look'), call('look')]);
    expect(flags()).toEqual([
      { cached: false, duplicate: false },
      { cached: false, duplicate: true },
    ]);
    await executor.processToolCalls([call('look')]);
    expect(flags()).toEqual([{ cached: true, duplicate: true }]);
    executor.clearHistory();
    await executor.processToolCalls([call('look')]);
    expect(flags()).toEqual([{ cached: true, duplicate: false }]);
    expect(runs()).toBe(1);
  });

  it.each([
    ['the cache is off', { cacheTtlMs: 0 }, []],
    ['the time to keep them is over', { cacheTtlMs: 10, clock: { ...clock, now: () => ++ids * 100 } }, []],
    ['another call changed something', {}, [call('act')]],
  ])('runs reads again when %s', async (_why, options, between) => {
    const look = counting('look', 'read');
    const { executor } = bench([look.tool, counting('act', 'write').tool], options);
    for (const calls of [[call('look')], between, [call('look')]]) await executor.processToolCalls(calls);
    expect(look.runs()).toBe(2);
  });

  it('gives tools the context of the program and of the call; a part that is missing is an error of the call', async () => {
    const tell = aTool('tell', 'write', async (_args, ctx?: ToolContext) =>
      textResult([ctx?.tenantId, ctx?.locale, ctx?.sessionId, ctx?.callContext?.['user_id']].join(' ')),
    ) as Tool;
    const { executor } = bench([...builtinTools(), tell], { context: { tenantId: 'ann', locale: 'zh-CN' } });
    const [told] = await executor.processToolCalls([call('tell')], { context: { locale: 'en', callContext: { user_id: 7 } } });
    expect(told?.content).toBe('ann en session_1 7');
    const calls = [call('calculator', '{"expression":"2*21"}'), call('read_file', { path: 'a.txt' })];
    const contents = async (locale: 'en' | 'zh-CN') =>
      (await executor.processToolCalls(calls, { context: { locale } })).map(({ content }) => content);
    expect(await contents('zh-CN')).toEqual([expect.stringContaining('42'), expect.stringContaining('没有提供 workspace')]);
    expect((await contents('en'))[1]).toContain('gives tools no workspace');
  });

  it('answers every call when it was aborted', async () => {
    const { executor } = bench([counting('look', 'read').tool, counting('act', 'write').tool]);
    const results = await executor.processToolCalls([call('look'), call('act')], { signal: AbortSignal.abort() });
    expect(results.map(({ content }) => content)).toEqual(Array(2).fill('Not run: the run was cancelled.'));
  });
});

describe('executeWithRetry (nanoclaw.executor)', () => {
  it.each<[effect: Tool['effect'], failures: number, tries: number | undefined, runs: number]>([
    ['read', 2, undefined, 3],
    ['idempotent', 2, undefined, 3],
    ['read', 9, 5, 5],
    ['write', 2, 5, 1],
    ['external', 2, undefined, 1],
  ])('runs a tool with the effect %s that fails %i times, with %s tries, %i times', async (effect, failures, maxTries, expected) => {
    const { tool, runs } = counting('flaky', effect, failures);
    const retries = maxTries === undefined ? {} : { retries: { maxTries, retryMs: 1 } };
    const outcome = await bench([tool]).executor.executeWithRetry('flaky', {}, retries);
    expect(runs()).toBe(expected);
    expect(outcome.success).toBe(failures < expected);
    expect(outcome.error === null).toBe(outcome.success);
  });

  it.each<[string, unknown]>([
    ['nothing_like_it', {}],
    ['look', { value: 1n }],
    ['look', 'text'],
    ['look', []],
  ])('resolves with a failure for %s(%p)', async (name, args) => {
    const outcome = await bench([counting('look', 'read').tool]).executor.executeWithRetry(name, args);
    expect(outcome).toMatchObject({ success: false, data: null, error: outcome.content });
  });

  it('never takes a result from the cache', async () => {
    const { tool, runs } = counting('look', 'read');
    const { executor } = bench([tool]);
    await executor.processToolCalls([call('look')]);
    expect(await executor.executeWithRetry('look', {})).toMatchObject({ success: true, content: 'look 2' });
    expect(runs()).toBe(2);
  });
});

describe('buildRequest (nanoclaw.executor)', () => {
  const messages = [{ role: 'user', content: 'hi' }];

  it('offers the tools of the registry, of that moment, with tool_choice auto', () => {
    const registry = new ToolRegistry([counting('look', 'read').tool]);
    const executor = new ToolExecutor({ registry });
    registry.register(counting('act', 'write').tool);
    const request = executor.buildRequest(messages, { model: 'm', temperature: 0.5 });
    expect(request).toMatchObject({ model: 'm', messages, tool_choice: 'auto', temperature: 0.5 });
    expect(request.tools).toEqual(registry.exportSelectedProviderSchemas(['look', 'act']));
    expect(request.messages).not.toBe(messages);
  });

  it('takes chosen tools and another tool_choice, and sends neither field without tools', () => {
    const registry = new ToolRegistry([counting('look', 'read').tool, counting('act', 'write').tool]);
    const executor = new ToolExecutor({ registry });
    const tools = registry.exportSelectedProviderSchemas(['act']);
    expect(executor.buildRequest(messages, { model: 'm', tools, tool_choice: 'required' })).toEqual({
      model: 'm',
      messages,
      tools,
      tool_choice: 'required',
    });
    expect(executor.buildRequest(messages, { model: 'm', tools: [] })).toEqual({ model: 'm', messages });
    expect(new ToolExecutor({ registry: new ToolRegistry() }).buildRequest(messages, { model: 'm' })).toEqual({ model: 'm', messages });
  });

  it('offers and runs methods of a class, and not a tool that was removed (nanoclaw.define)', async () => {
    class Counter {
      private count = 0;
      @AgentTool({ name: 'add', toolset: 'numbers', label: 'Add', description: 'Adds.', effect: 'write', parameters: Type.Object({}) })
      add(): string {
        return `The count is ${++this.count}.`;
      }
    }
    const registry = new ToolRegistry(toolsOf(new Counter()));
    const executor = new ToolExecutor({ registry });
    expect(executor.buildRequest(messages, { model: 'm' }).tools).toHaveLength(1);
    const results = await executor.processToolCalls([call('add'), call('add')]);
    expect(results.map(({ content }) => content)).toEqual(['The count is 1.', 'The count is 2.']);
    registry.remove('add');
    expect((await executor.processToolCalls([call('add')]))[0]?.content).toContain('There is no tool "add"');
  });
});
