/** The conditions of a change: which version of the file the caller knows. */
import { AppError } from '../../errors';

/** Versions as `OpenFile.version` gives them; '*' stands for any version of a file that exists. */
export interface FileConditions {
  /** The file's version must be one of these. */
  ifMatch?: readonly string[];
  /** The file's version must not be one of these. */
  ifNoneMatch?: readonly string[];
}

/** `version`: undefined for a file that does not exist. */
export const isListed = (versions: readonly string[], version: string | undefined): boolean =>
  version !== undefined && (versions.includes('*') || versions.includes(version));

/** Throws `precondition_failed` when the version does not meet the conditions. */
export function assertConditions({ ifMatch, ifNoneMatch }: FileConditions, version: string | undefined): void {
  const isKnown = ifMatch === undefined || isListed(ifMatch, version);
  const isNew = ifNoneMatch === undefined || !isListed(ifNoneMatch, version);
  if (isKnown && isNew) return;
  const [message, messageZh] = isKnown
    ? ['The file exists already.', '文件已存在。']
    : version === undefined
      ? ['The file does not exist.', '文件不存在。']
      : ['The file has another version.', '文件是另一个版本。'];
  throw new AppError('precondition_failed', { param: '/path', message, messageZh });
}
