/** Models and usage for operators. Every failure rejects with a RequestError. */
import { callRest, requestRest } from '../../api/call_rest';
import type { Answer } from '../../api/schema_types';

/** Models with calls without a price come first. */
export type ModelsView = Answer<'OpsModels'>;
/** Figures since `countedSince` are absent for a model that was not called since. */
export type ModelRow = ModelsView['models'][number];

export const USAGE_KINDS = ['day', 'model', 'agent', 'key', 'tool', 'tenant'] as const;
export type UsageKind = (typeof USAGE_KINDS)[number];

export type UsageRow = Answer<'Usage'>['data'][number];

/** The last `days` days in UTC, today included. */
const rangeOf = (days: number, now: Date): { from: string; to: string } => {
  const dayOf = (date: Date) => date.toISOString().slice(0, 10);
  return { from: dayOf(new Date(now.getTime() - (days - 1) * 86_400_000)), to: dayOf(now) };
};

const usagePath = (by: UsageKind, days: number, tenant: string): string =>
  `/usage?${new URLSearchParams({ by, ...rangeOf(days, new Date()), ...(tenant ? { tenant } : {}) })}`;

/** `tenant`: '' for all tenants that the key sees. */
export const readUsage = (by: UsageKind, days: number, tenant: string): Promise<Answer<'Usage'>> =>
  callRest('GET', usagePath(by, days, tenant));

export async function readUsageCsv(by: UsageKind, days: number, tenant: string): Promise<string> {
  return (await requestRest('GET', usagePath(by, days, tenant), { headers: { accept: 'text/csv' } })).text();
}
