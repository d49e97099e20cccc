/** Users of SCIM are the people of the tenant of the key. */
import { AppError, invalidField } from '../../../errors';
import type { Principal } from '../../../port/principal';
import type { Locale } from '../../../port/store/sessions';
import { emailKey, emailOf, insertPerson, isEmail } from '../person/new_person';
import type { PersonRecord } from '../store/people_records';
import type { ScimNameRecord } from '../store/scim_records';
import { choose } from './fold_filter';
import type { ScimDeps } from './scim_deps';
import { type Directory, readDirectory } from './scim_directory';
import { keepCause, noResource, notUnique } from './scim_failure';
import type { ScimFilter, ScimResources, ScimUser } from './scim_library';

const MAX_NAME = 100;

/** What a request says of a person. */
interface Wanted {
  userName: string;
  name: string;
  email?: string | undefined;
  locale: Locale;
  disabled: boolean;
  externalId?: string | undefined;
}

export class ScimUsers implements ScimResources<ScimUser> {
  constructor(
    private readonly deps: ScimDeps,
    private readonly caller: Principal,
  ) {}

  read(id: string | undefined, filter: ScimFilter | undefined): Promise<ScimUser | ScimUser[]> {
    return keepCause(async () => {
      const directory = await readDirectory(this.deps.store.read, this.caller.tenantId);
      const users = directory.people.map(person => toScimUser(person, directory));
      return id === undefined ? choose(users, filter) : (users.find(user => user.id === id) ?? noResource(id));
    });
  }

  write(id: string | undefined, user: Partial<ScimUser>): Promise<ScimUser> {
    return keepCause(async () => {
      const wanted = readUser(user);
      await this.assertUnique(wanted, id);
      const person = id === undefined ? await this.make(wanted) : await this.change(id, wanted);
      return (await this.read(person.id, undefined)) as ScimUser;
    });
  }

  /** Removes the account. */
  remove(id: string): Promise<void> {
    return keepCause(() => this.deps.people.removePerson(this.caller, id));
  }

  private async make(wanted: Wanted): Promise<PersonRecord> {
    const { store, keys } = this.deps;
    const { name, email, locale, disabled } = wanted;
    const { tenantId, keyName } = this.caller;
    if (!keys.isLocked)
      throw new AppError('forbidden', {
        message: 'The first account is an operator: make it, or a key, before a directory sends people.',
        messageZh: '第一个账户是 operator：请先创建它或创建密钥，再由目录同步人员。',
      });
    const given = { tenantId, name, email, locale, role: 'member', passwordHash: '', madeBy: 'scim' } as const;
    const person = await store.transaction({ tenant: tenantId }, async tx => {
      const made = await insertPerson(tx, given, { key: keyName }, this.deps);
      if (disabled) await tx.people.update({ ...made, state: 'disabled' });
      await tx.scim.setName(this.nameOf(made.id, wanted));
      return made;
    });
    await keys.applyChange();
    return person;
  }

  private async change(id: string, wanted: Wanted): Promise<PersonRecord> {
    const { name, email, locale, disabled } = wanted;
    const person = await this.deps.people.updatePerson(this.caller, id, { name, email, locale, disabled });
    await this.deps.store.transaction({ tenant: person.tenantId }, tx => tx.scim.setName(this.nameOf(id, wanted)));
    return person;
  }

  private nameOf(personId: string, { userName, externalId }: Wanted): ScimNameRecord {
    return { tenantId: this.caller.tenantId, personId, userName, externalId };
  }

  /** Throws the error of SCIM for a name that somebody in the tenant has, or an address that somebody in the gateway has. */
  private async assertUnique({ userName, email }: Wanted, id: string | undefined): Promise<void> {
    const { read } = this.deps.store;
    const { people, names } = await readDirectory(read, this.caller.tenantId);
    if (people.some(person => person.id !== id && emailKey(userNameOf(person, names)) === emailKey(userName))) throw notUnique('userName');
    const owner = email === undefined ? undefined : await read.people.findByEmail(email);
    if (owner && owner.id !== id) throw notUnique('emails');
  }
}

const userNameOf = (person: PersonRecord, names: Directory['names']): string =>
  names.get(person.id)?.userName ?? emailOf(person) ?? person.handle.slice(1);

function toScimUser(person: PersonRecord, { names, groups, members }: Directory): ScimUser {
  const { id, name, locale, role, state, createdAt, updatedAt } = person;
  const email = emailOf(person);
  return {
    id,
    externalId: names.get(id)?.externalId,
    userName: userNameOf(person, names),
    displayName: name,
    name: { formatted: name },
    active: state === 'active',
    preferredLanguage: locale,
    emails: email === undefined ? [] : [{ value: email, type: 'work', primary: true }],
    roles: [{ value: role }],
    groups: groups.filter(group => members.get(group.id)?.has(id)).map(group => ({ value: group.id, display: group.name, type: 'direct' })),
    meta: { created: new Date(createdAt), lastModified: new Date(updatedAt) },
  } as unknown as ScimUser;
}

/** The first of several names counts that a directory sends. */
function readUser({
  userName = '',
  displayName,
  name,
  emails = [],
  active = true,
  preferredLanguage,
  externalId,
}: Partial<ScimUser>): Wanted {
  const parts = [name?.givenName, name?.familyName].filter(Boolean).join(' ');
  const shown = (displayName || name?.formatted || parts || userName).trim().slice(0, MAX_NAME);
  const written = (emails.find(({ primary }) => primary) ?? emails[0])?.value ?? (isEmail(userName) ? userName : undefined);
  const email = written === undefined || written === '' ? undefined : emailKey(written);
  if (email !== undefined && !isEmail(email))
    throw invalidField('/emails', 'must be an e-mail address such as anna@example.com.', '必须是电子邮件地址，例如 anna@example.com。');
  const locale = preferredLanguage?.toLowerCase().startsWith('zh') ? 'zh-CN' : 'en';
  return { userName, name: shown, email, locale, disabled: !active, externalId };
}
