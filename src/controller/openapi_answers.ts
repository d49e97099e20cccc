/** What the REST door answers, as schemas for its document. Answers grow by addition: a reader ignores fields that it does not know. */
import { type TSchema, Type } from '@sinclair/typebox';
import { ERRORS } from '../errors';
import {
  APPROVAL_DECISIONS,
  ApprovalAnswer,
  ApprovalData,
  ClarificationData,
  DOORS,
  INCOMPLETE_REASONS,
  RUN_EVENT_DATA,
  RUN_STATUSES,
  RunError,
  UsageData,
} from '../port/run_event';

const oneOf = (values: readonly string[], description?: string) =>
  Type.Union(
    values.map(value => Type.Literal(value)),
    description === undefined ? {} : { description },
  );
const Anything = Type.Record(Type.String(), Type.Unknown());
const Time = Type.String({ format: 'date-time' });
const Locale = oneOf(['en', 'zh-CN']);
const RunStatus = oneOf(RUN_STATUSES, 'the last four are the end of a run');

const Session = Type.Object({
  id: Type.String(),
  title: Type.String({ description: 'empty until the first message' }),
  agent: Type.String(),
  locale: Locale,
  thinkingLevel: oneOf(['off', 'minimal', 'low', 'medium', 'high']),
  metadata: Type.Optional(Anything),
  createdAt: Time,
  updatedAt: Time,
});

const RunResult = Type.Object({
  runId: Type.String(),
  sessionId: Type.String(),
  status: RunStatus,
  reason: Type.Optional(oneOf(INCOMPLETE_REASONS, 'why the run is incomplete')),
  text: Type.String({ description: 'the answer' }),
  clarification: Type.Optional(
    Type.Object(ClarificationData.properties, { description: 'the question that the run ended with; the next message answers it' }),
  ),
  toolCalls: Type.Array(
    Type.Object({
      toolCallId: Type.String(),
      name: Type.String(),
      args: Type.Unknown(),
      ok: Type.Boolean(),
      result: Type.String(),
      durationMs: Type.Number(),
    }),
    { description: 'the newest 1,000, at most 4 MiB; the log of tool executions has all' },
  ),
  usage: Type.Object(UsageData.properties, { description: 'tokens' }),
  error: Type.Optional(Type.Object(RunError.properties, { description: 'why a run failed, or that its time was over' })),
});

const Run = Type.Object({
  ...Type.Omit(RunResult, ['toolCalls']).properties,
  door: oneOf(DOORS),
  agent: Type.String(),
  locale: Locale,
  input: Type.String(),
  metadata: Type.Optional(Anything),
  lastSeq: Type.Integer({ description: 'highest seq that is stored' }),
  createdAt: Time,
  startedAt: Type.Optional(Time),
  endedAt: Type.Optional(Time),
});

const Model = Type.Object({
  provider: Type.String(),
  model: Type.String(),
  demo: Type.Boolean({ description: 'true: a script, no AI' }),
});
const CommandLimits = Type.Object(
  {
    processes: Type.Integer(),
    memoryBytes: Type.Integer(),
    cpuSeconds: Type.Integer(),
    fileBytes: Type.Integer(),
    outputBytes: Type.Integer(),
    timeMs: Type.Integer(),
    watched: Type.Boolean({ description: 'false: processes and memory of a whole command cannot be watched on this system' }),
  },
  { description: 'What every command of the agent is held to' },
);
const Isolation = oneOf(['bubblewrap', 'namespaces', 'process_group'], 'how commands are kept apart from the machine');
const Sandbox = Type.Object({
  kind: oneOf(['bubblewrap', 'namespaces', 'none'], 'the sandbox that commands run in'),
  network: Type.Boolean({ description: 'whether commands reach the network' }),
});

