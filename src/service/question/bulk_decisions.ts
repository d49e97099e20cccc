/** Decides several approvals with one request. Risky calls are never allowed in bulk: a person looks at each of them. */
import { AppError } from '../../errors';
import { asksColleagues } from '../../port/approval_review';
import type { ApprovalAnswer } from '../../port/run_event';
import type { ApprovalSubject } from '../../port/store/questions';
import type { Decider } from './approval_reviews';
import type { ApprovalService, Decided } from './approval_service';

export interface BulkDecision {
  decision: 'allow_once' | 'deny';
  reason?: string | undefined;
}

/** The result for one approval: the decision that counts, or why it was not decided. */
export type BulkResult = { requestId: string } & ({ decided: Decided } | { error: AppError });

interface BulkDeps {
  approvalService: Pick<ApprovalService, 'findApproval' | 'decideApproval'>;
}

/**
 * Decides the approvals one after the other. A risky call is denied with the others, and is refused with `risky_in_bulk` when the decision would allow
 * it; the others are decided all the same. Rejects only when the store fails.
 */
export async function decideTogether(
  { approvalService }: BulkDeps,
  by: Decider,
  { ids, decision, reason }: BulkDecision & { ids: readonly string[] },
): Promise<BulkResult[]> {
  const answer: ApprovalAnswer = decision === 'deny' ? { decision, reason } : { decision };
  const decide = async (requestId: string): Promise<BulkResult> => {
    try {
      const { approval } = await approvalService.findApproval(by, requestId);
      if (decision !== 'deny' && isRisky(approval)) throw new AppError('risky_in_bulk');
      return { requestId, decided: await approvalService.decideApproval(by, requestId, answer) };
    } catch (thrown) {
      if (thrown instanceof AppError && thrown.code !== 'store_unavailable' && thrown.code !== 'internal')
        return { requestId, error: thrown };
      throw thrown;
    }
  };
  const results: BulkResult[] = [];
  for (const id of ids) results.push(await decide(id));
  return results;
}

/** Returns true for a call that can destroy, reach outside or leak private content, and for one whose rule asks for colleagues. */
function isRisky(approval: ApprovalSubject | undefined): boolean {
  if (!approval) return true;
  const { risk = 'outside', taint = [], review } = approval;
  return risk === 'destructive' || risk === 'outside' || taint.length > 0 || (review !== undefined && asksColleagues(review));
}
