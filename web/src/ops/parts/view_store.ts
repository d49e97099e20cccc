/** Saved views of lists: filters, order, columns and span under a name. The gateway keeps them for the operators of a tenant. */
import { callRest } from '../../api/call_rest';
import type { Answer } from '../../api/schema_types';

export type SavedView = Answer<'OpsSavedView'>;
/** Filters and order, as the address has them. */
export type ViewQuery = Readonly<Record<string, string>>;

export async function listViews(screen: string): Promise<readonly SavedView[]> {
  return (await callRest<{ data: SavedView[] }>('GET', `/ops/views?screen=${screen}`)).data;
}

/** Rejects with a RequestError. */
export function saveView(screen: string, name: string, query: ViewQuery): Promise<SavedView> {
  return callRest('PUT', `/ops/views/${encodeURIComponent(name)}`, { screen, query: withValues(query) });
}

/** Rejects with a RequestError. */
export function deleteView({ screen, name }: SavedView): Promise<unknown> {
  return callRest('DELETE', `/ops/views/${encodeURIComponent(name)}?screen=${screen}`);
}

/** Returns true when two addresses have the same filters. */
export function isSameQuery(a: ViewQuery, b: ViewQuery): boolean {
  const textOf = (query: ViewQuery) => JSON.stringify(Object.entries(withValues(query)).sort());
  return textOf(a) === textOf(b);
}

/** An empty value is no filter. */
const withValues = (query: ViewQuery): ViewQuery => Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''));
