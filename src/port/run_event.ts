/**
 * The events of a run in the form in which they are numbered, stored and sent on every door (contract version 1). Clients ignore types that they
 * do not know.
 */
import { type Static, Type } from '@sinclair/typebox';
import { says } from '../utils/bilingual';
import { closedObject, Optional, oneOf } from '../utils/schema_types';
import { ADDRESS_FIELDS, GivenApprovals, REVIEW_FIELDS } from './approval_review';
import { CallerCall } from './caller';
import { FileReferenceData, ImageReferenceData } from './image_input';
import { AnswerUsageData, ContextCompactedData, ModelFallbackData, UsageData } from './model_events';
import { ClarificationEnd, DecidedBy } from './question_ends';
import { CancelledBy, WrittenBy } from './run_authors';

/** `job`: a run that a job started. `hook`: a run that a service started at an inbound webhook. `child`: a run that an agent delegated to a crew member. */
export const DOORS = ['socketio', 'rest', 'openai', 'responses', 'anthropic', 'agui', 'mcp', 'a2a', 'job', 'hook', 'child'] as const;
export type Door = (typeof DOORS)[number];

export const RUN_STATUSES = ['queued', 'running', 'waiting', 'completed', 'incomplete', 'failed', 'cancelled'] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];
export const TERMINAL_STATUSES = ['completed', 'incomplete', 'failed', 'cancelled'] as const;
export type TerminalStatus = (typeof TERMINAL_STATUSES)[number];

/** Why a run ended `incomplete`. */
export const INCOMPLETE_REASONS = ['max_iterations', 'output_limit', 'content_filter', 'budget', 'timeout', 'model_cut'] as const;
export type IncompleteReason = (typeof INCOMPLETE_REASONS)[number];
/** The reasons for which a model server cut an answer. */
export const CUT_REASONS = ['output_limit', 'content_filter', 'model_cut'] as const satisfies readonly IncompleteReason[];
export type CutReason = (typeof CUT_REASONS)[number];

/** Returns true when a run in this status has ended. */
export function isTerminal(status: RunStatus): status is TerminalStatus {
  return (TERMINAL_STATUSES as readonly RunStatus[]).includes(status);
}

export const TodoItem = closedObject({
  id: Type.String({ minLength: 1, maxLength: 64, description: 'Short unique id, kept for the life of the item' }),
  content: Type.String({ minLength: 1, maxLength: 500, description: 'What is to be done' }),
  status: oneOf(['pending', 'in_progress', 'completed', 'cancelled'], {
    description: 'State; at most one item is in_progress',
  }),
});
export type TodoItem = Static<typeof TodoItem>;

export const TodoSummary = closedObject({
  total: Type.Integer(),
  pending: Type.Integer(),
  in_progress: Type.Integer(),
  completed: Type.Integer(),
  cancelled: Type.Integer(),
});
export type TodoSummary = Static<typeof TodoSummary>;

/** A question to a person. `expiresAt` is ISO-8601 UTC. */
export const ClarificationData = closedObject({
  requestId: Type.String(),
  question: Type.String(),
  choices: Optional.Array(Type.String(), { maxItems: 4 }),
  to: Optional.String(
    says(
      'whom the question asks beside the people of the chat: the handle of a person, role:<role> or group:<group>',
      '除对话中的人外，问题还询问谁：人员的标识、role:<角色> 或 group:<组>',
    ),
  ),
  escalate: Optional.Object(
    { afterMs: Type.Integer(), to: Type.String() },
    says('to whom the question is passed on, and after how many milliseconds', '转交给谁，以及多少毫秒之后'),
  ),
  expiresAt: Type.String(),
});
export type ClarificationData = Static<typeof ClarificationData>;

export const APPROVAL_DECISIONS = ['allow_once', 'allow_session', 'deny'] as const;
const ApprovalDecision = oneOf(
  APPROVAL_DECISIONS,
  says(
    'allow_once: this call; allow_session: the calls that sessionScope names; deny: the call does not run',
    'allow_once：只这一次；allow_session：范围见 sessionScope；deny：不执行',
  ),
);

/** A person's decision about a tool call that needs approval. */
export const ApprovalAnswer = closedObject({
  decision: ApprovalDecision,
  reason: Optional.String({ maxLength: 2_000, ...says('with deny: the model reads it', '用于 deny：会告诉模型') }),
  args: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      maxProperties: 1_000,
      ...says('with allow_once: the arguments to run instead of the requested ones', '用于 allow_once：用这些参数代替原来的参数执行'),
    }),
  ),
});
export type ApprovalAnswer = Static<typeof ApprovalAnswer>;

export const SessionScope = oneOf(
  ['exact', 'rule', 'none'],
  says(
    'what allow_session covers: the same call again, everything that the same rule asks about for this tool, or nothing more than allow_once',
    'allow_session 的范围：完全相同的调用、同一条规则对该工具询问的一切，或与 allow_once 相同',
  ),
);
export type SessionScope = Static<typeof SessionScope>;

