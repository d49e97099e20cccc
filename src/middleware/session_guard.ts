/**
 * Refuses requests about sessions that the caller does not see, as if they did not exist, and requests that need another part in the session. Finds the
 * session by the ids in the path, the query and the body of a request. Runs behind the parser of bodies. Doors whose ids are deeper in a body ask
 * SessionAccess themselves.
 */
import { type IMiddleware, Middleware } from '@midwayjs/core';
import type { Context, NextFunction } from '@midwayjs/koa';
import type { RouteRow } from '../controller/route';
import { AppError } from '../errors';
import { InjectService } from '../inject_service';
import type { Principal } from '../port/principal';
import type { SessionAccess } from '../service/access/session_access';
import type { SessionAction } from '../service/access/session_action';
import type { SessionIds } from '../service/access/session_ids';

/** Fields of queries and bodies that hold the id of something in a session. */
const FIELDS = ['sessionId', 'session', 'runId', 'run', 'parent', 'editOf', 'regenerate', 'branch', 'previous_response_id', 'conversation'];

/** Operators see all tenants: their routes ask PrivateTexts. */
const OPS_PATH = '/api/v1/ops/';

@Middleware()
export class SessionGuard implements IMiddleware<Context, NextFunction> {
  @InjectService() sessionAccess!: SessionAccess;
  @InjectService() sessionIds!: SessionIds;

  resolve() {
    return async (ctx: Context, next: NextFunction) => {
      const { route: row, principal }: { route?: RouteRow; principal?: Principal } = ctx.state;
      if (row && principal && this.sessionAccess.isInUse && !row.path.startsWith(OPS_PATH)) await this.check(ctx, row, principal);
      return next();
    };
  }

  private async check(ctx: Context, row: RouteRow, principal: Principal): Promise<void> {
    const { body } = ctx.request;
    const given: Record<string, unknown>[] = [ctx.query, isObject(body) ? body : {}];
    // Whoever is asked a question answers it, and does not see its session: QuestionAccess decides.
    const inPath = row.session === 'question' ? [] : pathIds(row.path, ctx.path);
    const action = actionOf(row, body);
    let isNamed = false;
    for (const id of [...inPath, ...given.flatMap(fields => FIELDS.flatMap(field => idsIn(fields[field])))]) {
      const sessionId = await this.sessionIds.sessionOf(principal.tenantId, id);
      if (sessionId === undefined) continue;
      isNamed = true;
      await this.sessionAccess.assertMay(principal, sessionId, action);
      this.followStream(ctx, principal, sessionId);
    }
    if (principal.guestOf !== undefined && row.guests === 'session' && !isNamed) throw new AppError('not_found');
  }

  /** Ends an answer that is a stream when the caller no longer sees the session. */
  private followStream({ res, state }: Context, principal: Principal, sessionId: string): void {
    const forget = this.sessionAccess.follow(principal, sessionId, () => {
      if (state.endStream) state.endStream(new AppError('not_found'));
      else if (String(res.getHeader('content-type')).startsWith('text/event-stream')) res.socket?.destroySoon();
    });
    if (res.destroyed) forget();
    else res.once('close', forget);
  }
}

/** What the request does in the session: reads look, all others drive, unless the row says something else. */
function actionOf({ method, session }: RouteRow, body: unknown): SessionAction {
  if (typeof session === 'function') return session(isObject(body) ? body : {});
  if (session && session !== 'question') return session;
  return method === 'get' ? 'look' : 'drive';
}

/** Returns the values of the path parameters. */
function pathIds(pattern: string, path: string): string[] {
  const parts = path.split('/');
  return pattern.split('/').flatMap((part, i) => (part.startsWith(':') && !part.includes('(') ? [decode(parts[i] ?? '')] : []));
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** A conversation of OpenAI clients is an id, or an object that has it. */
function idsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return isObject(value) && typeof value['id'] === 'string' ? [value['id']] : [];
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !Buffer.isBuffer(value);
