import { Type } from '@sinclair/typebox';
import { runOfCallerCall } from '../../src/port/caller';
import type { WireToolCall } from '../../src/port/llm';
import { nameCallerCalls, splitCalls, toCallerCalls, toQuestionArguments, withCallerTools } from '../../src/runtime/caller_tools';
import { extendTools } from '../../src/runtime/tool_assembler';
import { defineTool, textResult } from '../../src/tools/common';

const own = (name: string, asksPerson?: true) =>
  defineTool({
    name,
    toolset: 'base',
    label: name,
    description: `The ${name} of the gateway`,
    effect: 'read',
    ...(asksPerson && { asksPerson }),
    parameters: Type.Object({}),
    execute: async () => textResult('done'),
  });

const tool = (name: string, properties: Record<string, unknown> = {}) => ({
  name,
  description: `The ${name} of the caller`,
  parameters: { type: 'object', properties },
});

const call = (id: string, name: string): WireToolCall => ({ id, type: 'function', function: { name, arguments: '{}' } });

const RUN = 'run_0123456789abcdefghjkmnpqrs';
const AGENT = extendTools({ names: [], byName: new Map(), wireTools: [] }, [own('search'), own('clarify', true)], 'en');

const described = (tools: ReturnType<typeof withCallerTools>) => tools.wireTools.map(({ function: { description } }) => description);

it('offers the tools of the caller behind those of the agent, in place of one with the same name, and keeps the one that asks a person', () => {
  const tools = withCallerTools(AGENT, { tools: [tool('get_price'), tool('search'), tool('clarify')] }, 'en');
  expect(tools.names).toEqual(['clarify', 'get_price', 'search']);
  expect(described(tools)).toEqual(['The clarify of the gateway', 'The get_price of the caller', 'The search of the caller']);
  expect(tools.wireTools).toBe(tools.wireTools);
});

it('offers only the tools of the caller when the model must call one', () => {
  const tools = withCallerTools(AGENT, { tools: [tool('clarify')], onlyCallerTools: true }, 'en');
  expect(described(tools)).toEqual(['The clarify of the caller']);
});

it('names the calls of the caller after their run and splits them from the others', () => {
  const tools = withCallerTools(AGENT, { tools: [tool('get_price')] }, 'en');
  const message = { role: 'assistant' as const, content: null, tool_calls: [call('a', 'clarify'), call('b', 'GetPrice')] };
  const named = nameCallerCalls(message, tools, RUN);
  const { own: here, callers } = splitCalls(named.tool_calls ?? [], tools);
  expect(here).toEqual([call('a', 'clarify')]);
  expect(toCallerCalls(callers)).toEqual([{ toolCallId: 'call_0123456789abcdefghjkmnpqrs_1', name: 'get_price', arguments: '{}' }]);
  expect(runOfCallerCall(callers[0]?.id ?? '')).toBe(RUN);
  expect(runOfCallerCall('call_abc')).toBeUndefined();
  const plain = { ...message, tool_calls: [call('a', 'clarify')] };
  expect(nameCallerCalls(plain, tools, RUN)).toBe(plain);
});

it.each([
  [
    { question: { type: 'string' }, choices: { type: 'array' } },
    { question: 'Which?', choices: ['a', 'b'] },
  ],
  [
    { note: { type: 'number' }, prompt: { type: 'string' }, options: { type: 'array' } },
    { prompt: 'Which?', options: ['a', 'b'] },
  ],
  [{ question: { type: 'string' } }, { question: 'Which?' }],
  [{}, { question: 'Which?' }],
])('writes a question into the fields of the tool of the caller: %j', (properties, expected) => {
  const text = toQuestionArguments({ question: 'Which?', choices: ['a', 'b'] }, tool('clarify', properties));
  expect(JSON.parse(text)).toEqual(expected);
});
