/** Notices a model that runs in circles: the same call that keeps giving the same result, alone or in turns with others. */
import { contentHash } from '../../utils/content_hash';
import { TOOL_LIMITS } from './tool_limits';

export class LoopDetector {
  /** Hash of a callKey -> hash of its last result, and how often that came in a row. */
  private readonly seen = new Map<string, { result: string; count: number }>();

  /** Why the call must not run again, or undefined when it may. */
  refusalOf(key: string): string | undefined {
    const count = this.seen.get(contentHash(key))?.count ?? 0;
    if (count < TOOL_LIMITS.blockAt - 1) return undefined;
    return `Not run: this exact call has given the same result ${count} times in this turn. Do something else, or tell what blocks you.`;
  }

  /** Notes a result by what makes it the same as another one (ToolResult.comparable); the third same one gives a hint for the model. */
  note(key: string, result: string): string | undefined {
    const call = contentHash(key);
    const hash = contentHash(result);
    const known = this.seen.get(call);
    const count = known?.result === hash ? known.count + 1 : 1;
    this.seen.set(call, { result: hash, count });
    if (count < TOOL_LIMITS.hintAt) return undefined;
    return `[This exact call has now given the same result ${count} times. Repeating it will not change that.]`;
  }
}
