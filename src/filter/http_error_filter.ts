/**
 * Answers errors of REST requests in the wire form, without stacks, paths of the host or SQL. A browser that opens an unknown address gets a
 * small page instead.
 */
import { Catch, Inject } from '@midwayjs/core';
import type { Context } from '@midwayjs/koa';
import type { DoorForm } from '../controller/door_form';
import { localeOf } from '../controller/http_request';
import { AppError, ERRORS, type ErrorCode, PROBLEM_TYPE, toAppError, toWireError, type WireError } from '../errors';
import { InjectService } from '../inject_service';
import type { Refusals } from '../service/limits/refusals';
import type { ServiceSettings } from '../service/service_settings';
import { notFoundPage } from './not_found_page';

/** Codes for errors of the HTTP framework, which have only a status. */
const CODE_OF_STATUS: Record<number, ErrorCode> = {
  400: 'invalid_request',
  404: 'not_found',
  405: 'method_not_allowed',
  413: 'too_large',
  415: 'unsupported_media_type',
};

@Catch()
export class HttpErrorFilter {
  @InjectService()
  serviceSettings!: ServiceSettings;
  @InjectService()
  refusals!: Refusals;
  @Inject()
  doorForms!: readonly DoorForm[];

  async catch(thrown: Error, ctx: Context): Promise<unknown> {
    const error = fromFramework(thrown);
    const requestId = String(ctx.state.requestId ?? '');
    this.log(ctx, error, requestId);
    this.refusals.note('http', error, ctx.state.principal);
    ctx.status = error.status;
    ctx.set('cache-control', 'no-store');
    if (error.retryAfterMs !== undefined) ctx.set('retry-after', String(Math.ceil(error.retryAfterMs / 1000)));
    if (isFutile(error, ctx.state.isRunStored === true)) ctx.set('x-should-retry', 'false');
    const form = this.doorForms.find(({ isFor }) => isFor(ctx.path));
    if (form) return form.toBody(ctx, error, requestId);
    const page = error.code === 'not_found' ? notFoundPage(ctx) : undefined;
    if (page !== undefined) {
      ctx.type = 'html';
      return page;
    }
    const locale = localeOf(ctx, 'en');
    ctx.set('content-language', locale);
    const body = { error: toWireError(error, requestId, locale) };
    if (!/^\/api\/v1(?:\/|$)/.test(ctx.path)) return body;
    const { basePath, publicAddress } = ctx.state;
    const type = `${publicAddress.protocol}://${publicAddress.host}${basePath}/docs/errors#${error.code}`;
    return toProblem(ctx, { type, title: ERRORS[error.code].text[locale], status: error.status, ...body });
  }

  private log(ctx: Context, error: AppError, requestId: string): void {
    const { onError, onEvent } = this.serviceSettings;
    const { trace } = ctx.state;
    const context = { requestId, traceId: trace?.traceId };
    if (error.code === 'internal') onError('a request failed', error.cause ?? error, context);
    else onEvent('info', 'a request was refused', { ...context, method: ctx.method, status: error.status, code: error.code });
  }
}

/** Returns true for an error that a client would retry in vain, or that would start a second run. */
function isFutile({ status, retryable }: AppError, isRunStored: boolean): boolean {
  if (status === 409) return true;
  return status >= 500 ? isRunStored || !retryable : status === 429 && !retryable;
}

interface Problem {
  type: string;
  title: string;
  status: number;
  error: WireError;
}

/** Answers with problem details (RFC 9457), under their media type for callers that prefer it. */
function toProblem(ctx: Context, problem: Problem): unknown {
  ctx.vary('Accept');
  if (ctx.accepts('application/json', PROBLEM_TYPE) !== PROBLEM_TYPE) return problem;
  ctx.type = PROBLEM_TYPE;
  return JSON.stringify({ ...problem, detail: problem.error.message });
}

function fromFramework(thrown: Error): AppError {
  const status = (thrown as { status?: unknown }).status;
  if (thrown instanceof AppError || typeof status !== 'number') return toAppError(thrown);
  const code = CODE_OF_STATUS[status];
  return code ? new AppError(code, { cause: thrown }) : toAppError(thrown);
}
