/** Routes of the REST door: a route is a controller method and its row, a decorator from which /openapi.json is made. */

import { attachClassMetadata, CONTROLLER_KEY, getClassMetadata, Inject, RequestMapping } from '@midwayjs/core';
import type { Context } from '@midwayjs/koa';
import type { TObject } from '@sinclair/typebox';
import type { ErrorCode } from '../errors';
import type { NeededScope } from '../port/principal';
import type { SessionAction } from '../service/access/session_action';
import type { Bilingual } from '../utils/bilingual';
import type { AnswerShape } from './schemas/answers';

/** The groups of the document, in its order; those of features follow. */
export const TAGS = {
  runs: {
    en: 'One turn of the agent. Start it, wait for it or watch it, read it again later.',
    'zh-CN': '智能体的一轮工作。可以启动、等待、观看，也可以之后再读。',
  },
  questions: {
    en: 'Questions that an agent asks a person, tool calls that need approval, and the answers.',
    'zh-CN': '智能体向人提出的问题、等待批准的工具调用，以及回答。',
  },
  sessions: {
    en: 'Conversations: one history, one plan, one run at a time.',
    'zh-CN': '对话：一份历史、一份计划，同一时间只有一个运行。',
  },
  agents: { en: 'The agents that a run can name.', 'zh-CN': '运行可以指定的智能体。' },
  models: { en: 'The models that a run can choose.', 'zh-CN': '运行可以选择的模型。' },
  tools: { en: 'The tool catalog, direct calls and the log of calls.', 'zh-CN': '工具目录、直接调用和调用日志。' },
  files: { en: 'The files of your workspace.', 'zh-CN': '你的工作区中的文件。' },
  agui: { en: 'Runs for front ends that speak the AG-UI protocol.', 'zh-CN': '为使用 AG-UI 协议的前端提供的运行。' },
  keys: {
    en: 'API keys, and the logins of pages with them.',
    'zh-CN': 'API 密钥，以及网页用它们的登录。',
  },
  mcp: {
    en: 'The server for clients of the Model Context Protocol. Its tools are agents, and tools that the operator has chosen.',
    'zh-CN': '供 MCP 客户端使用的服务器。它的工具是智能体，以及运维人员选定的工具。',
  },
  ops: { en: 'For probes, pages and operators.', 'zh-CN': '供探针、页面和运维人员使用。' },
} as const satisfies Record<string, Bilingual>;

/** The group of a feature's routes in the document. */
export interface Tag {
  name: string;
  description: Bilingual;
}

/** A successful answer: JSON of one shape, a page of rows of that shape, JSON lines, or bytes of one of these media types. */
export interface Answer {
  description: Bilingual;
  json?: AnswerShape;
  page?: AnswerShape;
  lines?: AnswerShape;
  bytes?: readonly string[];
  /** True when the same status carries run events for Accept: text/event-stream. */
  events?: true;
}

/** The row of one route. `errors` lists only those that do not follow from the path, the query or the body. */
export interface RouteRow {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** Path below the controller's prefix, with `:name` for path parameters; `:name(.*)` at the end may contain slashes. */
  path: string;
  /** camelCase verb and noun; generated clients name their method after it. Unique. */
  operationId: string;
  /** The scope that the caller's key needs; middleware/principal_guard.ts checks it. */
  scope: NeededScope;
  tag: keyof typeof TAGS | Tag;
  /**
   * The route does this in the session that the request names by its id or by the id of a run. Absent: a read looks, all others drive. question: the
   * service asks QuestionAccess. See middleware/session_guard.ts.
   */
  session?: SessionAction | 'question' | ((body: Record<string, unknown>) => SessionAction);
  /** A person who must add an authenticator app first may use the route: middleware/principal_guard.ts answers `forbidden` on all others. */
  beforeSecondFactor?: true;
  /** Guests may use the route; session: for their session, which the request names; anywhere: it asks itself who may. Absent: it answers them 404. */
  guests?: 'session' | 'anywhere';
  summary: Bilingual;
  description?: Bilingual;
  query?: TObject;
  /**
   * The route ignores query parameters that `query` does not name, because browsers and probes add their own. Other routes refuse them: see
   * middleware/query_check.ts.
   */
  takesAnyQuery?: true;
  /** Query parameters that its clients add, and that mean nothing here. */
  ignoredQuery?: readonly string[];
  headers?: TObject;
  body?: TObject;
  /** The request has a body although no field of it is needed in every request. */
  needsBody?: true;
  /** The field that an error names when the body is longer than MAX_BODY_BYTES. Absent: the error names no field. */
  longField?: string;
  /** The body is the bytes of a file, of any type or of types such as these; the method reads them as they arrive. */
  upload?: true | readonly string[];
  /** HTTP status -> answer. */
  answers: Readonly<Record<number, Answer>>;
  errors?: readonly ErrorCode[];
  /**
   * The fields of the body that may hold images and files as base64, so the body may be larger than others: middleware/image_bodies.ts. `unitsOf`
   * returns the length of the images and files in the value of a field. It is absent where the schema limits everything but them.
   */
  imagesIn?: { fields: readonly [string, ...string[]]; unitsOf?(value: unknown): number };
  /** The answer has an ETag: a reader gets 304 when the document has not changed. */
  isDocument?: true;
  /** The route will go: ISO dates since when it should not be used and when it ends, and the page that says what to use instead. */
  deprecated?: { since: string; sunset?: string; link?: string };
}

