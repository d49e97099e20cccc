import { sortedJson } from '../utils/sorted_json';

/** Two calls are the same when tool and arguments are, in whatever order the arguments stand. */
export function callKey(name: string, args: unknown): string {
  return `${name} ${sortedJson(args)}`;
}
