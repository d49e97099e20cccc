/** Decides, before a tool runs, whether the call may run and with which arguments. */
import type { ReviewRule } from '../../port/approval_review';
import type { ApprovalRisk, SessionScope, TaintSource } from '../../port/run_event';
import { errorResult, inLocale, type ToolLocale, type ToolResult, type ToolSpec } from '../../tools/common';
import { validateArguments } from '../../tools/validation';
import { clipText } from '../../utils/clip_text';
import type { ResolvedCall } from '../resolved_call';
import { type ApprovalPolicy, type ApprovalVerdict, callFingerprint, refusesChange } from './approval_policy';
import { riskOf } from './approval_risk';
import { reachesOutside, type Taint, taintOf } from './taint';
import type { TurnTexts } from './turn_texts';

/** The question to a person about one call. */
export interface ApprovalAsk {
  toolCallId: string;
  tool: string;
  label: string;
  args: unknown;
  reason: string;
  fingerprint: string;
  sessionScope: SessionScope;
  grant: string;
  /** What the rule asks for beside one yes. */
  review?: ReviewRule | undefined;
  risk?: ApprovalRisk;
  /** Earlier calls whose results this call could send outside, or whose text it keeps. */
  taint?: readonly TaintSource[];
  /** Unified diff, clipped, of the change that the call would make to a file. */
  diff?: string | undefined;
  /** Aborts when the run is cancelled. */
  signal: AbortSignal;
}

export interface Denied {
  status: 'denied';
  reason?: string;
}

/**
 * The answer. `args`: the person allowed the call with these arguments instead. `diff`: the change that the person saw. `denied`: a person refused the call, now or earlier in the run.
 * `unreachable`: no person can be asked. `too_few`: the rule needs `needed` people, and only `able` of the tenant may decide about the call.
 */
export type ApprovalOutcome =
  | { status: 'allowed'; args?: Record<string, unknown>; diff?: string | undefined }
  | Denied
  | { status: 'expired' | 'cancelled' | 'unreachable' }
  | { status: 'too_few'; needed: number; able: number };

export interface ApprovalGate {
  policy: ApprovalPolicy;
  /** Absent: no person can be asked, so the call is refused. */
  ask?: (ask: ApprovalAsk) => Promise<ApprovalOutcome>;
  /** Finds the private and untrusted content that the model has seen; called before calls that reach outside. Absent: there is no conversation. */
  readTaint?: () => Promise<Taint>;
  /** The words of the person and of the tools in this turn. Absent: no text counts as from a tool. */
  turnTexts?: TurnTexts;
  /** Reads the text that a call with the trait `removes` names by its id. Called before such a call. */
  readRemoved?: (id: string) => Promise<string | undefined>;
  /** Finds a person's refusal of this call from before the run was interrupted. The refusal holds even when today's rules allow the call. */
  findEarlierDenial?: (toolCallId: string) => Denied | undefined;
}

export interface ApprovalContext {
  gate: ApprovalGate;
  label: string;
  locale: ToolLocale;
  signal: AbortSignal;
  /** Returns the diff of the change that the call would make. Never rejects. Absent: no person is asked. */
  planDiff?: () => Promise<string | undefined>;
}

/**
 * Marks each call with the private content that it could send outside, and each call that keeps or removes a text with the results that hold the
 * text or may have asked for it. All calls of one answer are judged before any of them runs, because the model wrote them before it saw their
 * results. Rejects as `gate.readTaint` and `gate.readRemoved` do.
 */
export async function markTaint(calls: readonly ResolvedCall[], gate: ApprovalGate | undefined): Promise<readonly ResolvedCall[]> {
  const reaches = calls.some(({ tool, args, refusal }) => tool && !refusal && reachesOutside(tool, args));
  const known = reaches ? await gate?.readTaint?.() : undefined;
  return Promise.all(calls.map(call => markCall(call, known, gate)));
}

async function markCall(call: ResolvedCall, known: Taint | undefined, gate: ApprovalGate | undefined): Promise<ResolvedCall> {
  if (!call.tool || call.refusal) return call;
  const { tool, args } = call;
  const taint = taintOf({ tool, args }, known) ?? gate?.turnTexts?.sourcesOf({ tool, args });
  if (taint) return { ...call, taint };
  const id = removedId(tool, args);
  const removed = typeof id === 'string' ? await gate?.readRemoved?.(id) : undefined;
  const askers = removed === undefined ? undefined : gate?.turnTexts?.sourcesOfRemoval(removed, args);
  return askers ? { ...call, taint: askers, removed } : call;
}

/** Returns the id of the memory whose text is lost when the call runs. */
function removedId({ memory }: Pick<ToolSpec, 'memory'>, args: unknown): unknown {
  const { id, replaces } = (args ?? {}) as { id?: unknown; replaces?: unknown };
  return memory === 'removes' ? id : memory === 'keeps' ? replaces : undefined;
}

/** Returns true when the call may run only after a person allowed it. */
export const needsPerson = (call: ResolvedCall, gate: ApprovalGate | undefined): boolean => judge(call, gate)?.decision === 'ask';

