import { Type } from '@sinclair/typebox';
import type { JsonAnswer, JsonOperation } from '../../port/cpu_tasks';
import { defineTool, errorResult, inLocale, type ToolContext, type ToolResult, textResult } from '../common';
import { runCpuTask } from '../cpu_tasks';
import { MAX_JSON_DEPTH, MAX_JSON_UNITS } from '../data_services/json_text';

/** Takes about 10 ms. Longer texts are processed in another thread. */
const MAX_INLINE_UNITS = 20_000;
/** Results over this length carry no `value`, only the text. */
const MAX_VALUE_UNITS = 100_000;

const JsonProcessParameters = Type.Object(
  {
    json_string: Type.String({ maxLength: MAX_JSON_UNITS, description: `The JSON text, at most ${MAX_JSON_UNITS} characters` }),
    operation: Type.Union([Type.Literal('parse'), Type.Literal('format'), Type.Literal('keys'), Type.Literal('validate')], {
      description: 'What to do with it',
    }),
  },
  { additionalProperties: false },
);

export const jsonProcessTool = defineTool({
  name: 'json_process',
  toolset: 'data',
  label: 'Process JSON',
  description:
    'Works on a JSON text: validate (is it valid, and if not where it breaks), parse (its kind and its compact form), format (indented), keys (the keys of the outer object). ' +
    `Numbers and strings come back exactly as they were. At most ${MAX_JSON_UNITS} characters and ${MAX_JSON_DEPTH} levels; for larger files use a program.`,
  whenToUse: 'JSON has to be checked, laid out or asked for its keys',
  effect: 'read',
  translations: {
    'zh-CN': {
      label: '处理 JSON',
      description:
        '处理一段 JSON 文本：validate（是否有效，无效时指出位置）、parse（类型和紧凑形式）、format（缩进排版）、keys（最外层对象的键）。' +
        `数字和字符串原样返回。最多 ${MAX_JSON_UNITS} 个字符、${MAX_JSON_DEPTH} 层嵌套；更大的文件请用程序处理。`,
      whenToUse: '要检查、排版 JSON，或列出它的键',
      parameters: { json_string: `JSON 文本，最多 ${MAX_JSON_UNITS} 个字符`, operation: '要做的操作' },
    },
  },
  parameters: JsonProcessParameters,
  async execute({ json_string: text, operation }, ctx) {
    const answer = await runCpuTask('processJson', { text, operation }, { isLarge: text.length > MAX_INLINE_UNITS, ctx });
    return toResult(answer, operation, ctx);
  },
});

function toResult(answer: JsonAnswer, operation: JsonOperation, ctx: ToolContext): ToolResult {
  if (!answer.ok) {
    const text = answer.problem === 'not_json' ? notJson(answer, ctx) : inLocale(ctx, answer.error, answer.errorZh);
    return operation === 'validate' ? textResult(text, { valid: false }) : errorResult(text);
  }
  const { kind, text, keys, keyCount } = answer;
  switch (operation) {
    case 'validate':
      return textResult(inLocale(ctx, 'Valid JSON.', '有效的 JSON。'), { valid: true });
    case 'parse':
      return textResult(`${kind}: ${text}`, { kind }, text.length > MAX_VALUE_UNITS ? undefined : { value: JSON.parse(text) });
    case 'format':
      return textResult(text, { kind });
    case 'keys':
      return kind === 'object'
        ? textResult(JSON.stringify(keys), { count: keyCount, truncated: keyCount > keys.length }, { keys })
        : errorResult(inLocale(ctx, `Only an object has keys; this is of the kind ${kind}.`, `只有对象才有键；这里的类型是 ${kind}。`));
  }
}

const notJson = ({ error, errorZh }: { error: string; errorZh: string }, ctx: ToolContext): string =>
  inLocale(ctx, `Not valid JSON: ${error}`, `不是有效的 JSON：${errorZh}`);
