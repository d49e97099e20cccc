/**
 * Checks the arguments of a call against the schema of its tool, TypeBox or plain JSON Schema. Each schema is compiled once and must not be
 * changed afterwards.
 */
import { Kind, type TObject, type TSchema } from '@sinclair/typebox';
import { type TypeCheck, TypeCompiler, type ValueError } from '@sinclair/typebox/compiler';
import type { ErrorObject } from 'ajv';
import type { Bilingual } from '../utils/bilingual';
import { clipStart } from '../utils/clip_text';
import { keysOf } from '../utils/json_pointer';
import { createYielder } from '../utils/yield_to_event_loop';
import type { ToolSpec } from './common';
import { plainSchema, SchemaTooComplex } from './json_schema';
import { readingsOf } from './meant_arguments';
import { isObject, type JsonObject } from './open_schema';
import { brokenRule, isMissingProperty, isUnknownProperty, ruleText } from './schema_rules';

export type ArgumentsCheck = { ok: true; value: unknown } | { ok: false; message: string; messageZh: string };

const MAX_PROBLEMS = 5;
const MAX_RECEIVED_UNITS = 80;
const MAX_UNKNOWN_KEYS = 50;

const compiled = new WeakMap<object, TypeCheck<TSchema>>();

/**
 * Checks the parsed JSON of the arguments, and what they may mean. The result holds the first reading that is valid. `message` and, in Chinese,
 * `messageZh` tell the model each bad field, the rule, the received value and, where possible, a valid example.
 */
export function validateArguments({ name, parameters }: Pick<ToolSpec, 'name' | 'parameters'>, value: unknown): ArgumentsCheck {
  if (!isObject(value)) return refusal(name, [broken('', MUST_BE_OBJECT, value)], exampleOf(parameters));
  return isTypeBox(parameters) ? checkTypeBox(name, parameters, value) : checkPlain(name, parameters, value);
}

function checkTypeBox(name: string, parameters: TSchema, value: JsonObject): ArgumentsCheck {
  const check = compile(parameters);
  let problems: readonly Bilingual[] = [];
  for (const reading of readingsOf(parameters, value)) {
    const oversize = oversizeProblem(parameters, reading, '');
    if (oversize === undefined && check.Check(reading)) return { ok: true, value: reading };
    problems = oversize === undefined ? problemsOf(check.Errors(reading), parameters) : [oversize];
  }
  return refusal(name, problems, exampleOf(parameters));
}

/**
 * Finds the first value that is too long, by its length alone. The TypeBox check compares each item of a list with all others, which takes a
 * second for 100,000 items.
 */
function oversizeProblem(schema: TSchema, value: unknown, path: string): Bilingual | undefined {
  const tooLong = (keyword: 'maxLength' | 'maxItems') => broken(path, ruleText({ keyword, value: schema[keyword] }), value);
  if (typeof value === 'string') return value.length > (schema.maxLength ?? Infinity) ? tooLong('maxLength') : undefined;
  if (Array.isArray(value)) {
    if (value.length > (schema.maxItems ?? Infinity)) return tooLong('maxItems');
    return firstProblem(value, (item, index) => oversizeProblem(schema.items ?? {}, item, `${path}.${index}`));
  }
  if (!isObject(value) || !isObject(schema.properties)) return undefined;
  const { properties } = schema;
  const keys = Object.keys(value);
  if (keys.length > Object.keys(properties).length + MAX_UNKNOWN_KEYS) {
    const known = Object.keys(properties).join(', ');
    const [en, zh] = [
      `must have no parameters but ${known}, got ${keys.length} parameters`,
      `只能有参数 ${known}，收到 ${keys.length} 个参数`,
    ];
    return about(path, en, zh);
  }
  return firstProblem(keys, key =>
    Object.hasOwn(properties, key) ? oversizeProblem(properties[key] as TSchema, value[key], path ? `${path}.${key}` : key) : undefined,
  );
}

