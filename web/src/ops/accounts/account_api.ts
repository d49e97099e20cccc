/** The routes of people with accounts. Every failure rejects with a RequestError. */
import { callRest } from '../../api/call_rest';
import type { Page } from '../../api/rest_types';
import type { Answer } from '../../api/schema_types';

export type Person = Answer<'Person'>;
export type MadeLink = Answer<'MadeInvitation'>;
export type Role = Answer<'Role'>;

export interface PersonPatch {
  role?: Person['role'];
  disabled?: boolean;
}

const pathOf = (id: string): string => `/people/${encodeURIComponent(id)}`;

export const accountApi = {
  /** Reads all people of the tenant: a tenant has 1,000 at most. */
  list: async (): Promise<readonly Person[]> => (await callRest<Page<Person>>('GET', '/people?limit=1000')).data,
  /** The roles that an account can have. */
  roles: async (): Promise<readonly Role[]> =>
    (await callRest<Page<Role>>('GET', '/roles?limit=100')).data.filter(({ role }) => role !== 'guest'),
  /** The link is in this answer alone. */
  invite: (invitation: { role: Person['role']; email?: string | undefined }): Promise<MadeLink> =>
    callRest('POST', '/invitations', invitation),
  update: (id: string, patch: PersonPatch): Promise<Person> => callRest('PATCH', pathOf(id), patch),
  makePasswordLink: (id: string): Promise<MadeLink> => callRest('POST', `${pathOf(id)}/password-link`),
  removeAuthenticator: (id: string): Promise<void> => callRest('DELETE', `${pathOf(id)}/totp`),
  /** `erase`: what the person made goes, too. */
  remove: (id: string, erase: boolean): Promise<void> => callRest('DELETE', `${pathOf(id)}${erase ? '?erase=true' : ''}`),
};
