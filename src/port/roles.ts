/** The roles of people, and what each of them may do unless roles.yaml says something else. */
import { SCOPES, type Scope } from './principal';

/** The roles that an account can have, the one that may do most first. operator: only in the tenant `default`. */
export const ROLES = ['operator', 'admin', 'member', 'approver', 'viewer'] as const;

export type Role = (typeof ROLES)[number];

/** The role of whoever opens a link that lets guests write in one session. No account has it. */
export const GUEST = 'guest';

/** The scopes of each role. An operator has those of an admin, and the tenant `default` makes the difference. */
export const ROLE_SCOPES: Readonly<Record<Role, readonly Scope[]>> = {
  operator: SCOPES,
  admin: SCOPES,
  member: ['chat', 'tools', 'approve'],
  approver: ['chat', 'approve', 'ops:read'],
  viewer: ['chat:read'],
};

/** A guest reads and writes in its session alone, and the gateway refuses all other routes. */
export const GUEST_SCOPES: readonly Scope[] = ['chat'];
