/** The roles of people, and what each of them may do. */
import { SCOPES, type Scope } from './principal';

/** operator: only in the tenant `default`. */
export const ROLES = ['operator', 'admin', 'member', 'approver'] as const;

export type Role = (typeof ROLES)[number];

/** The scopes of each role. An operator has those of an admin, and the tenant `default` makes the difference. */
export const ROLE_SCOPES: Readonly<Record<Role, readonly Scope[]>> = {
  operator: SCOPES,
  admin: SCOPES,
  member: ['chat', 'tools', 'approve'],
  approver: ['chat', 'approve', 'ops:read'],
};
