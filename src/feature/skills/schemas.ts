/** Requests and answers of the routes under /skills. */
import { Type } from '@sinclair/typebox';
import { Id, PAGE_QUERY } from '../../controller/schemas/common';
import { says } from '../../utils/bilingual';
import { closedObject, Optional, oneOf } from '../../utils/schema_types';

export const SkillsQuery = closedObject({
  ...PAGE_QUERY,
  session: Optional.String({ ...Id, ...says('adds `active` to each row for this session', '为每一行加上在该会话中是否启用的 `active`') }),
});

export const PutSkillRequest = closedObject(
  {
    content: Type.String({
      minLength: 1,
      maxLength: 262_144,
      ...says('the whole SKILL.md, front matter included', '完整的 SKILL.md，包括文件头'),
    }),
  },
  {
    examples: [
      {
        content: '---\nname: release\ndescription: How to make a release. Use it when a version is published.\n---\n\n1. Run the tests.\n',
      },
    ],
  },
);

export const PatchSkillRequest = closedObject({ enabled: Type.Boolean() }, { examples: [{ enabled: false }] });

const ROW = {
  name: Type.String(),
  description: Type.String(says('empty when it cannot be read', '无法读取时为空')),
  source: oneOf(
    ['config', 'agent'],
    says(
      'config: from the operator, read-only; agent: made by the agent or over REST',
      'config：运维人员提供，只读；agent：由智能体或 REST 创建',
    ),
  ),
  files: Type.Array(Type.String(), says('paths of its files, SKILL.md included', '文件路径，包括 SKILL.md')),
  tools: Type.Array(Type.String(), says('names in allowed-tools', 'allowed-tools 中的名称')),
  enabled: Type.Boolean(says('whether the agent can use it', '智能体能否使用')),
  problems: Type.Array(Type.String(), says('mistakes, each with file and line', '错误，每条都注明文件和行号')),
  warnings: Type.Array(
    Type.String(),
    says(
      'mistakes with which the skill can be used all the same, such as another name than the folder',
      '不妨碍使用的错误，例如名称与文件夹不同',
    ),
  ),
};

export const Skill = Type.Object({
  ...ROW,
  active: Optional.Boolean(says('whether the agent has read it in the session of the query', '智能体在所查询的会话中是否读过它')),
});

export const SkillDetail = Type.Object({
  ...ROW,
  content: Optional.String(says('SKILL.md; absent when it cannot be read as text', 'SKILL.md；无法作为文本读取时没有')),
  license: Optional.String(),
  compatibility: Optional.String(),
  metadata: Type.Optional(Type.Record(Type.String(), Type.String())),
});
