/** Turns refusals of the workspace into errors of the table, which name the path as the caller sees it. */
import { AppError } from '../../errors';
import { WorkspaceError } from '../../port/workspace';

/** Converts a refusal of the workspace; throws anything else again. */
function toFileError(thrown: unknown): AppError {
  if (!(thrown instanceof WorkspaceError)) throw thrown;
  const { code, message, messageZh } = thrown;
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
