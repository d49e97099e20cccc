/** The people and groups of a tenant, as one read of the store found them. */
import type { Role } from '../../../port/roles';
import type { StoreReader } from '../../../port/store/store';
import type { PersonRecord } from '../store/people_records';
import type { ScimGroupRecord, ScimNameRecord } from '../store/scim_records';

export interface Directory {
  people: readonly PersonRecord[];
  /** Keyed by the id of the person. */
  names: ReadonlyMap<string, ScimNameRecord>;
  groups: readonly ScimGroupRecord[];
  /** Ids of people, keyed by the id of the group. */
  members: ReadonlyMap<string, ReadonlySet<string>>;
}

export async function readDirectory(read: Pick<StoreReader, 'people' | 'scim'>, tenantId: string): Promise<Directory> {
  const people = await read.people.list(tenantId);
  const known = new Set(people.map(({ id }) => id));
  const names = new Map((await read.scim.listNames(tenantId)).map(name => [name.personId, name]));
  const groups = await read.scim.listGroups(tenantId);
  const members = new Map(groups.map(({ id }) => [id, new Set<string>()]));
  for (const { groupId, personId } of await read.scim.listMembers(tenantId)) if (known.has(personId)) members.get(groupId)?.add(personId);
  return { people, names, groups, members };
}

/** Returns the first of `ranked` that a group of the person has; undefined when none has one. `ranked`: the highest role first. */
export function roleInGroups(
  { groups, members }: Directory,
  personId: string,
  { ranked, roleOf }: { ranked: readonly Role[]; roleOf: (group: string) => Role | undefined },
): Role | undefined {
  const roles = groups.filter(({ id }) => members.get(id)?.has(personId)).map(({ name }) => roleOf(name));
  return ranked.find(role => roles.includes(role));
}
