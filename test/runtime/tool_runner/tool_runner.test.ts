import { Type } from '@sinclair/typebox';
import { createSystemClock } from '../../../src/adapter/local/node/clock';
import { AppError } from '../../../src/errors';
import type { WireToolCall } from '../../../src/port/llm';
import type { RunEventBody } from '../../../src/port/run_event';
import { assembleTools } from '../../../src/runtime/tool_assembler';
import type { ToolRunnerParams } from '../../../src/runtime/tool_runner/runner_params';
import { createToolRunner } from '../../../src/runtime/tool_runner/tool_runner';
import {
  type AgentTool,
  defineTool,
  type ToolContext,
  type ToolEffect,
  ToolInputError,
  type ToolResult,
  textResult,
} from '../../../src/tools/common';
import { openToolBench, type ToolBench } from '../../support/tool_context';

let bench: ToolBench;

beforeAll(async () => {
  bench = await openToolBench();
});

afterAll(() => bench.close());

type Execute = (args: { n: number }, ctx: ToolContext) => Promise<ToolResult>;

/** A tool with one number for an argument. */
const tool = (name: string, effect: ToolEffect, execute: Execute, timeoutMs?: number): AgentTool =>
  defineTool({
    name,
    toolset: 'test',
    label: name,
    description: name,
    effect,
    parameters: Type.Object({ n: Type.Integer() }, { additionalProperties: false }),
    execute,
    ...(timeoutMs !== undefined && { timeoutMs }),
  });

let lastId = 0;
const call = (name: string, args: unknown = { n: 1 }): WireToolCall => ({
  id: `c${++lastId}`,
  type: 'function',
  function: { name, arguments: typeof args === 'string' ? args : JSON.stringify(args) },
});

/** Creates a runner over these tools that collects its journal. */
function setUp(tools: AgentTool[], more: Partial<ToolRunnerParams> = {}) {
  const written: RunEventBody[] = [];
  const { toolCallId: _id, signal, onOutput: _output, ...toolContext } = bench.ctx;
  const runner = createToolRunner({
    tools: assembleTools(tools, { toolsets: ['test'] }, 'en'),
    toolContext,
    clock: createSystemClock(),
    signal,
    journal: {
      delta: body => written.push(body),
      append: body => written.push(body),
      record: async body => {
        written.push(body);
      },
    },
    ...more,
  });
  const idsOf = (type: 'tool_call_start' | 'tool_call_end') =>
    written.flatMap(event => (event.type === type ? [event.data.toolCallId] : []));
  return { runner, written, idsOf };
}

/** Returns a function that resolves once `count` callers wait for it. */
function createBarrier(count: number): () => Promise<void> {
  const open = Promise.withResolvers<void>();
  let missing = count;
  return () => {
    if (--missing === 0) open.resolve();
    return open.promise;
  };
}

describe('several calls of one attempt', () => {
  it('run in parallel when all of them only read', async () => {
    const meet = createBarrier(3);
    const { runner } = setUp([tool('look', 'read', async ({ n }) => meet().then(() => textResult(`seen ${n}`)))]);
    const outcomes = await runner.runCalls([1, 2, 3].map(n => call('look', { n })));
    expect(outcomes.map(({ message }) => message.content)).toEqual(['seen 1', 'seen 2', 'seen 3']);
  });

  it('run at most eight reads at a time', async () => {
    const begun: number[] = [];
    const ends = new Map<number, () => void>();
    const look = tool('look', 'read', ({ n }) => {
      begun.push(n);
      return new Promise(resolve => ends.set(n, () => resolve(textResult(`seen ${n}`))));
    });
    const eight = [1, 2, 3, 4, 5, 6, 7, 8];
    const outcomes = setUp([look]).runner.runCalls([...eight, 9].map(n => call('look', { n })));
    const settle = async () => {
      for (let i = 0; i < 20; i++) await new Promise(setImmediate);
    };
    await settle();
    expect(begun).toEqual(eight);
    ends.get(5)?.();
    await settle();
    expect(begun).toEqual([...eight, 9]);
    for (const end of ends.values()) end();
    expect(await outcomes).toHaveLength(9);
  });

  it.each<ToolEffect>(['write', 'idempotent', 'external'])('is one after the other as soon as one of them is %s', async effect => {
    const trace: string[] = [];
    const step: Execute = async ({ n }) => {
      trace.push(`start ${n}`);
      await new Promise(setImmediate);
      trace.push(`end ${n}`);
      return textResult('ok');
    };
    const { runner } = setUp([tool('look', 'read', step), tool('change', effect, step)]);
    await runner.runCalls([call('look', { n: 1 }), call('change', { n: 2 }), call('look', { n: 3 })]);
    expect(trace).toEqual(['start 1', 'end 1', 'start 2', 'end 2', 'start 3', 'end 3']);
  });

  it('get their results in the order of the calls, also when a later call ends first', async () => {
    const second = Promise.withResolvers<void>();
    const { runner, idsOf } = setUp([
      tool('slow', 'read', async () => second.promise.then(() => textResult('slow'))),
      tool('fast', 'read', async () => {
        second.resolve();
        return textResult('fast');
      }),
    ]);
    const calls = [call('slow'), call('fast')];
    const outcomes = await runner.runCalls(calls);
    expect(outcomes.map(({ message }) => [message.tool_call_id, message.content])).toEqual([
      [calls[0]?.id, 'slow'],
      [calls[1]?.id, 'fast'],
    ]);
    expect(idsOf('tool_call_end').sort()).toEqual(idsOf('tool_call_start').sort());
  });
});

