/** Decides an approval from a notification: the token of the notification counts once, for the arguments that the notification showed. */

import { AppError } from '../../errors';
import type { Clock } from '../../port/clock';
import type { ApprovalAnswer } from '../../port/run_event';
import type { Store, StoreTransaction } from '../../port/store/store';
import { AddressCounts } from '../../service/auth/address_counts';
import type { KeyRing } from '../../service/auth/key_ring';
import type { ApprovalService } from '../../service/question/approval_service';
import { contentHash } from '../../utils/content_hash';
import { findOwner } from './push_owner';
import { hashCall } from './shown_call';
import type { PushActionRecord } from './store/push_records';

/** The most unknown tokens of one address in a minute. */
const MAX_FAILURES = 20;

export type PushDecision = 'allow' | 'deny';

export interface PushActionsDeps {
  store: Store;
  clock: Clock;
  keyRing: Pick<KeyRing, 'principalOf' | 'refresh'>;
  approvalService: Pick<ApprovalService, 'findApproval' | 'decideApproval' | 'presentDirectory'>;
}

export interface DecidedAction {
  requestId: string;
  decision: ApprovalAnswer['decision'];
}

export class PushActions {
  private readonly failures: AddressCounts;

  constructor(private readonly deps: PushActionsDeps) {
    this.failures = new AddressCounts(deps);
  }

  /**
   * Decides in the name of the device's key; `allow` means once. Rejects `not_found` for an unknown token, `rate_limited` after too many of them from
   * the address, `forbidden` when the key may not decide any more, and `clarification_closed` when the token was used, the time is over, the approval
   * was decided, or its arguments are others.
   */
  async decide(token: string, decision: PushDecision, address: string): Promise<DecidedAction> {
    const { clock, approvalService } = this.deps;
    const action = await this.find(token, address);
    const { tenantId, requestId, keyName, tokenHash } = action;
    await this.assertMayDecide(action);
    const question = await approvalService.findApproval({ tenantId, keyName }, requestId);
    if (!question.approval) throw noAction();
    // The directory of a terminal may have changed since then.
    const directory = await approvalService.presentDirectory(question, question.approval);
    if (hashCall({ ...question.approval, directory }) !== action.argumentsHash) throw otherArguments();
    const answer: ApprovalAnswer = { decision: decision === 'allow' ? 'allow_once' : 'deny' };
    const useAction = async (tx: StoreTransaction) => {
      if (!(await tx.push.useAction(tokenHash, clock.now()))) throw usedUp();
    };
    const decided = await approvalService.decideApproval({ tenantId, keyName }, requestId, answer, useAction).catch(withoutDetails);
    return { requestId, decision: decided.decision };
  }

  private async find(token: string, address: string): Promise<PushActionRecord> {
    const { store, clock } = this.deps;
    this.assertMayTry(address);
    const action = await store.read.push.findAction(contentHash(token));
    if (action) {
      if (action.usedAt !== undefined || action.expiresAt <= clock.now()) throw usedUp();
      return action;
    }
    // Other requests of the address may have failed during the reading.
    this.assertMayTry(address);
    this.failures.add(address, 'action');
    throw noAction();
  }

  private assertMayTry(address: string): void {
    const { count, retryAfterMs } = this.failures.windowOf(address, 'action');
    if (count >= MAX_FAILURES) throw tooManyTries(retryAfterMs);
  }

  /** Reads the keys again first, because another gateway may have revoked the key. */
  private async assertMayDecide(action: PushActionRecord): Promise<void> {
    const { keyRing } = this.deps;
    await keyRing.refresh();
    if (findOwner(keyRing, action)?.scopes.has('approve')) return;
    throw new AppError('forbidden', {
      message: 'The key of this device may not decide approvals any more.',
      messageZh: '这台设备的密钥已不能再作批准决定。',
    });
  }
}

const noAction = (): AppError =>
  new AppError('not_found', { message: 'There is no such action, or it has ended.', messageZh: '没有这个操作，或者它已失效。' });

/** The details of a closed approval hold the decision, the reason and the arguments of the person who decided: they need a login. */
function withoutDetails(thrown: unknown): never {
  throw thrown instanceof AppError && thrown.code === 'clarification_closed' ? usedUp() : thrown;
}

const otherArguments = (): AppError =>
  new AppError('clarification_closed', {
    message: 'The arguments or the directory of the call are not those that the notification showed: decide in the chat.',
    messageZh: '调用的参数或目录与通知所示的不同：请在对话中决定。',
  });

const usedUp = (): AppError =>
  new AppError('clarification_closed', {
    message: 'The approval was decided before, or its time is over.',
    messageZh: '这项审批已经有了决定，或者已过期。',
  });

const tooManyTries = (retryAfterMs: number): AppError =>
  new AppError('rate_limited', {
    message: 'Too many unknown actions came from this address.',
    messageZh: '这个地址发送了过多未知的操作。',
    retryAfterMs,
  });
