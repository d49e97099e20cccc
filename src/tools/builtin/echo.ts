import { Type } from '@sinclair/typebox';
import { defineTool, textResult } from '../common';

const EchoParameters = Type.Object(
  { text: Type.String({ maxLength: 10_000, description: 'Text to return, at most 10,000 characters' }) },
  { additionalProperties: false },
);

export const echoTool = defineTool({
  name: 'echo',
  toolset: 'utility',
  whenToUse: '',
  label: 'Echo',
  description: 'Gives back its text unchanged. Only for checking that tools can be reached; never use it to talk to the person.',
  effect: 'read',
  translations: {
    'zh-CN': {
      label: '回显',
      description: '原样返回收到的文本。只用于检查工具是否可用；不要用它来和用户说话。',
      parameters: { text: '要返回的文本，最多 10000 个字符' },
    },
  },
  parameters: EchoParameters,
  execute: async ({ text }) => textResult(text, undefined, { text }),
});
