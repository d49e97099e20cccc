import { createHash } from 'node:crypto';
import { sortedJson } from './sorted_json';

/** Hash of a JSON value; the order of keys makes no difference. */
export function fingerprintOf(value: unknown): string {
  return createHash('sha256').update(sortedJson(value)).digest('base64url');
}
