/**
 * Limits requests per minute, of a key and of a tenant. Points are taken from the store in advance, a twentieth of the limit at a time, so that most
 * requests wait for no disk, the counts survive a crash, and gateways on one store never let through more than the limit together.
 */
import { AppError } from '../../errors';
import type { Clock } from '../../port/clock';
import type { LogError } from '../../port/logger';
import type { Actor } from '../../port/principal';
import type { Store } from '../../port/store/store';
import type { DayBudgets } from './day_budgets';
import type { LimitRules, ScopedLimits } from './limit_rules';
import { WINDOW_MS } from './run_limiter';
import { StoreLimiter, type StoreLimiterResult } from './store_limiter';

export interface RateLimitsDeps {
  store: Store;
  clock: Clock;
  rules: LimitRules;
  dayBudgets: DayBudgets;
  onError: LogError;
}

/** The state of one limit after a request. */
export interface RateState {
  scope: ScopedLimits['scope'];
  limit: number;
  remaining: number;
  /** Milliseconds until the count begins anew. */
  resetMs: number;
}

/** Tokens of a day. */
export interface TokenState {
  limit: number;
  remaining: number;
  resetMs: number;
}

export class RateLimits {
  private readonly limiter: StoreLimiter;

  constructor(private readonly deps: RateLimitsDeps) {
    this.limiter = new StoreLimiter({ ...deps, windowMs: WINDOW_MS });
  }

  /**
   * Counts a request. Returns undefined when nothing is limited. Otherwise resolves with the state of each limit, or rejects `rate_limited` with the
   * states in `details.states`. When the store cannot be written, this process counts alone.
   */
  takeRequest(actor: Actor): Promise<RateState[]> | undefined {
    const scopes = this.deps.rules.scopesWith(actor, 'requestsPerMinute');
    return scopes.length === 0 ? undefined : this.take(scopes);
  }

  /** The tokens that are left today, of the scope with the fewest; undefined when they are not limited. */
  async tokensLeft(actor: Actor): Promise<TokenState | undefined> {
    const { rules, dayBudgets, clock } = this.deps;
    const states = await Promise.all(
      rules.scopesWith(actor, 'tokensPerDay').map(async scope => {
        const limit = scope.limits.tokensPerDay ?? 0;
        const { tokens } = await dayBudgets.amountsOf(scope);
        return { limit, remaining: Math.max(0, limit - tokens), resetMs: DAY_MS - (clock.now() % DAY_MS) };
      }),
    );
    return states.sort((a, b) => a.remaining - b.remaining)[0];
  }

  /** Gives points back that this process has taken and not used. */
  async stop(): Promise<void> {
    await this.limiter.returnUnused();
  }

  private async take(scopes: readonly ScopedLimits[]): Promise<RateState[]> {
    const states: RateState[] = [];
    let refused: { scope: ScopedLimits; result: StoreLimiterResult } | undefined;
    for (const scope of scopes) {
      const limit = scope.limits.requestsPerMinute ?? 0;
      const result = await this.limiter.take(`requests:${scope.id}`, limit);
      states.push({ scope: scope.scope, limit, remaining: result.remaining, resetMs: result.resetMs });
      if (!result.isAllowed) refused ??= { scope, result };
    }
    if (refused) throw new RateLimited(refused.scope, refused.result, states);
    return states;
  }
}

/** A request over the limit. */
export class RateLimited extends AppError {
  constructor(
    { scope, limits: { requestsPerMinute = 0 } }: ScopedLimits,
    { resetMs }: StoreLimiterResult,
    readonly states: readonly RateState[],
  ) {
    super('rate_limited', {
      message: `At most ${requestsPerMinute} requests of this ${scope} are possible in a minute.`,
      messageZh: `${scope === 'key' ? '该密钥' : '该租户'}每分钟最多可以有 ${requestsPerMinute} 个请求。`,
      retryAfterMs: Math.max(1, resetMs),
      details: { scope, limit: 'requestsPerMinute' },
    });
  }
}

const DAY_MS = 86_400_000;
