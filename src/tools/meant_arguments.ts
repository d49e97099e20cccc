/**
 * Reads arguments as their schema means them. Some models send null for what they leave out, a list or a number as JSON text, or all arguments
 * inside one field. A reading never changes a value that the schema allows, and what it returns must still be checked.
 */
import { isDeeperThan } from '../utils/json_depth';
import { sortedJson } from '../utils/sorted_json';
import { isObject, type JsonObject, openSchema } from './open_schema';

/** Deepest level of arguments. The doors accept no deeper JSON, so deeper arguments could not be stored or sent. */
export const MAX_ARGUMENT_DEPTH = 64;
/** Steps of one reading: each schema that is applied to a value. A union of unions can multiply them without limit. */
const MAX_STEPS = 50_000;
/** Characters of a JSON text that cost one step together. */
const UNITS_PER_STEP = 64;
const WRAPPERS = ['parameters', 'arguments', 'input'];
const PYTHON_CONSTANTS: Readonly<Record<string, boolean>> = { True: true, False: false };

/** Yields the arguments as they came, then other readings of them, each once. The mistakes of the last reading are told to the model. */
export function* readingsOf(schema: JsonObject, value: JsonObject): Generator<JsonObject, void> {
  yield value;
  const cleaned = withoutNulls(schema, value);
  if (cleaned !== value) yield cleaned;
  const inner = unwrap(schema, cleaned);
  if (inner) yield readAsMeant(schema, withoutNulls(schema, inner));
  const meant = readAsMeant(schema, cleaned);
  if (meant !== cleaned || inner) yield meant;
}

/** Returns the object itself when it has no null that may be left out. */
function withoutNulls(schema: JsonObject, value: JsonObject): JsonObject {
  const required: readonly unknown[] = Array.isArray(schema['required']) ? schema['required'] : [];
  const leftOut = Object.keys(propertiesOf(schema)).filter(
    key => Object.hasOwn(value, key) && value[key] === null && !required.includes(key),
  );
  if (leftOut.length === 0) return value;
  const cleaned = { ...value };
  for (const key of leftOut) delete cleaned[key];
  return cleaned;
}

class TooManySteps extends Error {}

/** Returns undefined when the reading takes too long. */
function withReader<T>(schema: JsonObject, read: (reader: MeaningReader) => T): T | undefined {
  try {
    return read(new MeaningReader(schema));
  } catch (thrown) {
    if (thrown instanceof TooManySteps) return undefined;
    throw thrown;
  }
}

function readAsMeant(schema: JsonObject, value: JsonObject): JsonObject {
  const read = withReader(schema, reader => reader.read(schema, value, { refs: [], depth: 0 }));
  return isObject(read) ? read : value;
}

/** Returns the object in the only field when the field is known to hold all arguments, and is none of the tool's own. */
function unwrap(schema: JsonObject, value: JsonObject): JsonObject | undefined {
  const key = WRAPPERS.find(wrapper => Object.hasOwn(value, wrapper));
  if (key === undefined || Object.keys(value).length > 1) return undefined;
  const inner = typeof value[key] === 'string' ? parseText(value[key], MAX_ARGUMENT_DEPTH) : value[key];
  return isObject(inner) && withReader(schema, reader => reader.mayHave(schema, key)) === false ? inner : undefined;
}

interface Place {
  /** References that led to the schema without going into a value. */
  refs: readonly string[];
  /** Lists and objects around the value. */
  depth: number;
}

class MeaningReader {
  private stepsLeft = MAX_STEPS;

  constructor(private readonly root: JsonObject) {}

  /** Returns what the value means by the schema; the value itself when it has no other meaning, or more than one. */
  read(given: unknown, value: unknown, place: Place): unknown {
    if (this.fits(given, value)) return value;
    const opened = openSchema(given, this.root, place.refs);
    if (!opened) return value;
    const own = this.readOwn(opened.schema, value, place.depth);
    const forms = formsOf(opened.schema);
    if (forms.length === 0) return own;
    const inForm = { refs: opened.refs, depth: place.depth };
    const readings = new Map<string, unknown>();
    for (const form of forms) {
      const reading = this.read(form, own, inForm);
      if (this.fits(form, reading, opened.refs)) readings.set(sortedJson(reading), reading);
    }
    return readings.size === 1 ? [...readings.values()][0] : value;
  }

  /** Reads a value by the rules that stand in a schema beside its union. */
  private readOwn(schema: JsonObject, value: unknown, depth: number): unknown {
    if (typeof value !== 'string' || !['type', 'const', 'enum'].some(rule => rule in schema)) return this.readParts(schema, value, depth);
    this.countSteps(value.length / UNITS_PER_STEP);
    const parsed = parseText(value, MAX_ARGUMENT_DEPTH - depth);
    const isMeant = parsed !== undefined && hasType(schema, parsed) && isChosen(schema, parsed);
    return isMeant ? this.readParts(schema, parsed, depth) : value;
  }

