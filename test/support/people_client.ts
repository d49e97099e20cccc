/** A browser of a person: logs in, keeps the cookie, and sends requests as a page of the gateway does. */
import { createRestClient, type RestClient } from './rest_client';

export interface PersonClient {
  /** Headers that a browser of the person sends. */
  headers: Record<string, string>;
  /** Sends with the cookie and the origin of the gateway's own page. */
  request: RestClient['request'];
}

export interface MadeLink {
  id: string;
  url: string;
  role: string;
  email?: string;
}

/** Returns the token of a link. */
export const tokenOf = ({ url }: MadeLink): string => new URL(url).hash.replace('#invitation=', '');

const clientWith = (url: string, cookie: string): PersonClient => {
  const client = createRestClient(url);
  const own = { cookie, origin: url };
  return { headers: own, request: (method, path, body, headers = {}) => client.request(method, path, body, { ...own, ...headers }) };
};

/** Accepts an invitation. Rejects when the gateway refuses it. */
export async function acceptInvitation(
  url: string,
  link: MadeLink,
  accepted: object,
  headers: Record<string, string> = {},
): Promise<PersonClient> {
  return login(url, `/invitations/${tokenOf(link)}`, accepted, headers);
}

export const logInAs = (url: string, email: string, password: string, headers: Record<string, string> = {}): Promise<PersonClient> =>
  login(url, '/login', { email, password }, headers);

/** Exchanges a key for a cookie, as the page does. */
export const logInWithKey = (url: string, key: string): Promise<PersonClient> => login(url, '/login', { key }, {});

async function login(url: string, path: string, body: object, headers: Record<string, string>): Promise<PersonClient> {
  const answer = await createRestClient(url).request('POST', path, body, { origin: url, ...headers });
  if (answer.status !== 200) throw new Error(`${path} was refused: ${JSON.stringify(answer.body)}`);
  return clientWith(url, answer.headers.get('set-cookie')?.split(';')[0] ?? '');
}
