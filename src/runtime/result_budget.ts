/** How much the results of one attempt may tell the model. What is over goes into a file that the model can read on. */
import { clipText } from '../utils/clip_text';

const RESULT_LIMIT = 100_000;
const ATTEMPT_LIMIT = 200_000;
/** What stays of a result when the attempt's budget is used up. */
const LEAST = 2_000;

/** Stores a whole result and resolves with the path that the model can read, or undefined when it could not be stored. */
export type SpillResult = (toolCallId: string, text: string) => Promise<string | undefined>;

export class ResultBudget {
  private left = ATTEMPT_LIMIT;

  constructor(private readonly spill: SpillResult | undefined) {}

  /** The text when it fits, else its beginning and end with a note where the whole is. */
  async fit(toolCallId: string, text: string): Promise<string> {
    const limit = Math.max(LEAST, Math.min(RESULT_LIMIT, this.left));
    this.left -= Math.min(text.length, limit);
    if (text.length <= limit) return text;
    const path = await this.spill?.(toolCallId, text);
    const note =
      path === undefined ? '' : `\n[The whole result, ${text.length} characters, is in ${path}: read it with read_file, offset and limit.]`;
    return clipText(text, limit - note.length - 100) + note;
  }
}
