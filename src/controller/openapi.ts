/** Makes the OpenAPI 3.1 document of the REST door from the rows of the routes and the schemas that check requests. */
import type { TObject, TSchema } from '@sinclair/typebox';
import { ERRORS, type ErrorCode, PROBLEM_TYPE } from '../errors';
import type { Locale } from '../port/store/sessions';
import { type Bilingual, ZH_DESCRIPTION } from '../utils/bilingual';
import { type Answer, type RouteRow, TAGS, type Tag } from './route';
import { ANSWERS, type AnswerShape } from './schemas/answers';
import { DOCUMENTED_AS } from './schemas/common';
import { EVENT_SCHEMAS } from './schemas/event_schemas';

type JsonObject = Record<string, unknown>;

/** Returns the whole document in one language; `x-errors` lists the error table. Pure. */
export function createOpenApi(routes: readonly RouteRow[], { version, locale }: { version: string; locale: Locale }): JsonObject {
  const paths: Record<string, JsonObject> = {};
  for (const route of routes) {
    const path = route.path.replaceAll(/:(\w+)(?:\(\.\*\))?/g, '{$1}');
    paths[path] = { ...paths[path], [route.method]: toOperation(route) };
  }
  const document = {
    openapi: '3.1.0',
    info: {
      title: 'neta-gateway',
      version,
      description: { en: 'Runs, sessions and tools of an LLM agent.', 'zh-CN': 'LLM 智能体的运行、会话和工具。' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    // Relative to the address of this document, so that it is right below any path.
    servers: [{ url: '.', description: { en: 'This gateway', 'zh-CN': '这个网关' } }],
    security: SECURITY,
    tags: tagsOf(routes),
    paths,
    components: {
      schemas: opened({ ...ANSWERS, ...featureAnswers(routes), ...EVENT_SCHEMAS }) as JsonObject,
      responses: ERROR_RESPONSES,
      securitySchemes: SECURITY_SCHEMES,
    },
    'x-errors': Object.entries(ERRORS).map(([code, { status, type, retryable, text }]) => ({ code, status, type, retryable, text })),
  };
  return inLanguage(document, locale) as JsonObject;
}

/** A caller sends either of them; without any key the gateway serves its own machine. */
const SECURITY = [{ apiKey: [] }, { login: [] }];

const SECURITY_SCHEMES = {
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    description: {
      en: 'An API key. While the gateway has no key, programs of its own machine need none.',
      'zh-CN': 'API 密钥。网关还没有密钥时，本机的程序不需要密钥。',
    },
  },
  login: {
    type: 'apiKey',
    in: 'cookie',
    name: 'neta_session',
    description: { en: 'The cookie of POST /api/v1/login, for pages.', 'zh-CN': 'POST /api/v1/login 设置的 cookie，供网页使用。' },
  },
};

const tagsOf = (routes: readonly RouteRow[]): Tag[] => {
  const ofFeatures = new Map(routes.flatMap(({ tag }) => (typeof tag === 'string' ? [] : [[tag.name, tag]])));
  return [...Object.entries(TAGS).map(([name, description]) => ({ name, description })), ...ofFeatures.values()];
};

/** The answers that features bring: name in the document -> schema. */
const featureAnswers = (routes: readonly RouteRow[]): Record<string, TSchema> => {
  const shapes = routes.flatMap(({ answers }) => Object.values(answers).flatMap(({ json, page, lines }) => [json, page, lines]));
  return Object.fromEntries(shapes.flatMap(shape => (typeof shape === 'object' ? [[shape.name, shape.schema]] : [])));
};

const reference = (shape: AnswerShape): JsonObject => ({ $ref: `#/components/schemas/${typeof shape === 'string' ? shape : shape.name}` });

const toErrorResponse = (description: Bilingual): JsonObject => ({
  description,
  content: { 'application/json': { schema: reference('Error') }, [PROBLEM_TYPE]: { schema: reference('Error') } },
});

const ERROR_RESPONSES = {
  Refused: toErrorResponse({ en: 'Any other error of the request', 'zh-CN': '请求的其他错误' }),
  Failed: toErrorResponse({ en: 'An error from the table of errors', 'zh-CN': '错误表中的一个错误' }),
};

const NOT_MODIFIED: Bilingual = {
  en: 'The answer still has the ETag of If-None-Match',
  'zh-CN': '响应的 ETag 仍与 If-None-Match 相同',
};

function toOperation(route: RouteRow): JsonObject {
  const { tag, operationId, scope, summary, description, path, query, headers, body, needsBody = false } = route;
  const { upload, answers, isDocument, deprecated } = route;
  const parameters = [...pathParameters(path), ...parametersOf(query, 'query'), ...parametersOf(headers, 'header')];
  return {
    tags: [typeof tag === 'string' ? tag : tag.name],
    operationId,
    summary,
    description,
    deprecated: deprecated && true,
    ...(scope === 'open' ? { security: [] } : { 'x-scope': scope }),
    parameters: parameters.length > 0 ? parameters : undefined,
    requestBody: upload
      ? { required: true, content: Object.fromEntries((upload === true ? ['application/octet-stream'] : upload).map(type => [type, {}])) }
      : body && { required: needsBody || (body.required?.length ?? 0) > 0, content: { 'application/json': { schema: body } } },
    responses: {
      ...Object.fromEntries(Object.entries(answers).map(([status, answer]) => [status, toResponse(answer)])),
      ...(isDocument && { 304: { description: NOT_MODIFIED } }),
      ...errorResponses(route),
      '4XX': { $ref: '#/components/responses/Refused' },
      default: { $ref: '#/components/responses/Failed' },
    },
  };
}

function pathParameters(path: string): JsonObject[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({ name, in: 'path', required: true, schema: { type: 'string' } }));
}

