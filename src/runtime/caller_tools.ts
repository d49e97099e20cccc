/** The tools that a caller brings with its run: offered to the model behind the tools of the agent, and never run by the gateway. */
import type { CallerCall, CallerTool } from '../port/caller';
import { callerCallId } from '../port/caller';
import type { AssistantMessage, WireTool, WireToolCall } from '../port/llm';
import { type AgentTool, errorResult, inLocale, type ToolLocale } from '../tools/common';
import type { Question } from '../tools/question';
import { type AssembledTools, findTool, wireToolOf } from './tool_assembler';
import { repairName } from './tool_runner/argument_repair';

/** Makes a tool from the caller's description. The effect of this tool is never used: a call of the tool reaches the tool runner only to be refused. */
function toAgentTool({ name, description, parameters }: CallerTool): AgentTool {
  return {
    name,
    toolset: 'caller',
    label: name,
    description,
    effect: 'external',
    parameters,
    isCallers: true,
    execute: async (_args, ctx) =>
      errorResult(inLocale(ctx, `${name} is a tool of the caller and does not run here.`, `${name} 是调用方的工具，不在这里运行。`)),
  };
}

/** Returns the tools of the agent with the caller's tools behind them. `onlyCallerTools`: the caller's tools alone. */
export function withCallerTools(
  own: AssembledTools,
  { tools, onlyCallerTools }: { tools: readonly CallerTool[]; onlyCallerTools?: true },
  locale: ToolLocale,
): AssembledTools {
  const asks = (name: string) => own.byName.get(name)?.asksPerson === true;
  const added = tools.filter(({ name }) => onlyCallerTools || !asks(name)).map(toAgentTool);
  return new ToolsWithCallers(onlyCallerTools ? { ...NO_TOOLS, existing: own.existing } : own, added, locale);
}

const NO_TOOLS: AssembledTools = { names: [], byName: new Map(), wireTools: [] };

/** Follows the list of the agent's tools, which can grow during the run. */
class ToolsWithCallers implements AssembledTools {
  private readonly callers: ReadonlyMap<string, AgentTool>;
  private known: { of: readonly WireTool[]; byName: ReadonlyMap<string, AgentTool>; wireTools: readonly WireTool[] } | undefined;

  constructor(
    private readonly own: AssembledTools,
    callers: readonly AgentTool[],
    private readonly locale: ToolLocale,
  ) {
    this.callers = new Map(callers.map(tool => [tool.name, tool]));
  }

  get names(): readonly string[] {
    return [...this.merged.byName.keys()];
  }

  get byName(): ReadonlyMap<string, AgentTool> {
    return this.merged.byName;
  }

  get wireTools(): readonly WireTool[] {
    return this.merged.wireTools;
  }

  get existing(): readonly string[] | undefined {
    return this.own.existing;
  }

  addLeftOut(name: string): boolean {
    return !this.callers.has(name) && this.own.addLeftOut?.(name) === true;
  }

  addWanted(names: readonly string[]): void {
    this.own.addWanted?.(names);
  }

  findLeftOut(name: string): AgentTool | undefined {
    return this.own.findLeftOut?.(name);
  }

  private get merged() {
    const { own, callers, locale } = this;
    if (this.known?.of === own.wireTools) return this.known;
    const kept = [...own.byName].filter(([name]) => !callers.has(name));
    const byName = new Map([...kept, ...callers]);
    // The list object stays the same as long as the tools do, because the size and the bytes of a list are cached by the object.
    this.known = { of: own.wireTools, byName, wireTools: [...byName.values()].map(tool => wireToolOf(tool, locale)) };
    return this.known;
  }
}

/** Names the calls of the caller's tools after the run and the tool; other calls stay as they are. */
export function nameCallerCalls(message: AssistantMessage, tools: AssembledTools, runId: string): AssistantMessage {
  if (!message.tool_calls?.some(call => toolOfCaller(call, tools))) return message;
  const rename = (call: WireToolCall, index: number): WireToolCall => {
    const tool = toolOfCaller(call, tools);
    return tool ? { ...call, id: callerCallId(runId, index), function: { ...call.function, name: tool.name } } : call;
  };
  return { ...message, tool_calls: message.tool_calls.map(rename) };
}

/**
 * Splits the calls of one answer into calls that the gateway runs and calls that go back to the caller. A call of a tool that the model was not
 * offered (`toolsAside`) gets its error here.
 */
export function splitCalls(
  calls: readonly WireToolCall[],
  tools: AssembledTools,
  toolsAside: readonly string[] = [],
): { own: WireToolCall[]; callers: WireToolCall[] } {
  const own: WireToolCall[] = [];
  const callers: WireToolCall[] = [];
  for (const call of calls) {
    const tool = toolOfCaller(call, tools);
    (tool && !toolsAside.includes(tool.name) ? callers : own).push(call);
  }
  return { own, callers };
}

function toolOfCaller({ function: { name } }: WireToolCall, tools: AssembledTools): AgentTool | undefined {
  const known = findTool(tools, name) ?? tools.byName.get(repairName(name, tools) ?? name);
  return known?.isCallers ? known : undefined;
}

export const toCallerCalls = (calls: readonly WireToolCall[]): CallerCall[] =>
  calls.map(({ id, function: { name, arguments: text } }) => ({ toolCallId: id, name, arguments: text }));

/** Writes a question of the agent as the arguments of a tool of the caller, as far as its schema has a place for them. */
export function toQuestionArguments({ question, choices }: Question, { parameters }: CallerTool): string {
  const declared = parameters['properties'];
  // The schema of a caller's tool was not checked further at the door.
  const properties = (typeof declared === 'object' && declared !== null ? declared : {}) as Record<string, { type?: unknown }>;
  const names = Object.keys(properties);
  const firstOf = (type: string, known: string) => (known in properties ? known : names.find(name => properties[name]?.type === type));
  const listName = firstOf('array', 'choices');
  return JSON.stringify({ [firstOf('string', 'question') ?? 'question']: question, ...(choices && listName && { [listName]: choices }) });
}
