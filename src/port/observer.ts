/**
 * Tells listeners, such as metrics and traces, what the gateway does: work that begins and ends, and single facts. It is called at the boundaries
 * of runs, model calls and tools, never per token. Nothing here is stored, and a listener that throws harms no run.
 */

import type { AssistantMessage, ChatMessage, FinishReason, Usage } from './llm';
import type { ObservedRun } from './observed_run';
import type { Door, IncompleteReason, TerminalStatus } from './run_event';
import type { QuestionKind } from './store/questions';
import type { TraceContext } from './trace_context';

/**
 * How a call ended. invalid_args: no such tool, or arguments that it does not take. denied: a rule or a person refused it, or no person could be
 * asked. blocked: the budget or the loop detector stopped it. cached and duplicate: an earlier result was reused; duplicate means in this session.
 */
export const TOOL_OUTCOMES = ['ok', 'error', 'timeout', 'denied', 'cancelled', 'cached', 'duplicate', 'invalid_args', 'blocked'] as const;
export type ToolOutcome = (typeof TOOL_OUTCOMES)[number];

/** The facts that are known when work begins, by kind. */
export interface WorkBegun {
  /** `acceptedAt`, `startedAt`: milliseconds since 1970. `isResumed`: an earlier process began the run. */
  run: { run: ObservedRun; acceptedAt: number; startedAt: number; isResumed: boolean };
  /** The choice of the tools that a run offers. */
  tool_choice: { run: ObservedRun };
  /**
   * One request to one model, its retries included. `model` is the id in the gateway, or the requested name when only the server knows it;
   * `serverModel` is the name that the server gets.
   */
  model_call: {
    run?: ObservedRun;
    model: string;
    serverModel: string;
    provider: string;
    tools: number;
    isSummary: boolean;
    messages?: readonly ChatMessage[];
  };
  /**
   * The execution of a call, without the wait for an approval. `toolset` is absent when there is no such tool. `run` is absent in a direct call.
   * `origin`: builtin, code, mcp or manifest, and caller for a tool that the caller of the run brought. `isRepaired`: the arguments were no JSON.
   */
  tool_call: {
    run?: ObservedRun;
    /** The trace that the caller of a direct call named. */
    trace?: TraceContext;
    tenantId: string;
    toolCallId: string;
    tool: string;
    toolset?: string;
    origin: string;
    isCacheable: boolean;
    isRepaired: boolean;
    args?: unknown;
  };
  /** A question to a person. */
  wait: { run: ObservedRun; questionId: string; kind: QuestionKind; toolCallId?: string; tool?: string };
  /** `reason`: what would not fit. */
  compaction: { run?: ObservedRun; reason: 'tokens' | 'messages' };
  /** One request to the embedding model, its retries included; no run waits for it. `texts`: how many it gets. */
  embedding: { model: string; provider: string; texts: number };
  /** A request to an MCP server. `toolCallId`: the call of the run for which it is made. */
  mcp_request: { server: string; method: string; tool?: string; runId?: string; toolCallId?: string; trace?: TraceContext };
}

/** The facts that are known when work ends, by kind. An `error` is a code of the error table or a short word, never a text. */
export interface WorkEnded {
  /** abandoned: another process continues the run. discarded: the run was not stored. */
  run: { status: TerminalStatus | 'abandoned' | 'discarded'; reason?: IncompleteReason; error?: string; usage?: Usage };
  tool_choice: { tools: number };
  model_call: { error?: string; usage?: Usage; finishReason?: FinishReason; message?: AssistantMessage };
  /** `retries`: tries after the first. `isFromCache`: another call had this result before. `details`: the facts of the result that pages show. */
  tool_call: {
    outcome: ToolOutcome;
    resultBytes: number;
    isTruncated: boolean;
    retries: number;
    isFromCache: boolean;
    details?: Readonly<Record<string, unknown>>;
    /** The text that the model gets. */
    content?: string;
  };
  /** released: the process stops waiting because another one continues the run. */
  wait: {
    outcome: 'answered' | 'expired' | 'cancelled' | 'released';
    decision?: 'allow_once' | 'allow_session' | 'deny';
    isEdited?: boolean;
  };
  compaction: { outcome: 'summarised' | 'failed'; beforeTokens?: number; afterTokens?: number };
  embedding: { error?: string; inputTokens?: number };
  mcp_request: { error?: string };
}

export type WorkKind = keyof WorkBegun;

