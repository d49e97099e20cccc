import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Scope } from '../../../src/port/principal';
import type { Me } from '../api/rest_types';

/** Names one thing that a person may do: a scope of the key, what operators alone may do, or what guests may not do in the chat in which they write. */
export type Permission = Scope | 'operator' | ChatPermission;

/** `branch`: send another message in the place of an earlier one. `rate`: rate answers. */
type ChatPermission = 'branch' | 'rate';
const NO_GUEST: readonly ChatPermission[] = ['branch', 'rate'];

/** The permissions of the person who is logged in; undefined while they are not known. */
export const ScopeContext = createContext<readonly Permission[] | undefined>(undefined);

/** Returns whether the person may do what needs this permission. While the permissions are not known, the gateway decides. */
export function useScope(permission: Permission): boolean {
  const permissions = useContext(ScopeContext);
  return permissions === undefined || permissions.includes(permission);
}

/** Permissions of the caller of a gateway with keys; undefined without keys, because the machine's own pages may do everything. */
export const permissionsOf = (me: Me | undefined): readonly Permission[] | undefined =>
  me?.loginRequired ? [...withChat(me.scopes, me), ...(me.operator ? (['operator'] as const) : [])] : undefined;

/** Adds what whoever may write in chats may do in them, unless it is a guest. */
export const withChat = (scopes: readonly Scope[], me: Me | undefined): readonly Permission[] =>
  scopes.includes('chat') && me?.guestOf === undefined ? [...scopes, ...NO_GUEST] : scopes;
