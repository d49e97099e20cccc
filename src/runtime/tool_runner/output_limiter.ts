/** Truncates the results of one attempt for the model. The whole result goes to a file that the model can read. */
import { clipText } from '../../utils/clip_text';
import { TOOL_LIMITS } from './tool_limits';

/** Stores a whole result. Resolves with its path in the workspace, or undefined when it could not be stored. */
export type SpillResult = (toolCallId: string, text: string) => Promise<string | undefined>;

const NOT_KEPT = '\n[The rest was not kept: ask for a smaller part.]';

export class OutputLimiter {
  private left: number = TOOL_LIMITS.attemptLength;

  constructor(private readonly spill: SpillResult | undefined) {}

  /** Returns the text when it fits, otherwise its beginning and end with a note that says where the rest is. Lengths are characters. */
  async truncate(toolCallId: string, text: string): Promise<string> {
    const limit = Math.max(TOOL_LIMITS.leastLength, Math.min(TOOL_LIMITS.resultLength, this.left));
    this.left -= Math.min(text.length, limit);
    if (text.length <= limit) return text;
    const path = await this.spill?.(toolCallId, text);
    const note = path === undefined ? NOT_KEPT : `\n[The whole result, ${text.length} characters, is in ${path}: read it in parts.]`;
    return clipText(text, limit - note.length - 100) + note;
  }
}
