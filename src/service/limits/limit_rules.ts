/** Finds the limits that apply to an actor: those of its key, and those of its tenant. */
import { isDeepStrictEqual } from 'node:util';
import { type Actor, actorId, isGuestName, LOCAL_KEY_NAME } from '../../port/principal';
import type { RunLimits } from '../../port/store/runs';
import type { LimitSet, Limits } from './limits_file';

/** Limits with their scope. key: the limits hold for one key alone. tenant: the limits hold for all keys of the tenant together. */
export interface ScopedLimits {
  scope: 'key' | 'tenant';
  limits: Limits;
  /** Id of the counter. Callers that share a counter have the same id. */
  id: string;
  tenantId: string;
  /** Present for the scope key. */
  keyName?: string;
}

/** Fields of a run that limits narrow. */
const RUN_FIELDS = [
  'maxTokens',
  'maxCostUsd',
  'maxToolCalls',
  'maxToolIterations',
  'timeoutMs',
] as const satisfies readonly (keyof RunLimits & keyof Limits)[];

export class LimitRules {
  private readonly cache = new Map<string, readonly ScopedLimits[]>();

  /** Undefined: there is no file, and nothing is limited. */
  constructor(private set: LimitSet | undefined) {}

  /** Uses other limits from now on; undefined: the file is gone. Returns false when they are the same as before. */
  replaceLimits(set: LimitSet | undefined): boolean {
    if (isDeepStrictEqual(set, this.set)) return false;
    this.set = set;
    this.cache.clear();
    return true;
  }

  /** False without any limit: then nothing needs to be counted. */
  get isActive(): boolean {
    return this.set !== undefined;
  }

  /** True when a limit is an amount of money. */
  get limitsCost(): boolean {
    if (!this.set) return false;
    const { default: usual, tenants, keys } = this.set;
    return [usual, ...tenants.values(), ...keys.values()].some(({ maxCostUsd, costPerDayUsd, askAboveUsd }) =>
      [maxCostUsd, costPerDayUsd, askAboveUsd].some(limit => limit !== undefined),
    );
  }

  /** Returns the scopes of the caller that have limits, the key first; empty when nothing is limited. */
  scopesFor(actor: Actor): readonly ScopedLimits[] {
    if (isGuestName(actor.keyName)) return this.scopesOfGuest(actor);
    if (!this.set) return NONE;
    const name = actorId(actor);
    const known = this.cache.get(name);
    if (known) return known;
    const { tenantId, keyName = LOCAL_KEY_NAME } = actor;
    const key: Limits = { ...this.set.default, ...this.set.keys.get(keyName) };
    const tenant = this.set.tenants.get(tenantId) ?? {};
    const limited = toScopes({ tenantId, keyName }, key, tenant);
    // Not bounded: names of keys are few, because they come from the operator.
    this.cache.set(name, limited);
    return limited;
  }

  /** Not kept: links come and go. A guest has limits also without a file. */
  private scopesOfGuest({ tenantId, keyName = '' }: Actor): readonly ScopedLimits[] {
    return toScopes({ tenantId, keyName }, { ...GUEST_LIMITS, ...this.set?.default }, this.limitsOfTenant(tenantId));
  }

  /** The limits of the file for a tenant; none without. */
  limitsOfTenant(tenantId: string): Limits {
    return this.set?.tenants.get(tenantId) ?? {};
  }

  /** Returns every scope with limits: the scopes of these callers, and their tenants. */
  scopesOfAll(actors: readonly Actor[]): ScopedLimits[] {
    const scopes = new Map(actors.flatMap(actor => this.scopesFor(actor)).map(scope => [scope.id, scope]));
    return [...scopes.values()];
  }

  /** Returns true when what this caller uses counts for the scope. */
  isWithin({ tenantId, keyName = LOCAL_KEY_NAME }: Actor, scope: ScopedLimits): boolean {
    return tenantId === scope.tenantId && (scope.keyName === undefined || keyName === scope.keyName);
  }

  /** The scopes of the caller that limit one of these fields. */
  scopesWith(actor: Actor, ...fields: (keyof Limits)[]): readonly ScopedLimits[] {
    const scopes = this.scopesFor(actor);
    return scopes.length === 0 ? scopes : scopes.filter(({ limits }) => fields.some(field => limits[field] !== undefined));
  }

  /** Returns the smallest cost above which a person is asked; undefined: nobody is. */
  askAboveUsd(actor: Actor): number | undefined {
    const limits = this.scopesFor(actor).flatMap(scope => scope.limits.askAboveUsd ?? []);
    return limits.length === 0 ? undefined : Math.min(...limits);
  }

  /**
   * Returns the limits of a run: for each field the smallest value of the request, the key and the tenant, so a request can only narrow. `usual`:
   * limits of a run whose request names none.
   */
  narrow(actor: Actor, asked: RunLimits, usual: RunLimits): RunLimits {
    const scopes = this.scopesFor(actor);
    if (scopes.length === 0) return asked;
    const narrowed = { ...asked };
    for (const field of RUN_FIELDS) {
      const limits = scopes.flatMap(scope => scope.limits[field] ?? []);
      if (limits.length > 0) narrowed[field] = Math.min(asked[field] ?? usual[field] ?? Number.POSITIVE_INFINITY, ...limits);
    }
    return narrowed;
  }
}

/** Of everybody together who has the link. The limits of the file for each key take their place. */
const GUEST_LIMITS: Limits = { requestsPerMinute: 240, runsPerMinute: 10, queuedRuns: 5 };

function toScopes({ tenantId, keyName }: { tenantId: string; keyName: string }, key: Limits, tenant: Limits): readonly ScopedLimits[] {
  const scopes: ScopedLimits[] = [
    { scope: 'key', limits: key, id: `key:${actorId({ tenantId, keyName })}`, tenantId, keyName },
    { scope: 'tenant', limits: tenant, id: `tenant:${tenantId}`, tenantId },
  ];
  return scopes.filter(({ limits }) => Object.keys(limits).length > 0);
}

const NONE: readonly ScopedLimits[] = [];