function parametersOf(schema: TObject | undefined, place: 'query' | 'header'): JsonObject[] {
  const properties: Record<string, TSchema> = schema?.properties ?? {};
  const required: readonly string[] = schema?.required ?? [];
  return Object.entries(properties).map(([name, { description, [ZH_DESCRIPTION]: zhCN, [DOCUMENTED_AS]: shown, ...rest }]) => ({
    name,
    in: place,
    required: required.includes(name) || undefined,
    ...(description !== undefined && { description, [ZH_DESCRIPTION]: zhCN }),
    schema: shown ?? rest,
  }));
}

function toResponse({ description, json, page, lines, bytes = [], events }: Answer): JsonObject {
  const schema = json ? reference(json) : page && pageOf(page);
  const content = {
    ...(schema && { 'application/json': { schema } }),
    ...(lines && {
      'application/x-ndjson': { schema: { type: 'string', contentMediaType: 'application/json', contentSchema: reference(lines) } },
    }),
    // An empty schema: bytes of this media type (OpenAPI 3.1, 4.8.14.3).
    ...Object.fromEntries(bytes.map(type => [type, {}])),
    ...(events && { 'text/event-stream': { schema: EVENT_STREAM } }),
  };
  return { description, content: Object.keys(content).length > 0 ? content : undefined };
}

/** OpenAPI 3.1 has no keyword for the items of a stream, so `contentSchema` names the shape of each event. */
const EVENT_STREAM = {
  type: 'string',
  description: { en: 'id: seq, event: type, data: a RunEvent as JSON', 'zh-CN': 'id 为 seq，event 为类型，data 为 JSON 形式的 RunEvent' },
  contentMediaType: 'text/event-stream',
  contentSchema: reference('RunEvent'),
};

function pageOf(shape: AnswerShape): JsonObject {
  const properties = { data: { type: 'array', items: reference(shape) }, nextCursor: { type: 'string' }, hasMore: { type: 'boolean' } };
  return { type: 'object', required: ['data', 'hasMore'], properties };
}

/** Returns the errors of a route by status; they follow from its row and its inputs. */
function errorResponses(row: RouteRow): Record<string, JsonObject> {
  const { scope, path, query, headers, body, upload, errors = [] } = row;
  const codes = new Set<ErrorCode>(errors);
  if (scope !== 'open') codes.add('unauthenticated');
  if (scope !== 'open' && !row.beforeSecondFactor) codes.add('forbidden');
  if (path.includes(':')) codes.add('not_found');
  if (query || headers || body) codes.add('invalid_request');
  if (body || upload) codes.add('too_large').add('unsupported_media_type');
  const byStatus = Object.groupBy(codes, code => String(ERRORS[code].status));
  return Object.fromEntries(Object.entries(byStatus).map(([status, group = []]) => [status, toErrorResponse(describeErrors(group))]));
}

function describeErrors(codes: readonly ErrorCode[]): Bilingual {
  const listed = (locale: Locale) => codes.map(code => `\`${code}\`: ${ERRORS[code].text[locale]}`).join(' ');
  return { en: listed('en'), 'zh-CN': listed('zh-CN') };
}

/** Opens closed objects: answers grow by addition, so the document must not forbid unknown fields. */
function opened(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(opened);
  if (typeof schema !== 'object' || schema === null) return schema;
  const entries = Object.entries(schema).filter(([key, value]) => !(key === 'additionalProperties' && value === false));
  return Object.fromEntries(entries.map(([key, value]) => [key, opened(value)]));
}

/** Keeps one language of each text that exists in both. */
export function inLanguage(value: unknown, locale: Locale): unknown {
  if (Array.isArray(value)) return value.map(entry => inLanguage(entry, locale));
  if (typeof value !== 'object' || value === null) return value;
  if (isBilingual(value)) return value[locale];
  const { [ZH_DESCRIPTION]: zhCN, ...rest } = value as JsonObject;
  const own = locale === 'zh-CN' && zhCN !== undefined ? { ...rest, description: zhCN } : rest;
  return Object.fromEntries(Object.entries(own).map(([key, entry]) => [key, inLanguage(entry, locale)]));
}

const isBilingual = (value: object): value is Bilingual => 'en' in value && 'zh-CN' in value;
