/** The rules of OpenAI, Gemini, Anthropic and llama.cpp for the parameters of a function, taken together. */

type JsonObject = Record<string, unknown>;

const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value);

const KEYWORDS: Record<string, readonly string[]> = {
  object: ['properties', 'required'],
  array: ['items', 'minItems', 'maxItems'],
  string: ['enum', 'minLength', 'maxLength'],
  number: ['minimum', 'maximum'],
  integer: ['minimum', 'maximum'],
  boolean: [],
};
const COUNTS = new Set(['minItems', 'maxItems', 'minLength', 'maxLength']);

/** Returns the first rule that the parameters of a function break, with its place. */
export function strictProblem(parameters: unknown): string | undefined {
  if (!isObject(parameters) || parameters['type'] !== 'object') return '(): must be of the type object';
  return problemOf(parameters, '()');
}

function problemOf(schema: unknown, at: string): string | undefined {
  if (!isObject(schema)) return `${at}: is no object`;
  if ('anyOf' in schema) {
    const forms = schema['anyOf'];
    if (Object.keys(schema).length > 1) return `${at}: any_of must be the only field set`;
    if (!Array.isArray(forms) || forms.length < 2) return `${at}: anyOf has less than two forms`;
    return first(forms.map((form, i) => () => problemOf(form, `${at}.anyOf[${i}]`)));
  }
  const { type, description, ...rest } = schema;
  const allowed = typeof type === 'string' && Object.hasOwn(KEYWORDS, type) ? KEYWORDS[type] : undefined;
  if (!allowed) return `${at}: unknown type ${JSON.stringify(type)}`;
  const odd = Object.keys(rest).find(keyword => !allowed.includes(keyword));
  if (odd !== undefined) return `${at}: unknown name "${odd}"`;
  if (description !== undefined && (typeof description !== 'string' || description === '' || description.length > 1_024))
    return `${at}: description`;
  return problemOfParts(type as string, rest, at);
}

function problemOfParts(type: string, rest: JsonObject, at: string): string | undefined {
  for (const [keyword, value] of Object.entries(rest)) {
    if (COUNTS.has(keyword) && !(Number.isSafeInteger(value) && (value as number) >= 0)) return `${at}: ${keyword} is no count`;
    if (keyword.endsWith('imum') && !Number.isFinite(value)) return `${at}: ${keyword} is no number`;
  }
  if (type === 'array') return rest['items'] === undefined ? `${at}: array schema missing items` : problemOf(rest['items'], `${at}.items`);
  if ('enum' in rest) {
    const values = rest['enum'];
    if (!Array.isArray(values) || values.length === 0 || new Set(values).size !== values.length) return `${at}: enum`;
    return values.every(value => typeof value === 'string' && value !== '') ? undefined : `${at}: enum must hold texts`;
  }
  if (type !== 'object') return undefined;
  const { properties, required = [] } = rest;
  if (!isObject(properties)) return `${at}: object schema missing properties`;
  const isListed =
    Array.isArray(required) && required.every(name => Object.hasOwn(properties, name)) && new Set(required).size === required.length;
  if (!isListed) return `${at}: required names no property`;
  return first(
    Object.entries(properties).map(
      ([name, part]) =>
        () =>
          problemOf(part, `${at}.${name}`),
    ),
  );
}

function first(checks: readonly (() => string | undefined)[]): string | undefined {
  for (const check of checks) {
    const problem = check();
    if (problem !== undefined) return problem;
  }
  return undefined;
}
