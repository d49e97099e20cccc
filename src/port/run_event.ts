/**
 * The events of a run, as they are numbered, stored and sent on every door (contract version 1). Clients ignore types they do not know.
 */
import { type Static, Type } from '@sinclair/typebox';

export const DOORS = ['socketio', 'rest', 'openai'] as const;
export type Door = (typeof DOORS)[number];

export const RUN_STATUSES = ['queued', 'running', 'waiting', 'completed', 'incomplete', 'failed', 'cancelled'] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];
export const TERMINAL_STATUSES = ['completed', 'incomplete', 'failed', 'cancelled'] as const;
export type TerminalStatus = (typeof TERMINAL_STATUSES)[number];

/** Why a run ended `incomplete`. */
export const INCOMPLETE_REASONS = ['max_iterations', 'output_limit', 'content_filter', 'budget', 'timeout'] as const;
export type IncompleteReason = (typeof INCOMPLETE_REASONS)[number];
/** How a limit of the model cut one answer. */
export const CUT_REASONS = ['output_limit', 'content_filter'] as const satisfies readonly IncompleteReason[];
export type CutReason = (typeof CUT_REASONS)[number];

/** Whether a run in this status is over for good. */
export function isTerminal(status: RunStatus): status is TerminalStatus {
  return (TERMINAL_STATUSES as readonly RunStatus[]).includes(status);
}

const closed = { additionalProperties: false };

export const UsageData = Type.Object(
  {
    inputTokens: Type.Integer({ minimum: 0 }),
    outputTokens: Type.Integer({ minimum: 0 }),
    reasoningTokens: Type.Optional(Type.Integer({ minimum: 0 })),
    cachedTokens: Type.Optional(Type.Integer({ minimum: 0 })),
  },
  closed,
);

export const TodoItem = Type.Object(
  {
    id: Type.String({ minLength: 1, maxLength: 64, description: 'Short unique id, kept for the life of the item' }),
    content: Type.String({ minLength: 1, maxLength: 500, description: 'What is to be done' }),
    status: Type.Union([Type.Literal('pending'), Type.Literal('in_progress'), Type.Literal('completed'), Type.Literal('cancelled')], {
      description: 'State; at most one item is in_progress',
    }),
  },
  closed,
);
export type TodoItem = Static<typeof TodoItem>;

export const TodoSummary = Type.Object(
  {
    total: Type.Integer(),
    pending: Type.Integer(),
    in_progress: Type.Integer(),
    completed: Type.Integer(),
    cancelled: Type.Integer(),
  },
  closed,
);
export type TodoSummary = Static<typeof TodoSummary>;

/** A question put to a person. `expiresAt` is ISO-8601 UTC. */
export const ClarificationData = Type.Object(
  {
    requestId: Type.String(),
    question: Type.String(),
    choices: Type.Optional(Type.Array(Type.String(), { maxItems: 4 })),
    expiresAt: Type.String(),
  },
  closed,
);
export type ClarificationData = Static<typeof ClarificationData>;

export const APPROVAL_DECISIONS = ['allow_once', 'allow_session', 'deny'] as const;
const ApprovalDecision = Type.Union(
  APPROVAL_DECISIONS.map(decision => Type.Literal(decision)),
  { description: 'allow_once: this call; allow_session: as far as sessionScope says; deny: it does not run' },
);

/** What a person says to a tool call that needs a yes. */
export const ApprovalAnswer = Type.Object(
  {
    decision: ApprovalDecision,
    reason: Type.Optional(Type.String({ maxLength: 2_000, description: 'with deny: told to the model' })),
    args: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        maxProperties: 1_000,
        description: 'with allow_once: the arguments to run instead of those that were asked for',
      }),
    ),
  },
  closed,
);
export type ApprovalAnswer = Static<typeof ApprovalAnswer>;

export const SessionScope = Type.Union([Type.Literal('exact'), Type.Literal('rule'), Type.Literal('none')], {
  description:
    'what allow_session covers: the same call again, everything that the same rule asks about for this tool, or nothing more than allow_once',
});
export type SessionScope = Static<typeof SessionScope>;

/** An earlier call whose result a request could carry out. */
export const TaintSource = Type.Object(
  {
    toolCallId: Type.String(),
    tool: Type.String(),
    kind: Type.Union([Type.Literal('private'), Type.Literal('untrusted')], {
      description: 'private: it read content of the workspace; untrusted: it read text that anybody may have written',
    }),
    source: Type.String({ description: 'what it read: a path, an address or a command, clipped' }),
  },
  closed,
);
export type TaintSource = Static<typeof TaintSource>;

