/** How much the results of one attempt may tell the model. What is over goes into a file that the model can read on. */
import { clipText } from '../../utils/clip_text';
import { TOOL_LIMITS } from './tool_limits';

/** Stores a whole result and resolves with the path that the model can read, or undefined when it could not be stored. */
export type SpillResult = (toolCallId: string, text: string) => Promise<string | undefined>;

export class OutputLimiter {
  private left: number = TOOL_LIMITS.attemptLength;

  constructor(private readonly spill: SpillResult | undefined) {}

  /** The text when it fits, else its beginning and end with a note where the whole is. */
  async truncate(toolCallId: string, text: string): Promise<string> {
    const limit = Math.max(TOOL_LIMITS.leastLength, Math.min(TOOL_LIMITS.resultLength, this.left));
    this.left -= Math.min(text.length, limit);
    if (text.length <= limit) return text;
    const path = await this.spill?.(toolCallId, text);
    const note = path === undefined ? '' : `\n[The whole result, ${text.length} characters, is in ${path}: read it in parts.]`;
    return clipText(text, limit - note.length - 100) + note;
  }
}
