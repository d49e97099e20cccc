/** Keeps which chat the frame shows, so that a reload continues it. Browsers keep the storage of a frame apart for each site around it. */
import type { Me } from '../api/rest_types';
import type { ChatPlace } from '../chat/chat_page';
import { forgetDrafts } from '../platform/drafts';
import { nameHere } from '../platform/root';

type Owner = Pick<Me, 'tenant' | 'keyName'>;

export interface KeptChat extends ChatPlace {
  /** Names the person: each one finds their own chat. Returns whether it is another person than before. */
  belongTo(owner: Owner): boolean;
}

export function createKeptChat(agent = 'default'): KeptChat {
  let key: string | undefined;
  /** The chat that has begun before the gateway has named the person. */
  let early: string | undefined;
  return {
    belongTo: ({ tenant, keyName }) => {
      const before = key;
      key = nameHere(['neta.embed', tenant, keyName, agent].map(encodeURIComponent).join('.'));
      if (before === undefined && early !== undefined) store(key, early);
      return key !== before;
    },
    read: () => (key === undefined ? early : load(key)),
    write: sessionId => {
      early = sessionId;
      if (key !== undefined) store(key, sessionId);
    },
  };
}

const PERSON = nameHere('neta.embed.person');

/** Removes what another person wrote in this tab and did not send. Returns whether there was another one. */
export function forgetOthers({ tenant, keyName }: Owner): boolean {
  try {
    const person = JSON.stringify([tenant, keyName]);
    const last = sessionStorage.getItem(PERSON) ?? person;
    if (last !== person) forgetDrafts();
    sessionStorage.setItem(PERSON, person);
    return last !== person;
  } catch {
    // Storage is forbidden, so no text outlives the page.
    return false;
  }
}

function load(key: string): string | undefined {
  try {
    return localStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

function store(key: string, sessionId: string | undefined): void {
  try {
    if (sessionId === undefined) localStorage.removeItem(key);
    else localStorage.setItem(key, sessionId);
  } catch {
    // The browser forbids storage in frames of other sites: the chat lasts as long as the page.
  }
}
