/**
 * Validates plain JSON Schemas of foreign tools with ajv: drafts 2020-12 (the default) and 07; older forms are turned into these. Such schemas are
 * untrusted, and references can multiply the work without limit. So their size is limited, patterns run on a linear engine, and a check stops after a
 * number of steps.
 */
import type { Ajv, ErrorObject, Options } from 'ajv';
import { RE2JS } from 're2js';
import { type Bilingual, inBoth } from '../utils/bilingual';
import { isDeeperThan } from '../utils/json_depth';
import { sortedJson } from '../utils/sorted_json';
import { isObject, type JsonObject, toModern } from './open_schema';
import { patternSize } from './pattern_size';

export interface PlainSchema {
  /** Returns the errors about the first rule that the value breaks; an empty list when it is valid. Throws SchemaTooComplex. */
  errorsOf(value: unknown): readonly ErrorObject[];
}

/** A clause that says why a schema cannot be used. */
export interface SchemaProblem {
  problem: Bilingual;
}

const problem = (en: string, zhCN: string): SchemaProblem => ({ problem: inBoth(en, zhCN) });

/** Thrown when the check of one value needs more steps or levels than it may. */
export class SchemaTooComplex extends Error {}

const MAX_SCHEMA_UNITS = 65_536;
const MAX_SCHEMA_DEPTH = 64;
/** Steps of one check: each application of a schema to a value, and each character that a pattern reads. */
const MAX_STEPS = 200_000;
/** Entries of a long `enum` that cost one step together. */
const ENTRIES_PER_STEP = 16;
/** Ajv needs more than a second to compile 1,500 properties, and eight for 12,000 alternatives. */
const MAX_PARTS = 600;
/** Ajv needs seconds to compile 1,000 patterns. */
const MAX_PATTERNS = 200;
/** Sum over all patterns: 64 KiB of patterns with counted repetitions can need more memory than there is. */
const MAX_PATTERN_SIZE = 50_000;
/** The longest text that a pattern is matched with; longer texts never match. The linear engine needs about 1 µs per character. */
const MAX_MATCHED_UNITS = 65_536;
/** Keyword that counts steps, added to every part of a schema. Its value is the cost of one application. */
const STEP = 'x-neta-step';
/** Ajv resolves `$ref: '#'` only in a schema with an `$id`. */
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

const compiled = new WeakMap<object, PlainSchema | SchemaProblem>();

/** Returns the validator of a schema, compiled once, or why the schema cannot be used. */
export function plainSchema(schema: JsonObject): PlainSchema | SchemaProblem {
  const known = compiled.get(schema);
  if (known !== undefined) return known;
  const made = compile(schema);
  compiled.set(schema, made);
  return made;
}

/** Parts and patterns of a schema, which make it slow to compile. */
interface Counted {
  parts: number;
  patterns: number;
  patternSize: number;
}

function compile(schema: JsonObject): PlainSchema | SchemaProblem {
  const text = toText(schema);
  if (text === undefined) return problem('its schema cannot be written as JSON', '其 schema 无法写成 JSON');
  if (text.length > MAX_SCHEMA_UNITS)
    return problem(`its schema has more than ${MAX_SCHEMA_UNITS} characters`, `其 schema 超过 ${MAX_SCHEMA_UNITS} 个字符`);
  if (isDeeperThan(text, MAX_SCHEMA_DEPTH))
    return problem(`its schema is nested more than ${MAX_SCHEMA_DEPTH} deep`, `其 schema 嵌套超过 ${MAX_SCHEMA_DEPTH} 层`);
  const counted: Counted = { parts: 0, patterns: 0, patternSize: 0 };
  const copy: JsonObject = { $id: ADDRESS, ...(withSteps(JSON.parse(text), counted) as JsonObject) };
  if (counted.parts > MAX_PARTS) return problem(`its schema has more than ${MAX_PARTS} parts`, `其 schema 超过 ${MAX_PARTS} 个部分`);
  if (counted.patternSize > MAX_PATTERN_SIZE) return problem('its schema has patterns that repeat too much', '其 schema 中的模式重复过多');
  if (counted.patterns > MAX_PATTERNS)
    return problem(`its schema has more than ${MAX_PATTERNS} patterns`, `其 schema 的模式超过 ${MAX_PATTERNS} 个`);
  const draft = String(copy['$schema'] ?? '');
  // Without `$schema` the ajv instance uses its own draft, whatever the spelling of the draft's address was.
  delete copy['$schema'];
  const isOld = /draft-0[4-7]/.test(draft);
  try {
    return compiler.compile(copy, isOld ? '07' : draft === '' ? 'any' : '2020-12');
  } catch (thrown) {
    const words = thrown instanceof Error ? thrown.message.slice(0, 300) : 'unknown reason';
    return problem(`its schema cannot be compiled: ${words}`, `其 schema 无法编译：“${words}”`);
  }
}

