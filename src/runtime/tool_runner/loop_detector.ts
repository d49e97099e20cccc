/** Detects a model that repeats the same call and keeps getting the same result, alone or in turns with other calls. One per run. */
import { inLocale, type ToolLocale } from '../../tools/common';
import { contentHash } from '../../utils/content_hash';
import { TOOL_LIMITS } from './tool_limits';

/** Length up to which a text is its own digest, because hashing costs more than keeping the text. */
const MAX_KEPT = 1_000;

const digestOf = (text: string): string => (text.length <= MAX_KEPT ? text : contentHash(text));

export class LoopDetector {
  /** Digest of a callKey -> digest of its last result, and how often that result came in a row. */
  private readonly seen = new Map<string, { result: string; count: number }>();

  constructor(readonly locale: ToolLocale = 'en') {}

  /** Returns why the call must not run again, in a sentence for the model; undefined when it may run. */
  blockReason(key: string): string | undefined {
    const count = this.seen.get(digestOf(key))?.count ?? 0;
    if (count < TOOL_LIMITS.blockAt - 1) return undefined;
    return inLocale(
      this,
      `Not run: this exact call has given the same result ${count} times in this turn. Do something else, or tell what blocks you.`,
      `未执行：完全相同的调用在本轮中已有 ${count} 次得到同样的结果。请换一种做法，或者说明遇到的阻碍。`,
    );
  }

  /** Counts a result. `comparable` is the text that two equal results share (ToolResult.comparable). Returns a hint for the model from the third on. */
  recordResult(key: string, comparable: string): string | undefined {
    const call = digestOf(key);
    const result = digestOf(comparable);
    const known = this.seen.get(call);
    const count = known?.result === result ? known.count + 1 : 1;
    this.seen.set(call, { result, count });
    if (count < TOOL_LIMITS.hintAt) return undefined;
    return inLocale(
      this,
      `[This exact call has now given the same result ${count} times. Repeating it will not change that.]`,
      `[完全相同的调用已有 ${count} 次得到同样的结果。重复调用不会改变这一点。]`,
    );
  }
}
