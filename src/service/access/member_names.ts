/** The names of those with whom something is shared: as doors give and show them, and as they are stored. */
import { invalidField } from '../../errors';
import { ROLES } from '../../port/roles';

/** The most members of a session or of a shared thing. */
export const MAX_MEMBERS = 100;

export interface KnownMembers {
  findHandle(tenantId: string, name: string): string | undefined;
  /** True when the group has a member in the tenant. */
  hasGroup(tenantId: string, group: string): boolean;
}

const GROUP = 'group:';
const HANDLE = /^@[a-z0-9][a-z0-9.-]{0,63}$/;

/** Returns the name under which a member is stored. Throws `invalid_request` for what names no person, role or group. */
export function memberOf(people: KnownMembers, tenantId: string, name: string, field: string): string {
  if (isRole(name)) return `role:${name}`;
  if (name.startsWith(GROUP)) {
    const group = name.slice(GROUP.length);
    if (people.hasGroup(tenantId, group)) return name;
    throw invalidField(field, `the group ${JSON.stringify(group)} has no members.`, `${JSON.stringify(group)} 组没有成员。`);
  }
  const handle = people.findHandle(tenantId, name);
  if (handle !== undefined) return handle;
  throw invalidField(
    field,
    `there is no person ${JSON.stringify(name)}: give a handle such as @anna, the id of a person, a role, or group:<name>.`,
    `没有 ${JSON.stringify(name)} 这个人：请给出 @anna 这样的标识、人的 id、角色或 group:<名称>。`,
  );
}

/** Returns the name under which a member of a file is stored, which need not exist. Undefined for a text that is no handle, role or group. */
export function writtenMember(name: string): string | undefined {
  if (isRole(name)) return `role:${name}`;
  return isHandle(name) || (name.startsWith(GROUP) && name !== GROUP) ? name : undefined;
}

export const isHandle = (name: string): boolean => HANDLE.test(name);

const isRole = (name: string): boolean => (ROLES as readonly string[]).includes(name);

/** Returns a member as doors name it: the role without its prefix. */
export const shownMember = (member: string): string => member.replace(/^role:/, '');
