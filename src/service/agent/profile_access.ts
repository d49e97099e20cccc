/** Says who sees an agent, from the fields of its file. */
import type { ConfigFile } from '../../port/config_files';
import { ROLES } from '../../port/roles';
import type { Owned } from '../../port/store/owned';
import { isHandle, writtenMember } from '../access/member_names';

/** Without `tenant` the agent exists in every tenant, and everybody sees it. */
export interface ProfileAccess extends Owned {
  /** The only tenant in which the agent exists. */
  tenant?: string;
}

const FIELDS = ['tenant', 'owner', 'visibility', 'sharedWith'] as const;
const MEMBERS = `a handle such as @anna, a role (${ROLES.join(', ')}), or group:<name>`;

/**
 * Returns the fields as other things with an owner have them. Throws an error about a field that is wrong or does not go with the others. People and
 * groups need not exist: nobody knows them when the file is read.
 */
export function toProfileAccess({ problem }: ConfigFile, written: ProfileAccess & { name: string }): ProfileAccess {
  const { name, tenant, owner, sharedWith } = written;
  const field = FIELDS.find(each => written[each] !== undefined);
  if (field === undefined) return {};
  if (name === 'default') throw problem(`/${field}`, 'the agent "default" is for everybody, because runs that name no agent use it');
  if (tenant === undefined) throw problem(`/${field}`, 'needs the field tenant beside it');
  if (owner !== undefined && !isHandle(owner)) throw problem('/owner', 'must be the handle of a person, such as @anna');
  const members = sharedWith?.map((member, i) => {
    const stored = writtenMember(member);
    if (stored === undefined) throw problem(`/sharedWith/${i}`, `must be ${MEMBERS}`);
    return stored;
  });
  const { visibility = members ? 'shared' : owner === undefined ? undefined : 'private' } = written;
  if (visibility === 'private' && owner === undefined) throw problem('/visibility', 'private needs the field owner beside it');
  if (visibility === 'shared' && !members) throw problem('/visibility', 'shared needs the field sharedWith beside it');
  if (visibility !== 'shared' && members) throw problem('/sharedWith', 'needs visibility: shared, or no visibility');
  return { tenant, owner, visibility, sharedWith: members };
}
