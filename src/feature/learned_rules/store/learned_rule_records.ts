/** Decisions about proposed rules, and the decisions about calls from which rules are proposed. Times are milliseconds since 1970. */
import type { Page, PageRequest } from '../../../port/store/page';
import type { ApprovalSubject } from '../../../port/store/questions';

export const RULE_STATES = ['accepted', 'dismissed', 'undone'] as const;
export type RuleState = (typeof RULE_STATES)[number];

/** A rule as approvals.yaml has it. */
export interface ProposedRule {
  tool: string;
  /** RE2. Absent: every call of the tool. */
  pattern?: string;
  decision: 'allow';
}

/** What an admin decided about a proposal. */
export interface LearnedRuleRecord {
  tenantId: string;
  /** Follows from the tenant and the rule, so the same rule has the same id again. */
  id: string;
  state: RuleState;
  /** Absent unless it is accepted: a rule can hold words of a chat that other admins do not see. */
  rule?: ProposedRule;
  /** How many calls people had allowed. */
  basedOn: number;
  decidedBy: string;
  decidedAt: number;
}

/** An approval that a person has decided. */
export interface DecidedApproval {
  id: string;
  sessionId: string;
  approval?: ApprovalSubject;
  /** The decision as JSON. */
  answer?: string;
  createdAt: number;
}

export interface LearnedRuleReader {
  /** All decisions of the tenant, the latest first. */
  listDecisions(tenantId: string): Promise<LearnedRuleRecord[]>;
  /** Lists decided approvals, the newest first. */
  listApprovals(tenantId: string, filter: { since: number }, page: PageRequest): Promise<Page<DecidedApproval>>;
}

export interface LearnedRuleWriter {
  /** Replaces an earlier decision about the same rule. */
  put(record: LearnedRuleRecord): Promise<void>;
}

declare module '../../../port/store/store' {
  interface StoreReader {
    readonly learnedRules: LearnedRuleReader;
  }
  interface StoreWriters {
    learnedRules: LearnedRuleWriter;
  }
}