/** A controller whose methods read the request and set parts of the answer. */
export abstract class RestController {
  @Inject() ctx!: Context;
}

const ROWS_KEY = 'neta:rows';

type SharedFields = Partial<Pick<RouteRow, 'scope' | 'tag'>>;
/** The fields that a decorator takes behind the path and the operationId. One may have another value than the routes share. */
type RowBehind<Shared> = Omit<RouteRow, 'method' | 'path' | 'operationId' | keyof Shared> &
  Partial<Pick<RouteRow, keyof Shared & keyof RouteRow>>;

/**
 * Returns the decorators for the routes of a controller; `shared` holds the fields that all its rows have. With the scope `chat` those that read need
 * `chat:read` alone. A decorator is Midway's @Get, @Post, @Put,
 * @Patch or @Del, and keeps the row for the document: `@Get('/:id', 'getJob', { summary, answers })`.
 */
export function routesWith<Shared extends SharedFields>(shared: Shared) {
  const decoratorFor = (method: RouteRow['method'], common: SharedFields) => (path: string, operationId: string, row: RowBehind<Shared>) =>
    // The compiler knows that a row has each field that is not shared, but not that both together are a whole row.
    serve({ ...common, ...row, method, path, operationId } as unknown as RouteRow);
  return {
    Get: decoratorFor('get', shared.scope === 'chat' ? { ...shared, scope: 'chat:read' } : shared),
    Post: decoratorFor('post', shared),
    Put: decoratorFor('put', shared),
    Patch: decoratorFor('patch', shared),
    Delete: decoratorFor('delete', shared),
  };
}

function serve(row: RouteRow): MethodDecorator {
  const map = RequestMapping({ path: row.path, requestMethod: row.method, routerName: row.operationId });
  return (target, key, descriptor) => {
    attachClassMetadata(ROWS_KEY, row, target);
    return map(target, key, descriptor);
  };
}

/** Returns the rows of a controller in the order of its methods, each with its whole path. */
export function routesOf(controller: object): RouteRow[] {
  const { prefix }: { prefix: string } = getClassMetadata(CONTROLLER_KEY, controller);
  const rows: RouteRow[] = getClassMetadata(ROWS_KEY, controller) ?? [];
  return rows.map(row => ({ ...row, path: `${prefix}${row.path}`.replaceAll(/\/+/g, '/').replace(/(.)\/$/, '$1') }));
}

/** The errors with which AgentExecutor refuses to start a run; `errors` of each route that starts runs lists them. */
export const START_ERRORS = [
  'price_not_agreed',
  'quota_exceeded',
  'rate_limited',
  'draining',
  'not_accepting',
  'store_unavailable',
] as const satisfies RouteRow['errors'];

/** Fields of a body that hold the images and files of a message. */
export const ATTACHMENTS: RouteRow['imagesIn'] = { fields: ['images', 'files'] };

/** The answers of a method that returns one value. */
export const done = (json: AnswerShape): RouteRow['answers'] => ({ 200: { description: { en: 'Done', 'zh-CN': '完成' }, json } });

/** The answers of a method that lists rows. */
export const page = (rows: AnswerShape): RouteRow['answers'] => ({
  200: { description: { en: 'A page of rows', 'zh-CN': '一页数据' }, page: rows },
});
