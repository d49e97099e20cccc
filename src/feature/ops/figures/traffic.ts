/** What happened in each of the last 60 minutes, by tenant and for all tenants together. Memory only: it begins anew with each start. */
import { LRUCache } from 'lru-cache';
import { EVERY_TENANT } from '../../../port/store/switches';
import { Histogram } from '../../../utils/histogram';
import type { OpsOverview } from '../schemas/view_schemas';

const MINUTES = 60;
const MINUTE_MS = 60_000;
const MAX_TENANTS = 200;
const P95 = 0.95;

type Pairs = ReturnType<Histogram['toPairs']>;

/** One minute, as another process reads it. */
export interface TrafficMinute {
  /** Minutes since 1970. */
  minute: number;
  runs: number;
  failed: number;
  tokens: number;
  nanoDollars: number;
  runMs: Pairs;
  firstTokenMs: Pairs;
}

interface Minute extends Omit<TrafficMinute, 'runMs' | 'firstTokenMs'> {
  runMs: Histogram;
  firstTokenMs: Histogram;
}

export class Traffic {
  private readonly tenants = new LRUCache<string, Map<number, Minute>>({ max: MAX_TENANTS });

  recordRun(tenantId: string, at: number, run: { hasFailed: boolean; durationMs: number }): void {
    for (const minute of this.minutesAt(tenantId, at)) {
      minute.runs += 1;
      if (run.hasFailed) minute.failed += 1;
      minute.runMs.record(run.durationMs);
    }
  }

  recordFirstToken(tenantId: string, at: number, milliseconds: number): void {
    for (const minute of this.minutesAt(tenantId, at)) minute.firstTokenMs.record(milliseconds);
  }

  recordTokens(tenantId: string, at: number, used: { tokens: number; nanoDollars: number }): void {
    for (const minute of this.minutesAt(tenantId, at)) {
      minute.tokens += used.tokens;
      minute.nanoDollars += used.nanoDollars;
    }
  }

  /** The minutes of a tenant, or of all tenants, that have figures. */
  minutesOf(tenantId: string | undefined, now: number): TrafficMinute[] {
    const minutes = this.tenants.get(tenantId ?? EVERY_TENANT)?.values() ?? [];
    const first = minuteOf(now) - MINUTES;
    return [...minutes]
      .filter(({ minute }) => minute > first)
      .map(minute => ({ ...minute, runMs: minute.runMs.toPairs(), firstTokenMs: minute.firstTokenMs.toPairs() }));
  }

  /** The tenants that have figures, most recently used first. */
  tenantNames(): string[] {
    return [...this.tenants.keys()].filter(name => name !== EVERY_TENANT);
  }

  private minutesAt(tenantId: string, at: number): Minute[] {
    const number = minuteOf(at);
    return [this.minuteAt(tenantId, number), this.minuteAt(EVERY_TENANT, number)];
  }

  private minuteAt(tenant: string, number: number): Minute {
    const ring = this.tenants.get(tenant) ?? this.addTenant(tenant);
    const known = ring.get(number);
    if (known) return known;
    for (const old of ring.keys()) if (old <= number - MINUTES) ring.delete(old);
    const minute = emptyMinute(number);
    ring.set(number, minute);
    return minute;
  }

  private addTenant(tenant: string): Map<number, Minute> {
    const ring = new Map<number, Minute>();
    this.tenants.set(tenant, ring);
    return ring;
  }
}

/** Adds up the minutes of all processes. */
export function summarizeTraffic(
  parts: readonly TrafficMinute[],
  now: number,
  windowMinutes = 5,
): OpsOverview['traffic'] & Pick<OpsOverview, 'minutes'> {
  const last = minuteOf(now);
  const minutes = Array.from({ length: MINUTES }, (_, i) => emptyMinute(last - MINUTES + 1 + i));
  for (const part of parts) {
    const minute = minutes[part.minute - last + MINUTES - 1];
    if (minute) addTo(minute, part);
  }
  const window = emptyMinute(last);
  for (const minute of minutes.slice(-windowMinutes)) addTo(window, toPart(minute));
  return {
    windowMinutes,
    runsPerMinute: Math.round((window.runs / windowMinutes) * 100) / 100,
    successShare: window.runs > 0 ? Math.round((1 - window.failed / window.runs) * 10_000) / 10_000 : undefined,
    ...optional('runP95Ms', window.runMs.percentile(P95)),
    ...optional('firstTokenP95Ms', window.firstTokenMs.percentile(P95)),
    minutes: minutes.map(toRow),
  };
}

const optional = <K extends string>(name: K, value: number | undefined): { [key in K]?: number } =>
  (value === undefined ? {} : { [name]: value }) as { [key in K]?: number };

const minuteOf = (time: number): number => Math.floor(time / MINUTE_MS);

const emptyMinute = (minute: number): Minute => ({
  minute,
  runs: 0,
  failed: 0,
  tokens: 0,
  nanoDollars: 0,
  runMs: new Histogram(),
  firstTokenMs: new Histogram(),
});

const toPart = (minute: Minute): TrafficMinute => ({
  ...minute,
  runMs: minute.runMs.toPairs(),
  firstTokenMs: minute.firstTokenMs.toPairs(),
});

function addTo(sum: Minute, part: TrafficMinute): void {
  sum.runs += part.runs;
  sum.failed += part.failed;
  sum.tokens += part.tokens;
  sum.nanoDollars += part.nanoDollars;
  sum.runMs.addPairs(part.runMs);
  sum.firstTokenMs.addPairs(part.firstTokenMs);
}

const toRow = ({ minute, runs, failed, tokens, nanoDollars, runMs, firstTokenMs }: Minute): OpsOverview['minutes'][number] => ({
  at: new Date(minute * MINUTE_MS).toISOString(),
  runs,
  failed,
  tokens,
  costUsd: nanoDollars / 1e9,
  runP95Ms: runMs.percentile(P95) ?? null,
  firstTokenP95Ms: firstTokenMs.percentile(P95) ?? null,
});
