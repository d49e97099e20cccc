/** The caller of a request: its tenant, the API key that it showed, and the scopes of that key. */

/** A scope is one thing that a key may do. `chat` includes `chat:read`; apart from that each scope stands alone: `admin` does not include the others. */
export const SCOPES = ['chat', 'chat:read', 'tools', 'approve', 'ops:read', 'ops:write', 'admin'] as const;

export type Scope = (typeof SCOPES)[number];

/**
 * Scopes that a route or a message needs. operator: the scope admin in the tenant `default`. any: any caller that is known. open: everybody. A list: one
 * of them is enough.
 */
export type NeededScope = Scope | 'operator' | 'any' | 'open' | readonly Scope[];

export interface Principal {
  tenantId: string;
  /** Name of the key; recorded with everything that the caller does. */
  keyName: string;
  /** Id of the key or of the person. Absent for a caller without either. */
  keyId?: string;
  /** Handle of the person to whom the key belongs, when one is known. */
  owner?: string;
  scopes: ReadonlySet<Scope>;
  /** Milliseconds since 1970. */
  expiresAt?: number;
  /** Set when the caller is a person with an account, or a guest. */
  person?: CallingPerson;
  /** The session in which a guest reads and writes; a guest reaches nothing else. Absent for all other callers. */
  guestOf?: string;
}

export interface CallingPerson {
  id: string;
  name: string;
  role: string;
  /** Logs in with a password, too. */
  hasPassword?: boolean;
  /** Groups of the identity provider. */
  groups?: readonly string[];
  /** authenticator: the person must add an authenticator app, and has no scopes until then. */
  needs?: 'authenticator' | undefined;
}

/** The principal or the run whose use is counted. `keyName` is absent for runs from before keys were recorded. */
export interface Actor {
  tenantId: string;
  keyName?: string | undefined;
  /** Set when an agent or a job acts for the key: `agent:<name>` or `job:<id>`. */
  through?: string;
}

export const DEFAULT_TENANT = 'default';

/** Name of a caller without a key; no key may have it. */
export const LOCAL_KEY_NAME = 'local';

/** The caller of a gateway without keys: a program or page of this machine. */
export const LOCAL_PRINCIPAL: Principal = { tenantId: DEFAULT_TENANT, keyName: LOCAL_KEY_NAME, scopes: new Set(SCOPES) };

/**
 * Returns true for an operator, who sees and changes what concerns the whole gateway: whoever has the scope admin in the tenant `default`, and, when it is
 * a person or the key of a person, the role operator. Others are admins of their tenant.
 */
export function isOperator({ tenantId, scopes, person }: Principal): boolean {
  return tenantId === DEFAULT_TENANT && scopes.has('admin') && (person === undefined || person.role === 'operator');
}

/** Returns the scopes of which each one is enough for what needs this one. */
export const enoughFor = (scope: Scope): readonly Scope[] => (scope === 'chat:read' ? ['chat', 'chat:read'] : [scope]);

/** Returns true when these scopes allow what needs `scope`. */
export const grants = (scopes: ReadonlySet<Scope>, scope: Scope): boolean => enoughFor(scope).some(each => scopes.has(each));

/** Returns the scopes that allow what both allow. */
export function commonScopes(one: ReadonlySet<Scope>, other: ReadonlySet<Scope>): ReadonlySet<Scope> {
  const common = new Set(SCOPES.filter(scope => grants(one, scope) && grants(other, scope)));
  if (common.has('chat')) common.delete('chat:read');
  return common;
}

/** Returns true when the principal may use a route or send a message with this scope. */
export function hasScope(principal: Principal, needed: NeededScope): boolean {
  if (needed === 'any' || needed === 'open') return true;
  if (needed === 'operator') return isOperator(principal);
  const { scopes } = principal;
  return typeof needed === 'string' ? grants(scopes, needed) : needed.some(scope => grants(scopes, scope));
}

/** Begins the names of guests: no key and no person has a name with a colon. */
export const GUEST_PREFIX = 'guest:';

export const isGuestName = (keyName: string | undefined): boolean => keyName?.startsWith(GUEST_PREFIX) === true;

/** Returns an id that is equal for actors with the same key. */
export const actorId = ({ tenantId, keyName = LOCAL_KEY_NAME }: Actor): string => `${tenantId}/${keyName}`;
