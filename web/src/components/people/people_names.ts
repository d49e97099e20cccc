/** Reads the names of the people of the tenant. */
import { callRest } from '../../api/call_rest';
import type { Page } from '../../api/rest_types';
import type { Store } from '../../platform/store';
import { type NameState, toHandle } from './member_names';

/** Reads the names of the people of the tenant. Never rejects: without names the page shows handles. */
export async function readNames(store: Store<NameState>): Promise<void> {
  const page = await callRest<Page<{ handle: string; name: string }>>('GET', '/people/names').catch(() => undefined);
  if (page) store.set({ peopleNames: Object.fromEntries(page.data.map(({ handle, name }) => [handle, name])) });
}

/** Resolves with the handle of the person that the text names. The account may be newer than the names on this page. */
export async function findHandle(store: Store<NameState>, text: string): Promise<string> {
  await readNames(store);
  return toHandle(text, store.get().peopleNames);
}
