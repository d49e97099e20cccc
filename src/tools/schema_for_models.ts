/**
 * Simplifies the schema of a foreign tool to what every model server takes: OpenAI, Gemini, Anthropic and llama.cpp each refuse a whole request
 * because of other keywords. What the simple form cannot hold is said in descriptions. Arguments are still checked against the original schema.
 */
import type { WireTool } from '../port/llm';
import { clipStart } from '../utils/clip_text';
import { definedFields } from '../utils/defined_fields';
import type { ToolLocale } from './common';
import { isObject, type JsonObject, mergeProperties, type OpenedSchema, openSchema, textsOf } from './open_schema';
import { SCHEMA_NOTES } from './schema_notes';

/** The longest description that OpenAI takes, of a tool or a parameter. */
const MAX_DESCRIPTION_UNITS = 1_024;
const MAX_NOTE_UNITS = 200;
const MAX_DEPTH = 16;
/** References can multiply a schema. After this many parts, only the types of further parts are told. */
const MAX_PARTS = 500;
const MAX_FORMS = 16;

interface Context {
  root: JsonObject;
  locale: ToolLocale;
  partsLeft: number;
}

interface Place {
  refs: readonly string[];
  depth: number;
}

/** Returns the tool as every model server takes it. */
export function toSimpleTool({ type, function: { name, description, parameters } }: WireTool, locale: ToolLocale): WireTool {
  return { type, function: { name, description: shortDescription(description), parameters: schemaForModels(parameters, locale) } };
}

/** Cuts a long description before its last line, which says whose words these are. */
function shortDescription(text: string): string {
  const last = text.slice(text.lastIndexOf('\n') + 1);
  if (text.length <= MAX_DESCRIPTION_UNITS || last.length > MAX_NOTE_UNITS) return shorten(text);
  return `${clipStart(text, MAX_DESCRIPTION_UNITS - last.length - 5)} ...\n${last}`;
}

/** Returns the schema of an object with `properties`, made of plain forms alone. Pure; takes any JSON. */
export function schemaForModels(schema: JsonObject, locale: ToolLocale): JsonObject {
  const context: Context = { root: schema, locale, partsLeft: MAX_PARTS };
  const opened = openSchema(schema, schema) ?? { schema: {}, refs: [] };
  const whole = withForms(opened, context) ?? opened.schema;
  return toObject(whole, context, { refs: opened.refs, depth: 0 }, notesOf(whole, context));
}

/** Returns undefined for a schema that nothing matches. */
function simplify(given: unknown, context: Context, { refs, depth }: Place): JsonObject | undefined {
  const opened = openSchema(given, context.root, refs);
  if (!opened) return undefined;
  context.partsLeft -= 1;
  const place = { refs: opened.refs, depth: depth + 1 };
  const isCut = depth >= MAX_DEPTH || context.partsLeft <= 0;
  const schema = isCut ? withoutParts(opened.schema) : (withForms(opened, context) ?? opened.schema);
  const notes = notesOf(schema, context);
  const forms = formsOf(schema);
  if (forms) return toForms(schema, forms, context, place);
  const values = 'const' in schema ? [schema['const']] : schema['enum'];
  if (Array.isArray(values)) return toChoice(values, schema, context, notes);
  const types = typesOf(schema);
  if (types.includes('null') && types.length > 1) notes.push(SCHEMA_NOTES[context.locale].null(''));
  const [type, ...others] = types.filter(name => name !== 'null');
  if (others.length > 0) {
    const alone = [type, ...others].map(name => ({ ...schema, type: name, description: undefined, default: undefined }));
    return toForms(schema, alone, context, place);
  }
  return toTyped(type, schema, context, { place, notes });
}

function toTyped(
  type: string | undefined,
  schema: JsonObject,
  context: Context,
  { place, notes }: { place: Place; notes: string[] },
): JsonObject {
  if (type === 'object') return toObject(schema, context, place, notes);
  if (type === 'array') return toArray(schema, context, place, notes);
  if (type === 'number' || type === 'integer') return toNumber(type, schema, context, notes);
  if (type === 'string') return described({ type, ...countsIn(schema, ['minLength', 'maxLength']) }, schema, notes);
  if (type === 'boolean') return described({ type }, schema, notes);
  return type === undefined && !('type' in schema)
    ? anyValue(schema, [...notes, SCHEMA_NOTES[context.locale].json('')])
    : described({ type: 'string' }, schema, notes);
}

function toObject(schema: JsonObject, context: Context, place: Place, notes: string[]): JsonObject {
  const declared = isObject(schema['properties']) ? Object.entries(schema['properties']) : [];
  const properties = Object.fromEntries(
    declared.flatMap(([name, part]) => {
      const simple = simplify(part, context, place);
      return simple ? [[name, simple]] : [];
    }),
  );
  const { additionalProperties: further } = schema;
  if (isObject(further) && Object.keys(further).length > 0) notes.push(SCHEMA_NOTES[context.locale].further(shown(further)));
  const required = textsOf(schema['required']).filter(name => Object.hasOwn(properties, name));
  return described(definedFields({ type: 'object', properties, required: required.length > 0 ? required : undefined }), schema, notes);
}

