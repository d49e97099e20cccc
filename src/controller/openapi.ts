/** The REST door as an OpenAPI 3.1 document, made from the route table and the very schemas that requests are checked with. */
import type { TObject, TSchema } from '@sinclair/typebox';
import { ERRORS } from '../errors';
import { ANSWERS, type AnswerName } from './openapi_answers';
import { type Answer, ROUTES, type Route, TAGS } from './openapi_routes';

type JsonObject = Record<string, unknown>;

/** The whole document; `x-errors` lists the error table. Pure. */
export function createOpenApi(version: string): JsonObject {
  const paths: Record<string, JsonObject> = {};
  for (const route of ROUTES) {
    const operations = paths[route.path] ?? {};
    paths[route.path] = { ...operations, [route.method]: toOperation(route) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'neta-gateway', version, description: 'Runs, sessions and tools of an LLM agent.' },
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: { schemas: ANSWERS },
    'x-errors': Object.entries(ERRORS).map(([code, { status, type, retryable, text }]) => ({ code, status, type, retryable, text })),
  };
}

function toOperation({ tag, summary, description, path, query, headers, body, answers }: Route): JsonObject {
  const parameters = [...pathParameters(path), ...parametersOf(query, 'query'), ...parametersOf(headers, 'header')];
  return {
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: { required: (body.required?.length ?? 0) > 0, content: { 'application/json': { schema: body } } } }),
    responses: {
      ...Object.fromEntries(Object.entries(answers).map(([status, answer]) => [status, toResponse(answer)])),
      default: { description: 'An error of the one error table', content: { 'application/json': { schema: reference('Error') } } },
    },
  };
}

function pathParameters(path: string): JsonObject[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({ name, in: 'path', required: true, schema: { type: 'string' } }));
}

function parametersOf(schema: TObject | undefined, place: 'query' | 'header'): JsonObject[] {
  const properties: Record<string, TSchema> = schema?.properties ?? {};
  return Object.entries(properties).map(([name, { description, ...rest }]) => ({
    name,
    in: place,
    ...(description !== undefined && { description }),
    schema: rest,
  }));
}

function toResponse({ description, json, page, events }: Answer): JsonObject {
  const schema = json ? reference(json) : page && pageOf(page);
  const content = {
    ...(schema && { 'application/json': { schema } }),
    ...(events && { 'text/event-stream': { schema: { type: 'string', description: 'id: seq, event: type, data: a RunEvent as JSON' } } }),
  };
  return { description, ...(Object.keys(content).length > 0 && { content }) };
}

const reference = (name: AnswerName): JsonObject => ({ $ref: `#/components/schemas/${name}` });

function pageOf(name: AnswerName): JsonObject {
  const properties = { data: { type: 'array', items: reference(name) }, nextCursor: { type: 'string' } };
  return { type: 'object', required: ['data'], properties };
}
