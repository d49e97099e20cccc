import { hash } from 'node:crypto';
import { sortedJson } from './sorted_json';

/** Returns a hash of a JSON value that does not depend on the order of its keys. */
export function fingerprintOf(value: unknown): string {
  return hash('sha256', sortedJson(value), 'base64url');
}
