/** Says in words for a model what a rule of JSON Schema demands of a field. */
import { type ValueError, ValueErrorType } from '@sinclair/typebox/compiler';

/** A rule by its JSON Schema keyword, and the value that the schema gives it. */
export interface BrokenRule {
  keyword: string;
  value?: unknown;
  /** Type of the field in the schema: integer, string ... */
  type?: unknown;
}

/** Continues "FIELD: must ...". */
export function ruleText({ keyword, value, type }: BrokenRule): string {
  const noun = type === 'integer' ? 'integer' : 'number';
  switch (keyword) {
    case 'type':
      return `must be ${Array.isArray(value) ? value.join(' or ') : value}`;
    case 'enum':
      return `must be one of ${(value as unknown[]).map(option => JSON.stringify(option)).join(', ')}`;
    case 'const':
      return `must be ${JSON.stringify(value)}`;
    case 'minimum':
      return `must be ${noun} of at least ${value}`;
    case 'maximum':
      return `must be ${noun} of at most ${value}`;
    case 'exclusiveMinimum':
      return `must be ${noun} greater than ${value}`;
    case 'exclusiveMaximum':
      return `must be ${noun} less than ${value}`;
    case 'multipleOf':
      return `must be a multiple of ${value}`;
    case 'minLength':
      return `must be at least ${value} characters long`;
    case 'maxLength':
      return `must be at most ${value} characters long`;
    case 'pattern':
      return `must match the pattern ${value}`;
    case 'minItems':
      return `must have at least ${value} items`;
    case 'maxItems':
      return `must have at most ${value} items`;
    case 'uniqueItems':
      return 'must have no two items that are the same';
    case 'minProperties':
      return `must have at least ${value} fields`;
    case 'maxProperties':
      return `must have at most ${value} fields`;
    case 'anyOf':
    case 'oneOf':
      return 'must match one of the forms that the schema allows';
    default:
      return `must keep to the rule ${keyword} of its schema`;
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

export const isUnknownProperty = ({ type }: ValueError): boolean => type === T.ObjectAdditionalProperties;
export const isMissingProperty = ({ type }: ValueError): boolean => type === T.ObjectRequiredProperty;