function toText(schema: JsonObject): string | undefined {
  try {
    return JSON.stringify(schema);
  } catch {
    return undefined;
  }
}

/** Compiles a pattern with RE2, because JavaScript's own can take exponential time. Throws for look-around and backreferences. */
const linearExpression = Object.assign(
  (pattern: string) => {
    const expression = RE2JS.compile(RE2JS.translateRegExp(pattern));
    const test = (text: string): boolean => {
      if (text.length > MAX_MATCHED_UNITS) return false;
      compiler.countSteps(1 + text.length);
      return expression.matcher(text).find();
    };
    // `toString` gives the pattern, because ajv caches patterns by their text.
    return { test, toString: () => pattern };
  },
  { code: 'linearExpression' },
);

const OPTIONS: Options = {
  strict: false,
  validateFormats: false,
  // Inherited members such as `constructor` are not properties of the value.
  ownProperties: true,
  // Each schema has an ajv instance of its own, so schemas with the same `$id` do not mix.
  addUsedSchema: false,
  inlineRefs: false,
  verbose: true,
  logger: false,
  code: { regExp: linearExpression },
};

/** One ajv for each draft checks schemas: compiling its meta-schema takes as long as compiling ten tools. */
class SchemaCompiler {
  private loaded: { draft2020: Ajv; draft07: Ajv } | undefined;
  private steps = 0;

  /** Loads ajv, which takes 2 MB, with the first plain schema. */
  private get ajv(): { draft2020: Ajv; draft07: Ajv } {
    if (this.loaded) return this.loaded;
    const { Ajv }: typeof import('ajv') = require('ajv');
    const { Ajv2020 }: typeof import('ajv/dist/2020') = require('ajv/dist/2020');
    this.loaded = { draft2020: this.withKeywords(new Ajv2020(OPTIONS)), draft07: this.withKeywords(new Ajv(OPTIONS)) };
    return this.loaded;
  }

  /** Throws when the schema is not valid in this draft. `any`: 2020-12, or 07 when the schema is valid only there. */
  compile(schema: JsonObject, draft: '2020-12' | '07' | 'any'): PlainSchema {
    if (draft === '07') return this.toPlainSchema(this.ajv.draft07, schema);
    try {
      return this.toPlainSchema(this.ajv.draft2020, schema);
    } catch (thrown) {
      if (draft !== 'any') throw thrown;
      try {
        return this.toPlainSchema(this.ajv.draft07, schema);
      } catch {
        throw thrown;
      }
    }
  }

  private toPlainSchema(ajv: Ajv, schema: JsonObject): PlainSchema {
    try {
      // Reset, because compiling the schema matches patterns too.
      this.steps = 0;
      const validate = ajv.compile(schema);
      return {
        errorsOf: value => {
          // A check is synchronous, so no other check changes the count.
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
    // Replaces ajv's own check, which compares each object with every other object.
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

  /** Always returns true. Throws SchemaTooComplex when the check has taken too many steps. */
  countSteps(cost: number): true {
    this.steps += cost;
    if (this.steps > MAX_STEPS) throw new SchemaTooComplex();
    return true;
  }
}

/** True when the value is valid. A schema that refers to itself without end overflows the stack before it uses up the steps. */
function isValid(validate: (value: unknown) => unknown, value: unknown): boolean {
  try {
    return validate(value) === true;
  } catch (thrown) {
    throw thrown instanceof RangeError ? new SchemaTooComplex() : thrown;
  }
}

const compiler = new SchemaCompiler();

/** Returns the schema with the counting keyword in each of its parts, and counts its parts and patterns. */
function withSteps(schema: unknown, counted: Counted): unknown {
  if (Array.isArray(schema)) return schema.map(part => withSteps(part, counted));
  if (!isObject(schema)) return schema;
  counted.parts += 1;
  let members = 0;
  const entries = Object.entries(toModern(schema)).map(([key, value]): [string, unknown] => {
    const size = typeof value === 'object' && value !== null ? Object.keys(value).length : 0;
    members += size;
    if (key === 'patternProperties') countPatterns(Object.keys(value ?? {}), counted);
    if (key === 'pattern' && typeof value === 'string') countPatterns([value], counted);
    if (SCHEMA_KEYWORDS.has(key)) return [key, withSteps(value, counted)];
    if (!MAP_KEYWORDS.has(key) || size === 0 || !isObject(value)) return [key, value];
    return [key, Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withSteps(part, counted)]))];
  });
  return { [STEP]: 1 + Math.floor(members / ENTRIES_PER_STEP), ...Object.fromEntries(entries) };
}

function countPatterns(patterns: readonly string[], counted: Counted): void {
  counted.patterns += patterns.length;
  for (const pattern of patterns) counted.patternSize += patternSize(pattern);
}
