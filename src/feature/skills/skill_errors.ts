import { AppError, type ErrorCode } from '../../errors';
import { SkillRefusal } from './tools/skill_access';

const CODES: Record<SkillRefusal['code'], ErrorCode> = {
  not_found: 'not_found',
  read_only: 'forbidden',
  invalid: 'invalid_request',
  full: 'quota_exceeded',
  failed: 'store_unavailable',
};

/** Settles as `work` does; a refusal becomes an error of the table, for doors. */
export async function asAppErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    if (!(thrown instanceof SkillRefusal)) throw thrown;
    throw new AppError(CODES[thrown.code], {
      message: thrown.message,
      messageZh: thrown.text['zh-CN'],
      param: thrown.param,
      cause: thrown,
    });
  }
}
