/**
 * Decides which tool calls need a person's approval. Rules of the tenant come first, then the operator's rules for all tenants, then the default rules.
 * Rules of a tenant never loosen a call that the others forbid or about which they ask colleagues, nor one that a default rule asks about to protect
 * other tenants.
 */
import { posix } from 'node:path';
import type { RE2JS } from 're2js';
import { asksColleagues, type ReviewRule } from '../../port/approval_review';
import type { SessionScope, TaintSource } from '../../port/run_event';
import type { AgentTool, ToolLocale, ToolSpec } from '../../tools/common';
import { fingerprintOf } from '../../utils/fingerprint';
import { foldName } from '../../utils/look_alike_names';
import { callKey } from '../call_key';
import { commandOf, type DefaultDecisions, defaultVerdict } from './default_rules';
import type { LocalText } from './destructive_commands';
import { splitCommands } from './shell_words';
import { unwrapped } from './wrapped_commands';

export interface ApprovalRule extends ReviewRule {
  /** Name of a tool, or `*`. */
  tool: string;
  /** Pattern for the command, path or arguments. Absent: every call of the tool. */
  pattern?: RE2JS;
  decision: 'ask' | 'allow' | 'deny';
  reason?: Partial<LocalText>;
  /** Scope of an approval for the session. Default: `exact`. */
  session?: 'exact' | 'rule';
}

export interface JudgedCall {
  tool: Pick<ToolSpec, 'name' | 'effect' | 'reads' | 'keepsState' | 'memory' | 'approval' | 'origin'> & Pick<AgentTool, 'isHarmless'>;
  /** Valid arguments. */
  args: unknown;
  /** Earlier calls whose results this call could send to a host that was not named, or whose text it keeps. */
  taint?: readonly TaintSource[] | undefined;
  /** The kept text that the call removes. */
  removed?: string | undefined;
}

export type ApprovalVerdict =
  | { decision: 'allow' }
  | { decision: 'deny'; reason: LocalText }
  | { decision: 'ask'; reason: LocalText; sessionScope: SessionScope; grant: string; review?: ReviewRule | undefined };

export interface ApprovalPolicy {
  /** Decides about a call. Pure; O(length of the arguments). */
  judge(call: JudgedCall): ApprovalVerdict;
  /** Commands run in a sandbox. */
  readonly isIsolated: boolean;
}

/** The policies of all tenants. */
export interface ApprovalPolicies {
  /** Commands run in a sandbox. */
  readonly isIsolated: boolean;
  /** Returns the policy of a tenant, which follows approvals.yaml. */
  policyOf(tenantId: string): ApprovalPolicy;
  /** Returns the policy that a tenant would have with these settings. */
  policyWith(settings: ApprovalSettings, tenantId: string): ApprovalPolicy;
}

/** The content of approvals.yaml. */
export interface ApprovalSettings {
  rules: readonly ApprovalRule[];
  /** Tenant -> rules for its calls alone. */
  tenants?: ReadonlyMap<string, readonly ApprovalRule[]>;
  defaults: DefaultDecisions;
  /** SHA-256 of the file; absent when there is no file. */
  hash?: string;
}

export const DEFAULT_DECISIONS: DefaultDecisions = { keyFiles: 'ask', taintedRequests: 'ask', taintedMemories: 'ask' };

export interface PolicySettings {
  rules: readonly ApprovalRule[];
  /** Rules of the tenant whose calls are judged. */
  tenantRules?: readonly ApprovalRule[];
  /** Commands run in a sandbox. */
  isIsolated: boolean;
  /** Ask about every command that runs without a sandbox. Default: only about commands that look destructive. */
  asksAboutAllCommands?: boolean;
  /** Several tenants have files here: without a sandbox every command and every program of a manifest asks. Default: never. */
  isShared?: () => boolean;
  /** Default: DEFAULT_DECISIONS. */
  defaults?: DefaultDecisions;
}

/** Creates a policy from the rules of approvals.yaml and the default rules. */
export function createApprovalPolicy({ rules, tenantRules = [], ...settings }: PolicySettings): ApprovalPolicy {
  const defaultSettings = { asksAboutAllCommands: false, isShared: () => false, defaults: DEFAULT_DECISIONS, ...settings };
  const commonVerdict = (call: JudgedCall): { verdict: ApprovalVerdict; protectsTenants?: boolean } => {
    const rule = rules.find(candidate => matchesRule(candidate, call));
    if (rule) return { verdict: byRule(rule, call) };
    const found = defaultVerdict(call, defaultSettings);
    if (!found) return { verdict: { decision: 'allow' } };
    const { decision, reason, protectsTenants } = found;
    return { verdict: decision === 'deny' ? { decision, reason } : { decision, reason, ...exactScope(call) }, protectsTenants };
  };
  return {
    isIsolated: settings.isIsolated,
    judge(call) {
      const own = tenantRules.find(candidate => matchesRule(candidate, call));
      if (own?.decision === 'deny') return byRule(own, call);
      const { verdict, protectsTenants } = commonVerdict(call);
      if (!own || refusesChange(verdict)) return verdict;
      return own.decision === 'allow' && protectsTenants ? verdict : byRule(own, call);
    },
  };
}

