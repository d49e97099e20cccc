/** Says in words for a model what a rule of JSON Schema demands of a field. */
import { type ValueError, ValueErrorType } from '@sinclair/typebox/compiler';
import type { Bilingual } from '../utils/bilingual';

/** A rule by its JSON Schema keyword, and the value that the schema gives it. */
export interface BrokenRule {
  keyword: string;
  value?: unknown;
  /** Type of the field in the schema: integer, string ... */
  type?: unknown;
}

const says = (en: string, zhCN: string): Bilingual => ({ en, 'zh-CN': zhCN });

/** Returns the rule as words that continue "FIELD: must ...". */
export function ruleText({ keyword, value, type }: BrokenRule): Bilingual {
  const [noun, nounZh] = type === 'integer' ? ['integer', '整数'] : ['number', '数字'];
  switch (keyword) {
    case 'type':
      return Array.isArray(value)
        ? says(`must be ${value.join(' or ')}`, `必须是 ${value.join(' 或 ')}`)
        : says(`must be ${value}`, `必须是 ${value}`);
    case 'enum': {
      const options = (value as unknown[]).map(option => JSON.stringify(option)).join(', ');
      return says(`must be one of ${options}`, `必须是其中之一：${options}`);
    }
    case 'const':
      return says(`must be ${JSON.stringify(value)}`, `必须是 ${JSON.stringify(value)}`);
    case 'minimum':
      return says(`must be ${noun} of at least ${value}`, `必须是不小于 ${value} 的${nounZh}`);
    case 'maximum':
      return says(`must be ${noun} of at most ${value}`, `必须是不大于 ${value} 的${nounZh}`);
    case 'exclusiveMinimum':
      return says(`must be ${noun} greater than ${value}`, `必须是大于 ${value} 的${nounZh}`);
    case 'exclusiveMaximum':
      return says(`must be ${noun} less than ${value}`, `必须是小于 ${value} 的${nounZh}`);
    case 'multipleOf':
      return says(`must be a multiple of ${value}`, `必须是 ${value} 的倍数`);
    case 'minLength':
      return says(`must be at least ${value} characters long`, `至少要有 ${value} 个字符`);
    case 'maxLength':
      return says(`must be at most ${value} characters long`, `最多只能有 ${value} 个字符`);
    case 'pattern':
      return says(`must match the pattern ${value}`, `必须符合模式 ${value}`);
    case 'minItems':
      return says(`must have at least ${value} items`, `至少要有 ${value} 项`);
    case 'maxItems':
      return says(`must have at most ${value} items`, `最多只能有 ${value} 项`);
    case 'uniqueItems':
      return says('must have no two items that are the same', '不能有相同的项');
    case 'minProperties':
      return says(`must have at least ${value} fields`, `至少要有 ${value} 个字段`);
    case 'maxProperties':
      return says(`must have at most ${value} fields`, `最多只能有 ${value} 个字段`);
    case 'anyOf':
    case 'oneOf':
      return says('must match one of the forms that the schema allows', '必须符合 schema 允许的形式之一');
    default:
      return says(`must keep to the rule ${keyword} of its schema`, `必须遵守其 schema 的规则 ${keyword}`);
  }
}

const T = ValueErrorType;

/** The JSON Schema keyword of each kind of TypeBox error; other kinds are reported as `type`. */
const KEYWORDS: Readonly<Partial<Record<ValueErrorType, string>>> = {
  [T.ArrayMaxItems]: 'maxItems',
  [T.ArrayMinItems]: 'minItems',
  [T.ArrayUniqueItems]: 'uniqueItems',
  [T.IntegerExclusiveMaximum]: 'exclusiveMaximum',
  [T.IntegerExclusiveMinimum]: 'exclusiveMinimum',
  [T.IntegerMaximum]: 'maximum',
  [T.IntegerMinimum]: 'minimum',
  [T.IntegerMultipleOf]: 'multipleOf',
  [T.Literal]: 'const',
  [T.NumberExclusiveMaximum]: 'exclusiveMaximum',
  [T.NumberExclusiveMinimum]: 'exclusiveMinimum',
  [T.NumberMaximum]: 'maximum',
  [T.NumberMinimum]: 'minimum',
  [T.NumberMultipleOf]: 'multipleOf',
  [T.ObjectMaxProperties]: 'maxProperties',
  [T.ObjectMinProperties]: 'minProperties',
  [T.StringMaxLength]: 'maxLength',
  [T.StringMinLength]: 'minLength',
  [T.StringPattern]: 'pattern',
  [T.Union]: 'anyOf',
};

/** Finds the rule that a TypeBox error is about. */
export function brokenRule({ type, schema }: ValueError): BrokenRule {
  const keyword = KEYWORDS[type];
  if (keyword === 'anyOf') {
    const constants: unknown[] = (schema.anyOf ?? []).map((option: { const?: unknown }) => option.const);
    const isChoice = constants.length > 0 && constants.every(constant => constant !== undefined);
    if (isChoice) return { keyword: 'enum', value: constants };
    const types: unknown[] = (schema.anyOf ?? []).map((option: { type?: unknown }) => option.type);
    return types.every(type => typeof type === 'string') ? { keyword: 'type', value: [...new Set(types)] } : { keyword };
  }
  if (keyword) return { keyword, value: schema[keyword], type: schema['type'] };
  return schema['type'] === undefined ? { keyword: T[type] ?? 'type' } : { keyword: 'type', value: schema['type'] };
}

/** Returns true for the error about a property that the schema does not know. */
export const isUnknownProperty = ({ type }: ValueError): boolean => type === T.ObjectAdditionalProperties;
/** Returns true for the error about a required property that is missing. */
export const isMissingProperty = ({ type }: ValueError): boolean => type === T.ObjectRequiredProperty;
