import { contentHash } from '../utils/content_hash';
import { sortedJson } from '../utils/sorted_json';

const LONG_TEXT = 1_000;

/** Returns a key that is equal for calls of the same tool with the same arguments, in any key order. Long text arguments enter as their hash. */
export function callKey(name: string, args: unknown): string {
  // Arguments that were refused stay raw text, which can have a megabyte.
  if (typeof args === 'string' && args.length > LONG_TEXT) return `${name} #${contentHash(args)}`;
  return `${name} ${sortedJson(args)}`;
}
