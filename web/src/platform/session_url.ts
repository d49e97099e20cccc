import { ROOT } from './root';
import { viewHref } from './view_url';

/** A message to show. The transcript scrolls to the first of the words in it. */
export interface MessageTarget {
  sessionId: string;
  runId: string;
  role?: 'user' | 'assistant';
  words?: readonly string[];
}

/** The address holds the session, so that reload, back and a copied link lead to it. */
export function readSessionId(): string | undefined {
  return new URLSearchParams(location.search).get('session') ?? undefined;
}

/** Returns the address of a session, and of one run in it. */
export function messageUrl(sessionId: string, { runId }: { runId?: string } = {}): string {
  return `${ROOT}?${new URLSearchParams(runId ? { session: sessionId, run: runId } : { session: sessionId })}`;
}

/** Returns the run that the address names. */
export function readTarget(): MessageTarget | undefined {
  const runId = new URLSearchParams(location.search).get('run');
  const sessionId = readSessionId();
  return sessionId && runId ? { sessionId, runId } : undefined;
}

/** `push` leaves the open view; `replace` when the address only catches up with what the page shows already. */
export function writeSessionId(id: string | undefined, mode: 'push' | 'replace'): void {
  const url = new URL(mode === 'push' ? viewHref(undefined) : location.href);
  if (id) url.searchParams.set('session', id);
  else url.searchParams.delete('session');
  url.searchParams.delete('run');
  if (url.href === location.href) return;
  if (mode === 'push') history.pushState(null, '', url);
  else history.replaceState(null, '', url);
}