describe('each call gets exactly one result', () => {
  it.each<[string, string, unknown, RegExp]>([
    ['when its arguments are not JSON', 'look', 'n is 1', /arguments of look are not valid JSON.*Send one JSON object/],
    ['when its arguments are not of the schema', 'look', { n: 'one' }, /n/],
    ['when an argument is unknown', 'look', { n: 1, m: 2 }, /m/],
    ['when there is no such tool', 'gone', {}, /There is no tool "gone"\. Available tools: look, throws, refuses/],
    ['when the tool throws', 'throws', { n: 1 }, /^throws failed unexpectedly: the disk is on fire$/],
    ['when the tool throws no error', 'throws', { n: 2 }, /^throws failed unexpectedly: just text$/],
    ['when the tool refuses its input', 'refuses', { n: 1 }, /^n must be even\.$/],
  ])('%s', async (_when, name, args, expected) => {
    const { runner, written, idsOf } = setUp([
      tool('look', 'read', async () => textResult('ok')),
      tool('throws', 'read', async ({ n }) => {
        if (n === 2) throw 'just text';
        throw new Error('the disk is on fire');
      }),
      tool('refuses', 'read', async () => {
        throw new ToolInputError('n must be even.', 'n 必须是偶数。');
      }),
    ]);
    const bad = call(name, args);
    const outcomes = await runner.runCalls([bad, call('look')]);
    expect(outcomes.map(({ message }) => message.content)).toEqual([expect.stringMatching(expected), 'ok']);
    expect(idsOf('tool_call_end').filter(id => id === bad.id)).toHaveLength(1);
    expect(written.find(event => event.type === 'tool_call_end' && event.data.toolCallId === bad.id)).toMatchObject({
      data: { ok: false },
    });
  });

  it.each<[string, unknown, string]>([
    ['an error of a program', new Error('the disk is on fire'), 'fails 意外失败，原始错误信息：“the disk is on fire”'],
    ['just a text', 'oh no', 'fails 意外失败，原始错误信息：“oh no”'],
    ['an error of the gateway', new AppError('store_unavailable'), 'fails 意外失败：存储目前不可写，没有接受任何内容。'],
  ])('in Chinese in a Chinese run when the tool throws %s', async (_what, thrown, expected) => {
    const failing = tool('fails', 'write', () => Promise.reject(thrown));
    const { toolCallId: _id, signal: _signal, onOutput: _output, ...context } = bench.ctx;
    const { runner } = setUp([failing], { toolContext: { ...context, locale: 'zh-CN' } });
    const [outcome] = await runner.runCalls([call('fails')]);
    expect(outcome?.message.content).toBe(expected);
  });

  it('after a timeout, which aborts the signal of the tool', async () => {
    const stopped = jest.fn();
    const patient = tool(
      'patient',
      'read',
      (_args, ctx) =>
        new Promise((_resolve, reject) => {
          ctx.signal.addEventListener('abort', () => {
            stopped();
            reject(ctx.signal.reason);
          });
        }),
      20,
    );
    const [outcome] = await setUp([patient]).runner.runCalls([call('patient')]);
    expect(outcome?.message.content).toMatch(/^patient was stopped: its time limit of/);
    expect(stopped).toHaveBeenCalledTimes(1);
  });

  it('after a cancel, which stops the running call and starts no other', async () => {
    const cancel = new AbortController();
    const begun: number[] = [];
    const wait = tool(
      'wait',
      'write',
      ({ n }, ctx) =>
        new Promise((_resolve, reject) => {
          begun.push(n);
          ctx.signal.addEventListener('abort', () => reject(ctx.signal.reason));
          cancel.abort(new Error('enough'));
        }),
    );
    const { runner, idsOf } = setUp([wait], { signal: cancel.signal });
    const outcomes = await runner.runCalls([1, 2, 3].map(n => call('wait', { n })));
    expect(outcomes.map(({ message }) => message.content)).toEqual([
      'wait was stopped: the run was cancelled.',
      'Not run: the run was cancelled.',
      'Not run: the run was cancelled.',
    ]);
    expect(begun).toEqual([1]);
    expect(idsOf('tool_call_end')).toHaveLength(3);
  });

  it('after a cancel that the tool ignores, without waiting for the tool', async () => {
    const cancel = new AbortController();
    const deaf = tool('deaf', 'read', () => {
      cancel.abort();
      return new Promise(() => {});
    });
    // The grace period passes at once on this clock.
    const clock = {
      ...createSystemClock(),
      after: (ms: number, callback: () => void) => createSystemClock().after(ms > 10_000 ? ms : 0, callback),
    };
    const { runner } = setUp([deaf], { signal: cancel.signal, clock });
    const [outcome] = await runner.runCalls([call('deaf')]);
    expect(outcome?.message.content).toBe('deaf was stopped: the run was cancelled.');
  });
});

describe('the journal', () => {
  it('gets the start before the tool runs, its output, and the end with a truncated result', async () => {
    const { runner, written } = setUp([
      tool('talk', 'read', async (_args, ctx) => {
        expect(written.at(-1)?.type).toBe('tool_call_start');
        ctx.onOutput('half');
        return textResult('x'.repeat(200_000), { lines: 1 });
      }),
    ]);
    const [outcome] = await runner.runCalls([call('talk')]);
    expect(written.map(event => event.type)).toEqual(['tool_call_start', 'tool_call_delta', 'tool_call_end']);
    const end = written.at(-1);
    expect(end).toMatchObject({ data: { ok: true, label: 'talk', durationMs: expect.any(Number), details: { lines: 1 } } });
    const shown = end?.type === 'tool_call_end' ? end.data.result.length : 0;
    expect(shown).toBeLessThan(9_000);
    expect(outcome?.message.content.length).toBeLessThan(101_000);
  });
});
