/** Truncates the results of one attempt for the model. The whole result goes to a file that the model can read. */
import { inLocale, type ToolContext } from '../../tools/common';
import { clipText } from '../../utils/clip_text';
import { TOOL_LIMITS } from './tool_limits';

/** Stores a whole result. Resolves with its path in the workspace, or undefined when it could not be stored. */
export type SpillResult = (toolCallId: string, text: string) => Promise<string | undefined>;

export class OutputLimiter {
  private left: number = TOOL_LIMITS.attemptLength;

  constructor(
    private readonly spill: SpillResult | undefined,
    private readonly ctx: Pick<ToolContext, 'locale'>,
  ) {}

  /** Returns the text when it fits, otherwise its beginning and end with a note that says where the rest is. Lengths are characters. */
  async truncate(toolCallId: string, text: string): Promise<string> {
    const limit = Math.max(TOOL_LIMITS.leastLength, Math.min(TOOL_LIMITS.resultLength, this.left));
    this.left -= Math.min(text.length, limit);
    if (text.length <= limit) return text;
    const path = await this.spill?.(toolCallId, text);
    const note = `\n[${path === undefined ? this.notKept() : this.keptIn(path, text.length)}]`;
    return clipText(text, limit - note.length - 100, this.ctx.locale) + note;
  }

  private notKept(): string {
    return inLocale(this.ctx, 'The rest was not kept: ask for a smaller part.', '其余部分没有保留：请只要较小的一部分。');
  }

  private keptIn(path: string, length: number): string {
    return inLocale(
      this.ctx,
      `The whole result, ${length} characters, is in ${path}: read it in parts.`,
      `完整结果共 ${length} 个字符，保存在 ${path}：请分段读取。`,
    );
  }
}
