import { Type } from '@sinclair/typebox';
import { defineTool, errorResult, inLocale, textResult } from '../../../tools/common';
import { noMemories } from './memory_save';

export const memoryForgetTool = defineTool({
  name: 'memory_forget',
  toolset: 'memory',
  label: 'Forget',
  description:
    'Removes one saved entry for good. Use it when the person asks you to forget something or when an entry is wrong and nothing replaces it. ' +
    'Find the id by a search first; one entry per call. An entry that has changed is corrected by saving the new text in its place. After other tools have run in the turn, an entry that the person did not mention needs approval.',
  whenToUse: [
    {
      en: 'The person asks you to forget something that was saved → find it, then memory_forget.',
      'zh-CN': '用户要你忘掉保存过的事 → 先找到它，再 memory_forget。',
    },
  ],
  effect: 'write',
  memory: 'removes',
  parameters: Type.Object(
    { id: Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$', description: 'Id of the entry, as a search or a save names it' }) },
    { additionalProperties: false },
  ),
  translations: {
    'zh-CN': {
      label: '忘记',
      description:
        '永久删除一条已保存的条目。当用户要你忘掉某事，或条目有误且没有内容可替换时使用。先搜索到编号；每次一条。内容变了的条目，应保存新的文字来替换它。本轮用过其他工具之后，删除用户没有提到的条目需要审批。',
      parameters: { id: '条目编号，由搜索或保存的结果给出' },
    },
  },
  async execute({ id }, ctx) {
    if (!ctx.memories) return noMemories(ctx);
    const forgotten = await ctx.memories.forgetMemory(id);
    if (!forgotten) {
      return errorResult(
        inLocale(ctx, `There is no entry [${id}]. Search the memory for its id.`, `没有条目 [${id}]。请在记忆中查找编号。`),
      );
    }
    const { text, kind } = forgotten;
    return textResult(inLocale(ctx, `Forgotten [${id}]: ${text}`, `已忘记 [${id}]：${text}`), { forgotten: { id, text, kind } });
  },
});
