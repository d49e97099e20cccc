/**
 * Keeps the texts of the person in the conversation and of the tools in this turn, to trace where a text comes from that the model wants to keep for
 * later sessions: instructions from a page or file must not get into memory.
 */
import type { ChatMessage } from '../../port/llm';
import type { TaintSource } from '../../port/run_event';
import type { AgentTool, ToolSpec } from '../../tools/common';
import { clipStart } from '../../utils/clip_text';
import { TextOverlap, toCheckedContent } from './text_overlap';

const MAX_SOURCE_UNITS = 200;
/** Newest results that the question about a removal names. */
const MAX_SOURCES = 5;

interface Result {
  source: TaintSource;
  content: string;
}

type EndedCall = { id: string; tool: Pick<AgentTool, 'name' | 'reads' | 'memory' | 'asksPerson'>; args: unknown };

export class TurnTexts {
  private readonly results: Result[] = [];

  /** `personTexts`: texts of the person in the conversation so far. `ownTexts`: texts of the person in this turn. */
  constructor(
    private readonly personTexts: string[],
    private readonly ownTexts: string[] = [],
  ) {}

  /** Reads the results of a run that continues after an interruption. `messages`: the messages of the run. */
  addMessages(messages: readonly ChatMessage[], tools: ReadonlyMap<string, AgentTool>): void {
    const calls = new Map(
      messages.flatMap(message => (message.role === 'assistant' ? (message.tool_calls ?? []) : [])).map(call => [call.id, call.function]),
    );
    for (const message of messages) {
      if (message.role !== 'tool') continue;
      const call = calls.get(message.tool_call_id);
      const tool = call && tools.get(call.name);
      if (tool) this.addResult({ id: message.tool_call_id, tool, args: parsed(call.arguments) }, message.content);
    }
  }

  /** Adds the result of a tool. Results of tools that keep or return memories do not count; the answer of a person counts as a text of the person. */
  addResult({ id, tool, args }: EndedCall, content: string): void {
    if (tool.asksPerson) this.addPersonText(content);
    else if (tool.memory === undefined) {
      const source = {
        toolCallId: id,
        tool: tool.name,
        kind: tool.reads === 'private' ? ('private' as const) : ('untrusted' as const),
        source: firstText(args),
      };
      this.addSource(source, content);
    }
  }

  /** Adds a text that strangers wrote, and where it comes from. */
  addSource(source: TaintSource, content: string): void {
    this.results.push({ source, content });
  }

  /** Adds a message that the person sent into the running turn. */
  addPersonText(text: string): void {
    this.personTexts.push(text);
    this.ownTexts.push(text);
  }

  /** Returns the calls whose results hold the text that a call would keep, as TextOverlap decides; undefined when no approval is needed. */
  sourcesOf({ tool, args }: { tool: Pick<ToolSpec, 'memory'>; args: unknown }): readonly TaintSource[] | undefined {
    if (this.results.length === 0) return undefined;
    const { text } = (args ?? {}) as { text?: unknown };
    if (tool.memory !== 'keeps' || typeof text !== 'string') return undefined;
    const contents = this.results.map(({ content }) => toCheckedContent(content));
    const isHolder = new TextOverlap(this.personTexts).holdersOf(text, contents);
    const holders = this.results.filter((_, i) => isHolder[i]);
    return holders.length > 0 ? holders.map(({ source }) => source) : undefined;
  }

  /**
   * Returns the calls whose results may have asked to remove the memory `removed` or to replace it; undefined when no approval is needed. A page can
   * ask in other words than the memory has, so every result counts, unless the person mentioned the memory or said the correction in this turn.
   */
  sourcesOfRemoval(removed: string, args: unknown): readonly TaintSource[] | undefined {
    if (this.results.length === 0) return undefined;
    const { id, replaces = id, text } = (args ?? {}) as { id?: unknown; replaces?: unknown; text?: unknown };
    if (typeof replaces === 'string' && this.ownTexts.some(own => own.includes(replaces))) return undefined;
    const said = new TextOverlap(this.ownTexts);
    const isCorrection = typeof text === 'string' && said.isSaid(text) && new TextOverlap([text]).isMentioned(removed);
    if (isCorrection || said.isSaid(removed)) return undefined;
    return this.results.slice(-MAX_SOURCES).map(({ source }) => source);
  }
}

/** Returns the path, URL or command: the first text among the arguments. */
function firstText(args: unknown): string {
  const values = typeof args === 'object' && args !== null ? Object.values(args).flat() : [];
  return clipStart(values.find((value): value is string => typeof value === 'string') ?? '', MAX_SOURCE_UNITS);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
