/** SCIM 2.0: a directory sends people and groups. The numbers are sections of RFC 7643 and RFC 7644. */
import { ADMIN, type KeyBench, startKeyBench } from '../support/key_bench';
import { acceptInvitation, logInAs, type MadeLink } from '../support/people_client';

const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const PATCH_OP = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

interface Resource {
  id: string;
  userName: string;
  displayName: string;
  active: boolean;
  externalId?: string;
  emails: { value: string }[];
  roles: { value: string }[];
  groups?: { value: string; display: string }[];
  members?: { value: string; $ref: string }[];
  meta: { resourceType: string; location: string; created: string };
}

interface Answer<T = Resource> {
  status: number;
  type: string | null;
  location: string | null;
  body: T & { schemas: string[]; totalResults: number; Resources: T[]; scimType?: string; detail: string; status: string };
}

let keys: KeyBench;
let foreignKey: string;
let call: <T = Resource>(method: string, path: string, body?: object, key?: string) => Promise<Answer<T>>;

beforeAll(async () => {
  keys = await startKeyBench();
  foreignKey = (await keys.makeKey({ name: 'directory-b', tenant: 'b', scopes: ['admin'] })).secret;
  call = async (method, path, body, key = ADMIN) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/scim+json', accept: 'application/scim+json' };
    const response = await fetch(`${keys.url}/scim/v2${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    const text = await response.text();
    return {
      status: response.status,
      type: response.headers.get('content-type'),
      location: response.headers.get('location'),
      body: text === '' ? {} : JSON.parse(text),
    };
  };
});
afterAll(() => keys?.bench.stop());

const makeUser = (userName: string, more: object = {}) => call('POST', '/Users', { schemas: [USER], userName, ...more });
const patch = (path: string, ...operations: object[]) => call('PATCH', path, { schemas: [PATCH_OP], Operations: operations });
const find = (filter: string, more = '') => call('GET', `/Users?filter=${encodeURIComponent(filter)}${more}`);
const roleOf = async (id: string) => (await call('GET', `/Users/${id}`)).body.roles[0]?.value;

it('7643-5, 7643-6, 7643-7: says what it can do, and which resources and schemas it has', async () => {
  const config = await call<{ patch: object; filter: object; bulk: { supported: boolean } }>('GET', '/ServiceProviderConfig');
  expect(config).toMatchObject({ status: 200, type: expect.stringContaining('application/scim+json') });
  expect(config.body).toMatchObject({
    patch: { supported: true },
    filter: { supported: true, maxResults: 200 },
    bulk: { supported: false },
  });
  expect((await call('GET', '/ResourceTypes')).body.Resources.map(({ id }) => id).sort()).toEqual(['Group', 'User']);
  expect((await call('GET', '/ResourceTypes/User')).body).toMatchObject({ id: 'User' });
  expect((await call('GET', '/Schemas')).body.Resources.map(({ id }) => id)).toEqual(expect.arrayContaining([USER, GROUP]));
  expect((await call('GET', `/Schemas/${USER}`)).body).toMatchObject({ id: USER });
});

it('7644-3.3, 7644-3.4.1, 7644-3.6: makes a user who is a person, reads and removes it', async () => {
  const { status, location, body } = await makeUser('bjensen@example.com', {
    externalId: 'ext-1',
    name: { givenName: 'Barbara', familyName: 'Jensen' },
    emails: [{ value: 'babs@example.com', primary: true }],
    preferredLanguage: 'zh-CN',
    password: 'is not taken',
  });
  expect([status, location]).toEqual([201, `${keys.url}/scim/v2/Users/${body.id}`]);
  expect(body).toMatchObject({
    schemas: [USER],
    userName: 'bjensen@example.com',
    externalId: 'ext-1',
    displayName: 'Barbara Jensen',
    active: true,
    emails: [{ value: 'babs@example.com' }],
    meta: { resourceType: 'User', location: `${keys.url}/scim/v2/Users/${body.id}` },
  });
  expect(body).not.toHaveProperty('password');
  const { body: people } = await keys.admin.request<{ data: object[] }>('GET', '/people');
  expect(people.data).toContainEqual(
    expect.objectContaining({ id: body.id, name: 'Barbara Jensen', email: 'babs@example.com', role: 'member' }),
  );
  expect((await call('GET', `/Users/${body.id}?attributes=userName`)).body).not.toHaveProperty('displayName');
  expect((await call('DELETE', `/Users/${body.id}`)).status).toBe(204);
  expect(await call('GET', `/Users/${body.id}`)).toMatchObject({ status: 404, body: { status: '404', detail: expect.any(String) } });
  expect((await call('DELETE', `/Users/${body.id}`)).status).toBe(404);
});

it('7644-3.3.1, 7644-3.12: answers mistakes in its form', async () => {
  await makeUser('taken@example.com');
  expect(await makeUser('TAKEN@example.com')).toMatchObject({ status: 409, body: { status: '409', scimType: 'uniqueness' } });
  expect(await call('POST', '/Users', { schemas: [USER], displayName: 'nobody' })).toMatchObject({
    status: 400,
    body: { scimType: 'invalidValue' },
  });
  expect(await find('userName qq "x"')).toMatchObject({ status: 400, body: { scimType: 'invalidFilter' } });
  expect(await makeUser('x', { emails: [{ value: 'no address' }] })).toMatchObject({ status: 400, body: { scimType: 'invalidValue' } });
  expect(await call('GET', '/Users', undefined, 'wrong')).toMatchObject({
    status: 401,
    type: expect.stringContaining('application/scim+json'),
    body: { schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'], status: '401' },
  });
});

it('7644-3.4.2: finds users by filter, in pages, and without regard to case', async () => {
  for (const name of ['p1', 'p2', 'p3'])
    await makeUser(`${name}@pages.example`, { externalId: `Ext-${name}`, displayName: `Page ${name}` });
  expect((await find('userName eq "P2@Pages.Example"')).body).toMatchObject({ totalResults: 1, Resources: [{ displayName: 'Page p2' }] });
  expect((await find('externalId eq "Ext-p3"')).body.totalResults).toBe(1);
  expect((await find('externalId eq "ext-p3"')).body.totalResults).toBe(0);
  expect((await find('emails.value eq "p1@pages.example"')).body.totalResults).toBe(1);
  expect((await find('userName co "pages" and active eq true')).body.totalResults).toBe(3);
  const page = await find('userName co "pages"', '&startIndex=2&count=1&sortBy=userName');
  expect(page.body).toMatchObject({ totalResults: 3, startIndex: 2, itemsPerPage: 1, Resources: [{ userName: 'p2@pages.example' }] });
  expect((await find('userName co "pages"', '&count=0')).body).toMatchObject({ totalResults: 3, Resources: [] });
});

it('7644-3.5.1, 7644-3.5.2: replaces and changes a user; what becomes inactive is logged out at once', async () => {
  const link = await keys.admin.request<MadeLink>('POST', '/invitations', { role: 'member', email: 'carla@example.com' });
  const carla = await acceptInvitation(keys.url, link.body, { name: 'Carla', password: 'seven green umbrellas' });
  const [user] = (await find('userName eq "carla@example.com"')).body.Resources;
  const path = `/Users/${user?.id}`;
  expect((await patch(path, { op: 'Replace', path: 'active', value: 'False' })).body.active).toBe(false);
  expect((await carla.request('GET', '/me')).status).toBe(401);
  await expect(logInAs(keys.url, 'carla@example.com', 'seven green umbrellas')).rejects.toThrow('refused');
  await patch(path, { op: 'replace', value: { active: true, displayName: 'Carla C.' } });
  expect((await (await logInAs(keys.url, 'carla@example.com', 'seven green umbrellas')).request('GET', '/me')).status).toBe(200);
  await patch(path, { op: 'replace', path: 'emails[type eq "work"].value', value: 'cc@example.com' });
  expect((await call('GET', path)).body).toMatchObject({ displayName: 'Carla C.', emails: [{ value: 'cc@example.com' }] });
  await call('PUT', path, { schemas: [USER], userName: 'carla', emails: [{ value: 'carla@example.com' }] });
  expect((await call('GET', path)).body).toMatchObject({ userName: 'carla', displayName: 'carla', active: true });
});

it('7643-4.2, 7644-3.5.2: groups give roles, which follow their members', async () => {
  const dora = (await makeUser('dora@groups.example')).body.id;
  const emil = (await makeUser('emil@groups.example')).body.id;
  const group = await call('POST', '/Groups', { schemas: [GROUP], displayName: 'Admin', members: [{ value: dora }] });
  expect(group).toMatchObject({
    status: 201,
    body: { displayName: 'Admin', members: [{ value: dora, $ref: `${keys.url}/scim/v2/Users/${dora}` }] },
  });
  expect([await roleOf(dora), await roleOf(emil)]).toEqual(['admin', 'member']);
  const path = `/Groups/${group.body.id}`;
  await patch(path, { op: 'add', path: 'members', value: [{ value: emil }] });
  await patch(path, { op: 'remove', path: `members[value eq "${dora}"]` });
  expect([await roleOf(dora), await roleOf(emil)]).toEqual(['member', 'admin']);
  expect((await call('GET', `/Users/${emil}`)).body.groups).toEqual([expect.objectContaining({ display: 'Admin', value: group.body.id })]);
  expect(await patch(path, { op: 'add', path: 'members', value: [{ value: 'per_unknown' }] })).toMatchObject({ status: 400 });
  expect((await call('GET', '/Groups?filter=displayName%20eq%20%22admin%22')).body.totalResults).toBe(1);
  expect((await call('DELETE', path)).status).toBe(204);
  expect(await roleOf(emil)).toBe('member');
});

it('a directory of one tenant neither sees nor changes people of another, and makes no operators', async () => {
  const own = (await makeUser('own@tenant.example')).body.id;
  expect((await call('GET', '/Users', undefined, foreignKey)).body.totalResults).toBe(0);
  for (const method of ['GET', 'DELETE']) expect((await call(method, `/Users/${own}`, undefined, foreignKey)).status).toBe(404);
  const taken = await call('POST', '/Users', { schemas: [USER], userName: 'own@tenant.example' }, foreignKey);
  expect(taken).toMatchObject({ status: 409 });
  const member = (await makeUser('almost@tenant.example')).body.id;
  await call('POST', '/Groups', { schemas: [GROUP], displayName: 'operator', members: [{ value: member }] });
  expect(await roleOf(member)).toBe('member');
  const chatKey = (await keys.makeKey({ name: 'chat-only', scopes: ['chat'] })).secret;
  expect((await call('GET', '/Users', undefined, chatKey)).status).toBe(403);
});
