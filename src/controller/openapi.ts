/** The REST door as an OpenAPI 3.1 document, made from the route table below and the very schemas that requests are checked with. */
import { type TSchema, Type } from '@sinclair/typebox';
import { ERRORS } from '../errors';
import { ClarificationData, RUN_EVENT_DATA, RUN_STATUSES, UsageData } from '../port/run_event';
import { AnswerRequest, ClarificationsQuery } from './clarifications_controller';
import { PAGE_QUERY } from './http_request';
import { EventsQuery, RunRequest, RunsQuery } from './runs_controller';
import { ForkRequest, SessionInput } from './sessions_controller';
import { ToolCallRequest, ToolExecutionsQuery } from './tools_controller';

interface Route {
  method: 'get' | 'post' | 'patch' | 'delete';
  path: string;
  tag: string;
  summary: string;
  query?: TSchema;
  body?: TSchema;
  /** Status and what the answer is. */
  status?: number;
  answer?: TSchema;
}

const Row = Type.Record(Type.String(), Type.Unknown());
const page = (row: TSchema) => Type.Object({ data: Type.Array(row), nextCursor: Type.Optional(Type.String()) });
const PageQuery = Type.Object(PAGE_QUERY);

const RunResult = Type.Object({
  runId: Type.String(),
  sessionId: Type.String(),
  status: Type.Union(RUN_STATUSES.map(status => Type.Literal(status))),
  text: Type.String(),
  clarification: Type.Optional(ClarificationData),
  toolCalls: Type.Array(Row),
  usage: UsageData,
  error: Type.Optional(Row),
});

const RunEventRow = Type.Object({
  v: Type.Literal(1),
  type: Type.Union(Object.keys(RUN_EVENT_DATA).map(type => Type.Literal(type))),
  sessionId: Type.String(),
  runId: Type.String(),
  seq: Type.Integer({ minimum: 1 }),
  ts: Type.String({ format: 'date-time' }),
  data: Row,
});

const api = (path: string): string => `/api/v1${path}`;

export const ROUTES: readonly Route[] = [
  {
    method: 'post',
    path: api('/runs'),
    tag: 'runs',
    summary:
      'Start a run and wait for its result. Prefer: respond-async answers 202 at once; Accept: text/event-stream streams the events; Idempotency-Key makes a repeat safe.',
    body: RunRequest,
    answer: RunResult,
  },
  { method: 'get', path: api('/runs'), tag: 'runs', summary: 'Runs, newest first', query: RunsQuery, answer: page(Row) },
  { method: 'get', path: api('/runs/{id}'), tag: 'runs', summary: 'One run and its result so far', answer: RunResult },
  {
    method: 'get',
    path: api('/runs/{id}/events'),
    tag: 'runs',
    summary: 'Events after a seq, as a JSON page or, by Accept: text/event-stream, as a live stream (Last-Event-ID is the same cursor)',
    query: EventsQuery,
    answer: page(RunEventRow),
  },
  { method: 'post', path: api('/runs/{id}/cancel'), tag: 'runs', summary: 'Cancel; answers when the run is terminal', answer: RunResult },
  {
    method: 'get',
    path: api('/clarifications'),
    tag: 'questions',
    summary: 'Questions to people, oldest first',
    query: ClarificationsQuery,
    answer: page(Row),
  },
  {
    method: 'post',
    path: api('/clarifications/{requestId}'),
    tag: 'questions',
    summary: 'Answer a question; the first answer wins, the rest get 409',
    body: AnswerRequest,
    answer: Row,
  },
  { method: 'get', path: api('/sessions'), tag: 'sessions', summary: 'Sessions, latest first', query: PageQuery, answer: page(Row) },
  { method: 'post', path: api('/sessions'), tag: 'sessions', summary: 'New session', body: SessionInput, status: 201, answer: Row },
  { method: 'get', path: api('/sessions/{id}'), tag: 'sessions', summary: 'One session', answer: Row },
  {
    method: 'patch',
    path: api('/sessions/{id}'),
    tag: 'sessions',
    summary: 'Change title, agent, locale, ...',
    body: SessionInput,
    answer: Row,
  },
  { method: 'delete', path: api('/sessions/{id}'), tag: 'sessions', summary: 'Cancel what runs in it and remove it', status: 204 },
  {
    method: 'get',
    path: api('/sessions/{id}/messages'),
    tag: 'sessions',
    summary: 'Messages, oldest first',
    query: PageQuery,
    answer: page(Row),
  },
  {
    method: 'post',
    path: api('/sessions/{id}/fork'),
    tag: 'sessions',
    summary: 'New session with the same history',
    body: ForkRequest,
    status: 201,
    answer: Row,
  },
  { method: 'get', path: api('/tools'), tag: 'tools', summary: 'The tool catalog', answer: page(Row) },
  { method: 'get', path: api('/toolsets'), tag: 'tools', summary: 'Toolsets and their tools', answer: page(Row) },
  {
    method: 'post',
    path: api('/tools/call'),
    tag: 'tools',
    summary: 'Call one tool outside any run; a failing tool is a result with status "error"',
    body: ToolCallRequest,
    answer: Row,
  },
  {
    method: 'get',
    path: api('/tool-executions'),
    tag: 'tools',
    summary: 'The log of tool executions, newest first',
    query: ToolExecutionsQuery,
    answer: page(Row),
  },
  { method: 'get', path: api('/info'), tag: 'ops', summary: 'Version, model and isolation of this gateway', answer: Row },
  { method: 'get', path: '/healthz', tag: 'ops', summary: 'The process lives', answer: Row },
  { method: 'get', path: '/readyz', tag: 'ops', summary: 'Runs are taken; 503 while stopping or without a store', answer: Row },
  { method: 'get', path: '/openapi.json', tag: 'ops', summary: 'This document', answer: Row },
];

/** The whole document. Pure; made once. */
export function createOpenApi(version: string): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of ROUTES) {
    paths[route.path] ??= {};
    Object.assign(paths[route.path] as object, { [route.method]: toOperation(route) });
  }
  return {
    openapi: '3.1.0',
    info: { title: 'neta-gateway', version, description: 'Runs, sessions and tools of an LLM agent.' },
    paths,
    components: { schemas: { Error: ErrorBody } },
  };
}

const ErrorBody = Type.Object({
  error: Type.Object({
    code: Type.Union(Object.keys(ERRORS).map(code => Type.Literal(code))),
    message: Type.String(),
    type: Type.String(),
    param: Type.Optional(Type.String({ description: 'JSON pointer of the field that is wrong' })),
    retryable: Type.Boolean(),
    retryAfterMs: Type.Optional(Type.Integer()),
    requestId: Type.String(),
    details: Type.Optional(Row),
  }),
});

function toOperation({ tag, summary, path, query, body, status = 200, answer }: Route): Record<string, unknown> {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({ name, in: 'path', required: true, schema: { type: 'string' } }));
  const properties = (query as { properties?: Record<string, TSchema> } | undefined)?.properties ?? {};
  const inQuery = Object.entries(properties).map(([name, schema]) => ({ name, in: 'query', schema }));
  const json = (schema: unknown) => ({ content: { 'application/json': { schema } } });
  return {
    tags: [tag],
    summary,
    ...(inPath.length + inQuery.length > 0 && { parameters: [...inPath, ...inQuery] }),
    ...(body && { requestBody: { required: true, ...json(body) } }),
    responses: {
      [status]: { description: 'Done', ...(answer && json(answer)) },
      default: { description: 'An error of the one error table', ...json({ $ref: '#/components/schemas/Error' }) },
    },
  };
}