/** Returns the call unchanged, or with the arguments of a person, or with a refusal. Rejects as `gate.ask` does. */
export async function approveCall(call: ResolvedCall, context: ApprovalContext): Promise<ResolvedCall> {
  const { gate, label, locale, signal } = context;
  const verdict = judge(call, gate);
  if (!verdict) return call;
  if (verdict.decision === 'allow') {
    const denied = gate.findEarlierDenial?.(call.id);
    return denied ? refuse(call, toRefusal(denied, '', locale)) : call;
  }
  if (verdict.decision === 'deny') return refuse(call, forbidden(verdict.reason[locale], locale));
  const { sessionScope, grant, review } = verdict;
  const reason = verdict.reason[locale];
  const { id: toolCallId, name: tool, args, taint } = call;
  const fingerprint = callFingerprint(tool, args);
  const risk = call.tool ? riskOf({ tool: call.tool, args, isIsolated: gate.policy.isIsolated }) : 'change';
  const subject = { toolCallId, tool, label, args, reason, fingerprint, sessionScope, grant, review, risk, taint };
  const outcome: ApprovalOutcome = gate.ask
    ? await gate.ask({ ...subject, diff: await context.planDiff?.(), signal })
    : { status: 'unreachable' };
  if (outcome.status !== 'allowed') return refuse(call, toRefusal(outcome, reason, locale));
  if (outcome.args) return withArguments(call, outcome.args, context);
  // The person allowed the change that was shown: the file may have changed while they decided.
  const isShown = outcome.diff === undefined || outcome.diff === (await context.planDiff?.());
  return isShown ? call : refuse(call, changedSince(locale));
}

function judge(call: ResolvedCall, gate: ApprovalGate | undefined): ApprovalVerdict | undefined {
  return gate && call.tool && !call.refusal
    ? gate.policy.judge({ tool: call.tool, args: call.args, taint: call.taint, removed: call.removed })
    : undefined;
}

const refuse = (call: ResolvedCall, refusal: ToolResult): ResolvedCall => ({ ...call, refusal });

/** Checks arguments that a person changed as strictly as arguments of a model, but asks no person about them again. */
function withArguments(call: ResolvedCall, args: Record<string, unknown>, { gate, locale }: ApprovalContext): ResolvedCall {
  if (!call.tool) return call;
  const valid = validateArguments(call.tool, args);
  if (!valid.ok) return refuse(call, errorResult(inLocale({ locale }, valid.message, valid.messageZh)));
  const verdict = gate.policy.judge({ tool: call.tool, args: valid.value });
  if (verdict.decision !== 'allow' && refusesChange(verdict)) return refuse(call, forbidden(verdict.reason[locale], locale));
  const shown = clipText(JSON.stringify(valid.value), 4_000);
  const note = inLocale(
    { locale },
    `[A person changed the arguments before allowing this call. What ran: ${shown}]`,
    `[用户在同意之前修改了参数。实际执行的是：${shown}]`,
  );
  return { ...call, args: valid.value, note };
}

const changedSince = (locale: ToolLocale): ToolResult =>
  errorResult(
    inLocale(
      { locale },
      'Not run: the file changed while a person was asked, so the call would make another change than the one that they allowed. Read the file again, then call the tool with what is right now.',
      '未执行：等待审批期间文件发生了变化，此次调用的改动将不同于用户同意的改动。请重新读取文件，再按现在的内容调用工具。',
    ),
  );

const forbidden = (reason: string, locale: ToolLocale): ToolResult =>
  errorResult(
    inLocale(
      { locale },
      `Not run: ${reason} No approval is possible for it; find another way, or say what you would need.`,
      `未执行：${reason} 此操作无法通过审批放行；请换一种做法，或说明你需要什么。`,
    ),
  );

function toRefusal(outcome: Exclude<ApprovalOutcome, { status: 'allowed' }>, why: string, locale: ToolLocale): ToolResult {
  const say = (en: string, zhCN: string) => errorResult(inLocale({ locale }, en, zhCN), { approval: outcome.status });
  switch (outcome.status) {
    case 'denied': {
      const words = outcome.reason ? inLocale({ locale }, ` They said: ${outcome.reason}`, `用户说：${outcome.reason}`) : '';
      return say(
        `Not run: a person refused this call.${words} Do not try the same thing in another form; go on without it, or ask what they want instead.`,
        `未执行：用户拒绝了此次调用。${words}不要换个形式再做同样的事；请绕开它继续，或询问用户希望怎么做。`,
      );
    }
    case 'expired':
      return say(
        `Not run: this needs a person's approval, and no answer came in time. ${why} Go on without it and say what is left to do.`,
        `未执行：此操作需要人工审批，但未在时限内收到答复。${why}请绕开它继续，并说明还剩什么没做。`,
      );
    case 'cancelled':
      return {
        ...say('Not run: the run was cancelled while a person was asked.', '未执行：等待审批期间运行被取消。'),
        status: 'cancelled',
      };
    case 'too_few': {
      const { needed, able } = outcome;
      return say(
        `Not run: a rule needs the approval of ${needed} ${needed === 1 ? 'person' : 'people'} beside the one who asked for it, and ${able} can give it here. ${why} Go on without it and say what is left to do.`,
        `未执行：规则要求由 ${needed} 个人批准，且提出要求的人不算在内，而此处只有 ${able} 个人可以批准。${why}请绕开它继续，并说明还剩什么没做。`,
      );
    }
    case 'unreachable':
      return say(
        `Not run: this needs a person's approval, and no person can be asked here. ${why} Go on without it and say what is left to do.`,
        `未执行：此操作需要人工审批，而此处无法询问任何人。${why}请绕开它继续，并说明还剩什么没做。`,
      );
  }
}