/** Points in time within work. first_chunk: the first part of the model's answer. retry: the next try after an error. */
export type WorkMark = { type: 'first_chunk' } | { type: 'retry'; error: string };

/** `id` is unique in this process. `startedAt` is in milliseconds since 1970. */
export type Work = { [K in WorkKind]: { kind: K; id: number; startedAt: number; begun: WorkBegun[K] } }[WorkKind];
export type EndedWork = { [K in WorkKind]: { kind: K; id: number; startedAt: number; begun: WorkBegun[K]; ended: WorkEnded[K] } }[WorkKind];

/** A thing that happens at one moment. */
export type Fact =
  | { type: 'model_fallback'; run?: ObservedRun; from: string; to: string; error?: string }
  /** A run ended with a question as its text, because it does not wait for answers. */
  | { type: 'question_as_text'; run: ObservedRun }
  /** An answer came after the question was closed. */
  | { type: 'late_answer'; kind: QuestionKind; door: Door }
  /** A crew member ended its run with a question to its master. */
  | { type: 'escalation'; run: ObservedRun }
  | { type: 'run_cancel_requested'; runId: string }
  /** Calls that a model wrote as text. */
  | { type: 'raw_calls'; run?: ObservedRun; recovered: number; rejected: number }
  /** The used part of a daily budget: `ratio` 1 is all of it. `id` names the key or tenant and the limit. */
  | { type: 'budget_used'; id: string; scope: 'key' | 'tenant'; ratio: number }
  /** A person rated an answer, or changed the rating. */
  | { type: 'feedback_given'; rating: 'up' | 'down'; agent: string; model: string }
  | { type: 'idempotent_request'; result: 'new' | 'replayed' }
  | { type: 'events_stored'; count: number }
  | { type: 'transaction'; durationMs: number; ok: boolean }
  | { type: 'webhook_delivery'; event: string; result: 'ok' | 'retry' | 'failed'; durationMs: number }
  | { type: 'push_delivery'; kind: string; result: 'ok' | 'retry' | 'failed' | 'gone' }
  | { type: 'config_reload'; file: string; ok: boolean }
  | { type: 'mcp_connected'; server: string }
  /** `route`: the pattern of the route; absent when no route serves the path. */
  | { type: 'http_request'; method: string; route?: string; status: number; durationMs: number }
  /** A door refused a request with an error; `scope` and `limit` name the limit that was reached. */
  | { type: 'request_refused'; door: 'socketio' | 'http'; code: string; scope?: string; limit?: string }
  | { type: 'socket_admitted'; ok: boolean }
  | { type: 'socket_closed'; reason: string }
  | { type: 'socket_message'; message: string }
  | { type: 'socket_resumed'; result: 'replayed' | 'resync' | 'expired' };

/** Work that has begun and not ended. */
export interface OpenWork<K extends WorkKind> {
  readonly id: number;
  /** The trace that a request of this work to another service names, with a span of its own. Undefined: none. */
  readonly trace: TraceContext | undefined;
  mark(mark: WorkMark): void;
  /** Ends the work. Only the first call counts. */
  end(ended: WorkEnded[K]): void;
}

/** Gets the reports of an observer. Called synchronously, in order; must be quick and must not wait. */
export interface ObserverListener {
  workBegun?(work: Work): void;
  /** `sinceMs`: milliseconds since the work began. */
  workMarked?(work: Work, mark: WorkMark, sinceMs: number): void;
  /** `span`: the trace and span of the work, when it has one. */
  workEnded?(work: EndedWork, durationMs: number, span?: TraceContext): void;
  factNoted?(fact: Fact): void;
  /** Returns the trace that requests of this work name. Undefined: requests name the trace of the caller, if there is one. */
  traceOf?(work: Work): TraceContext | undefined;
}

/**
 * @example
 * import type { Observer } from './observer';
 *
 * // An observer without listeners.
 * export const blindObserver: Observer = {
 *   begin: () => ({ id: 0, trace: undefined, mark() {}, end() {} }),
 *   note() {},
 *   listen: () => () => {},
 * };
 */
export interface Observer {
  begin<K extends WorkKind>(kind: K, begun: WorkBegun[K]): OpenWork<K>;
  note(fact: Fact): void;
  /** Adds a listener; the returned function removes it. */
  listen(listener: ObserverListener): () => void;
}

/** An observer together with the run that it observes. A direct call has no run. */
export interface RunObservation {
  observer: Observer;
  run?: ObservedRun;
}
