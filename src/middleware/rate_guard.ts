/** Counts HTTP requests against the limits of their key and tenant, and says in headers what is left. Runs behind the guard of principals. */
import { type IMiddleware, Middleware } from '@midwayjs/core';
import type { Context, NextFunction } from '@midwayjs/koa';
import { openAiRateHeaders, rateHeaders } from '../controller/rate_headers';
import { InjectService } from '../inject_service';
import type { Principal } from '../port/principal';
import { RateLimited, type RateLimits, type RateState } from '../service/limits/rate_limits';

const OPENAI_PATH = /^\/v1(?:\/|$)/;

@Middleware()
export class RateGuard implements IMiddleware<Context, NextFunction> {
  @InjectService()
  rateLimits!: RateLimits;

  resolve() {
    return async (ctx: Context, next: NextFunction) => {
      // Absent for pages and probes, which need no caller.
      const principal: Principal | undefined = ctx.state.principal;
      const counting = principal && this.rateLimits.takeRequest(principal);
      if (principal && counting) await this.count(ctx, principal, counting);
      return next();
    };
  }

  private async count(ctx: Context, principal: Principal, counting: Promise<RateState[]>): Promise<void> {
    try {
      ctx.set(await this.headersFor(ctx, principal, await counting));
    } catch (thrown) {
      if (thrown instanceof RateLimited) ctx.set(await this.headersFor(ctx, principal, thrown.states));
      throw thrown;
    }
  }

  private async headersFor(ctx: Context, principal: Principal, states: readonly RateState[]): Promise<Record<string, string>> {
    if (!OPENAI_PATH.test(ctx.path)) return rateHeaders(states);
    return { ...rateHeaders(states), ...openAiRateHeaders(states, await this.rateLimits.tokensLeft(principal)) };
  }

  static getName(): string {
    return 'rateGuard';
  }
}
