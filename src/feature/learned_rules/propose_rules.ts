/** Proposes rules for calls that people always allowed. Risky calls are never part of a rule. */
import { RE2JS } from 're2js';
import { asksColleagues } from '../../port/approval_review';
import type { ApprovalSubject } from '../../port/store/questions';
import { type ApprovalPolicy, matchesAll, refusesChange, textsToAllow } from '../../runtime/approval/approval_policy';
import { riskOf } from '../../runtime/approval/approval_risk';
import { commandOf } from '../../runtime/approval/default_rules';
import type { AgentTool } from '../../tools/common';
import { isKeyFile } from '../../tools/files/key_files';
import { createYielder } from '../../utils/yield_to_event_loop';
import { patternsOf, widePattern } from './rule_pattern';
import type { ProposedRule } from './store/learned_rule_records';

/** A decided call. `isSeen`: the admin may read its session. */
export interface DecidedCall {
  approval: ApprovalSubject;
  isAllowed: boolean;
  isSeen: boolean;
}

/** A rule, and the allowed calls from which it comes. */
export interface Candidate {
  rule: ProposedRule;
  calls: readonly DecidedCall[];
}

/** People must have allowed this many calls. */
const MIN_ALLOWED = 5;

interface ProposeDeps {
  /** Tools by name, of which all calls are decided by the rules. */
  findTool: (name: string) => AgentTool | undefined;
  /** The present policy of the tenant. */
  policy: ApprovalPolicy;
}

/**
 * Yields the rules that match no call which a person denied, changed, or allowed although it was risky; those with the most calls come first. Yields to
 * the event loop in between, so the caller may stop when it has enough.
 */
export async function* proposeRules(decided: readonly DecidedCall[], { findTool, policy }: ProposeDeps): AsyncGenerator<Candidate> {
  const pause = createYielder();
  const found: (Candidate & { others: readonly (readonly string[])[] })[] = [];
  for (const [name, calls] of Map.groupBy(decided, ({ approval }) => approval.tool)) {
    const tool = findTool(name);
    if (!tool || !isLearnable(tool)) continue;
    const { usable, others } = await sortCalls(tool, calls, { policy, pause });
    found.push(...candidatesOf(tool, usable, policy).map(candidate => ({ ...candidate, others })));
  }
  for (const { rule, calls, others } of found.sort((a, b) => b.calls.length - a.calls.length)) {
    await pause();
    if (!matchesAny(rule, others)) yield { rule, calls };
  }
}

/** Returns the calls from which a rule may come, and the texts of those that no rule may match. */
async function sortCalls(
  tool: AgentTool,
  calls: readonly DecidedCall[],
  { policy, pause }: { policy: ApprovalPolicy; pause: () => Promise<void> },
): Promise<{ usable: DecidedCall[]; others: (readonly string[])[] }> {
  const usable: DecidedCall[] = [];
  const others: (readonly string[])[] = [];
  for (const call of calls) {
    const mayBeAllowed = call.isAllowed && isSafe(tool, call.approval, policy);
    if (!mayBeAllowed) others.push(textsToAllow({ tool, args: call.approval.args }));
    else if (call.isSeen && isAsked(tool, call, policy)) usable.push(call);
    await pause();
  }
  return { usable, others };
}

/** Returns true when the rule allows a call of these texts. A rule without a pattern allows each call. */
function matchesAny({ pattern }: ProposedRule, calls: readonly (readonly string[])[]): boolean {
  if (pattern === undefined) return calls.length > 0;
  const compiled = RE2JS.compile(pattern);
  return calls.some(texts => matchesAll(compiled, texts));
}

function candidatesOf(tool: AgentTool, usable: readonly DecidedCall[], policy: ApprovalPolicy): Candidate[] {
  const patterns = new Map(usable.map(call => [call, patternsOf(tool, call.approval.args, policy.isIsolated)]));
  const exact = groups(usable, call => patterns.get(call)?.exact).map(([pattern, group]) => candidate(tool, group, pattern));
  const covered = new Set(exact.flatMap(({ calls: own }) => own));
  const rest = usable.filter(call => !covered.has(call));
  const wide = groups(rest, call => patterns.get(call)?.group).map(([name, group]) =>
    candidate(tool, group, widePattern(tool, argsOf(group), name)),
  );
  return [...exact, ...wide];
}

const argsOf = (calls: readonly DecidedCall[]) => calls.map(({ approval }) => approval.args);

const candidate = ({ name: tool }: AgentTool, calls: readonly DecidedCall[], pattern: string | undefined): Candidate => ({
  rule: { tool, ...(pattern !== undefined && { pattern }), decision: 'allow' },
  calls,
});

function groups(calls: readonly DecidedCall[], nameOf: (call: DecidedCall) => string | undefined): [string, DecidedCall[]][] {
  return [...Map.groupBy(calls, nameOf)].flatMap(([name, group]) =>
    name !== undefined && group.length >= MIN_ALLOWED ? [[name, group] as [string, DecidedCall[]]] : [],
  );
}

/** A tool whose approval protects later conversations, or whose calls depend on earlier ones, keeps asking. */
function isLearnable({ approval, memory, keepsState, effect, reaches }: AgentTool): boolean {
  return !approval && !memory && !keepsState && effect !== 'external' && reaches === undefined;
}

/** A command without a sandbox counts as one that reaches outside. It is safe here, because only the very same command is allowed then. */
function isSafe(tool: AgentTool, { args, taint = [], review, risk }: ApprovalSubject, { isIsolated }: ApprovalPolicy): boolean {
  const { path }: { path?: unknown } = typeof args === 'object' && args !== null ? args : {};
  const isKey = typeof path === 'string' && isKeyFile(path);
  const now = riskOf({ tool, args, isIsolated });
  const isDestructive = risk === 'destructive' || now === 'destructive';
  const isOutside = now === 'outside' && commandOf({ tool, args }) === undefined;
  return !isKey && !isDestructive && !isOutside && taint.length === 0 && !(review && asksColleagues(review));
}

/** Returns true when people are still asked about the call. */
function isAsked(tool: AgentTool, { approval: { args } }: DecidedCall, policy: ApprovalPolicy): boolean {
  const verdict = policy.judge({ tool, args });
  return verdict.decision === 'ask' && !refusesChange(verdict);
}
