/** Errors of the file system, as the workspace port gives them: they name no path of the host. */
import { WorkspaceError } from '../../../port/workspace';
import { errorCode, notAFile, notFound } from '../disk/safe_path';

/** `shown`: the path for people, relative to the workspace. */
export function toWorkspaceError(thrown: unknown, shown: string): WorkspaceError {
  if (thrown instanceof WorkspaceError) return thrown;
  const code = errorCode(thrown);
  switch (code) {
    case 'ENOENT':
      return notFound(shown);
    case 'ENOTDIR':
      return new WorkspaceError(
        'not_a_directory',
        `${shown}: a file stands where a directory is needed.`,
        `${shown}：需要目录的位置上是一个文件。`,
      );
    case 'EISDIR':
      return notAFile(shown);
    case 'EROFS':
      return new WorkspaceError(
        'io',
        `${shown} lies on a read-only mount (EROFS): it can be read, but not written.`,
        `${shown} 位于只读挂载（EROFS）上：可以读取，不能写入。`,
      );
    case 'EACCES':
    case 'EPERM':
      return new WorkspaceError(
        'io',
        `${shown}: the user of the gateway has no right to do this (${code}).`,
        `${shown}：网关的用户没有这样做的权限（${code}）。`,
      );
    default:
      return new WorkspaceError('io', `${shown} (${code ?? 'unknown error'})`, `${shown}（${code ?? '未知错误'}）`);
  }
}
