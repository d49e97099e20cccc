/** Finds the private and untrusted content that the model has read in a session. Reads the store, so a crash loses nothing. */
import type { Clock } from '../../port/clock';
import type { ChatMessage, ForeignText, UserMessage } from '../../port/llm';
import type { TaintSource } from '../../port/run_event';
import type { RunRecord } from '../../port/store/runs';
import type { Store } from '../../port/store/store';
import type { ToolExecutionRecord } from '../../port/store/tool_executions';
import { fitsHost, namesHost, type Taint } from '../../runtime/approval/taint';
import { getAllToolNames, getSchema } from '../../tools/catalog';
import type { ToolSpec } from '../../tools/common';
import type { ToolRegistry } from '../../tools/registry';
import { clipText } from '../../utils/clip_text';
import type { Slot } from '../../utils/slot';
import type { RunOfSession } from '../access/owned_things';
import type { AssembledAgent } from '../agent/agent_directory';
import { retryWhileStoreUnavailable } from '../retry_while_store_unavailable';
import { isSpillFile } from './result_files';

const MAX_SOURCE_UNITS = 200;
const PAGE_SIZE = 20;

type CalledTool = Pick<ToolSpec, 'name' | 'effect' | 'reads'>;

/** A tool of a server that is not connected any more. With the effect `read` only its successful calls count. */
const TOOL_THAT_IS_GONE = { effect: 'read', reads: 'untrusted' } as const;

/** The sessions whose calls count. */
interface Reader {
  tenantId: string;
  sessionIds: readonly string[];
  giveUp: () => void;
}

/** Reads texts of memories for checks. Rejects `store_unavailable`. */
export interface MemoryTexts {
  /** Resolves with the texts in the memory block of the session. */
  textsInPrompt(tenantId: string, sessionId: string): Promise<string[]>;
  /** Resolves undefined when there is no such memory, or the run does not see it. */
  textOf(run: RunOfSession, memoryId: string): Promise<string | undefined>;
}

export class TaintService {
  /** `allowedHosts`: the host:port entries that the operator allows to all web tools. */
  constructor(
    private readonly ports: { store: Store; clock: Clock; tools: ToolRegistry; memory: Slot<MemoryTexts> },
    private readonly allowedHosts: readonly string[],
  ) {}

  /**
   * Reads the newest source of each kind, and which hosts the person, the agent's profile or the operator has named. `history`: the whole
   * conversation. Retries while the store is unavailable, until `giveUp` throws; rejects with that error.
   */
  async taintFor(run: RunRecord, agent: AssembledAgent, history: readonly ChatMessage[], giveUp: () => void): Promise<Taint> {
    const reader = { tenantId: run.tenantId, sessionIds: await this.sessionsOf(run, agent, giveUp), giveUp };
    const specs = await this.calledTools(reader);
    const found = await Promise.all(specs.flatMap(spec => kindsOf(spec).map(kind => this.newestRead(reader, spec, kind))));
    const conversation = await this.conversationOf(run, history, giveUp);
    const sources = [...found.filter(source => source !== undefined), ...foreignSources(conversation)];
    const texts = personTexts(conversation, agent);
    const { hosts = [] } = agent.profile;
    return {
      sources,
      memories: await this.memoriesOf(reader, sources),
      personTexts: texts,
      isNamed: url =>
        hosts.some(entry => fitsHost(entry, url)) ||
        this.allowedHosts.some(entry => isSameOrigin(entry, url)) ||
        texts.some(text => namesHost(text, url.hostname)),
    };
  }

  /** Returns the texts of the person in the conversation; for a crew member, in that of its master. Retries like taintFor. */
  async personTextsFor(run: RunRecord, agent: AssembledAgent, history: readonly ChatMessage[], giveUp: () => void): Promise<string[]> {
    return personTexts(await this.conversationOf(run, history, giveUp), agent);
  }

  /** Reads the text of a memory; undefined when it does not exist. Retries like taintFor. */
  async memoryText(run: RunRecord, id: string, giveUp: () => void): Promise<string | undefined> {
    const { memory, clock } = this.ports;
    return retryWhileStoreUnavailable(clock, () => memory.current.textOf(run, id), giveUp);
  }

  /** Reads the memory blocks only when they change the decision: untrusted text was read and no private source. */
  private async memoriesOf({ tenantId, sessionIds, giveUp }: Reader, sources: readonly TaintSource[]): Promise<string[]> {
    if (!sources.some(({ kind }) => kind === 'untrusted') || sources.some(({ kind }) => kind === 'private')) return [];
    const { memory, clock } = this.ports;
    const texts: string[] = [];
    for (const sessionId of sessionIds)
      texts.push(...(await retryWhileStoreUnavailable(clock, () => memory.current.textsInPrompt(tenantId, sessionId), giveUp)));
    return texts;
  }

  /** Finds the tools that have results in these sessions, because MCP servers can bring hundreds of tools and few of these tools are called. */
  private async calledTools({ tenantId, sessionIds, giveUp }: Reader): Promise<CalledTool[]> {
    const { store, clock, tools } = this.ports;
    const names = new Set<string>();
    for (const sessionId of sessionIds) {
      const found = await retryWhileStoreUnavailable(clock, () => store.read.toolExecutions.toolsOfSession(tenantId, sessionId), giveUp);
      for (const name of found) names.add(name);
    }
    // Built-in tools come in the order of the catalog, so that the list of sources does not change with the order of the calls.
    const known = getAllToolNames().filter(name => names.delete(name));
    return [...known, ...names].map(name => tools.get(name) ?? getSchema(name) ?? { name, ...TOOL_THAT_IS_GONE });
  }

