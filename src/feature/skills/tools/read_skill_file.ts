import { Type } from '@sinclair/typebox';
import { defineTool, textResult } from '../../../tools/common';
import { skillNameParameter, withSkills } from './read_skill';

export const readSkillFileTool = defineTool({
  name: 'read_skill_file',
  toolset: 'skill',
  label: 'Read skill file',
  description:
    'Reads one text file that belongs to a skill: a template, a reference, a script, an example. Use it when the instructions of the skill point to that file. ' +
    'Text files up to 1 MiB; SKILL.md with its front matter too.',
  whenToUse: 'A skill points to a file of its own',
  effect: 'read',
  isVolatile: true,
  parameters: Type.Object(
    {
      name: skillNameParameter('Name of the skill'),
      path: Type.String({ minLength: 1, maxLength: 512, description: 'Path of the file relative to the skill, as the skill names it' }),
    },
    { additionalProperties: false },
  ),
  translations: {
    'zh-CN': {
      label: '读取技能文件',
      description:
        '读取技能附带的一个文本文件：模板、参考资料、脚本或示例。当技能说明指向该文件时使用。适用于不超过 1 MiB 的文本文件，也可读取带文件头的 SKILL.md。',
      whenToUse: '技能里提到它自带的文件',
      parameters: { name: '技能名称', path: '文件相对于技能的路径，与技能中所写一致' },
    },
  },
  async execute({ name, path }, ctx) {
    return withSkills(ctx, async skills => textResult(await skills.readSkillFile(name, path), { skill: name, path }));
  },
});
