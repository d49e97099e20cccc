import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Scope } from '../../../src/port/principal';
import type { Me } from '../api/rest_types';

/** Names one thing that a person may do: a scope of the key, or what operators alone may do. */
export type Permission = Scope | 'operator';

/** The permissions of the person who is logged in; undefined while they are not known. */
export const ScopeContext = createContext<readonly Permission[] | undefined>(undefined);

/** Returns whether the person may do what needs this permission. While the permissions are not known, the gateway decides. */
export function useScope(permission: Permission): boolean {
  const permissions = useContext(ScopeContext);
  return permissions === undefined || permissions.includes(permission);
}

/** Permissions of the caller of a gateway with keys; undefined without keys, because the machine's own pages may do everything. */
export const permissionsOf = (me: Me | undefined): readonly Permission[] | undefined =>
  me?.loginRequired ? [...me.scopes, ...(me.operator ? (['operator'] as const) : [])] : undefined;