/** A tool call that waits for a yes. `expiresAt` is ISO-8601 UTC. */
export const ApprovalData = Type.Object(
  {
    requestId: Type.String(),
    toolCallId: Type.String(),
    tool: Type.String(),
    label: Type.String(),
    args: Type.Unknown({ description: 'exactly what would run, not clipped' }),
    reason: Type.String({ description: 'why it is asked for' }),
    sessionScope: SessionScope,
    taint: Type.Optional(Type.Array(TaintSource, { description: 'present when the call could carry out what these calls read' })),
    expiresAt: Type.String(),
  },
  closed,
);
export type ApprovalData = Static<typeof ApprovalData>;

export const RunError = Type.Object({ code: Type.String(), message: Type.String(), retryable: Type.Boolean() }, closed);
export type RunError = Static<typeof RunError>;

const status = (values: readonly string[], description?: string) =>
  Type.Union(
    values.map(value => Type.Literal(value)),
    description === undefined ? {} : { description },
  );

/** type -> schema of its `data`. */
export const RUN_EVENT_DATA = {
  run_start: Type.Object(
    {
      door: Type.Unsafe<Door>(status(DOORS)),
      agent: Type.String(),
      model: Type.String(),
      demo: Type.Optional(Type.Literal(true, { description: 'present when the model is the demo, a script and no AI' })),
      tools: Type.Array(Type.String()),
      input: Type.String({ description: 'the message that started the run' }),
    },
    closed,
  ),
  text_delta: Type.Object({ text: Type.String() }, closed),
  reasoning_delta: Type.Object({ text: Type.String() }, closed),
  message_end: Type.Object(
    {
      role: Type.Unsafe<'assistant' | 'user'>(status(['assistant', 'user'])),
      content: Type.String(),
      toolCalls: Type.Optional(
        Type.Array(Type.Object({ toolCallId: Type.String(), name: Type.String(), arguments: Type.String() }, closed)),
      ),
      truncated: Type.Optional(Type.Literal(true, { description: 'present when a limit of the model cut the text' })),
      reason: Type.Optional(Type.Unsafe<CutReason>(status(CUT_REASONS, 'which limit cut the text; present when truncated is'))),
    },
    closed,
  ),
  tool_call_start: Type.Object({ toolCallId: Type.String(), name: Type.String(), label: Type.String(), args: Type.Unknown() }, closed),
  tool_call_delta: Type.Object({ toolCallId: Type.String(), name: Type.String(), output: Type.String() }, closed),
  tool_call_end: Type.Object(
    {
      toolCallId: Type.String(),
      name: Type.String(),
      label: Type.String(),
      ok: Type.Boolean(),
      result: Type.String({ description: 'clipped for display' }),
      durationMs: Type.Number(),
      status: Type.Optional(Type.Unsafe<'cancelled' | 'unknown'>(status(['cancelled', 'unknown']))),
      cached: Type.Optional(Type.Boolean()),
      duplicate: Type.Optional(Type.Boolean()),
      details: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    },
    closed,
  ),
  todo_update: Type.Object({ todos: Type.Array(TodoItem), summary: TodoSummary }, closed),
  clarify_request: ClarificationData,
  clarify_end: Type.Object(
    {
      requestId: Type.String(),
      status: Type.Unsafe<'answered' | 'expired' | 'cancelled'>(status(['answered', 'expired', 'cancelled'])),
      answer: Type.Optional(Type.String()),
    },
    closed,
  ),
  approval_request: ApprovalData,
  approval_end: Type.Object(
    {
      requestId: Type.String(),
      ...ApprovalAnswer.properties,
      status: Type.Unsafe<'answered' | 'expired' | 'cancelled'>(status(['answered', 'expired', 'cancelled'])),
    },
    closed,
  ),
  usage: UsageData,
  run_end: Type.Object(
    {
      status: Type.Unsafe<TerminalStatus>(status(TERMINAL_STATUSES)),
      reason: Type.Optional(Type.Unsafe<IncompleteReason>(status(INCOMPLETE_REASONS, 'why the run is incomplete'))),
      text: Type.String(),
      usage: UsageData,
      error: Type.Optional(RunError),
      clarification: Type.Optional(ClarificationData),
    },
    closed,
  ),
} as const;

export type RunEventType = keyof typeof RUN_EVENT_DATA;
export type RunEventData<T extends RunEventType> = Static<(typeof RUN_EVENT_DATA)[T]>;

/** What happened, without number and time: what the loop emits. */
export type RunEventBody = { [T in RunEventType]: { type: T; data: RunEventData<T> } }[RunEventType];

/** Live pieces of something whose whole follows; adjacent ones may be merged, and they are stored together with that whole. */
export type DeltaBody = Extract<RunEventBody, { type: 'text_delta' | 'reasoning_delta' | 'tool_call_delta' }>;

export function isDelta(body: RunEventBody): body is DeltaBody {
  return body.type === 'text_delta' || body.type === 'reasoning_delta' || body.type === 'tool_call_delta';
}

/** A numbered event, exactly as it goes over a wire. `seq` starts at 1 in each run and has no gap. */
export type RunEvent = { v: 1; sessionId: string; runId: string; seq: number; ts: string } & RunEventBody;
