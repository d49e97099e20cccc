/** Proposes rules for calls that people always allowed. Risky calls are never part of a rule. */
import { RE2JS } from 're2js';
import { asksColleagues } from '../../port/approval_review';
import type { ApprovalSubject } from '../../port/store/questions';
import { type ApprovalPolicy, matchesRule, refusesChange } from '../../runtime/approval/approval_policy';
import { riskOf } from '../../runtime/approval/approval_risk';
import { commandOf } from '../../runtime/approval/default_rules';
import type { AgentTool } from '../../tools/common';
import { isKeyFile } from '../../tools/files/key_files';
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

/** Pure. Each rule matches no call that a person denied, changed, or allowed although it was risky. */
export function proposeRules(decided: readonly DecidedCall[], { findTool, policy }: ProposeDeps): Candidate[] {
  return [...Map.groupBy(decided, ({ approval }) => approval.tool)].flatMap(([name, calls]) => {
    const tool = findTool(name);
    return tool && isLearnable(tool) ? candidatesOf(tool, calls, policy) : [];
  });
}

/** Returns the compiled rule, as approvals.yaml is read. */
const compileRule = ({ pattern, ...rule }: ProposedRule) => ({
  ...rule,
  pattern: pattern === undefined ? undefined : RE2JS.compile(pattern),
});

function candidatesOf(tool: AgentTool, calls: readonly DecidedCall[], policy: ApprovalPolicy): Candidate[] {
  const usable = calls.filter(call => call.isAllowed && call.isSeen && isSafe(tool, call.approval, policy) && isAsked(tool, call, policy));
  const patterns = new Map(usable.map(call => [call, patternsOf(tool, call.approval.args, policy.isIsolated)]));
  const exact = groups(usable, call => patterns.get(call)?.exact).map(([pattern, group]) => candidate(tool, group, pattern));
  const covered = new Set(exact.flatMap(({ calls: own }) => own));
  const rest = usable.filter(call => !covered.has(call));
  const wide = groups(rest, call => patterns.get(call)?.group).map(([name, group]) =>
    candidate(tool, group, widePattern(tool, argsOf(group), name)),
  );
  const others = calls.filter(call => !call.isAllowed || !isSafe(tool, call.approval, policy));
  return [...exact, ...wide].filter(({ rule }) => {
    const compiled = compileRule(rule);
    return !others.some(({ approval: { args } }) => matchesRule(compiled, { tool, args }));
  });
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