export const ApprovalRisk = oneOf(
  ['destructive', 'outside', 'change', 'read'],
  says(
    'the strongest change that the call can make. destructive: deletes or overwrites what cannot be brought back; outside: reaches computers outside; change: changes the workspace or the session; read: changes nothing',
    '此调用可能造成的最大影响。destructive：删除或覆盖无法恢复的内容；outside：访问外部的计算机；change：修改工作区或会话；read：不作修改',
  ),
);
export type ApprovalRisk = Static<typeof ApprovalRisk>;

/** An earlier call whose result a request could send outside, or a memory of the prompt: tool `memory`, without an id. */
export const TaintSource = closedObject({
  toolCallId: Type.String(),
  tool: Type.String(),
  kind: oneOf(
    ['private', 'untrusted'],
    says(
      'private: it read content of the workspace, or it is a memory; untrusted: it read text that any outsider may have written',
      'private：读取了工作区的内容，或者是一条记忆；untrusted：读取了任何人都可能写的文本',
    ),
  ),
  source: Type.String(
    says('what it read: a path, an address, a command or a memory; may be truncated', '所读的路径、网址、命令或记忆，可能截断'),
  ),
});
export type TaintSource = Static<typeof TaintSource>;

/** A tool call that waits for approval. `expiresAt` is ISO-8601 UTC. */
export const ApprovalData = closedObject({
  requestId: Type.String(),
  toolCallId: Type.String(),
  tool: Type.String(),
  label: Type.String(),
  args: Type.Unknown(says('exactly the arguments that would run, not truncated', '将要执行的完整参数，未截断')),
  reason: Type.String(says('why the call needs approval', '为什么要询问')),
  sessionScope: SessionScope,
  risk: Type.Optional(ApprovalRisk),
  taint: Optional.Array(
    TaintSource,
    says('present when the call could send outside what these calls read', '此调用可能把这些调用读取的内容发送到外部时出现'),
  ),
  diff: Optional.String(
    says(
      'unified diff, truncated when it is long, of the change that the call would make to a file as it was when the call was asked about',
      '此调用会对文件作出的改动，统一格式的 diff，以询问时的文件为准，过长会截断',
    ),
  ),
  ...REVIEW_FIELDS,
  ...ADDRESS_FIELDS,
  expiresAt: Type.String(),
  childRunId: Optional.String(
    says('present in the log of the parent run: the child run that asks', '仅在父运行的日志中出现：提出请求的子运行'),
  ),
  childSessionId: Optional.String(),
});
export type ApprovalData = Static<typeof ApprovalData>;

/** A question with which a crew member ended its run; its master decides. */
export const Escalation = closedObject({ question: Type.String(), choices: Optional.Array(Type.String(), { maxItems: 4 }) });
export type Escalation = Static<typeof Escalation>;

export const RunError = closedObject({ code: Type.String(), message: Type.String(), retryable: Type.Boolean() });
export type RunError = Static<typeof RunError>;

const toolCall = { toolCallId: Type.String(), name: Type.String(), label: Type.String() };
const manifestCommand = says('the command of a manifest', '清单中的命令');

