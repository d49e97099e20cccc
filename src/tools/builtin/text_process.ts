import { Type } from '@sinclair/typebox';
import type { TextStatistics } from '../../port/cpu_tasks';
import { defineTool, inLocale, type ToolContext, textResult } from '../common';
import { runCpuTask } from '../cpu_tasks';
import { lineCount, MAX_TEXT_UNITS } from '../data_services/text_statistics';

/** Takes about 10 ms. Longer texts are processed in another thread. */
const MAX_INLINE_UNITS = 10_000;

const TextProcessParameters = Type.Object(
  {
    text: Type.String({ maxLength: MAX_TEXT_UNITS, description: `The text, at most ${MAX_TEXT_UNITS} characters` }),
    operation: Type.Union(
      [
        Type.Literal('count'),
        Type.Literal('lines'),
        Type.Literal('words'),
        Type.Literal('upper'),
        Type.Literal('lower'),
        Type.Literal('reverse'),
      ],
      { description: 'What to do with it' },
    ),
  },
  { additionalProperties: false },
);

export const textProcessTool = defineTool({
  name: 'text_process',
  toolset: 'data',
  label: 'Process text',
  description:
    'Counts or converts a text: count (characters, words, lines, bytes), lines and words (their number), upper, lower, reverse. ' +
    'Characters are what a reader sees, an emoji is one; Chinese words are counted as words. Use it when the exact number or form matters; ' +
    `at most ${MAX_TEXT_UNITS} characters.`,
  whenToUse: 'A text has to be counted exactly, turned around or changed to capitals',
  effect: 'read',
  translations: {
    'zh-CN': {
      label: '处理文本',
      description:
        '统计或转换一段文本：count（字符、词、行、字节数）、lines 和 words（行数、词数）、upper（大写）、lower（小写）、reverse（倒序）。' +
        `字符按读者所见计算，一个表情算一个；中文按词统计。需要准确数目或形式时使用；最多 ${MAX_TEXT_UNITS} 个字符。`,
      whenToUse: '要准确统计一段文字，或倒序、转换大小写',
      parameters: { text: `文本，最多 ${MAX_TEXT_UNITS} 个字符`, operation: '要做的操作' },
    },
  },
  parameters: TextProcessParameters,
  async execute({ text, operation }, ctx) {
    const where = { isLarge: text.length > MAX_INLINE_UNITS, ctx };
    switch (operation) {
      case 'count': {
        const statistics = await runCpuTask('measureText', text, where);
        return textResult(statisticsText(statistics, ctx), { ...statistics });
      }
      case 'lines': {
        const lines = lineCount(text);
        return textResult(inLocale(ctx, `${lines} lines`, `${lines} 行`), { lines });
      }
      case 'words': {
        const words = await runCpuTask('wordCount', text, where);
        return textResult(inLocale(ctx, `${words} words`, `${words} 个词`), { words });
      }
      case 'upper':
        return changedText(text.toUpperCase());
      case 'lower':
        return changedText(text.toLowerCase());
      case 'reverse':
        return changedText(await runCpuTask('reverseText', text, where));
    }
  },
});

const changedText = (text: string) => textResult(text, undefined, { text });

const statisticsText = ({ characters, words, lines, bytes }: TextStatistics, ctx: ToolContext): string =>
  inLocale(
    ctx,
    `${characters} characters, ${words} words, ${lines} lines, ${bytes} bytes`,
    `${characters} 个字符，${words} 个词，${lines} 行，${bytes} 字节`,
  );
