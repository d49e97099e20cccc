/** Reads entity tags of If-Match, If-None-Match and If-Range (RFC 9110, 8.8.3 and 13.1). */
import { AppError } from '../errors';

const TAG = /^(?:W\/)?"([\x21\x23-\x7e]*)"$/;

export const toEntityTag = (version: string): string => `"${version}"`;

/** Returns the versions that a list of entity tags names, '*' for any. Throws `invalid_request` for anything else. */
export function versionsOf(name: 'If-Match' | 'If-None-Match', header: string): string[] {
  const tags = header.split(',').map(tag => tag.trim());
  return tags.map(tag => {
    const version = tag === '*' ? tag : TAG.exec(tag)?.[1];
    if (version !== undefined) return version;
    throw new AppError('invalid_request', {
      param: `/${name.toLowerCase()}`,
      message: `${name}: must be * or entity tags in quotation marks, as ETag gives them.`,
      messageZh: `${name}：必须是 * 或带引号的实体标签，与 ETag 给出的一致。`,
    });
  });
}
