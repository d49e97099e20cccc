/** Reads the parts of an OpenAPI 3.1 document that the page shows. */

export interface Schema {
  $ref?: string;
  type?: string | readonly string[];
  description?: string;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  items?: Schema;
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  allOf?: readonly Schema[];
  const?: unknown;
  enum?: readonly unknown[];
  default?: unknown;
  examples?: readonly unknown[];
  format?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  description?: string;
  schema?: Schema;
}

type Content = Readonly<Record<string, { schema?: Schema }>>;

interface WrittenOperation {
  operationId: string;
  tags?: readonly string[];
  summary?: string;
  description?: string;
  parameters?: readonly Parameter[];
  requestBody?: { content: Content };
  responses: Readonly<Record<string, { $ref?: string; description?: string; content?: Content }>>;
  'x-scope'?: string | readonly string[];
}

export interface WrittenDocument {
  tags?: readonly { name: string; description?: string }[];
  paths: Readonly<Record<string, Readonly<Record<string, WrittenOperation>>>>;
  components: { schemas?: Schemas; responses?: Readonly<Record<string, { description?: string; content?: Content }>> };
}

export type Schemas = Readonly<Record<string, Schema>>;

export interface Answer {
  status: string;
  description: string;
  schema?: Schema;
}

export interface Operation {
  id: string;
  /** In upper case. */
  method: string;
  path: string;
  group: string;
  summary: string;
  description: string;
  scope: string;
  parameters: readonly Parameter[];
  body?: { mediaType: string; schema?: Schema };
  answers: readonly Answer[];
  /** The texts that a search looks into, in lower case. */
  words: string;
}

export interface OperationGroup {
  name: string;
  description: string;
  operations: readonly Operation[];
}

export interface ApiDocument {
  groups: readonly OperationGroup[];
  schemas: Schemas;
}

/** Lists the operations by their tags, in the order of the document. */
export function readDocument(written: WrittenDocument): ApiDocument {
  const operations = Object.entries(written.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => readOperation({ method: method.toUpperCase(), path, operation }, written)),
  );
  const groups = (written.tags ?? []).map(({ name, description = '' }) => ({
    name,
    description,
    operations: operations.filter(({ group }) => group === name),
  }));
  return { groups: groups.filter(group => group.operations.length > 0), schemas: written.components.schemas ?? {} };
}

function readOperation(
  { method, path, operation }: { method: string; path: string; operation: WrittenOperation },
  { components }: WrittenDocument,
): Operation {
  const [mediaType, body] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  const answers = Object.entries(operation.responses).map(([status, given]) => {
    const answer = given.$ref ? components.responses?.[given.$ref.split('/').at(-1) ?? ''] : given;
    return { status, description: answer?.description ?? '', schema: Object.values(answer?.content ?? {})[0]?.schema };
  });
  const { operationId: id, summary = '', description = '', parameters = [] } = operation;
  const fields = [...parameters.map(({ name }) => name), ...Object.keys(body?.schema?.properties ?? {})];
  return {
    id,
    method,
    path,
    group: operation.tags?.[0] ?? '',
    summary,
    description,
    words: [method, path, id, summary, description, ...fields].join(' ').toLowerCase(),
    scope: [operation['x-scope'] ?? ''].flat().join(', '),
    parameters,
    body: mediaType === undefined ? undefined : { mediaType, schema: body?.schema },
    answers,
  };
}

/** Follows a reference to a named schema. */
export function resolveSchema(schema: Schema, schemas: Schemas): { schema: Schema; name?: string } {
  const name = schema.$ref?.split('/').at(-1);
  return name === undefined ? { schema } : { schema: schemas[name] ?? {}, name };
}

/** Names a type as a person writes it: `string`, `array of Session`, `en or zh-CN`. */
export function nameType(given: Schema, schemas: Schemas): string {
  const { schema, name } = resolveSchema(given, schemas);
  if (name !== undefined) return name;
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return [...new Set(choices.map(choice => nameType(choice, schemas)))].join(' | ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map(value => JSON.stringify(value)).join(' | ');
  if (schema.items) return `${nameType(schema.items, schemas)}[]`;
  return [schema.type ?? 'any'].flat().join(' | ');
}

/** Returns the values that a text field may have; undefined when it may have others. */
export function choicesOf(given: Schema, schemas: Schemas): readonly string[] | undefined {
  const { schema } = resolveSchema(given, schemas);
  const values = schema.enum ?? (schema.anyOf ?? schema.oneOf)?.map(choice => choice.const);
  if (schema.type === 'boolean') return ['true', 'false'];
  return values?.every(value => value !== undefined) ? values.map(String) : undefined;
}

/** Deeper objects of an example are left out, so that a schema that contains itself ends. */
const MAX_DEPTH = 4;

/** Makes a value that fits the schema: its own example, else its required fields. */
export function exampleOf(given: Schema, schemas: Schemas, depth = 0): unknown {
  const { schema } = resolveSchema(given, schemas);
  const [example] = schema.examples ?? [];
  if (example !== undefined) return example;
  if (schema.default !== undefined) return schema.default;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  const [first] = schema.anyOf ?? schema.oneOf ?? schema.allOf ?? [];
  if (first !== undefined) return depth < MAX_DEPTH ? exampleOf(first, schemas, depth + 1) : null;
  if (schema.properties && depth < MAX_DEPTH) {
    const required = Object.entries(schema.properties).filter(([name]) => schema.required?.includes(name));
    return Object.fromEntries(required.map(([name, field]) => [name, exampleOf(field, schemas, depth + 1)]));
  }
  if (schema.items) return depth < MAX_DEPTH ? [exampleOf(schema.items, schemas, depth + 1)] : [];
  const values: Readonly<Record<string, unknown>> = {
    string: 'text',
    integer: schema.minimum ?? 1,
    number: schema.minimum ?? 1,
    boolean: true,
    null: null,
  };
  return values[[schema.type ?? ''].flat()[0] ?? ''] ?? {};
}

/** Returns the operations whose method, path, name, texts or fields have every word of the search. */
export function findOperations({ groups }: ApiDocument, search: string): readonly OperationGroup[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return groups;
  const fits = (operation: Operation) => words.every(word => operation.words.includes(word));
  return groups.map(group => ({ ...group, operations: group.operations.filter(fits) })).filter(({ operations }) => operations.length > 0);
}
