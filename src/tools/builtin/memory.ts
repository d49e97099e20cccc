/** Specs of memory_save and memory_recall. A memory service will run them; no agent has them yet. */
import { Type } from '@sinclair/typebox';
import type { ToolSpec } from '../common';

const closed = { additionalProperties: false };

export const memorySaveSpec: ToolSpec = {
  name: 'memory_save',
  toolset: 'memory',
  label: 'Save to memory',
  description:
    'Keeps a lasting fact for later conversations, or corrects or removes one. Save what spares the person from repeating themselves: preferences, names, environment, fixed constraints. ' +
    'One short, self-contained fact per call. Do not save progress of the current task, results of this session, guesses or secrets such as passwords and keys. Recall first: update an old entry instead of adding a second.',
  whenToUse: 'A lasting fact or wish comes up that will matter in later conversations',
  howToUse: {
    title: { en: '## Remembering', 'zh-CN': '## 记住' },
    lines: [
      {
        en: 'Save with memory_save what spares the person from repeating it: preferences, facts about their environment, conventions of a project.',
        'zh-CN': '用 memory_save 保存能让用户不必重复的东西：偏好、所处环境的事实、项目的约定。',
      },
      {
        en: 'One fact an entry, short, true beyond today. Not the state of the current task, not results, nothing secret.',
        'zh-CN': '一条只记一个事实，要短，过了今天仍然成立。不记当前任务的进度，不记结果，不记任何机密。',
      },
      { en: 'Update an entry that has changed instead of adding a second one.', 'zh-CN': '事实变了就更新原来的那一条，不要再加一条。' },
    ],
  },
  effect: 'write',
  parameters: Type.Object(
    {
      action: Type.Union([Type.Literal('save'), Type.Literal('update'), Type.Literal('remove')], {
        description: 'save a new fact, update the text of one, or remove one',
      }),
      content: Type.Optional(Type.String({ minLength: 1, maxLength: 2_000, description: 'The fact; needed by save and update' })),
      id: Type.Optional(
        Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$', description: 'Entry as named by memory_recall; needed by update and remove' }),
      ),
      tags: Type.Optional(
        Type.Array(Type.String({ minLength: 1, maxLength: 40 }), {
          maxItems: 8,
          uniqueItems: true,
          description: 'Up to 8 words to group it by',
        }),
      ),
    },
    closed,
  ),
  translations: {
    'zh-CN': {
      label: '保存记忆',
      description:
        '为以后的对话保存一条长期有效的事实，或更正、删除已有的一条。应保存能让用户不必重复说明的内容：偏好、名称、环境、固定约束。' +
        '每次调用一条简短、独立可懂的事实。不要保存当前任务的进度、本次会话的结果、猜测，以及密码、密钥等机密。先用 memory_recall 查找：更新旧条目，不要重复添加。',
      whenToUse: '出现了以后的对话仍会用到的长期事实或偏好',
      parameters: {
        action: 'save 保存新事实，update 更新内容，remove 删除',
        content: '事实内容；save 和 update 必填',
        id: 'memory_recall 给出的条目编号；update 和 remove 必填',
        tags: '最多 8 个用于归类的词',
      },
    },
  },
};

export const memoryRecallSpec: ToolSpec = {
  name: 'memory_recall',
  toolset: 'memory',
  label: 'Recall from memory',
  description:
    'Searches what was saved in earlier conversations and returns the best matching entries with their ids. Use it when the person refers to something from before, ' +
    'when their preferences matter, and before memory_save. Search by a few words of the subject, in the language it was probably saved in. Not for the content of files.',
  whenToUse: [
    {
      en: 'The person refers to something from earlier conversations → memory_recall before you say that you do not know.',
      'zh-CN': '用户提到以前对话里的事 → 先 memory_recall，再说知道不知道。',
    },
  ],
  effect: 'read',
  reads: 'private',
  parameters: Type.Object(
    {
      query: Type.String({ minLength: 1, maxLength: 500, description: 'A few words to search for' }),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 20, description: 'Most entries to return. Default 5' })),
    },
    closed,
  ),
  translations: {
    'zh-CN': {
      label: '查找记忆',
      description:
        '搜索以往对话中保存的内容，返回最匹配的条目及其编号。当用户提到以前的事、需要了解其偏好、以及调用 memory_save 之前使用。' +
        '用主题的几个词搜索，语言与保存时一致。不用于查找文件内容。',
      parameters: { query: '要搜索的几个词', limit: '最多返回的条目数。默认 5' },
    },
  },
};
