/** Turns refusals of the workspace into errors of the table, which name the path as the caller sees it. */
import { AppError } from '../../errors';
import { WorkspaceError } from '../../port/workspace';

const MESSAGES_ZH: Record<WorkspaceError['code'], string> = {
  not_found: '没有这个文件。',
  protected: '该路径受保护。',
  too_large: '文件太大。',
  outside: '该路径指向工作区之外。',
  not_a_file: '该路径不是普通文件。',
  not_a_directory: '需要目录的位置上是一个文件。',
  exists: '文件已存在。',
  io: '文件系统拒绝了该操作。',
};

/** Converts a refusal of the workspace; throws anything else again. */
function toFileError(thrown: unknown): AppError {
  if (!(thrown instanceof WorkspaceError)) throw thrown;
  const { code, message, messageZh = MESSAGES_ZH[code] } = thrown;
  const given = { param: '/path', message, messageZh, cause: thrown };
  switch (code) {
    case 'not_found':
      return new AppError('not_found', given);
    case 'protected':
      return new AppError('forbidden', given);
    case 'too_large':
      return new AppError('too_large', { message, messageZh, cause: thrown });
    case 'outside':
    case 'not_a_file':
    case 'not_a_directory':
    case 'exists':
      return new AppError('invalid_request', given);
    case 'io':
      return new AppError('store_unavailable', given);
  }
}

/** Runs `work` and rejects with errors of the table. */
export async function asFileErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    throw toFileError(thrown);
  }
}
