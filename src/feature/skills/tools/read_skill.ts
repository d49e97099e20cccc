import { Type } from '@sinclair/typebox';
import { defineTool, errorResult, inLocale, type ToolContext, type ToolResult, textResult } from '../../../tools/common';
import { SkillRefusal, type SkillText } from './skill_access';

const MAX_SHOWN_FILES = 200;

/** Pattern for the name of a skill's folder. The list of skills decides which names exist. */
const FOLDER_PATTERN = '^[^./\\\\\\x00-\\x1f][^/\\\\\\x00-\\x1f]*$';
export const skillNameParameter = (description: string) => Type.String({ maxLength: 64, pattern: FOLDER_PATTERN, description });

export const readSkillTool = defineTool({
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
  isVolatile: true,
  parameters: Type.Object({ name: skillNameParameter('Name of the skill as listed') }, { additionalProperties: false }),
  translations: {
    'zh-CN': {
      label: '读取技能',
      description:
        '读取一个技能的说明（SKILL.md），并列出它的其他文件。只要任务符合所列某个技能的描述，就应在开始工作之前读取并照做。' +
        '一次读一个；不要读取不相关的技能。',
      parameters: { name: '列表中的技能名称' },
    },
  },
  async execute({ name }, ctx) {
    return withSkills(ctx, async skills => {
      const skill = await skills.readSkill(name);
      // The log of executions keeps these details; the skills that a session has read are found there.
      return { ...textResult(toText(skill, ctx), { skill: skill.name, tools: skill.tools }), wantedTools: skill.tools };
    });
  },
});

/** Runs the work of a skill tool; a refusal becomes an error result in the language of the call. */
export async function withSkills(
  ctx: ToolContext,
  work: (skills: NonNullable<ToolContext['skills']>) => Promise<ToolResult>,
): Promise<ToolResult> {
  if (!ctx.skills) return errorResult(inLocale(ctx, 'There are no skills here.', '这里没有技能。'));
  try {
    return await work(ctx.skills);
  } catch (thrown) {
    if (thrown instanceof SkillRefusal) return errorResult(thrown.text[ctx.locale], { code: thrown.code });
    throw thrown;
  }
}

function toText({ name, instructions, files, tools }: SkillText, ctx: ToolContext): string {
  const shown = files.slice(0, MAX_SHOWN_FILES).join('\n');
  const more = files.length > MAX_SHOWN_FILES ? inLocale(ctx, `\n(${files.length} files)`, `\n（共 ${files.length} 个文件）`) : '';
  const blocks = [
    inLocale(ctx, `# Skill: ${name}`, `# 技能：${name}`),
    instructions || inLocale(ctx, '(The skill has no instructions.)', '（技能没有说明。）'),
    files.length > 0 ? `${inLocale(ctx, '## Files of the skill', '## 技能的文件')}\n${shown}${more}` : '',
    files.some(path => path.startsWith('scripts/')) ? inLocale(ctx, ...SCRIPTS) : '',
    tools.length > 0 ? inLocale(ctx, `Tools it was written for: ${tools.join(', ')}.`, `它所针对的工具：${tools.join('、')}。`) : '',
  ];
  return blocks.filter(block => block !== '').join('\n\n');
}

const SCRIPTS: [en: string, zhCN: string] = [
  'The files are not in the workspace. To run a script, read it and write it into the workspace first.',
  '这些文件不在工作区中。要运行脚本，请先读取它并写入工作区。',
];
