/** Finds out what the model has read in a session. All of it is read from the store, so that it is the same after a crash. */
import type { Clock } from '../port/clock';
import type { ChatMessage } from '../port/llm';
import type { TaintSource } from '../port/run_event';
import type { Store } from '../port/store';
import type { RunRecord, ToolExecutionRecord } from '../port/store_records';
import { fitsHost, namesHost, type Taint } from '../runtime/approval/taint';
import { getAllToolNames, getSchema } from '../tools/catalog';
import type { ToolSpec } from '../tools/common';
import { clipText } from '../utils/clip_text';
import type { AssembledAgent } from './agent_directory';
import { whenStoreAllows } from './store_patience';

const MAX_SOURCE_UNITS = 200;
const MAX_FAILED_CALLS = 50;

export class TaintService {
  /** `allowedHosts`: host:port, as the operator allows them to all web tools. */
  constructor(
    private readonly ports: { store: Store; clock: Clock },
    private readonly allowedHosts: readonly string[],
  ) {}

  /** `history`: the conversation as the model knows it. Rejects with what `giveUp` throws while the store cannot be read. */
  async taintFor(run: RunRecord, agent: AssembledAgent, history: readonly ChatMessage[], giveUp: () => void): Promise<Taint> {
    const specs = getAllToolNames().flatMap(name => getSchema(name) ?? []);
    const found = await Promise.all(specs.map(spec => spec.reads && this.newestRead(run, { ...spec, reads: spec.reads }, giveUp)));
    const words = personWords(history, agent);
    const { hosts = [] } = agent.profile;
    return {
      sources: found.filter(source => source !== undefined),
      isNamed: url =>
        hosts.some(entry => fitsHost(entry, url)) ||
        this.allowedHosts.some(entry => isSamePlace(entry, url)) ||
        words.some(text => namesHost(text, url.hostname)),
    };
  }

  private async newestRead(
    { tenantId, sessionId }: RunRecord,
    { name: tool, effect, reads: kind }: ToolSpec & { reads: TaintSource['kind'] },
    giveUp: () => void,
  ): Promise<TaintSource | undefined> {
    const { store, clock } = this.ports;
    const list = (status: 'success' | 'error', limit: number) =>
      whenStoreAllows(clock, () => store.read.listToolExecutions(tenantId, { sessionId, tool, status }, { limit }), giveUp);
    const [read] = (await list('success', 1)).data;
    if (read) return toSource(read, kind);
    // A command that failed has shown its output all the same; a tool that only reads shows nothing then.
    if (effect === 'read') return undefined;
    const failed = (await list('error', MAX_FAILED_CALLS)).data.find(({ details }) => details?.['approval'] === undefined);
    return failed && toSource(failed, kind);
  }
}

function toSource({ id, toolCallId = id, tool, args }: ToolExecutionRecord, kind: TaintSource['kind']): TaintSource {
  return { toolCallId, tool, kind, source: clipText(firstText(args), MAX_SOURCE_UNITS) };
}

/** The path, address or command: the first text among the arguments. */
function firstText(args: string): string {
  try {
    const values = Object.values(JSON.parse(args) as Record<string, unknown>).flat();
    return values.find(value => typeof value === 'string') ?? args;
  } catch {
    // The stored text was cut.
    return args;
  }
}

/** What the person wrote: messages, and answers to questions of the agent. */
function personWords(history: readonly ChatMessage[], { tools }: AssembledAgent): string[] {
  const questions = new Set<string>();
  return history.flatMap(message => {
    if (message.role === 'assistant') {
      for (const call of message.tool_calls ?? []) if (tools.byName.get(call.function.name)?.asksPerson) questions.add(call.id);
    }
    if (message.role === 'tool') return questions.has(message.tool_call_id) ? [message.content] : [];
    return message.role === 'user' && typeof message.content === 'string' ? [message.content] : [];
  });
}

function isSamePlace(entry: string, url: URL): boolean {
  const { hostname } = new URL(`http://${entry}`);
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return hostname === url.hostname && entry.endsWith(`:${port}`);
}