function firstProblem<T>(items: readonly T[], problemOf: (item: T, index: number) => Bilingual | undefined): Bilingual | undefined {
  for (const [index, item] of items.entries()) {
    const problem = problemOf(item, index);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function compile(schema: TSchema): TypeCheck<TSchema> {
  const known = compiled.get(schema);
  if (known) return known;
  const check = TypeCompiler.Compile(schema);
  compiled.set(schema, check);
  return check;
}

/** Returns why a tool with these parameters cannot be used; undefined when it can. */
export function schemaProblem({ parameters }: Pick<ToolSpec, 'parameters'>): Bilingual | undefined {
  if (isTypeBox(parameters)) return undefined;
  const schema = plainSchema(parameters);
  return 'problem' in schema ? schema.problem : undefined;
}

/**
 * Compiles the schemas of many tools and lets other work run in between, so that `ToolRegistry.replaceTools` finds them compiled. Never rejects:
 * a schema that cannot be compiled is found again there.
 */
export async function compileSchemas(tools: Iterable<Pick<ToolSpec, 'parameters'>>): Promise<void> {
  const yieldIfDue = createYielder();
  for (const tool of tools) {
    schemaProblem(tool);
    await yieldIfDue();
  }
}

function checkPlain(name: string, parameters: JsonObject, value: JsonObject): ArgumentsCheck {
  const schema = plainSchema(parameters);
  if ('problem' in schema) {
    const { en, 'zh-CN': zhCN } = schema.problem;
    return { ok: false, message: `${name} cannot be used: ${en}.`, messageZh: `无法使用 ${name}：${zhCN}。` };
  }
  try {
    let errors: readonly ErrorObject[] = [];
    for (const reading of readingsOf(parameters, value)) {
      errors = schema.errorsOf(reading);
      if (errors.length === 0) return { ok: true, value: reading };
    }
    return refusal(name, plainProblemsOf(errors, parameters), undefined);
  } catch (thrown) {
    if (!(thrown instanceof SchemaTooComplex)) throw thrown;
    return refusal(name, [TOO_MANY_STEPS], undefined);
  }
}

/** Returns one line per bad field. Drops the error about `anyOf` when an alternative has an error of its own, which says more. */
function plainProblemsOf(errors: readonly ErrorObject[], schema: JsonObject): Bilingual[] {
  const problems = new Map<string, Bilingual>();
  for (const error of errors) {
    const field = fieldOf(error.instancePath);
    const isKnown = [...problems.keys()].some(known => known === field || known.startsWith(`${field}.`) || field === '');
    if ((error.keyword === 'anyOf' || error.keyword === 'oneOf') && isKnown) continue;
    const [name, text] = plainProblem(error, field, schema);
    if (!problems.has(name)) problems.set(name, text);
  }
  return [...problems.values()].slice(0, MAX_PROBLEMS);
}

function plainProblem(
  { keyword, params, schema: value, parentSchema, data }: ErrorObject,
  field: string,
  root: JsonObject,
): [string, Bilingual] {
  const child = (key: string) => (field === '' ? key : `${field}.${key}`);
  switch (keyword) {
    case 'required':
      return [child(params.missingProperty), missing(child(params.missingProperty))];
    case 'additionalProperties': {
      const name = child(params.additionalProperty);
      return [name, field === '' ? unknownParameter(name, root['properties']) : unknown(name)];
    }
    default:
      return [field, broken(field, ruleText({ keyword, value, type: parentSchema?.['type'] }), data)];
  }
}

/** Turns a JSON pointer into the form of the messages: todos.1.status. */
const fieldOf = (pointer: string): string => keysOf(pointer).join('.');

/** Returns one line per bad field, about the first rule that it breaks. */
function problemsOf(errors: Iterable<ValueError>, schema: TSchema): Bilingual[] {
  const problems = new Map<string, Bilingual>();
  for (const error of errors) {
    if (problems.has(error.path)) continue;
    problems.set(error.path, problemText(error, schema));
    if (problems.size >= MAX_PROBLEMS) break;
  }
  return [...problems.values()];
}

function problemText(error: ValueError, root: TSchema): Bilingual {
  const field = fieldOf(error.path);
  if (isUnknownProperty(error)) return error.path.lastIndexOf('/') === 0 ? unknownParameter(field, root.properties) : unknown(field);
  return isMissingProperty(error) ? missing(field) : broken(field, ruleText(brokenRule(error)), error.value);
}

const MUST_BE_OBJECT: Bilingual = { en: 'must be a JSON object', 'zh-CN': '必须是 JSON 对象' };
const TOO_MANY_STEPS: Bilingual = {
  en: 'the arguments take too many steps to be checked; send fewer or smaller ones',
  'zh-CN': '检查这些参数的步骤过多；请减少或缩短参数',
};

const about = (field: string, en: string, zhCN: string): Bilingual => ({
  en: `${field || 'arguments'}: ${en}`,
  'zh-CN': `${field || '参数'}：${zhCN}`,
});

const missing = (field: string): Bilingual => about(field, 'is required, but missing', '必需，但缺少');

const unknown = (field: string): Bilingual => about(clipStart(field, MAX_RECEIVED_UNITS), 'is not known', '没有这个字段');

function unknownParameter(key: string, properties: unknown): Bilingual {
  const known = isObject(properties) ? Object.keys(properties).join(', ') : '';
  const en = `is no parameter of this tool; it has ${known || 'none'}`;
  return about(clipStart(key, MAX_RECEIVED_UNITS), en, `不是这个工具的参数；它${known ? `有 ${known}` : '没有参数'}`);
}

function broken(field: string, rule: Bilingual, value: unknown): Bilingual {
  const got = received(value);
  return about(field, `${rule.en}, got ${got.en}`, `${rule['zh-CN']}，收到 ${got['zh-CN']}`);
}

function refusal(name: string, problems: readonly Bilingual[], example: unknown): ArgumentsCheck {
  const shown = example !== undefined && JSON.stringify(example);
  const message = [
    `The arguments of ${name} are not valid, so it was not run:`,
    ...problems.map(problem => `- ${problem.en}`),
    `Correct them and call again.${shown ? ` The least it needs looks like ${shown}` : ''}`,
  ];
  const messageZh = [
    `${name} 的参数无效，因此没有运行：`,
    ...problems.map(problem => `- ${problem['zh-CN']}`),
    `请改正后再次调用。${shown ? `最少需要的形式如 ${shown}` : ''}`,
  ];
  return { ok: false, message: message.join('\n'), messageZh: messageZh.join('\n') };
}

function received(value: unknown): Bilingual {
  if (value === undefined) return { en: 'nothing', 'zh-CN': '空值' };
  const isLong = (typeof value === 'string' || Array.isArray(value)) && value.length > MAX_RECEIVED_UNITS;
  const text = JSON.stringify(isLong ? value.slice(0, MAX_RECEIVED_UNITS) : value) ?? String(value);
  const clipped = clipStart(text, MAX_RECEIVED_UNITS);
  if (clipped === text) return { en: text, 'zh-CN': text };
  const [en, zh] =
    typeof value === 'string'
      ? [` (${value.length} characters)`, `（${value.length} 个字符）`]
      : Array.isArray(value)
        ? [` (${value.length} items)`, `（${value.length} 项）`]
        : ['', ''];
  return { en: `${clipped}...${en}`, 'zh-CN': `${clipped}...${zh}` };
}

/** Makes an example of the required parameters; undefined when there are none or when the example would not be valid. */
function exampleOf(schema: TSchema | JsonObject): JsonObject | undefined {
  if (!isTypeBox(schema)) return undefined;
  const { required = [], properties } = schema as TObject;
  if (required.length === 0) return undefined;
  const example = Object.fromEntries(required.map(key => [key, sampleOf(properties[key] as TSchema, key)]));
  return compile(schema).Check(example) ? example : undefined;
}

function sampleOf(schema: TSchema, key: string): unknown {
  if (Array.isArray(schema.anyOf)) return (schema.anyOf[0] as TSchema | undefined)?.const;
  switch (schema.type) {
    case 'string':
      return `<${key}>`;
    case 'integer':
    case 'number':
      return schema.minimum ?? 1;
    case 'boolean':
      return true;
    case 'array':
      return [];
    default:
      return undefined;
  }
}

const isTypeBox = (schema: object): schema is TSchema => Kind in schema;
