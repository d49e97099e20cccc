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

/** The check of one value took more steps than it may, or nested deeper. */
export class SchemaTooComplex extends Error {}

const MAX_SCHEMA_UNITS = 65_536;
const MAX_SCHEMA_DEPTH = 64;
/** Budget of one check: applications of a schema to a value, and characters that patterns read. */
const MAX_STEPS = 200_000;
/** So many entries of a long `enum` and the like cost one step. */
const ENTRIES_PER_STEP = 16;
/** Ajv compiles a thousand patterns in seconds. */
const MAX_PATTERNS = 200;
/** A longer text matches no pattern: the linear engine needs about a microsecond a character. */
const MAX_MATCHED_UNITS = 65_536;
/** Keyword that counts steps; put into every part of a schema. Its value is what one application costs. */
const STEP = 'x-neta-step';
/** Ajv finds `$ref: '#'` only in a schema that has an address. */
const ADDRESS = 'neta:schema';

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
  const counted = { patterns: 0 };
  const copy: JsonObject = { $id: ADDRESS, ...(withSteps(JSON.parse(text), counted) as JsonObject) };
  if (counted.patterns > MAX_PATTERNS) return `its schema has more than ${MAX_PATTERNS} patterns`;
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
    const test = (text: string): boolean => {
      if (text.length > MAX_MATCHED_UNITS) return false;
      compiler.countSteps(1 + text.length);
      return expression.matcher(text).find();
    };
    // Ajv treats two patterns with the same text as one.
    return { test, toString: () => pattern };
  },
  { code: 'linearExpression' },
);

const OPTIONS: Options = {
  strict: false,
  validateFormats: false,
  // Inherited members, such as the constructor, were not sent.
  ownProperties: true,
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
      // Reading the schema matches patterns too.
      this.steps = 0;
      const validate = ajv.compile(schema);
      return {
        errorsOf: value => {
          // A check is synchronous, so the count belongs to it alone.
          this.steps = 0;
          return isValid(validate, value) ? [] : (validate.errors ?? []);
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
    ajv.addKeyword({ keyword: STEP, before: '$ref', validate: (cost: number) => this.countSteps(cost), errors: false });
    return ajv;
  }

  /** Always true. Throws SchemaTooComplex when the check has taken too many. */
  countSteps(cost: number): true {
    this.steps += cost;
    if (this.steps > MAX_STEPS) throw new SchemaTooComplex();
    return true;
  }
}

/** A schema that refers to itself without end uses up the stack before the steps. */
function isValid(validate: (value: unknown) => unknown, value: unknown): boolean {
  try {
    return validate(value) === true;
  } catch (thrown) {
    throw thrown instanceof RangeError ? new SchemaTooComplex() : thrown;
  }
}

const compiler = new SchemaCompiler();

/** The schema with the counting keyword in each of its parts. Adds up its patterns. */
function withSteps(schema: unknown, counted: { patterns: number }): unknown {
  if (Array.isArray(schema)) return schema.map(part => withSteps(part, counted));
  if (typeof schema !== 'object' || schema === null) return schema;
  let members = 0;
  const entries = Object.entries(schema).map(([key, value]): [string, unknown] => {
    const size = typeof value === 'object' && value !== null ? Object.keys(value).length : 0;
    members += size;
    counted.patterns += key === 'patternProperties' ? size : key === 'pattern' ? 1 : 0;
    if (SCHEMA_KEYWORDS.has(key)) return [key, withSteps(value, counted)];
    if (!MAP_KEYWORDS.has(key) || size === 0 || Array.isArray(value)) return [key, value];
    return [key, Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withSteps(part, counted)]))];
  });
  return { [STEP]: 1 + Math.floor(members / ENTRIES_PER_STEP), ...Object.fromEntries(entries) };
}
