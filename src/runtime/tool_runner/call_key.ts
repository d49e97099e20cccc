import { contentHash } from '../../utils/content_hash';
import { sortedJson } from '../../utils/sorted_json';

const LONG_TEXT = 1_000;

/** Two calls are the same when tool and arguments are, in whatever order the arguments stand. Arguments that are a long text count by its hash. */
export function callKey(name: string, args: unknown): string {
  // What was refused and is long is kept as the text it came as: no key of a megabyte is made or kept of it.
  if (typeof args === 'string' && args.length > LONG_TEXT) return `${name} #${contentHash(args)}`;
  return `${name} ${sortedJson(args)}`;
}
