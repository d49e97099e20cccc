/** Says in both languages which rule of a schema a value breaks. */
import type { TSchema } from '@sinclair/typebox';
import { type ValueError, ValueErrorType } from '@sinclair/typebox/errors';
import type { Bilingual } from '../utils/bilingual';
import { NOT_BLANK } from './not_blank';

/** Returns the rule as the end of a sentence about the field. */
export function ruleOf(error: ValueError): Bilingual {
  const { type, schema, message, value } = error;
  const choices = (schema['anyOf'] as { const?: unknown }[] | undefined)?.map(option => option.const);
  if (choices?.every(choice => choice !== undefined)) {
    return { en: `must be one of ${choices.join(', ')}`, 'zh-CN': `必须是以下之一：${choices.join('、')}` };
  }
  const isTooLong = type === ValueErrorType.StringMaxLength;
  if (schema['pattern'] === NOT_BLANK && typeof value === 'string' && !isTooLong) return { en: 'must not be blank', 'zh-CN': '不能为空白' };
  return { en: message.charAt(0).toLowerCase() + message.slice(1), 'zh-CN': RULES_ZH[type]?.(schema) ?? '不符合要求' };
}

const RULES_ZH: Partial<Record<ValueErrorType, (schema: TSchema) => string>> = {
  [ValueErrorType.ArrayMaxItems]: schema => `最多 ${schema['maxItems']} 项`,
  [ValueErrorType.ArrayMinItems]: schema => `至少 ${schema['minItems']} 项`,
  [ValueErrorType.ArrayUniqueItems]: () => '各项不能重复',
  [ValueErrorType.Array]: () => '必须是数组',
  [ValueErrorType.Boolean]: () => '必须是 true 或 false',
  [ValueErrorType.IntegerMaximum]: schema => `不能大于 ${schema['maximum']}`,
  [ValueErrorType.IntegerMinimum]: schema => `不能小于 ${schema['minimum']}`,
  [ValueErrorType.Integer]: () => '必须是整数',
  [ValueErrorType.Literal]: schema => `必须是 ${String(schema['const'])}`,
  [ValueErrorType.Null]: () => '必须是 null',
  [ValueErrorType.NumberMaximum]: schema => `不能大于 ${schema['maximum']}`,
  [ValueErrorType.NumberMinimum]: schema => `不能小于 ${schema['minimum']}`,
  [ValueErrorType.Number]: () => '必须是数字',
  [ValueErrorType.Object]: () => '必须是对象',
  [ValueErrorType.ObjectAdditionalProperties]: () => '没有这个字段',
  [ValueErrorType.ObjectMaxProperties]: schema => `最多 ${schema['maxProperties']} 个字段`,
  [ValueErrorType.ObjectMinProperties]: schema => `至少 ${schema['minProperties']} 个字段`,
  [ValueErrorType.ObjectRequiredProperty]: () => '是必填字段',
  [ValueErrorType.StringFormat]: schema => `格式必须是 ${schema['format']}`,
  [ValueErrorType.StringMaxLength]: schema => `最多 ${schema['maxLength']} 个字符`,
  [ValueErrorType.StringMinLength]: schema => `至少 ${schema['minLength']} 个字符`,
  [ValueErrorType.StringPattern]: schema => `必须匹配 ${schema['pattern']}`,
  [ValueErrorType.String]: () => '必须是文本',
};
