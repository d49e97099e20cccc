/**
 * Projects the events of a run to AG-UI events. Whatever the log holds, the projection is valid: each part that opens is closed, each call is closed,
 * and the run begins and ends once.
 */
import { AppError } from '../../errors';
import type { Usage } from '../../port/llm';
import type { RunEvent, RunEventData, RunEventType } from '../../port/run_event';
import type { ReplayReset } from '../../service/run_log/event_sink';
import { type AguiEvent, type Interrupt, PROTOCOL_VERSION, type RunOutcome, type TokenUsage } from './agui_event';
import { AguiMessages } from './agui_messages';

export interface AguiRunFacts {
  threadId: string;
  /** The run as the client names it. */
  clientRunId: string;
  runId: string;
  sessionId: string;
  /** The version that the client speaks; undefined before 1.0, whose clients know no outcomes and no subagents. */
  protocolVersion?: string | undefined;
  /** Names of the tools of the client. */
  clientTools: ReadonlySet<string>;
  /** The state of the client; undefined when no field can be added to it. */
  state: Readonly<Record<string, unknown>> | undefined;
  takesInterrupts: boolean;
}

type RunEnd = RunEventData<'run_end'>;

/** The field of the state that holds the plan. */
const PLAN_FIELD = 'agentPlan';

const NO_RESULT = 'The run ended before this call had a result.';

export class AguiProjection {
  private readonly messages: AguiMessages;
  /** The calls of the agent's own tools that were sent; true once the result was sent. */
  private readonly calls = new Map<string, boolean>();
  private readonly subagents = new Map<string, 'active' | 'ended'>();
  private hasPlan = false;
  private ended = false;
  private failed = false;

  constructor(private readonly facts: AguiRunFacts) {
    this.messages = new AguiMessages(facts.runId);
  }

  /** True once the run has ended. */
  get hasEnded(): boolean {
    return this.ended;
  }

  /** The first event, sent when the run is stored. */
  begin(): AguiEvent[] {
    const { threadId, clientRunId, runId, sessionId } = this.facts;
    return [
      {
        type: 'RUN_STARTED',
        threadId,
        runId: clientRunId,
        protocolVersion: this.isVersion1 ? PROTOCOL_VERSION : undefined,
        metadata: { neta: { sessionId, runId } },
      },
    ];
  }

  /** Throws `interrupted` when events that were sent are gone: nothing that was said can be taken back. */
  project(event: RunEvent | ReplayReset): AguiEvent[] {
    if (this.ended || this.failed) return [];
    if (event.type === 'replay_reset') {
      if (this.messages.hasText || this.calls.size > 0) throw new AppError('interrupted');
      return event.data.snapshot.events.flatMap(earlier => this.project(earlier));
    }
    this.read(event);
    return this.messages.take();
  }

  /** Takes the end of the run from its record, when the log has expired. */
  end(ending: RunEnd): AguiEvent[] {
    if (!this.ended && !this.failed) this.finish(ending);
    return this.messages.take();
  }

  /** The stream ends before its run. */
  fail(message: string, code: string): AguiEvent[] {
    if (this.ended || this.failed) return [];
    this.failed = true;
    return [{ type: 'RUN_ERROR', message, code }];
  }

  private get isVersion1(): boolean {
    return this.facts.protocolVersion !== undefined;
  }

  private read(event: RunEvent): void {
    const { messages } = this;
    switch (event.type) {
      case 'run_start':
        break;
      case 'text_delta':
        messages.addText(event.data.text);
        break;
      case 'reasoning_delta':
        messages.addReasoning(event.data.text);
        break;
      case 'message_end':
        this.readMessageEnd(event.data);
        break;
      case 'tool_call_start':
        this.addCall(event.data.toolCallId, event.data.name, JSON.stringify(event.data.args ?? {}));
        break;
      case 'tool_call_end':
        this.readCallEnd(event.data);
        break;
      case 'delegate_start':
        this.startSubagent(event.data);
        break;
      case 'delegate_end':
        this.endSubagent(event.data);
        break;
      case 'todo_update':
        this.readPlan(event.data);
        break;
      case 'run_end':
        this.finish(event.data);
        break;
      default:
        this.addCustom(event);
    }
  }

  private readMessageEnd({ role, content, toolCalls = [] }: RunEventData<'message_end'>): void {
    if (role === 'user') {
      this.messages.addUserMessage(content);
      return;
    }
    this.messages.endAnswer();
    for (const { toolCallId, name, arguments: args } of toolCalls) this.addCall(toolCallId, name, args);
  }

  /** Keeps a call of the client's own tool until the end of the run, when it is certain that the client runs it. */
  private addCall(toolCallId: string, name: string, args: string): void {
    if (this.calls.has(toolCallId) || this.facts.clientTools.has(name)) return;
    this.calls.set(toolCallId, false);
    this.messages.addCall({ toolCallId, name, args });
  }

  private readCallEnd({ toolCallId, name, result }: RunEventData<'tool_call_end'>): void {
    this.addCall(toolCallId, name, '{}');
    if (this.calls.get(toolCallId) !== false) return;
    this.calls.set(toolCallId, true);
    this.messages.addResult(toolCallId, result);
  }