function toArray(schema: JsonObject, context: Context, place: Place, notes: string[]): JsonObject {
  const { items, prefixItems } = schema;
  const tuple = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : undefined;
  if (tuple) notes.push(SCHEMA_NOTES[context.locale].tuple(String(tuple.length)));
  if (schema['uniqueItems'] === true) notes.push(SCHEMA_NOTES[context.locale].unique(''));
  const part = tuple ? (tuple.length > 0 ? { anyOf: tuple } : {}) : items;
  const simple = simplify(part ?? {}, context, place) ?? { type: 'string' };
  return described({ type: 'array', items: simple, ...countsIn(schema, ['minItems', 'maxItems']) }, schema, notes);
}

function toNumber(type: string, schema: JsonObject, { locale }: Context, notes: string[]): JsonObject {
  const { exclusiveMinimum: above, exclusiveMaximum: below, multipleOf } = schema;
  const bounds = numbersIn(schema, ['minimum', 'maximum']);
  const isWhole = type === 'integer';
  if (isFiniteNumber(above) && isWhole) bounds['minimum'] ??= Math.floor(above) + 1;
  else if (isFiniteNumber(above)) notes.push(SCHEMA_NOTES[locale].greater(String(above)));
  if (isFiniteNumber(below) && isWhole) bounds['maximum'] ??= Math.ceil(below) - 1;
  else if (isFiniteNumber(below)) notes.push(SCHEMA_NOTES[locale].less(String(below)));
  if (isFiniteNumber(multipleOf) && multipleOf !== 1) notes.push(SCHEMA_NOTES[locale].multiple(String(multipleOf)));
  return described({ type, ...bounds }, schema, notes);
}

/** Servers take an `enum` of texts that are not empty. */
function toChoice(values: readonly unknown[], schema: JsonObject, { locale }: Context, notes: string[]): JsonObject {
  const texts = textsOf(values).filter(text => text !== '');
  const others = values.filter(value => value !== null && typeof value !== 'string');
  if (values.includes(null)) notes.push(SCHEMA_NOTES[locale].null(''));
  if (others.length > 0) {
    notes.push(SCHEMA_NOTES[locale].oneOf(shown(values).slice(1, -1)));
    const types = new Set(others.map(value => (isObject(value) ? 'object' : Array.isArray(value) ? 'array' : typeof value)));
    const [type] = types;
    if (texts.length > 0 || types.size > 1 || type === 'object' || type === 'array') return anyValue(schema, notes);
    const isWhole = others.every(value => Number.isInteger(value));
    return described({ type: type === 'number' && isWhole ? 'integer' : type }, schema, notes);
  }
  if (values.includes('')) notes.push(SCHEMA_NOTES[locale].empty(''));
  return described(definedFields({ type: 'string', enum: texts.length > 0 ? texts : undefined }), schema, notes);
}

/** Joins alternatives. `anyOf` may have nothing beside it, so the description goes to the first form. */
function toForms(schema: JsonObject, forms: readonly unknown[], context: Context, place: Place): JsonObject {
  const { anyOf: _any, oneOf: _one, title, description, default: preset, ...shared } = schema;
  const opened = forms.slice(0, MAX_FORMS).map(form => ({ form, isNull: isNull(openSchema(form, context.root, place.refs)?.schema) }));
  const simple = opened.flatMap(({ form, isNull }) => {
    const made = isNull ? undefined : simplify(form === false ? false : { ...shared, ...(isObject(form) && form) }, context, place);
    return made ? [made] : [];
  });
  const flat = simple.flatMap(form => (Array.isArray(form['anyOf']) ? form['anyOf'].filter(isObject) : [form]));
  const notes = notesOf({ default: preset }, context);
  if (opened.some(form => form.isNull)) notes.push(SCHEMA_NOTES[context.locale].null(''));
  const isChoice = flat.length > 0 && flat.every(form => form['type'] === 'string' && 'enum' in form && !('description' in form));
  const choice = { type: 'string', enum: [...new Set(flat.flatMap(form => textsOf(form['enum'])))] };
  const [first = { type: 'string' }, ...others]: JsonObject[] = isChoice ? [choice] : distinct(flat);
  const told = described(first, { title, description: joinTexts(description, first['description']) }, notes);
  return others.length === 0 ? told : { anyOf: [told, ...others] };
}

const distinct = (forms: readonly JsonObject[]): JsonObject[] => [...new Map(forms.map(form => [JSON.stringify(form), form])).values()];

/** True for a schema that only null matches. */
const isNull = (schema: JsonObject | undefined): boolean => schema !== undefined && typesOf(schema).join() === 'null';

/** The alternatives of a schema that are not groups of properties. */
function formsOf({ anyOf, oneOf }: JsonObject): unknown[] | undefined {
  if (Array.isArray(anyOf) && anyOf.length > 0) return anyOf;
  return Array.isArray(oneOf) && oneOf.length > 0 ? oneOf : undefined;
}

