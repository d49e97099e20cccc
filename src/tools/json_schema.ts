/**
 * Plain JSON Schemas of foreign tools, checked by ajv: drafts 2020-12 (the default) and 07. Such a schema comes from outside, so its size is
 * limited, patterns run on a linear engine, and a check ends after a number of steps: references can multiply the work without limit.
 */
import { Ajv, type ErrorObject, type Options } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020';
import { RE2JS } from 're2js';
import { isDeeperThan } from '../utils/json_depth';
import { sortedJson } from '../utils/sorted_json';

type JsonObject = Record<string, unknown>;

export interface PlainSchema {
  /** The errors about this value, the first rule that it breaks; none when it is valid. Throws SchemaTooComplex. */
  errorsOf(value: unknown): readonly ErrorObject[];
}

/** The check of one value took more steps than it may. */
export class SchemaTooComplex extends Error {}

const MAX_SCHEMA_UNITS = 65_536;
const MAX_SCHEMA_DEPTH = 64;
/** Applications of a schema to a value, in one check. */
const MAX_STEPS = 200_000;
/** A longer text matches no pattern: the linear engine needs about a microsecond a character. */
const MAX_MATCHED_UNITS = 65_536;
/** Keyword that counts steps; put into every part of a schema. */
const STEP = 'x-neta-step';

/** Keywords whose value is a schema, a list of schemas, or a map of them. */
const SCHEMA_KEYWORDS = new Set([
  'additionalItems',
  'additionalProperties',
  'contains',
  'else',
  'if',
  'items',
  'not',
  'propertyNames',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
  'allOf',
  'anyOf',
  'oneOf',
  'prefixItems',
]);
const MAP_KEYWORDS = new Set(['$defs', 'definitions', 'dependentSchemas', 'dependencies', 'patternProperties', 'properties']);

const compiled = new WeakMap<object, PlainSchema | string>();

/** The checker of a schema, made once; or one sentence that says why it cannot be used. */
export function plainSchema(schema: JsonObject): PlainSchema | string {
  const known = compiled.get(schema);
  if (known !== undefined) return known;
  const made = compile(schema);
  compiled.set(schema, made);
  return made;
}

function compile(schema: JsonObject): PlainSchema | string {
  const text = toText(schema);
  if (text === undefined) return 'its schema cannot be written as JSON';
  if (text.length > MAX_SCHEMA_UNITS) return `its schema has more than ${MAX_SCHEMA_UNITS} characters`;
  if (isDeeperThan(text, MAX_SCHEMA_DEPTH)) return `its schema is nested more than ${MAX_SCHEMA_DEPTH} deep`;
  const copy = withSteps(JSON.parse(text)) as JsonObject;
  const draft = String(copy['$schema'] ?? '');
  // An instance uses its own draft by default, however the schema spells the draft's address.
  delete copy['$schema'];
  const isOld = /draft-0[4-7]/.test(draft);
  try {
    return compiler.compile(copy, isOld ? '07' : draft === '' ? 'any' : '2020-12');
  } catch (thrown) {
    return `its schema cannot be compiled: ${thrown instanceof Error ? thrown.message.slice(0, 300) : 'unknown reason'}`;
  }
}

function toText(schema: JsonObject): string | undefined {
  try {
    return JSON.stringify(schema);
  } catch {
    return undefined;
  }
}

/** JavaScript's own expressions can take exponential time. Throws for what a linear engine cannot do (look-around, backreferences). */
const linearExpression = Object.assign(
  (pattern: string) => {
    const expression = RE2JS.compile(RE2JS.translateRegExp(pattern));
    // Ajv treats two patterns with the same text as one.
    return { test: (text: string) => text.length <= MAX_MATCHED_UNITS && expression.matcher(text).find(), toString: () => pattern };
  },
  { code: 'linearExpression' },
);

const OPTIONS: Options = {
  strict: false,
  validateFormats: false,
  // One schema, one instance: nothing is shared by an address.
  addUsedSchema: false,
  inlineRefs: false,
  verbose: true,
  logger: false,
  code: { regExp: linearExpression },
};

/** One ajv for each draft: compiling its meta-schema takes as long as compiling ten tools. */
class SchemaCompiler {
  private readonly draft2020 = this.withKeywords(new Ajv2020(OPTIONS));
  private readonly draft07 = this.withKeywords(new Ajv(OPTIONS));
  private steps = 0;

  /** Throws when the schema is not valid in this draft. `any`: 2020-12, or 07 when only that understands it. */
  compile(schema: JsonObject, draft: '2020-12' | '07' | 'any'): PlainSchema {
    if (draft === '07') return this.toPlainSchema(this.draft07, schema);
    try {
      return this.toPlainSchema(this.draft2020, schema);
    } catch (thrown) {
      if (draft !== 'any') throw thrown;
      try {
        return this.toPlainSchema(this.draft07, schema);
      } catch {
        throw thrown;
      }
    }
  }

  private toPlainSchema(ajv: Ajv, schema: JsonObject): PlainSchema {
    try {
      const validate = ajv.compile(schema);
      return {
        errorsOf: value => {
          // A check is synchronous, so the count belongs to it alone.
          this.steps = 0;
          return validate(value) ? [] : (validate.errors ?? []);
        },
      };
    } finally {
      ajv.removeSchema(schema);
    }
  }

  private withKeywords(ajv: Ajv): Ajv {
    ajv.removeKeyword('uniqueItems');
    // Ajv compares each object with each other one.
    ajv.addKeyword({
      keyword: 'uniqueItems',
      type: 'array',
      schemaType: 'boolean',
      validate: (isWanted: boolean, items: unknown[]) => !isWanted || new Set(items.map(sortedJson)).size === items.length,
      errors: false,
    });
    ajv.addKeyword({ keyword: STEP, before: '$ref', validate: () => this.countStep(), errors: false });
    return ajv;
  }

  private countStep(): boolean {
    this.steps += 1;
    if (this.steps > MAX_STEPS) throw new SchemaTooComplex();
    return true;
  }
}

const compiler = new SchemaCompiler();

/** The schema with the counting keyword in each of its parts. */
function withSteps(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withSteps);
  if (typeof schema !== 'object' || schema === null) return schema;
  const entries = Object.entries(schema).map(([key, value]): [string, unknown] => {
    if (SCHEMA_KEYWORDS.has(key)) return [key, withSteps(value)];
    if (!MAP_KEYWORDS.has(key) || typeof value !== 'object' || value === null || Array.isArray(value)) return [key, value];
    return [key, Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withSteps(part)]))];
  });
  return { [STEP]: true, ...Object.fromEntries(entries) };
}
