/** Counts HTTP requests against the limits of their key and tenant, and says in headers what is left. Runs behind the guard of principals. */
import { type IMiddleware, Inject, Middleware } from '@midwayjs/core';
import type { Context, NextFunction } from '@midwayjs/koa';
import type { DoorForm } from '../controller/door_form';
import { rateHeaders } from '../controller/rate_headers';
import { InjectService } from '../inject_service';
import type { Principal } from '../port/principal';
import { RateLimited, type RateLimits, type RateState } from '../service/limits/rate_limits';

@Middleware()
export class RateGuard implements IMiddleware<Context, NextFunction> {
  @InjectService()
  rateLimits!: RateLimits;
  @Inject()
  doorForms!: readonly DoorForm[];

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
    const form = this.doorForms.find(({ isFor }) => isFor(ctx.path));
    if (!form?.rateHeaders) return rateHeaders(states);
    return { ...rateHeaders(states), ...form.rateHeaders(states, await this.rateLimits.tokensLeft(principal)) };
  }
}
