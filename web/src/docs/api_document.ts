/** The OpenAPI document as far as the page reads it, and its operations in the order of the page. */
import type { Locale } from '../platform/preferences';

/** A JSON Schema, or a reference to one. */
export interface Schema {
  $ref?: string;
  type?: string;
  const?: unknown;
  default?: unknown;
  examples?: unknown[];
  description?: string;
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  maxItems?: number;
  anyOf?: Schema[];
  /** One of several named shapes. */
  oneOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  patternProperties?: Record<string, Schema>;
  required?: string[];
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  description?: string;
  schema: Schema;
}

interface Content {
  content?: Record<string, { schema: Schema }>;
}

type RawResponse = Content & { description: string; $ref?: string };

interface RawOperation {
  tags: string[];
  summary: string;
  description?: string;
  parameters?: Parameter[];
  requestBody?: Content & { required?: boolean };
  responses: Record<string, RawResponse>;
}

export interface ErrorRow {
  code: string;
  status: number;
  type: string;
  retryable: boolean;
  text: string;
}

export interface ApiDocument {
  info: { version: string };
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, RawOperation>>;
  components: { schemas: Record<string, Schema> };
  'x-errors': ErrorRow[];
}

export interface ApiAnswer {
  status: string;
  description: string;
  /** Absent for errors: their form is the same everywhere. */
  json?: Schema;
  isStream: boolean;
}

export interface ApiOperation {
  /** Deep link: `post-api-v1-runs-id-cancel`. */
  anchor: string;
  method: string;
  path: string;
  summary: string;
  description: string;
  parameters: Parameter[];
  body?: Schema;
  /** Without the errors that every operation has. */
  answers: ApiAnswer[];
}

export interface ApiGroup {
  name: string;
  description: string;
  operations: ApiOperation[];
}

/** The document with its texts in one language. Rejects when it cannot be read. */
export async function fetchDocument(locale: Locale): Promise<ApiDocument> {
  const response = await fetch(`/openapi.json?lang=${locale}`, { headers: { accept: 'application/json' } });
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  // Served by the same gateway as this page.
  return (await response.json()) as ApiDocument;
}

/** The operations by tag, tags and operations in the order of the document. */
export function groupOperations({ tags, paths }: ApiDocument): ApiGroup[] {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, raw]) => ({ tags: raw.tags, operation: toOperation(method, path, raw) })),
  );
  return tags.map(({ name, description }) => ({
    name,
    description,
    operations: operations.filter(entry => entry.tags.includes(name)).map(entry => entry.operation),
  }));
}

/** The schema that a reference stands for, with its name. */
export function resolve(schema: Schema, document: ApiDocument): { schema: Schema; name?: string } {
  const name = schema.$ref?.split('/').at(-1);
  return name === undefined ? { schema } : { schema: document.components.schemas[name] ?? {}, name };
}

function anchorOf(method: string, path: string): string {
  const words = path.match(/[A-Za-z0-9]+/g) ?? [];
  return [method, ...words].join('-').toLowerCase();
}

function toOperation(method: string, path: string, raw: RawOperation): ApiOperation {
  const body = raw.requestBody?.content?.['application/json']?.schema;
  const answers = Object.entries(raw.responses).filter(([, response]) => response.$ref === undefined);
  return {
    anchor: anchorOf(method, path),
    method,
    path,
    summary: raw.summary,
    description: raw.description ?? '',
    parameters: raw.parameters ?? [],
    ...(body && { body }),
    answers: answers.map(([status, { description, content }]) => ({
      status,
      description,
      ...(content?.['application/json'] && Number(status) < 400 && { json: content['application/json'].schema }),
      isStream: content?.['text/event-stream'] !== undefined,
    })),
  };
}