  /**
   * The sessions of a crew: tasks and reports carry content from one session to another, so private content that one session has read counts for all.
   */
  private async sessionsOf(
    { tenantId, sessionId, parent }: RunRecord,
    { crewRole }: AssembledAgent,
    giveUp: () => void,
  ): Promise<string[]> {
    if (crewRole === undefined) return [sessionId];
    const { store, clock } = this.ports;
    const lead = parent?.sessionId ?? sessionId;
    return [lead, ...(await retryWhileStoreUnavailable(clock, () => store.read.sessions.childIds(tenantId, lead), giveUp))];
  }

  /** Returns the conversation with the person; for a crew member, the messages to its master: a model writes the task of a crew member. */
  private async conversationOf({ tenantId, parent }: RunRecord, history: readonly ChatMessage[], giveUp: () => void) {
    if (!parent) return history;
    const { store, clock } = this.ports;
    const rows = await retryWhileStoreUnavailable(clock, () => store.read.messages.history(tenantId, parent.sessionId), giveUp);
    return rows.flatMap(({ message }) => (message.role === 'user' ? [message] : []));
  }

  private async newestRead(reader: Reader, { name: tool, effect }: CalledTool, kind: TaintSource['kind']) {
    // The call that produced a spilled result counts already; reading its file adds nothing.
    const isNew = (call: ToolExecutionRecord) => !isSpillFile(firstText(call.args), call.sessionId ?? '');
    const read = await this.newestCall(reader, { tool, status: 'success' }, isNew);
    // A failed command has still shown its output; a failed read has shown nothing.
    if (read || effect === 'read') return read && toSource(read, kind);
    const failed = await this.newestCall(reader, { tool, status: 'error' }, ({ details }) => details?.['approval'] === undefined);
    return failed && toSource(failed, kind);
  }

  private async newestCall(
    { sessionIds, ...reader }: Reader,
    filter: { tool: string; status: 'success' | 'error' },
    accept: (call: ToolExecutionRecord) => boolean,
  ): Promise<ToolExecutionRecord | undefined> {
    for (const sessionId of sessionIds) {
      const found = await this.newestCallOf(reader, { ...filter, sessionId }, accept);
      if (found) return found;
    }
    return undefined;
  }

  private async newestCallOf(
    { tenantId, giveUp }: Omit<Reader, 'sessionIds'>,
    filter: { tool: string; status: 'success' | 'error'; sessionId: string },
    accept: (call: ToolExecutionRecord) => boolean,
  ): Promise<ToolExecutionRecord | undefined> {
    const { store, clock } = this.ports;
    let cursor: string | undefined;
    do {
      const request = { limit: PAGE_SIZE, cursor };
      const page = await retryWhileStoreUnavailable(clock, () => store.read.toolExecutions.list(tenantId, filter, request), giveUp);
      const found = page.data.find(accept);
      if (found) return found;
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    return undefined;
  }
}

const kindsOf = ({ reads }: CalledTool): readonly TaintSource['kind'][] =>
  reads === 'both' ? ['private', 'untrusted'] : reads === undefined ? [] : [reads];

function toSource({ id, toolCallId = id, tool, args }: ToolExecutionRecord, kind: TaintSource['kind']): TaintSource {
  return { toolCallId, tool, kind, source: clipText(firstText(args), MAX_SOURCE_UNITS) };
}

/** Returns the path, URL or command: the first text among the arguments. */
function firstText(args: string): string {
  try {
    const values = Object.values(JSON.parse(args) as Record<string, unknown>).flat();
    return values.find(value => typeof value === 'string') ?? args;
  } catch {
    // The stored arguments were truncated.
    return args;
  }
}

/** Returns the texts that the person wrote: messages, and answers to clarifications. */
function personTexts(history: readonly ChatMessage[], { tools }: AssembledAgent): string[] {
  const questions = new Set<string>();
  return history.flatMap(message => {
    if (message.role === 'assistant') {
      for (const call of message.tool_calls ?? []) if (tools.byName.get(call.function.name)?.asksPerson) questions.add(call.id);
    }
    if (message.role === 'tool') return questions.has(message.tool_call_id) ? [message.content] : [];
    // A summary that came back as a compaction item holds words of tools and pages too.
    if (message.role !== 'user' || message.isByGateway || typeof message.content !== 'string') return [];
    return [message.foreign?.ownText ?? message.content];
  });
}

/** Returns the newest message that came from outside, as a source. */
function foreignSources(conversation: readonly ChatMessage[]): TaintSource[] {
  const message = conversation.findLast((message): message is UserMessage => message.role === 'user' && message.foreign !== undefined);
  return message?.foreign ? [foreignSource(message.foreign)] : [];
}

/** Describes a message from outside as the call of a tool, which people see beside an approval. */
export const foreignSource = ({ source }: ForeignText): TaintSource => ({
  toolCallId: 'message',
  tool: 'message',
  kind: 'untrusted',
  source: clipText(source, MAX_SOURCE_UNITS),
});

function isSameOrigin(entry: string, url: URL): boolean {
  const { hostname } = new URL(`http://${entry}`);
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return hostname === url.hostname && entry.endsWith(`:${port}`);
}
