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

const dayOf = (milliseconds: number): string => new Date(milliseconds).toISOString().slice(0, 10);

/** The first of the last `days` days in UTC, today included. */
export const firstDayOf = (days: number): string => dayOf(Date.now() - (days - 1) * 86_400_000);

const rangeOf = (days: number): { from: string; to: string } => ({ from: firstDayOf(days), to: dayOf(Date.now()) });

function usagePath(by: UsageKind, days: number, tenant: string): string {
  const query = new URLSearchParams({ by, ...rangeOf(days) });
  if (tenant !== '') query.set('tenant', tenant);
  return `/usage?${query}`;
}

/** `tenant`: '' for all tenants that the key sees. */
export const readUsage = (by: UsageKind, days: number, tenant: string): Promise<Answer<'Usage'>> =>
  callRest('GET', usagePath(by, days, tenant));

export async function readUsageCsv(by: UsageKind, days: number, tenant: string): Promise<string> {
  return (await requestRest('GET', usagePath(by, days, tenant), { headers: { accept: 'text/csv' } })).text();
}