/** Name in the document -> schema. */
export const ANSWERS = {
  Error: Type.Object({
    error: Type.Object({
      code: oneOf(Object.keys(ERRORS)),
      message: Type.String({ description: 'for people; its words may change' }),
      type: Type.String({ description: 'family of the code' }),
      param: Type.Optional(Type.String({ description: 'JSON pointer of the field that is wrong' })),
      retryable: Type.Boolean({ description: 'whether the same request may succeed later' }),
      retryAfterMs: Type.Optional(Type.Integer({ description: 'milliseconds' })),
      requestId: Type.String({ description: 'the same as the header x-request-id' }),
      details: Type.Optional(Anything),
    }),
  }),
  RunAccepted: Type.Object({ runId: Type.String(), sessionId: Type.String(), status: RunStatus }),
  SteerAccepted: Type.Object({ runId: Type.String(), sessionId: Type.String() }),
  ToolCallStopped: Type.Object({ runId: Type.String(), toolCallId: Type.String(), status: RunStatus }),
  RunResult,
  Run,
  RunWithResult: Type.Object({ ...Run.properties, toolCalls: RunResult.properties.toolCalls }),
  RunEvent: Type.Object({
    v: Type.Literal(1),
    type: oneOf(Object.keys(RUN_EVENT_DATA), 'more may come; ignore what you do not know'),
    sessionId: Type.String(),
    runId: Type.String(),
    seq: Type.Integer({ minimum: 1, description: 'number in its run: from 1, without a gap' }),
    ts: Time,
    data: Anything,
  }),
  Question: Type.Object({
    requestId: Type.String(),
    sessionId: Type.String(),
    runId: Type.String(),
    question: Type.String(),
    choices: Type.Optional(Type.Array(Type.String(), { maxItems: 4 })),
    status: oneOf(['pending', 'answered', 'expired', 'cancelled']),
    answer: Type.Optional(Type.String()),
    createdAt: Time,
    expiresAt: Time,
  }),
  Answered: Type.Object({
    requestId: Type.String(),
    status: Type.Literal('answered'),
    runId: Type.Optional(Type.String({ description: 'the run that the answer started, when the question had ended its own' })),
    sessionId: Type.Optional(Type.String()),
  }),
  Approval: Type.Object({
    ...ApprovalData.properties,
    sessionId: Type.String(),
    runId: Type.String(),
    status: oneOf(['pending', 'answered', 'expired', 'cancelled']),
    answer: Type.Optional(Type.Object(ApprovalAnswer.properties, { description: 'what was decided' })),
    createdAt: Time,
    expiresAt: Time,
  }),
  Decided: Type.Object({
    requestId: Type.String(),
    status: Type.Literal('answered'),
    decision: oneOf(APPROVAL_DECISIONS),
  }),
  Session,
  Message: Type.Object({
    id: Type.String(),
    runId: Type.String(),
    role: oneOf(['user', 'assistant', 'tool']),
    content: Type.String(),
    toolCallId: Type.Optional(Type.String({ description: 'of a tool result: the call it belongs to' })),
    toolCalls: Type.Optional(
      Type.Array(
        Type.Object({
          toolCallId: Type.String(),
          name: Type.String(),
          arguments: Type.String({ description: 'JSON text as the model wrote it' }),
        }),
      ),
    ),
    createdAt: Time,
  }),
  Agent: Type.Object({
    name: Type.String({ description: 'what a run names in `agent`' }),
    label: Type.String(),
    description: Type.String(),
    model: Type.String(),
    tools: Type.Array(Type.String(), { description: 'names of the tools that its runs have' }),
    members: Type.Array(Type.String(), { description: 'names of the agents that it can delegate to' }),
  }),
  Undone: Type.Object({ undone: Type.Literal(true), path: Type.String({ description: 'relative to the workspace' }) }),
  Tool: Type.Object({
    name: Type.String(),
    toolset: Type.String(),
    label: Type.String(),
    description: Type.String(),
    effect: oneOf(['read', 'idempotent', 'write', 'external']),
    parameters: Type.Record(Type.String(), Type.Unknown(), { description: 'JSON Schema' }),
    enabled: Type.Boolean({ description: 'whether this gateway can run it' }),
    reason: Type.Optional(Type.String({ description: 'why it cannot' })),
    problems: Type.Optional(Type.Array(Type.String(), { description: 'what is wrong with its definition' })),
  }),
  Toolset: Type.Object({
    name: Type.String(),
    tools: Type.Array(Type.String()),
    default: Type.Boolean(),
    enabled: Type.Boolean({ description: 'whether this gateway can run it' }),
  }),
  ToolCallResult: Type.Object({
    status: oneOf(['success', 'error']),
    result: Type.Unknown({ description: 'content: the text for a model; beside it the same as data, by tool. null after an error' }),
    error: Type.Union([Type.String(), Type.Null()]),
    errorCode: Type.Optional(oneOf(['tool_timeout'], 'after an error that programs may want to tell apart')),
    message: Type.String(),
    durationMs: Type.Integer({ description: 'milliseconds' }),
    timestamp: Time,
  }),
  ToolExecution: Type.Object({
    id: Type.String(),
    sessionId: Type.Optional(Type.String()),
    runId: Type.Optional(Type.String()),
    toolCallId: Type.Optional(Type.String()),
    tool: Type.String(),
    args: Type.String({ description: 'JSON text, clipped' }),
    status: oneOf(['running', 'success', 'error', 'cancelled', 'unknown']),
    result: Type.Optional(Type.String({ description: 'clipped' })),
    error: Type.Optional(Type.String({ description: 'clipped' })),
    durationMs: Type.Optional(Type.Number({ description: 'milliseconds' })),
    cached: Type.Optional(Type.Boolean()),
    duplicate: Type.Optional(Type.Boolean()),
    details: Type.Optional(Anything),
    createdAt: Time,
    endedAt: Type.Optional(Time),
  }),
  Info: Type.Object({
    name: Type.String(),
    version: Type.String(),
    locale: Locale,
    model: Model,
    isolation: Isolation,
    sandbox: Sandbox,
    commandLimits: CommandLimits,
  }),
  Alive: Type.Object({ status: Type.Literal('ok') }),
  Ready: Type.Object({
    status: Type.Literal('ready'),
    store: Type.Literal('ok'),
    model: Model,
    isolation: Isolation,
    sandbox: Sandbox,
    eventLoop: Type.Object({ delayP99Ms: Type.Number(), delayMaxMs: Type.Number(), busyMaxMs: Type.Number() }),
    commandLimits: CommandLimits,
  }),
} as const satisfies Record<string, TSchema>;

export type AnswerName = keyof typeof ANSWERS;
