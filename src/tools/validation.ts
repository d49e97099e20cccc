/**
 * Checks the arguments of a call against the schema of its tool, TypeBox or plain JSON Schema. Each schema is compiled once and must not be
 * changed afterwards.
 */
import { Kind, type TObject, type TSchema } from '@sinclair/typebox';
import { type TypeCheck, TypeCompiler, type ValueError } from '@sinclair/typebox/compiler';
import type { ErrorObject } from 'ajv';
import { clipStart } from '../utils/clip_text';
import { keysOf } from '../utils/json_pointer';
import { createYielder } from '../utils/yield_to_event_loop';
import type { ToolSpec } from './common';
import { readingsOf } from './meant_arguments';
import { isObject, type JsonObject } from './open_schema';
import { brokenRule, isMissingProperty, isUnknownProperty, ruleText } from './schema_rules';

export type ArgumentsCheck = { ok: true; value: unknown } | { ok: false; message: string };

const MAX_PROBLEMS = 5;
const MAX_RECEIVED_UNITS = 80;
const MAX_UNKNOWN_KEYS = 50;

/** Loads ajv with the first plain schema: no built-in tool has one. */
function jsonSchema() {
  const { plainSchema, SchemaTooComplex }: typeof import('./json_schema') = require('./json_schema');
  return { plainSchema, SchemaTooComplex };
}

const compiled = new WeakMap<object, TypeCheck<TSchema>>();

/**
 * Checks the parsed JSON of the arguments, and what they may mean. The result holds the first reading that is valid. `message` tells the model each
 * bad field, the rule, the received value and, where possible, a valid example.
 */
export function validateArguments({ name, parameters }: Pick<ToolSpec, 'name' | 'parameters'>, value: unknown): ArgumentsCheck {
  if (!isObject(value)) return refusal(name, [`the arguments must be a JSON object, got ${received(value)}`], exampleOf(parameters));
  return isTypeBox(parameters) ? checkTypeBox(name, parameters, value) : checkPlain(name, parameters, value);
}