/** Returns true when a person must not put arguments with this verdict in the place of others: it is a no, or a call about which colleagues are asked. */
export const refusesChange = (verdict: ApprovalVerdict): boolean =>
  verdict.decision === 'deny' || (verdict.decision === 'ask' && verdict.review !== undefined && asksColleagues(verdict.review));

/** Returns a hash that is equal only for the same tool with the same arguments. */
export const callFingerprint = (tool: string, args: unknown): string => fingerprintOf(callKey(tool, args));

function byRule(rule: ApprovalRule, call: JudgedCall): ApprovalVerdict {
  const { decision, session = 'exact' } = rule;
  if (decision === 'allow') return { decision };
  const { name } = call.tool;
  const reason = { ...GENERAL_REASON[decision](name), ...rule.reason };
  if (decision === 'deny') return { decision, reason };
  const review = reviewOf(rule);
  // A yes of several people, or of a colleague, is about one call: the next one may have another requester.
  if (review && asksColleagues(review)) return { decision, reason, ...exactScope(call), sessionScope: 'none', review };
  if (session === 'exact') return { decision, reason, ...exactScope(call), review };
  const { tool, pattern } = rule;
  const whole = fingerprintOf({ name, tool, pattern: pattern?.pattern() ?? '' });
  return { decision, reason, sessionScope: 'rule', grant: `rule:${whole}`, review };
}

function reviewOf({ approvers, notBy, deadlineMs, to, escalate }: ApprovalRule): ReviewRule | undefined {
  const review: ReviewRule = { approvers, notBy, deadlineMs, to, escalate };
  return Object.values(review).every(field => field === undefined) ? undefined : review;
}

/** When the tool keeps state, an approval covers one call: the same command does something else after `cd` or `export`. */
function exactScope({ tool, args }: JudgedCall): { sessionScope: SessionScope; grant: string } {
  return { sessionScope: tool.keepsState ? 'none' : 'exact', grant: `call:${callFingerprint(tool.name, args)}` };
}

/**
 * Returns true when the rule decides about the call. A pattern that allows must match every command of the line as written. A pattern that asks or
 * denies needs one match, also inside wrappers.
 */
export function matchesRule({ tool, pattern, decision }: ApprovalRule, call: JudgedCall): boolean {
  if (tool !== '*' && tool !== call.tool.name) return false;
  if (!pattern) return true;
  const matches = (text: string): boolean => pattern.matcher(text).find();
  if (decision === 'allow') return matchesAll(pattern, textsToAllow(call));
  const line = commandOf(call);
  if (line !== undefined) return matches(line) || splitCommands(line).some(({ words }) => formsOf(words).some(matches));
  // File tools also open a path that only looks like the written one, so a pattern that asks or denies is compared with that form too.
  const written = writtenForm(call);
  return matches(written) || matches(foldName(written));
}

/** Returns the texts that a pattern must all match to allow the call; empty when no pattern can allow it. */
export function textsToAllow(call: Pick<JudgedCall, 'args'> & { tool: Pick<ToolSpec, 'effect'> }): readonly string[] {
  const line = commandOf(call);
  if (line === undefined) return [writtenForm(call)];
  return HIDING.test(line) ? [] : splitCommands(line).map(({ words }) => words.join(' '));
}

/** Returns true when a rule with the pattern allows the call of these texts. */
export const matchesAll = (pattern: RE2JS, texts: readonly string[]): boolean =>
  texts.length > 0 && texts.every(text => pattern.matcher(text).find());

const writtenForm = ({ args }: Pick<JudgedCall, 'args'>): string => callKey('', args).trim();

/** Syntax that can hide a command in a line. No pattern allows a line with such syntax. */
const HIDING = /<<|\$['(]|`/;

/** Returns the command as written, without its wrappers, and without its wrappers and its path. */
function formsOf(words: readonly string[]): string[] {
  const [name = '', ...args] = unwrapped(words);
  return [words.join(' '), [name, ...args].join(' '), [posix.basename(name), ...args].join(' ')];
}

const GENERAL_REASON: Record<'ask' | 'deny', (tool: string) => Record<ToolLocale, string>> = {
  ask: () => ({
    en: 'A rule of this gateway requires approval for this call.',
    'zh-CN': '本网关的规则要求此次调用先经人工审批。',
  }),
  deny: tool => ({ en: `A rule of this gateway forbids ${tool} to do this.`, 'zh-CN': `本网关的规则禁止 ${tool} 执行此操作。` }),
};