/** Schema of `data` for each event type. */
export const RUN_EVENT_DATA = {
  run_start: closedObject({
    door: oneOf(DOORS),
    agent: Type.String(),
    model: Type.String(),
    demo: Optional.Literal(true, says('present when the model is the demo, a script and not an AI', '模型是演示脚本而非 AI 时出现')),
    tools: Type.Array(Type.String()),
    input: Type.String(says('the message that started the run', '启动运行的消息')),
    by: WrittenBy,
    images: Optional.Array(ImageReferenceData, says('the images of the message', '消息中的图片')),
    files: Optional.Array(FileReferenceData, says('the PDF files of the message', '消息中的 PDF 文件')),
  }),
  text_delta: closedObject({ text: Type.String() }),
  reasoning_delta: closedObject({ text: Type.String() }),
  message_end: closedObject({
    role: oneOf(['assistant', 'user']),
    content: Type.String(),
    by: WrittenBy,
    images: Optional.Array(
      ImageReferenceData,
      says('images of a message that a person sent into the run', '用户发送到运行中的消息所带的图片'),
    ),
    files: Optional.Array(
      FileReferenceData,
      says('PDF files of a message that a person sent into the run', '用户发送到运行中的消息所带的 PDF 文件'),
    ),
    toolCalls: Optional.Array(closedObject({ toolCallId: Type.String(), name: Type.String(), arguments: Type.String() })),
    truncated: Optional.Literal(true, says('present when a limit of the model cut the text', '文本被模型的上限截断时出现')),
    reason: Optional.OneOf(
      CUT_REASONS,
      says('which limit cut the text; present together with truncated', '被哪个上限截断；与 truncated 同时出现'),
    ),
  }),
  tool_call_start: closedObject({ ...toolCall, args: Type.Unknown(), command: Optional.String(manifestCommand) }),
  tool_call_delta: closedObject({ toolCallId: Type.String(), name: Type.String(), output: Type.String() }),
  tool_call_end: closedObject({
    ...toolCall,
    ok: Type.Boolean(),
    result: Type.String(says('truncated for display', '为显示而截断')),
    durationMs: Type.Number(),
    status: Optional.OneOf(['cancelled', 'unknown']),
    cached: Optional.Boolean(),
    duplicate: Optional.Boolean(),
    images: Optional.Array(ImageReferenceData, says('the images of the result', '结果中的图片')),
    details: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  }),
  delegate_start: closedObject({
    childRunId: Type.String(),
    childSessionId: Type.String(says('subscribe to this session to follow the child run', '订阅此会话即可跟随子运行')),
    member: Type.String(),
    task: Type.String(says('truncated for display', '为显示而截断')),
    toolCallId: Type.String(says('the tool call that delegates', '委派任务的工具调用')),
  }),
  delegate_end: closedObject({
    childRunId: Type.String(),
    member: Type.String(),
    toolCallId: Type.String(),
    status: oneOf(TERMINAL_STATUSES),
    reason: Optional.OneOf(INCOMPLETE_REASONS, says('why the run is incomplete', '运行未完成的原因')),
    summary: Type.String(says('the report, or the question of the member, truncated for display', '报告或成员的提问，为显示而截断')),
    usage: UsageData,
    durationMs: Type.Number(),
    escalation: Type.Optional(Escalation),
    error: Type.Optional(RunError),
  }),
  todo_update: closedObject({ todos: Type.Array(TodoItem), summary: TodoSummary }),
  clarify_request: ClarificationData,
  clarify_end: ClarificationEnd,
  approval_request: ApprovalData,
  approval_update: closedObject({
    requestId: Type.String(),
    needed: Type.Integer(),
    approvals: GivenApprovals,
    escalatedTo: ADDRESS_FIELDS.escalatedTo,
  }),
  approval_end: closedObject({
    requestId: Type.String(),
    ...ApprovalAnswer.properties,
    status: oneOf(['answered', 'expired', 'cancelled']),
    decidedBy: DecidedBy,
    approvals: Type.Optional(GivenApprovals),
  }),
  model_fallback: ModelFallbackData,
  usage: AnswerUsageData,
  context_compacted: ContextCompactedData,
  workspace_conflict: closedObject({
    path: Type.String(
      says(
        'the file that two sessions wrote at two gateways; the later text has the path',
        '两个会话在两个网关上写入的文件；较晚的文本占用该路径',
      ),
    ),
    keptAs: Type.String(says('the file beside it with the earlier text', '旁边保存较早文本的文件')),
    sessionId: Optional.String(says('the other session', '另一个会话')),
  }),
  workspace_file_lost: closedObject({
    path: Type.String(says('a file of the workspace whose stored text is missing', '存储的文本缺失的工作区文件')),
  }),
  run_end: closedObject({
    status: oneOf(TERMINAL_STATUSES),
    by: CancelledBy,
    reason: Optional.OneOf(INCOMPLETE_REASONS, says('why the run is incomplete', '运行未完成的原因')),
    text: Type.String(),
    usage: UsageData,
    error: Type.Optional(RunError),
    clarification: Type.Optional(ClarificationData),
    escalation: Type.Optional(Escalation),
    callerCalls: Optional.Array(
      CallerCall,
      says('calls of the tools that the caller brought; the caller runs them', '对调用方自带工具的调用，由调用方执行'),
    ),
  }),
} as const;

export type RunEventType = keyof typeof RUN_EVENT_DATA;
export type RunEventData<T extends RunEventType> = Static<(typeof RUN_EVENT_DATA)[T]>;

/** An event as the loop emits it, without number and time. */
export type RunEventBody = { [T in RunEventType]: { type: T; data: RunEventData<T> } }[RunEventType];

/** Pieces of a text or output whose whole follows in a later event. Adjacent deltas may be merged; they are stored together with the whole at the latest. */
export type DeltaBody = Extract<RunEventBody, { type: 'text_delta' | 'reasoning_delta' | 'tool_call_delta' }>;

/** Returns true for a piece of a text whose whole follows in a later event. */
export function isDelta(body: RunEventBody): body is DeltaBody {
  return body.type === 'text_delta' || body.type === 'reasoning_delta' || body.type === 'tool_call_delta';
}

/** A numbered event, exactly as it is sent. `seq` starts at 1 in each run and has no gap. */
export type RunEvent = { v: 1; sessionId: string; runId: string; seq: number; ts: string } & RunEventBody;
