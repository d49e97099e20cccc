/** Approvals that ask for colleagues: several people must say yes, or somebody else than those whose messages caused the call. */
import { type Static, Type } from '@sinclair/typebox';
import { says } from '../utils/bilingual';
import { closedObject, Optional } from '../utils/schema_types';

/** One yes, as clients get it. */
const GivenApproval = closedObject({
  by: Type.String(says('name of the API key, or the handle of the person', 'API 密钥的名称，或人员的标识')),
  at: Type.String(says('ISO-8601 UTC', 'ISO-8601 UTC 时间')),
});
export type GivenApproval = Static<typeof GivenApproval>;

/** The approvals so far. */
export const GivenApprovals = Type.Array(GivenApproval, says('who has said yes so far, oldest first', '目前已同意的人，最早的在前'));

/** Fields of an approval whose rule asks for colleagues. */
export const REVIEW_FIELDS = {
  needed: Optional.Integer(
    says(
      'how many different people must say yes; present when the rule has approvers or notBy',
      '需要多少个不同的人同意；规则有 approvers 或 notBy 时出现',
    ),
  ),
  approvals: Type.Optional(GivenApprovals),
  notBy: Optional.Array(
    Type.String(),
    says(
      'callers whose yes does not count, because their messages caused the call',
      '其同意不算数的调用方，因为是他们的消息引发了此次调用',
    ),
  ),
};

/** When and to whom an approval is passed on. */
export interface Escalation {
  afterMs: number;
  /** See approval_address.ts. */
  to: string;
}

/** What a rule asks for. */
export interface ReviewRule {
  /** How many different people must say yes. Default: 1. */
  approvers?: number;
  /** The yes of those whose messages caused the call does not count. */
  notBy?: 'requester';
  /** Milliseconds until the call is denied. Default: that of all approvals. */
  deadlineMs?: number;
  /** Who is told first. See approval_address.ts. Default: as for approvals without a rule. */
  to?: string;
  escalate?: Escalation;
}

/** Who was told beside those whom the gateway always tells. */
export const ADDRESS_FIELDS = {
  to: Optional.String(says('a role, the handle of a person, or the name of a key', '角色、人员的标识或密钥的名称')),
  escalatedTo: Optional.String(says('to whom the approval was passed on', '审批已转交给谁')),
};

/** What one approval asks for; stored with it. */
export interface ApprovalReview {
  /** How many different people must say yes. */
  approvers: number;
  /** Names of the callers whose messages caused the call, with every other name of the same people. Absent: everybody may say yes. */
  notBy?: readonly string[];
  /** Milliseconds from the question to its deadline. */
  deadlineMs?: number;
  /** Who is told first. */
  to?: string;
  escalate?: Escalation;
}

/** Returns true when one yes of anybody is not enough. */
export const asksColleagues = ({ approvers = 1, notBy }: { approvers?: number; notBy?: unknown }): boolean =>
  approvers > 1 || notBy !== undefined;

/** One yes, as it is stored. `at`: milliseconds since 1970. */
export interface YesVote {
  /** Name of the key, or the handle of the person. */
  by: string;
  at: number;
  /** Equal for everything with which one person calls. */
  person: string;
}
