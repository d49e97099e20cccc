import { viewHref } from './view_url';

/** The address holds the session, so that reload, back and a copied link lead to it. */
export function readSessionId(): string | undefined {
  return new URLSearchParams(location.search).get('session') ?? undefined;
}

/** `push` leaves the open view; `replace` when the address only catches up with what the page shows already. */
export function writeSessionId(id: string | undefined, mode: 'push' | 'replace'): void {
  const url = new URL(mode === 'push' ? viewHref(undefined) : location.href);
  if (id) url.searchParams.set('session', id);
  else url.searchParams.delete('session');
  if (url.href === location.href) return;
  if (mode === 'push') history.pushState(null, '', url);
  else history.replaceState(null, '', url);
}
