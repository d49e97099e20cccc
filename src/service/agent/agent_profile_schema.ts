/** The form of an agent profile. The check of profiles and the form of the operator pages use it. */
import { Type } from '@sinclair/typebox';
import { WrittenParameters } from '../../port/model_parameters';
import { VISIBILITIES } from '../../port/store/session_access';
import { says } from '../../utils/bilingual';
import { closedObject, Optional } from '../../utils/schema_types';

const names = Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { maxItems: 100, uniqueItems: true });

/** A text in one language for all, or one for each; Chinese falls back to English. */
const perLanguage = (maxLength: number) => {
  const text = Type.String({ maxLength });
  return Type.Union([text, closedObject({ en: text, 'zh-CN': Type.Optional(text) })]);
};

export const PROFILE_SCHEMA = closedObject({
  name: Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$' }),
  label: Type.Optional(perLanguage(100)),
  description: Type.Optional(perLanguage(1_000)),
  tenant: Optional.String({
    pattern: '^[A-Za-z0-9_-]{1,64}$',
    ...says('the only tenant in which the agent exists; absent: all', '智能体只存在于此租户；省略：所有租户'),
  }),
  owner: Optional.String({
    maxLength: 64,
    ...says('handle of the person to whom it belongs, such as @anna; needs tenant', '所属的人的标识，如 @anna；需要 tenant'),
  }),
  visibility: Optional.OneOf(
    VISIBILITIES,
    says(
      'who sees it; absent: shared with sharedWith, private with an owner',
      '谁能看到；省略：有 sharedWith 时为 shared，有所有者时为 private',
    ),
  ),
  sharedWith: Optional.Array(Type.String({ minLength: 1, maxLength: 200 }), {
    minItems: 1,
    maxItems: 100,
    uniqueItems: true,
    ...says('handles of people, roles, or groups as group:<name>; needs tenant', '人的标识、角色，或 group:<名称> 形式的组；需要 tenant'),
  }),
  model: Optional.String({
    minLength: 1,
    maxLength: 200,
    ...says('id of a model, or its name at the default server; absent: the default model', '模型的 id 或名称；省略：默认模型'),
  }),
  parameters: Type.Optional(WrittenParameters),
  toolsets: Type.Optional(names),
  tools: Type.Optional(names),
  memory: Optional.Boolean(says('true: the toolset memory and the memory block of the prompt', 'true：工具集 memory 和提示词中的记忆部分')),
  skills: Optional.Boolean(says('true: the toolset skill and the list of skills in the prompt', 'true：工具集 skill 和提示词中的技能列表')),
  discover: Optional.Union(
    [Type.Boolean(), names],
    says(
      'the tools of MCP servers and manifests that the agent can be given: true: all, false: none, or the names of their toolsets',
      '智能体可以得到的 MCP 服务器和工具清单的工具：true：全部，false：没有，或其工具集的名称',
    ),
  ),
  members: Optional.Array(Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$' }), {
    maxItems: 20,
    uniqueItems: true,
    ...says('agents to which it can delegate; the first is asked when a task names none', '可委派的智能体；默认交给第一个'),
  }),
  maxToolIterations: Optional.Integer({
    minimum: 1,
    maximum: 1_000,
    ...says('absent: the configured limit; 15 for a crew member', '省略：设置中的上限；团队成员为 15'),
  }),
  hosts: Optional.Array(Type.String({ pattern: '^(\\*\\.)?[A-Za-z0-9.-]{1,253}$' }), {
    maxItems: 500,
    ...says('hosts that web tools may reach unasked after private and untrusted content', '读过私密内容后仍可访问的主机'),
  }),
  suggestions: Optional.Array(perLanguage(200), {
    maxItems: 6,
    ...says('first messages that the chat page offers', '聊天页面提供的首条消息'),
  }),
  persona: Type.Optional(closedObject({ en: Optional.String({ maxLength: 20_000 }), 'zh-CN': Optional.String({ maxLength: 20_000 }) })),
});
