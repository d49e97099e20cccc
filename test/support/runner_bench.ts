/** Creates a tool runner over test tools, with a clock that does not wait. */
import { Type } from '@sinclair/typebox';
import type { WireToolCall } from '../../src/port/llm';
import { assembleTools } from '../../src/runtime/tool_assembler';
import type { ToolRunnerParams } from '../../src/runtime/tool_runner/runner_params';
import { createToolRunner } from '../../src/runtime/tool_runner/tool_runner';
import { type AgentTool, defineTool, type ToolResult } from '../../src/tools/common';

/** A clock whose waits end at once. */
export const clock = { now: () => Date.now(), monotonic: () => performance.now(), after: instantly };

/** Calls the callback in the next turn of the event loop; a wait over 10 s never ends. */
export function instantly(milliseconds: number, callback: () => void): () => void {
  if (milliseconds > 10_000) return () => {};
  const timer = setImmediate(callback);
  return () => clearImmediate(timer);
}

/** Creates a tool with one optional number as its parameter. */
export const aTool = (name: string, effect: AgentTool['effect'], execute: (args: unknown) => Promise<ToolResult>): AgentTool =>
  defineTool({
    name,
    toolset: 'base',
    label: name,
    description: name,
    effect,
    parameters: Type.Object({ value: Type.Optional(Type.Integer()) }, { additionalProperties: false }),
    execute,
  });

/** Creates a runner over these tools; `ends` returns the data of its tool_call_end events. */
export function runnerBench(tools: AgentTool[], more: Partial<ToolRunnerParams> = {}) {
  const events: { type: string; data: Record<string, unknown> }[] = [];
  const context = { tenantId: 'default', sessionId: 'ses_1', locale: 'en' } as unknown as ToolRunnerParams['toolContext'];
  const runner = createToolRunner({
    tools: assembleTools(tools, { toolsets: ['base'] }, 'en'),
    toolContext: context,
    journal: { delta: () => {}, append: body => void events.push(body as never), record: async body => void events.push(body as never) },
    clock,
    signal: new AbortController().signal,
    random: () => 0.5,
    ...more,
  });
  return { runner, ends: () => events.filter(event => event.type === 'tool_call_end').map(event => event.data) };
}

let ids = 0;
export const call = (name: string, args: string | object = {}): WireToolCall => ({
  id: `call_${ids++}`,
  type: 'function',
  function: { name, arguments: typeof args === 'string' ? args : JSON.stringify(args) },
});
