import { type Static, Type } from '@sinclair/typebox';
import { defineTool, inLocale, ToolInputError, type ToolLocale, textResult } from '../../../tools/common';
import { type Bilingual, inBoth, joinSentences } from '../../../utils/bilingual';
import { readDocument } from '../document/skill_document';
import { skillNameParameter, withSkills } from './read_skill';
import type { SkillChange } from './skill_access';

const ACTIONS = ['create', 'update', 'patch', 'delete', 'enable', 'disable'] as const;

const SkillManageParameters = Type.Object(
  {
    action: Type.Union(
      ACTIONS.map(action => Type.Literal(action)),
      { description: 'What to do' },
    ),
    name: skillNameParameter('Name: lower-case letters, digits and single hyphens, at most 64'),
    content: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200_000,
        description:
          'The whole SKILL.md; needed by create and update: a line of ---, name and description (what it does and when to use it), a line of ---, then the instructions in Markdown',
      }),
    ),
    path: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 512,
        description: 'For patch: the file relative to the skill, such as references/api.md. Default SKILL.md',
      }),
    ),
    old_string: Type.Optional(
      Type.String({ description: 'Needed by patch: text to find, which occurs only once in the file; empty to create a file' }),
    ),
    new_string: Type.Optional(Type.String({ description: 'Needed by patch: text to put in its place; empty to delete' })),
  },
  { additionalProperties: false },
);
type SkillManageParameters = Static<typeof SkillManageParameters>;

export const skillManageTool = defineTool({
  name: 'skill_manage',
  toolset: 'skill',
  label: 'Manage skills',
  description:
    'Creates, changes, deletes, enables or disables a skill: written instructions that are offered in later tasks of the same kind. Create one after a task of five or more tool calls whose way of working will be needed again; ' +
    'change a part of one (action patch) at once when you find it outdated or wrong, and update only to rewrite it. Not for facts and not for a single task. Delete only when the person asks for it. A person approves each call. Skills of the operator are read-only.',
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
  approval: {
    reason: {
      en: 'A skill instructs the agent in later conversations.',
      'zh-CN': '技能会在以后的对话中指导智能体。',
    },
  },
  // A call that will be refused anyway needs no approval: it is refused at once.
  isHarmless: args => findProblem(args as SkillManageParameters) !== undefined,
  keepsText: args => ['create', 'update', 'patch'].includes((args as SkillManageParameters).action),
  parameters: SkillManageParameters,
  translations: {
    'zh-CN': {
      label: '管理技能',
      description:
        '创建、修改、删除、启用或停用技能：以后遇到同类任务时可供使用的书面说明。完成一项用了五次以上工具调用、且做法会再次用到的任务后创建；' +
        '发现技能过时或有误时立即局部修改（action 为 patch），只有整体重写时才用 update。不用于保存事实，也不用于一次性的任务。只有用户要求时才删除。每次调用都要经人批准。运维人员提供的技能只读。',
      whenToUse: '某个做法证明有效、以后还会用到，或者某个技能有错',
      parameters: {
        action: '要执行的操作',
        name: '名称：小写字母、数字和单个连字符，最多 64 个字符',
        content:
          '完整的 SKILL.md；create 和 update 必填：一行 ---，name 和 description（做什么、何时使用），一行 ---，然后是 Markdown 说明',
        path: '用于 patch：相对于技能的文件，如 references/api.md。默认 SKILL.md',
        old_string: 'patch 必填：要查找的文本，在文件中只出现一次；留空表示新建文件',
        new_string: 'patch 必填：用来替换的文本；留空表示删除',
      },
    },
  },
  async execute(args, ctx) {
    const problem = findProblem(args);
    if (problem) throw new ToolInputError(`Nothing was written. ${problem.en}`, `没有写入任何内容。${problem['zh-CN']}`);
    const change = toChange(args, ctx.locale);
    return withSkills(ctx, async skills => {
      const { diff } = await skills.changeSkill(change, ctx.signal);
      const [en, zhCN] = DONE[change.action];
      const text = inLocale(ctx, `${en} ${change.name}.`, `${zhCN} ${change.name}。`);
      return textResult(diff ? `${text}\n${diff}` : text, { skill: change.name, action: change.action, diff: diff || undefined });
    });
  },
});

const DONE: Record<SkillChange['action'], [en: string, zhCN: string]> = {
  create: ['Created the skill', '已创建技能'],
  update: ['Updated the skill', '已更新技能'],
  patch: ['Changed the skill', '已修改技能'],
  delete: ['Deleted the skill', '已删除技能'],
  enable: ['Enabled the skill', '已启用技能'],
  disable: ['Disabled the skill', '已停用技能'],
};

/** Fields that each action takes beside `action` and `name`; `true` marks required fields. */
const FIELDS: Record<SkillChange['action'], Readonly<Record<string, boolean>>> = {
  create: { content: true },
  update: { content: true },
  patch: { path: false, old_string: true, new_string: true },
  delete: {},
  enable: {},
  disable: {},
};

/** Finds a field that the action needs or does not take, or a text that is no SKILL.md. */
function findProblem({ action, ...args }: SkillManageParameters): Bilingual | undefined {
  const given = Object.keys(args).filter(key => key !== 'name');
  const missing = Object.entries(FIELDS[action]).find(([field, isRequired]) => isRequired && !given.includes(field));
  if (missing) return { en: `/${missing[0]}: is required for the action ${action}.`, 'zh-CN': `/${missing[0]}：操作 ${action} 需要它。` };
  const extra = given.find(field => !(field in FIELDS[action]));
  if (extra !== undefined)
    return { en: `/${extra}: the action ${action} does not take it.`, 'zh-CN': `/${extra}：操作 ${action} 不接受它。` };
  if (args.content === undefined) return undefined;
  const read = readDocument(Buffer.from(args.content), { file: 'SKILL.md', folder: args.name, isNew: true });
  if (read.ok) return undefined;
  const { en, 'zh-CN': zhCN } = joinSentences(read.problems);
  return inBoth(`/content: ${en}`, `/content：${zhCN}`);
}

function toChange(args: SkillManageParameters, locale: ToolLocale): SkillChange {
  const { action, name, content = '', path, old_string: oldString = '', new_string: newString = '' } = args;
  switch (action) {
    case 'create':
    case 'update':
      return { action, name, content };
    case 'patch':
      return { action, name, path, oldString, newString, locale };
    case 'delete':
    case 'enable':
    case 'disable':
      return { action, name };
  }
}
