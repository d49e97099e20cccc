/** Groups of SCIM. A group gives its members a role when login.yaml maps its name in this tenant, or when it is named as a role. */
import { AppError } from '../../../errors';
import type { Principal } from '../../../port/principal';
import { ROLES, type Role } from '../../../port/roles';
import type { ScimGroupRecord } from '../store/scim_records';
import { choose } from './fold_filter';
import type { ScimDeps } from './scim_deps';
import { type Directory, readDirectory, roleInGroups } from './scim_directory';
import { keepCause, noResource, notUnique } from './scim_failure';
import { type ScimFilter, type ScimGroup, type ScimResources, scimLibrary } from './scim_library';

const MAX_GROUPS = 1_000;
/** The role of a person who is in none of the groups that give one. */
const NO_GROUP: Role = 'member';

export class ScimGroups implements ScimResources<ScimGroup> {
  constructor(
    private readonly deps: ScimDeps,
    private readonly caller: Principal,
  ) {}

  read(id: string | undefined, filter: ScimFilter | undefined): Promise<ScimGroup | ScimGroup[]> {
    return keepCause(async () => {
      const directory = await this.readDirectory();
      const groups = directory.groups.map(group => toScimGroup(group, directory));
      return id === undefined ? choose(groups, filter) : (groups.find(group => group.id === id) ?? noResource(id));
    });
  }

  /** Roles of members follow at once. */
  write(id: string | undefined, { displayName = '', externalId, members = [] }: Partial<ScimGroup>): Promise<ScimGroup> {
    return keepCause(async () => {
      const { store, clock, ids, keys } = this.deps;
      const { tenantId } = this.caller;
      const before = await this.readDirectory();
      const known = before.groups.find(group => group.id === id);
      if (id !== undefined && !known) noResource(id);
      if (before.groups.some(group => group.id !== id && group.name.toLowerCase() === displayName.toLowerCase()))
        throw notUnique('displayName');
      if (!known && before.groups.length >= MAX_GROUPS) throw new AppError('quota_exceeded');
      const people = membersOf(members, before);
      const now = clock.now();
      const group: ScimGroupRecord = {
        tenantId,
        id: known?.id ?? ids.next('grp'),
        name: displayName,
        externalId,
        createdAt: known?.createdAt ?? now,
        updatedAt: now,
      };
      await this.followGroups(before, group.id, { group, members: new Set(people) });
      await store.transaction({ tenant: tenantId }, async tx => {
        await (known ? tx.scim.updateGroup(group) : tx.scim.insertGroup(group));
        await tx.scim.setMembers(tenantId, group.id, people);
      });
      // The members see at once what is shared with the group.
      await keys.applyChange();
      return (await this.read(group.id, undefined)) as ScimGroup;
    });
  }

  remove(id: string): Promise<void> {
    return keepCause(async () => {
      const { tenantId } = this.caller;
      const before = await this.readDirectory();
      await this.followGroups(before, id);
      if (!(await this.deps.store.transaction({ tenant: tenantId }, tx => tx.scim.deleteGroup(tenantId, id)))) noResource(id);
      await this.deps.keys.applyChange();
    });
  }

  private readDirectory(): Promise<Directory> {
    return readDirectory(this.deps.store.read, this.caller.tenantId);
  }

  /**
   * Gives those who were in the group, or will be, the role that their groups will give. Roles come before the group is stored: after a crash in between the
   * directory sends the change again, and the same people are found. Operators keep their role: groups neither give nor take it. `next`: absent for a
   * group that goes.
   */
  private async followGroups(before: Directory, groupId: string, next?: { group: ScimGroupRecord; members: Set<string> }): Promise<void> {
    const others = before.groups.filter(({ id }) => id !== groupId);
    const after: Directory = {
      ...before,
      groups: next ? [...others, next.group] : others,
      members: new Map([...before.members, [groupId, next?.members ?? new Set<string>()]]),
    };
    const roleOf = this.roleOf();
    const nameOf = ({ groups }: Directory): string => groups.find(({ id }) => id === groupId)?.name ?? '';
    if (roleOf(nameOf(before)) === undefined && roleOf(nameOf(after)) === undefined) return;
    const concerned = new Set([...(before.members.get(groupId) ?? []), ...(after.members.get(groupId) ?? [])]);
    for (const { id, role } of after.people) {
      const wanted = roleInGroups(after, id, { ranked: ROLES, roleOf }) ?? NO_GROUP;
      if (concerned.has(id) && role !== 'operator' && role !== wanted)
        await this.deps.people.updatePerson(this.caller, id, { role: wanted });
    }
  }

  private roleOf(): (group: string) => Role | undefined {
    const { providers } = this.deps.loginSettings;
    const own = providers.filter(({ tenantId }) => tenantId === this.caller.tenantId);
    const given = ROLES.filter(role => role !== 'operator');
    return name => {
      const mapped = own.map(({ groups }) => groups.get(name)).find(role => role !== undefined);
      return (mapped === 'operator' ? undefined : mapped) ?? given.find(role => role === name.toLowerCase());
    };
  }
}

function membersOf(members: NonNullable<ScimGroup['members']>, { people }: Directory): string[] {
  const ids = [...new Set(members.map(({ value }) => value ?? ''))];
  const unknown = ids.find(id => !people.some(person => person.id === id));
  if (unknown === undefined) return ids;
  throw new (scimLibrary().Types.Error)(400, 'invalidValue', `members: there is no user ${unknown.slice(0, 100)}.`);
}

function toScimGroup({ id, name, externalId, createdAt, updatedAt }: ScimGroupRecord, { people, members }: Directory): ScimGroup {
  const inside = people.filter(person => members.get(id)?.has(person.id));
  return {
    id,
    externalId,
    displayName: name,
    members: inside.map(person => ({ value: person.id, display: person.name, type: 'User', $ref: `/scim/v2/Users/${person.id}` })),
    meta: { created: new Date(createdAt), lastModified: new Date(updatedAt) },
  } as unknown as ScimGroup;
}