  private startSubagent(data: RunEventData<'delegate_start'>): void {
    const { childRunId: subagentRunId, member: name, task: description, toolCallId: parentToolCallId } = data;
    if (!this.isVersion1) this.addCustom({ type: 'delegate_start', data });
    if (!this.isVersion1 || this.subagents.has(subagentRunId)) return;
    this.subagents.set(subagentRunId, 'active');
    this.messages.add({ type: 'SUBAGENT_STARTED', subagentRunId, name, description, parentToolCallId });
  }

  private endSubagent(data: RunEventData<'delegate_end'>): void {
    const { childRunId: subagentRunId, status, summary, error } = data;
    if (!this.isVersion1) this.addCustom({ type: 'delegate_end', data });
    if (this.subagents.get(subagentRunId) !== 'active') return;
    this.subagents.set(subagentRunId, 'ended');
    const isDone = status === 'completed' || status === 'incomplete';
    if (isDone) this.messages.add({ type: 'SUBAGENT_FINISHED', subagentRunId, result: summary });
    else this.messages.add({ type: 'SUBAGENT_ERROR', subagentRunId, message: error?.message ?? summary, code: error?.code ?? status });
  }

  /** The first plan sends the whole state, because the client may have none; the client's own fields stay. */
  private readPlan(plan: RunEventData<'todo_update'>): void {
    const { state } = this.facts;
    if (!state) this.addCustom({ type: 'todo_update', data: plan });
    else if (this.hasPlan) this.messages.add({ type: 'STATE_DELTA', delta: [{ op: 'add', path: `/${PLAN_FIELD}`, value: plan }] });
    else this.messages.add({ type: 'STATE_SNAPSHOT', snapshot: { ...state, [PLAN_FIELD]: plan } });
    this.hasPlan = true;
  }

  private addCustom({ type, data }: { type: RunEventType; data: unknown }): void {
    this.messages.add({ type: 'CUSTOM', name: type, value: data });
  }

  private finish(ending: RunEnd): void {
    const { messages } = this;
    const { status, text, error, callerCalls = [] } = ending;
    this.ended = true;
    this.closeWork(status);
    if (status === 'failed') {
      messages.add({ type: 'RUN_ERROR', message: error?.message ?? 'The run failed.', code: error?.code ?? 'internal' });
      return;
    }
    const interrupt = this.interruptOf(ending);
    const isSaid = messages.hasText || interrupt !== undefined || callerCalls.length > 0 || status === 'cancelled';
    if (!isSaid) messages.addText(text);
    messages.closeMessages();
    for (const { toolCallId, name, arguments: args } of callerCalls) messages.addCall({ toolCallId, name, args });
    messages.closeStep();
    if (status === 'cancelled' && !this.isVersion1)
      messages.add({ type: 'RUN_ERROR', message: 'The run was cancelled.', code: 'run_cancelled' });
    else messages.add(this.finished(ending, interrupt));
  }

  /** Ends everything that the run left open: messages, calls without a result, subagents. */
  private closeWork(status: string): void {
    const { messages } = this;
    messages.closeMessages();
    for (const [toolCallId, hasResult] of this.calls) if (!hasResult) messages.addResult(toolCallId, NO_RESULT);
    for (const [subagentRunId, state] of this.subagents)
      if (state === 'active') messages.add({ type: 'SUBAGENT_ERROR', subagentRunId, message: 'The run ended.', code: status });
  }

  private finished(ending: RunEnd, interrupt: Interrupt | undefined): AguiEvent {
    const { threadId, clientRunId: runId } = this.facts;
    const { status, reason, text, usage } = ending;
    const end = { type: 'RUN_FINISHED' as const, threadId, runId, result: { status, reason, text } };
    return this.isVersion1 ? { ...end, outcome: toOutcome(ending, interrupt), usage: [toTokenUsage(usage)] } : end;
  }

  private interruptOf({ status, clarification, callerCalls }: RunEnd): Interrupt | undefined {
    if (!clarification || callerCalls || status !== 'completed' || !this.facts.takesInterrupts) return undefined;
    const { requestId, question, choices, expiresAt } = clarification;
    const responseSchema = { type: 'string', examples: choices };
    return { id: requestId, reason: 'clarification', message: question, responseSchema, expiresAt };
  }
}

function toOutcome({ status, callerCalls = [] }: RunEnd, interrupt: Interrupt | undefined): RunOutcome {
  if (status === 'cancelled') return { type: 'cancelled' };
  if (interrupt) return { type: 'interrupt', interrupts: [interrupt] };
  const pendingToolCallIds = callerCalls.map(({ toolCallId }) => toolCallId);
  return { type: 'success', pendingToolCallIds: pendingToolCallIds.length > 0 ? pendingToolCallIds : undefined };
}

const toTokenUsage = ({ inputTokens, outputTokens, reasoningTokens, cachedTokens }: Usage): TokenUsage => ({
  inputTokens,
  outputTokens,
  totalTokens: inputTokens + outputTokens,
  reasoningTokens,
  cachedInputTokens: cachedTokens,
});
