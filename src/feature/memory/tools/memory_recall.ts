import { Type } from '@sinclair/typebox';
import { defineTool, inLocale, type ToolContext, textResult } from '../../../tools/common';
import type { RecalledMemory } from './memory_access';
import { noMemories } from './memory_save';

const DEFAULT_LIMIT = 5;

export const memoryRecallTool = defineTool({
  name: 'memory_recall',
  toolset: 'memory',
  label: 'Recall from memory',
  description:
    'Searches what was saved in earlier conversations and returns the best matching entries with their ids, best first. Use it when the person refers to something from before, ' +
    'when their preferences matter, and to find the id of an entry that is to be replaced or forgotten. Search by a few words of the subject, in the language it was probably saved in; one matching word is enough. Not for the content of files.',
  whenToUse: [
    {
      en: 'The person refers to something from earlier conversations, or asks what you know about them → memory_recall before you say that you do not know.',
      'zh-CN': '用户提到以前对话里的事，或问你了解他什么 → 先 memory_recall，再说知道不知道。',
    },
  ],
  effect: 'read',
  reads: 'private',
  memory: 'returns',
  // A person can change memories at any time.
  isVolatile: true,
  parameters: Type.Object(
    {
      query: Type.String({
        minLength: 1,
        maxLength: 500,
        description: 'A few words to search for; * for the newest entries, whatever they say',
      }),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 20, description: 'Most entries to return. Default 5' })),
    },
    { additionalProperties: false },
  ),
  translations: {
    'zh-CN': {
      label: '查找记忆',
      description:
        '搜索以往对话中保存的内容，返回最匹配的条目及其编号，最匹配的在前。当用户提到以前的事、需要了解其偏好、以及要找到应替换或忘掉的条目的编号时使用。' +
        '用主题的几个词搜索，语言与保存时一致；有一个词匹配即可。不用于查找文件内容。',
      parameters: { query: '要搜索的几个词；* 表示最新的条目', limit: '最多返回的条目数。默认 5' },
    },
  },
  async execute({ query, limit = DEFAULT_LIMIT }, ctx) {
    if (!ctx.memories) return noMemories(ctx);
    const found = await ctx.memories.recallMemories(query, limit);
    const entries = found.map(({ id, text, kind }) => ({ id, text, kind }));
    if (found.length === 0) return textResult(nothingFound(ctx), { memories: [] });
    return textResult(found.map(memory => toLine(memory, ctx)).join('\n'), { memories: entries });
  },
});

const nothingFound = (ctx: ToolContext): string =>
  inLocale(
    ctx,
    'No saved entry has any of these words. Try other words for the same thing; if there is still nothing, it was not saved.',
    '没有包含这些词的条目。换几个说法再试；仍然没有，就是没有保存过。',
  );

/** One line an entry, so that no entry can look like two. */
function toLine({ id, text, kind, updatedAt, isTainted }: RecalledMemory, ctx: ToolContext): string {
  const day = new Date(updatedAt).toISOString().slice(0, 10);
  const note = isTainted ? inLocale(ctx, ', from a tool result', '，来自工具结果') : '';
  return `- [${id}] ${text.replace(/\s+/g, ' ')} (${kind}, ${day}${note})`;
}