function checkTypeBox(name: string, parameters: TSchema, value: JsonObject): ArgumentsCheck {
  const check = compile(parameters);
  let problems: readonly string[] = [];
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
function oversizeProblem(schema: TSchema, value: unknown, path: string): string | undefined {
  const tooLong = (keyword: 'maxLength' | 'maxItems') =>
    `${path}: ${ruleText({ keyword, value: schema[keyword] })}, got ${received(value)}`;
  if (typeof value === 'string') return value.length > (schema.maxLength ?? Infinity) ? tooLong('maxLength') : undefined;
  if (Array.isArray(value)) {
    if (value.length > (schema.maxItems ?? Infinity)) return tooLong('maxItems');
    return firstProblem(value, (item, index) => oversizeProblem(schema.items ?? {}, item, `${path}.${index}`));
  }
  if (!isObject(value) || !isObject(schema.properties)) return undefined;
  const { properties } = schema;
  const keys = Object.keys(value);
  if (keys.length > Object.keys(properties).length + MAX_UNKNOWN_KEYS) {
    return `${path || 'arguments'}: must have no parameters but ${Object.keys(properties).join(', ')}, got ${keys.length} parameters`;
  }
  return firstProblem(keys, key =>
    Object.hasOwn(properties, key) ? oversizeProblem(properties[key] as TSchema, value[key], path ? `${path}.${key}` : key) : undefined,
  );
}

function firstProblem<T>(items: readonly T[], problemOf: (item: T, index: number) => string | undefined): string | undefined {
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
export function schemaProblem({ parameters }: Pick<ToolSpec, 'parameters'>): string | undefined {
  if (isTypeBox(parameters)) return undefined;
  const schema = jsonSchema().plainSchema(parameters);
  return typeof schema === 'string' ? schema : undefined;
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
  const { plainSchema, SchemaTooComplex } = jsonSchema();
  const schema = plainSchema(parameters);
  if (typeof schema === 'string') return { ok: false, message: `${name} cannot be used: ${schema}.` };
  try {
    let errors: readonly ErrorObject[] = [];
    for (const reading of readingsOf(parameters, value)) {
      errors = schema.errorsOf(reading);
      if (errors.length === 0) return { ok: true, value: reading };
    }
    return refusal(name, plainProblemsOf(errors, parameters), undefined);
  } catch (thrown) {
    if (!(thrown instanceof SchemaTooComplex)) throw thrown;
    return refusal(name, ['the arguments take too many steps to be checked; send fewer or smaller ones'], undefined);
  }
}

/** Returns one line per bad field. Drops the error about `anyOf` when an alternative has an error of its own, which says more. */
function plainProblemsOf(errors: readonly ErrorObject[], schema: JsonObject): string[] {
  const problems = new Map<string, string>();
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
): [string, string] {
  const child = (key: string) => (field === '' ? key : `${field}.${key}`);
  switch (keyword) {
    case 'required':
      return [child(params.missingProperty), `${child(params.missingProperty)}: is required, but missing`];
    case 'additionalProperties': {
      const name = child(params.additionalProperty);
      return [name, field === '' ? unknownParameter(name, root['properties']) : `${clipStart(name, MAX_RECEIVED_UNITS)}: is not known`];
    }
    default:
      return [field, `${field || 'arguments'}: ${ruleText({ keyword, value, type: parentSchema?.['type'] })}, got ${received(data)}`];
  }
}

/** Turns a JSON pointer into the form of the messages: todos.1.status. */
const fieldOf = (pointer: string): string => keysOf(pointer).join('.');

/** Returns one line per bad field, about the first rule that it breaks. */
function problemsOf(errors: Iterable<ValueError>, schema: TSchema): string[] {
  const problems = new Map<string, string>();
  for (const error of errors) {
    if (problems.has(error.path)) continue;
    problems.set(error.path, problemText(error, schema));
    if (problems.size >= MAX_PROBLEMS) break;
  }
  return [...problems.values()];
}

function problemText(error: ValueError, root: TSchema): string {
  const field = fieldOf(error.path) || 'arguments';
  if (isUnknownProperty(error))
    return error.path.lastIndexOf('/') === 0
      ? unknownParameter(field, root.properties)
      : `${clipStart(field, MAX_RECEIVED_UNITS)}: is not known`;
  if (isMissingProperty(error)) return `${field}: is required, but missing`;
  return `${field}: ${ruleText(brokenRule(error))}, got ${received(error.value)}`;
}

function unknownParameter(key: string, properties: unknown): string {
  const known = isObject(properties) ? Object.keys(properties) : [];
  return `${clipStart(key, MAX_RECEIVED_UNITS)}: is no parameter of this tool; it has ${known.length > 0 ? known.join(', ') : 'none'}`;
}

function refusal(name: string, problems: readonly string[], example: unknown): ArgumentsCheck {
  const lines = [`The arguments of ${name} are not valid, so it was not run:`, ...problems.map(problem => `- ${problem}`)];
  if (example !== undefined) lines.push(`Correct them and call again. The least it needs looks like ${JSON.stringify(example)}`);
  else lines.push('Correct them and call again.');
  return { ok: false, message: lines.join('\n') };
}

function received(value: unknown): string {
  if (value === undefined) return 'nothing';
  const isLong = (typeof value === 'string' || Array.isArray(value)) && value.length > MAX_RECEIVED_UNITS;
  const text = JSON.stringify(isLong ? value.slice(0, MAX_RECEIVED_UNITS) : value) ?? String(value);
  const clipped = clipStart(text, MAX_RECEIVED_UNITS);
  const length = typeof value === 'string' ? ` (${value.length} characters)` : Array.isArray(value) ? ` (${value.length} items)` : '';
  return clipped === text ? text : `${clipped}...${length}`;
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