/** Merges alternatives into an object that has all their properties; undefined when they are no objects. */
function withForms({ schema, refs }: OpenedSchema, { root, locale }: Context): JsonObject | undefined {
  const forms = formsOf(schema);
  if (!forms) return undefined;
  const opened = forms.slice(0, MAX_FORMS).flatMap<JsonObject>(form => openSchema(form, root, refs)?.schema ?? []);
  if (opened.length === 0 || !opened.every(form => typesOf(form).join() === 'object')) return undefined;
  const { anyOf: _any, oneOf: _one, ...own } = schema;
  const maps = [own, ...opened].flatMap(form => (isObject(form['properties']) ? [form['properties']] : []));
  const needs = opened.map(form => textsOf(form['required']));
  const common = (needs[0] ?? []).filter(name => needs.every(names => names.includes(name)));
  const groups = [...new Set(needs.map(names => names.filter(name => !common.includes(name)).join(', ')))].filter(group => group !== '');
  const note = groups.length > 1 ? SCHEMA_NOTES[locale].groups(groups.map(group => `(${group})`).join(' ')) : '';
  return {
    ...own,
    type: 'object',
    properties: mergeProperties(maps, 'anyOf'),
    required: [...new Set([...textsOf(own['required']), ...common])],
    ...(note !== '' && { description: joinTexts(own['description'], clipStart(note, 2 * MAX_NOTE_UNITS)) }),
  };
}

/** Servers call some types by other names; ajv refuses those, but the tools of a caller are not compiled. */
const TYPE_NAMES: Readonly<Record<string, string>> = {
  int: 'integer',
  float: 'number',
  double: 'number',
  bool: 'boolean',
  dict: 'object',
  list: 'array',
};

/** Returns the types that the schema names or implies. */
function typesOf(schema: JsonObject): string[] {
  const { type } = schema;
  const named = (typeof type === 'string' ? [type] : textsOf(type)).map(name => TYPE_NAMES[name.toLowerCase()] ?? name.toLowerCase());
  if (schema['nullable'] === true && named.length > 0) named.push('null');
  if (named.length > 0) return [...new Set(named)];
  const implied = IMPLIED.find(([, keywords]) => keywords.some(keyword => keyword in schema));
  return implied ? [implied[0]] : [];
}

const IMPLIED: readonly (readonly [string, readonly string[]])[] = [
  ['object', ['properties', 'required', 'additionalProperties', 'patternProperties']],
  ['array', ['items', 'prefixItems', 'minItems', 'maxItems']],
  ['string', ['pattern', 'minLength', 'maxLength', 'format']],
  ['number', ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']],
];

/** Keeps the types of a schema that is too deep. */
const withoutParts = (schema: JsonObject): JsonObject =>
  definedFields({
    type: typesOf(schema).find(type => type !== 'null') ?? 'string',
    description: typeof schema['description'] === 'string' ? schema['description'] : undefined,
  });

function notesOf({ pattern, format, default: preset }: JsonObject, { locale }: Context): string[] {
  const notes = SCHEMA_NOTES[locale];
  return [
    ...(typeof pattern === 'string' ? [notes.pattern(shown(pattern))] : []),
    ...(typeof format === 'string' ? [notes.format(clipStart(format, MAX_NOTE_UNITS))] : []),
    ...(preset === undefined || preset === null ? [] : [notes.default(shown(preset))]),
  ];
}

/** Any JSON value, as the forms that each server knows. */
const anyValue = (schema: JsonObject, notes: readonly string[]): JsonObject => ({
  anyOf: [
    described({ type: 'string' }, schema, notes),
    { type: 'number' },
    { type: 'boolean' },
    { type: 'object', properties: {} },
    { type: 'array', items: { type: 'string' } },
  ],
});

function described(simple: JsonObject, { description, title }: JsonObject, notes: readonly string[]): JsonObject {
  const text = joinTexts(typeof description === 'string' && description !== '' ? description : title, ...notes);
  return text === '' ? simple : { ...simple, description: shorten(text) };
}

const joinTexts = (...texts: readonly unknown[]): string => texts.filter(text => typeof text === 'string' && text !== '').join(' ');

const shorten = (text: string): string =>
  text.length <= MAX_DESCRIPTION_UNITS ? text : `${clipStart(text, MAX_DESCRIPTION_UNITS - 4)} ...`;

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? '';
  return text.length <= MAX_NOTE_UNITS ? text : `${clipStart(text, MAX_NOTE_UNITS)}...`;
}

const isFiniteNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

function numbersIn(schema: JsonObject, names: readonly string[]): Record<string, number> {
  const found = names.map(name => [name, schema[name]] as const).filter((entry): entry is [string, number] => isFiniteNumber(entry[1]));
  return Object.fromEntries(found);
}

const countsIn = (schema: JsonObject, names: readonly string[]): Record<string, number> =>
  Object.fromEntries(Object.entries(numbersIn(schema, names)).filter(([, value]) => Number.isSafeInteger(value) && value >= 0));