  private readParts(schema: JsonObject, value: unknown, depth: number): unknown {
    const place = { refs: [], depth: depth + 1 };
    if (Array.isArray(value)) return value.map((item, index) => this.read(itemSchema(schema, index), item, place));
    if (!isObject(value)) return value;
    // Each entry takes a step at least. Throws before it copies an object with too many entries: 70,000 take 50 ms.
    if (Object.keys(value).length > this.stepsLeft) throw new TooManySteps();
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, this.read(propertySchema(schema, key), entry, place)]));
  }

  /** Checks the shape alone: types, choices, and which fields there are. */
  private fits(given: unknown, value: unknown, refs: readonly string[] = []): boolean {
    this.countSteps(1);
    const opened = openSchema(given, this.root, refs);
    if (!opened) return false;
    const { schema } = opened;
    if (!hasType(schema, value) || !isChosen(schema, value)) return false;
    const forms = formsOf(schema);
    if (forms.length > 0 && !forms.some(form => this.fits(form, value, opened.refs))) return false;
    if (Array.isArray(value)) return value.every((item, index) => this.fits(itemSchema(schema, index), item));
    if (!isObject(value)) return true;
    const required: readonly unknown[] = Array.isArray(schema['required']) ? schema['required'] : [];
    return (
      required.every(key => typeof key === 'string' && Object.hasOwn(value, key)) &&
      Object.entries(value).every(([key, entry]) => this.fits(propertySchema(schema, key), entry))
    );
  }

  /** Returns true when a field of this name may be a field of the tool. */
  mayHave(given: unknown, key: string, refs: readonly string[] = []): boolean {
    this.countSteps(1);
    const opened = openSchema(given, this.root, refs);
    if (!opened) return false;
    const { schema } = opened;
    if (Object.hasOwn(propertiesOf(schema), key) || isObject(schema['additionalProperties']) || 'patternProperties' in schema) return true;
    return formsOf(schema).some(form => this.mayHave(form, key, opened.refs));
  }

  private countSteps(cost: number): void {
    this.stepsLeft -= cost;
    if (this.stepsLeft < 0) throw new TooManySteps();
  }
}

/** Parses JSON text, also JSON text in JSON text; undefined when it is no JSON, or nested deeper than `maxDepth`. */
function parseText(text: string, maxDepth: number): unknown {
  const trimmed = text.trim();
  if (Object.hasOwn(PYTHON_CONSTANTS, trimmed)) return PYTHON_CONSTANTS[trimmed];
  if (isDeeperThan(trimmed, maxDepth)) return undefined;
  try {
    const value: unknown = JSON.parse(trimmed);
    if (typeof value === 'string') return parseText(value, maxDepth);
    return typeof value === 'number' && !isExact(value) ? undefined : value;
  } catch {
    return undefined;
  }
}

/** A number that JavaScript rounds would be another one than the model wrote. */
const isExact = (value: number): boolean => Number.isSafeInteger(value) || (Number.isFinite(value) && !Number.isInteger(value));

function hasType({ type }: JsonObject, value: unknown): boolean {
  if (type === undefined) return true;
  const types: unknown[] = Array.isArray(type) ? type : [type];
  return types.includes(typeOf(value)) || (types.includes('integer') && Number.isInteger(value));
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function isChosen(schema: JsonObject, value: unknown): boolean {
  const choices: unknown = 'const' in schema ? [schema['const']] : schema['enum'];
  return (
    !Array.isArray(choices) ||
    choices.some(choice => choice === value || (typeof choice === 'object' && sortedJson(choice) === sortedJson(value)))
  );
}

const formsOf = ({ anyOf, oneOf }: JsonObject): unknown[] => [anyOf, oneOf].flatMap(forms => (Array.isArray(forms) ? forms : []));

const propertiesOf = ({ properties }: JsonObject): JsonObject => (isObject(properties) ? properties : {});

function propertySchema(schema: JsonObject, key: string): unknown {
  const properties = propertiesOf(schema);
  if (Object.hasOwn(properties, key)) return properties[key];
  return 'patternProperties' in schema ? {} : (schema['additionalProperties'] ?? {});
}

function itemSchema({ prefixItems, items, additionalItems }: JsonObject, index: number): unknown {
  const first = Array.isArray(items) ? items : prefixItems;
  if (Array.isArray(first) && index < first.length) return first[index];
  return (Array.isArray(items) ? additionalItems : items) ?? {};
}
