/** Before a tool runs: whether it may, and with which arguments. */
import type { SessionScope, TaintSource } from '../../port/run_event';
import { errorResult, inLocale, type ToolLocale, type ToolResult } from '../../tools/common';
import { validateArguments } from '../../tools/validation';
import { clipText } from '../../utils/clip_text';
import type { ResolvedCall } from '../tool_runner/resolved_call';
import { type ApprovalPolicy, type ApprovalVerdict, callFingerprint } from './approval_policy';
import { reachesOutside, type Taint, taintOf } from './taint';

/** What a person is asked. */
export interface ApprovalAsk {
  toolCallId: string;
  tool: string;
  label: string;
  args: unknown;
  reason: string;
  fingerprint: string;
  sessionScope: SessionScope;
  grant: string;
  /** Earlier calls whose results this call could carry out. */
  taint?: readonly TaintSource[];
  /** Aborts when the run is cancelled. */
  signal: AbortSignal;
}

export interface Denied {
  status: 'denied';
  reason?: string;
}

/**
 * What came of it. `args`: the person allowed these instead. `denied` is a person's no, this time or earlier in the run; `unreachable`: there is
 * nobody to ask.
 */
export type ApprovalOutcome =
  | { status: 'allowed'; args?: Record<string, unknown> }
  | Denied
  | { status: 'expired' | 'cancelled' | 'unreachable' };

export interface ApprovalGate {
  policy: ApprovalPolicy;
  /** Absent: no person can be asked, so the call is refused. */
  ask?: (ask: ApprovalAsk) => Promise<ApprovalOutcome>;
  /** Reads what the model has seen so far; called before calls that reach outside. Absent: there is no conversation. */
  readTaint?: () => Promise<Taint>;
  /** A person's no to this very call, from before the run was interrupted: it holds also when the rules of today would let the call run. */
  earlierNo?: (toolCallId: string) => Denied | undefined;
}

/** How a call is looked at. */
export interface ApprovalContext {
  gate: ApprovalGate;
  label: string;
  locale: ToolLocale;
  signal: AbortSignal;
}

/**
 * Marks each call with the private content that it could carry out. Looks at all calls of one answer before any of them runs: the model wrote them before it
 * could read their results. Rejects as `gate.readTaint` does.
 */
export async function markTaint(calls: readonly ResolvedCall[], gate: ApprovalGate | undefined): Promise<readonly ResolvedCall[]> {
  if (!gate?.readTaint || !calls.some(({ tool, refusal }) => tool && !refusal && reachesOutside(tool))) return calls;
  const known = await gate.readTaint();
  return calls.map(call => {
    const taint = call.tool && !call.refusal ? taintOf({ tool: call.tool, args: call.args }, known) : undefined;
    return taint ? { ...call, taint } : call;
  });
}

/** Whether a person has to be asked before the call may run. */
export const needsPerson = (call: ResolvedCall, gate: ApprovalGate | undefined): boolean => judge(call, gate)?.decision === 'ask';

/** The call as it may run: unchanged, with the arguments a person gave it, or with a refusal. Rejects as `gate.ask` does. */
export async function approveCall(call: ResolvedCall, context: ApprovalContext): Promise<ResolvedCall> {
  const { gate, label, locale, signal } = context;
  const verdict = judge(call, gate);
  if (!verdict) return call;
  if (verdict.decision === 'allow') {
    const no = gate.earlierNo?.(call.id);
    return no ? refuse(call, refusalOf(no, '', locale)) : call;
  }
  if (verdict.decision === 'deny') return refuse(call, forbidden(verdict.reason[locale], locale));
  const { sessionScope, grant } = verdict;
  const reason = verdict.reason[locale];
  const { id: toolCallId, name: tool, args, taint } = call;
  const fingerprint = callFingerprint(tool, args);
  const outcome: ApprovalOutcome = gate.ask
    ? await gate.ask({ toolCallId, tool, label, args, reason, fingerprint, sessionScope, grant, ...(taint && { taint }), signal })
    : { status: 'unreachable' };
  if (outcome.status !== 'allowed') return refuse(call, refusalOf(outcome, reason, locale));
  return outcome.args ? withArguments(call, outcome.args, context) : call;
}

function judge(call: ResolvedCall, gate: ApprovalGate | undefined): ApprovalVerdict | undefined {
  return gate && call.tool && !call.refusal ? gate.policy.judge({ tool: call.tool, args: call.args, taint: call.taint }) : undefined;
}

const refuse = (call: ResolvedCall, refusal: ToolResult): ResolvedCall => ({ ...call, refusal });

/** A person's arguments pass the same checks as a model's; only the question is not asked again. */
function withArguments(call: ResolvedCall, args: Record<string, unknown>, { gate, locale }: ApprovalContext): ResolvedCall {
  if (!call.tool) return call;
  const valid = validateArguments(call.tool, args);
  if (!valid.ok) return refuse(call, errorResult(valid.message));
  const verdict = gate.policy.judge({ tool: call.tool, args: valid.value });
  if (verdict.decision === 'deny') return refuse(call, forbidden(verdict.reason[locale], locale));
  const shown = clipText(JSON.stringify(valid.value), 4_000);
  const note = inLocale(
    { locale },
    `[A person changed the arguments before allowing this call. What ran: ${shown}]`,
    `[用户在同意之前修改了参数。实际执行的是：${shown}]`,
  );
  return { ...call, args: valid.value, note };
}

const forbidden = (reason: string, locale: ToolLocale): ToolResult =>
  errorResult(
    inLocale(
      { locale },
      `Not run: ${reason} Nobody can allow it here; find another way, or say what you would need.`,
      `未执行：${reason} 此处无人可以放行；请换一种做法，或说明你需要什么。`,
    ),
  );

function refusalOf(outcome: Exclude<ApprovalOutcome, { status: 'allowed' }>, why: string, locale: ToolLocale): ToolResult {
  const say = (en: string, zhCN: string) => errorResult(inLocale({ locale }, en, zhCN), { approval: outcome.status });
  switch (outcome.status) {
    case 'denied': {
      const words = outcome.reason ? inLocale({ locale }, ` They said: ${outcome.reason}`, `用户说：${outcome.reason}`) : '';
      return say(
        `Not run: a person was asked and said no to this call.${words} Do not try the same thing in another form; go on without it, or ask what they want instead.`,
        `未执行：已征求用户意见，用户不同意此次调用。${words}不要换个形式再做同样的事；请绕开它继续，或询问用户希望怎么做。`,
      );
    }
    case 'expired':
      return say(
        `Not run: this needs a person's yes, and nobody answered in time. ${why} Go on without it and say what is left to do.`,
        `未执行：此操作需经人同意，但无人及时答复。${why}请绕开它继续，并说明还剩什么没做。`,
      );
    case 'cancelled':
      return {
        ...say('Not run: the run was cancelled while a person was asked.', '未执行：征求同意期间运行被取消。'),
        status: 'cancelled',
      };
    case 'unreachable':
      return say(
        `Not run: this needs a person's yes, and nobody can be asked here. ${why} Go on without it and say what is left to do.`,
        `未执行：此操作需经人同意，而此处无人可问。${why}请绕开它继续，并说明还剩什么没做。`,
      );
  }
}
