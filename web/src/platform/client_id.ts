/** The id of this browser at the gateway, so that a message sent again after a break counts once. */
import { createUniqueId } from './unique_id';

const KEY = 'neta.clientId';

/** The id kept in localStorage, made on the first visit. Where storage is forbidden it lasts as long as the page. */
export function readClientId(): string {
  try {
    const known = localStorage.getItem(KEY);
    if (known !== null && /^[A-Za-z0-9_-]{1,64}$/.test(known)) return known;
    const clientId = createUniqueId();
    localStorage.setItem(KEY, clientId);
    return clientId;
  } catch {
    return createUniqueId();
  }
}
