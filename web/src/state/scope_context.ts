import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Scope } from '../../../src/port/principal';

/** Scopes of the key that is logged in; undefined while they are not known. */
export const ScopeContext = createContext<readonly Scope[] | undefined>(undefined);

/** Returns whether the person may do what needs this scope. While the scopes are not known, the gateway decides. */
export function useScope(scope: Scope): boolean {
  const scopes = useContext(ScopeContext);
  return scopes === undefined || scopes.includes(scope);
}
