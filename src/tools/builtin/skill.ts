/** Specs of the skill tools. A skill service will run them; no agent has them yet. */
import { Type } from '@sinclair/typebox';
import type { ToolSpec } from '../common';

const closed = { additionalProperties: false };
const skillName = (description: string) => Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,63}$', description });

export const readSkillSpec: ToolSpec = {
  name: 'read_skill',
  toolset: 'skill',
  label: 'Read skill',
  description:
    'Reads the instructions of a skill (its SKILL.md) and names its other files. Read it as soon as the task fits the description of a listed skill, before you start the work, and follow it. ' +
    'One skill at a time; do not read skills that do not fit.',
  whenToUse: [
    {
      en: 'The description of a skill fits the task → read_skill first, then follow it.',
      'zh-CN': '某个技能的说明与任务相符 → 先 read_skill，再照着做。',
    },
  ],
  effect: 'read',
  parameters: Type.Object({ name: skillName('Name of the skill as listed') }, closed),
  translations: {
    'zh-CN': {
      label: '读取技能',
      description:
        '读取一个技能的说明（SKILL.md），并列出它的其他文件。只要任务符合所列某个技能的描述，就应在开始工作之前读取并照做。' +
        '一次读一个；不要读取不相关的技能。',
      parameters: { name: '列表中的技能名称' },
    },
  },
};

export const readSkillFileSpec: ToolSpec = {
  name: 'read_skill_file',
  toolset: 'skill',
  label: 'Read skill file',
  description:
    'Reads one text file that belongs to a skill: a template, a reference, an example. Use it when the instructions of the skill point to that file.',
  whenToUse: 'A skill points to a file of its own',
  effect: 'read',
  parameters: Type.Object(
    {
      name: skillName('Name of the skill'),
      path: Type.String({ minLength: 1, maxLength: 512, description: 'Path of the file relative to the skill, as named by read_skill' }),
    },
    closed,
  ),
  translations: {
    'zh-CN': {
      label: '读取技能文件',
      description: '读取技能附带的一个文本文件：模板、参考资料或示例。当技能说明指向该文件时使用。',
      whenToUse: '技能里提到它自带的文件',
      parameters: { name: '技能名称', path: '文件相对于技能的路径，由 read_skill 给出' },
    },
  },
};

export const skillManageSpec: ToolSpec = {
  name: 'skill_manage',
  toolset: 'skill',
  label: 'Manage skills',
  description:
    'Creates, updates or deletes a skill: written instructions that are offered in later tasks of the same kind. Create one after a task of five or more tool calls whose way of working will be needed again; ' +
    'update one at once when you find it outdated or wrong. Not for facts and not for a single task. Delete only when the person asks for it.',
  whenToUse: 'A method proved itself and will be needed again, or a skill is wrong',
  howToUse: {
    title: { en: '## Keeping skills', 'zh-CN': '## 积累技能' },
    lines: [
      {
        en: 'When a task took five or more calls and the way will be useful again, save the way with skill_manage: when to use it, the steps, the traps.',
        'zh-CN': '一个任务用了五次以上调用、做法以后还有用，就用 skill_manage 把做法存下来：何时用、怎样做、有哪些坑。',
      },
      { en: 'When a skill you use turns out wrong or outdated, correct it right away.', 'zh-CN': '使用中的技能有错或过时了，当场改正。' },
    ],
  },
  effect: 'write',
  parameters: Type.Object(
    {
      action: Type.Union([Type.Literal('create'), Type.Literal('update'), Type.Literal('delete')], { description: 'What to do' }),
      name: skillName('Name: lower-case letters, digits and hyphens, at most 64'),
      description: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 300,
          description: 'One sentence: what it does and when to use it; needed by create',
        }),
      ),
      content: Type.Optional(
        Type.String({ minLength: 1, maxLength: 50_000, description: 'The whole instructions in Markdown; needed by create and update' }),
      ),
    },
    closed,
  ),
  translations: {
    'zh-CN': {
      label: '管理技能',
      description:
        '创建、更新或删除技能：以后遇到同类任务时可供使用的书面说明。完成一项用了五次以上工具调用、且做法会再次用到的任务后创建；' +
        '发现技能过时或有误时立即更新。不用于保存事实，也不用于一次性的任务。只有用户要求时才删除。',
      whenToUse: '某个做法证明有效、以后还会用到，或者某个技能有错',
      parameters: {
        action: '要执行的操作',
        name: '名称：小写字母、数字和连字符，最多 64 个字符',
        description: '一句话：做什么、何时使用；create 必填',
        content: '完整的 Markdown 说明；create 和 update 必填',
      },
    },
  },
};
