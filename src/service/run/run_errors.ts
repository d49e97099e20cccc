import { AppError } from '../../errors';
import { FencedError } from '../../port/store/store_errors';
import { WriterClosed } from '../run_log/run_owner';

/** The error for a session whose queue holds `limit` messages, the most that may wait. */
export const queueIsFull = (limit: number): AppError =>
  new AppError('rate_limited', {
    message: `At most ${limit} messages may wait in a session.`,
    messageZh: `一个会话中最多有 ${limit} 条消息等待。`,
    retryAfterMs: 5_000,
  });

export const toolsCannotSteer = (): AppError =>
  new AppError('invalid_request', {
    param: '/tools',
    message: '/tools: cannot change the tools of a run in progress; send the message with onBusy enqueue.',
    messageZh: '/tools: 不能改变进行中的运行的工具；请用 onBusy enqueue 发送这条消息。',
  });

/** The error when another request has created the session meanwhile. */
export const sessionIsMade = (): AppError => new AppError('session_busy', { retryAfterMs: 1_000, details: { reason: 'session_made' } });

/** Returns true for the error of sessionIsMade. */
export const isSessionMade = (thrown: unknown): boolean => thrown instanceof AppError && thrown.details?.['reason'] === 'session_made';

/** Returns true when another process owns the run or will own it; this process must not write to it any more. */
export const isAbandoned = (thrown: unknown): boolean => thrown instanceof WriterClosed || thrown instanceof FencedError;
