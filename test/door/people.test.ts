/** People with accounts: invited, logged in with a password, changed and removed. */
import { io } from 'socket.io-client';
import { type Gateway, startGateway } from '../support/gateway';
import { type KeyBench, startKeyBench, withKey } from '../support/key_bench';
import { acceptInvitation, logInAs, type MadeLink, type PersonClient, tokenOf } from '../support/people_client';
import { createRestClient, type PageBody } from '../support/rest_client';

interface PersonRow {
  id: string;
  name: string;
  handle: string;
  email: string;
  role: string;
  state: string;
}

const PASSWORD = 'seven green umbrellas';
const TRIES_OF_ACCOUNT = 5;

describe('a gateway with keys', () => {
  let keys: KeyBench;
  let anna: PersonClient;

  const invite = async (role: string, email?: string): Promise<MadeLink> => {
    const { status, body } = await keys.admin.request<MadeLink>('POST', '/invitations', { role, email });
    expect(status).toBe(201);
    return body;
  };
  const people = async () => (await keys.admin.request<PageBody<PersonRow>>('GET', '/people')).body.data;
  const idOf = async (email: string) => (await people()).find(person => person.email === email)?.id ?? '';
  const newPerson = async (email: string, role = 'member') =>
    acceptInvitation(keys.url, await invite(role, email), { name: email.split('@')[0], password: PASSWORD });

  beforeAll(async () => {
    keys = await startKeyBench();
    keys.bench.model.onTurn('ask me', { toolCalls: [{ name: 'clarify', arguments: { question: 'Which?' } }] });
    anna = await newPerson('Anna@Example.com');
  });
  afterAll(() => keys?.bench.stop());

  it('ASVS 2.3.1: makes an account from an invitation, once, and the person is what the role says', async () => {
    const { body } = await anna.request('GET', '/me');
    expect(body).toMatchObject({
      keyName: '@anna',
      tenant: 'default',
      scopes: ['chat', 'tools', 'approve'],
      operator: false,
      person: { name: 'Anna', role: 'member' },
    });
    expect(body).not.toHaveProperty('keyId');
    const link = await invite('member', 'ben@example.com');
    expect(tokenOf(link)).toMatch(/^[\w-]{43}$/);
    const read = await createRestClient(keys.url).request('GET', `/invitations/${tokenOf(link)}`);
    expect(read.body).toMatchObject({ kind: 'account', role: 'member', email: 'ben@example.com' });
    await acceptInvitation(keys.url, link, { name: 'Ben', password: PASSWORD });
    const again = await createRestClient(keys.url).request('POST', `/invitations/${tokenOf(link)}`, { name: 'Eve', password: PASSWORD });
    expect([again.status, again.body.error.code]).toEqual([404, 'not_found']);
    expect((await people()).map(({ email, handle }) => [email, handle])).toEqual(
      expect.arrayContaining([
        ['anna@example.com', '@anna'],
        ['ben@example.com', '@ben'],
      ]),
    );
  });

  it('gives people of the same name different handles, and signs their runs and decisions with them', async () => {
    const second = await acceptInvitation(keys.url, await invite('member', 'anna@other.example'), { name: 'Anna', password: PASSWORD });
    expect((await second.request('GET', '/me')).body).toMatchObject({ keyName: '@anna-2' });
    const { body } = await second.request<{ sessionId: string; runId: string }>('POST', '/runs', { input: 'ask me' });
    const run = await second.request('GET', `/runs/${body.runId}`);
    expect(run.body).toMatchObject({ keyName: '@anna-2' });
  });

  it('ASVS 2.1.1, 2.1.7, 2.5.2: refuses weak passwords with the field and what to do, and a hint beside the password', async () => {
    const link = await invite('member', 'carl@example.com');
    const accept = (password: string, more: object = {}) =>
      createRestClient(keys.url).request('POST', `/invitations/${tokenOf(link)}`, { name: 'Carl', password, ...more });
    for (const password of ['short', 'password1234', 'carl@example.com1', 'aaaaaaaaaaaaaa'])
      expect(await accept(password)).toMatchObject({ status: 400, body: { error: { param: '/password' } } });
    for (const field of ['hint', 'question', 'answer']) expect((await accept(PASSWORD, { [field]: 'my first pet' })).status).toBe(400);
    expect((await accept(PASSWORD)).status).toBe(200);
  });

  it('logs in with e-mail and password, and answers a wrong password and an unknown person alike', async () => {
    await newPerson('dora@example.com');
    expect((await (await logInAs(keys.url, ' DORA@example.com ', PASSWORD)).request('GET', '/me')).status).toBe(200);
    const login = (email: string, password: string) => createRestClient(keys.url).request('POST', '/login', { email, password });
    const wrong = await login('dora@example.com', 'wrong umbrellas here');
    const unknown = await login('nobody@example.com', 'wrong umbrellas here');
    expect([wrong.status, { ...wrong.body.error, requestId: '' }]).toEqual([401, { ...unknown.body.error, requestId: '' }]);
    expect(await login('dora@example.com', '')).toMatchObject({ status: 400 });
  });

  it('ASVS 2.2.1: refuses an address that guesses the password of one account, and still lets it into another', async () => {
    await newPerson('guessed@example.com');
    await newPerson('other@example.com');
    const login = (email: string, password: string) => createRestClient(keys.url).request('POST', '/login', { email, password });
    for (let i = 0; i < TRIES_OF_ACCOUNT; i += 1) expect((await login('guessed@example.com', 'not this password')).status).toBe(401);
    const refused = await login('guessed@example.com', PASSWORD);
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true]);
    expect((await login('other@example.com', PASSWORD)).status).toBe(200);
  });

  it('counts another role at once, and ends logins and sockets of a disabled person', async () => {
    const fred = await newPerson('fred@example.com');
    const id = await idOf('fred@example.com');
    expect((await fred.request('GET', '/api-keys')).status).toBe(403);
    await keys.admin.request('PATCH', `/people/${id}`, { role: 'admin' });
    expect((await fred.request('GET', '/api-keys')).status).toBe(200);
    // The key of a person is the person where several people must say yes.
    expect((await fred.request('POST', '/api-keys', { name: 'fred-key', scopes: ['chat'] })).body).toMatchObject({ owner: '@fred' });
    expect(await fred.request('PATCH', `/people/${id}`, { role: 'operator' })).toMatchObject({
      status: 403,
      body: { error: { param: '/role' } },
    });
    const cookie = await cookieOf('fred@example.com');
    const socket = io(keys.url, { transports: ['websocket'], extraHeaders: { cookie, origin: keys.url }, reconnection: false });
    const connected = new Promise<string>(done =>
      socket.once('connect', () => done('connected')).once('connect_error', error => done(error.message)),
    );
    const ended = new Promise(done => socket.once('disconnect', done));
    expect(await connected).toBe('connected');
    expect((await keys.admin.request('PATCH', `/people/${id}`, { disabled: true })).status).toBe(200);
    await ended;
    expect((await fred.request('GET', '/me')).status).toBe(401);
    expect((await createRestClient(keys.url).request('POST', '/login', { email: 'fred@example.com', password: PASSWORD })).status).toBe(
      401,
    );
    await keys.admin.request('PATCH', `/people/${id}`, { disabled: false });
    expect((await (await logInAs(keys.url, 'fred@example.com', PASSWORD)).request('GET', '/me')).status).toBe(200);
  });

  it('ASVS 2.1.10, 2.5.3, 3.3.3: gives a password by a one-time link, which tells nothing of the old one and ends its logins', async () => {
    const gina = await newPerson('gina@example.com');
    const link = await keys.admin.request<MadeLink>('POST', `/people/${await idOf('gina@example.com')}/password-link`, {});
    const read = await createRestClient(keys.url).request('GET', `/invitations/${tokenOf(link.body)}`);
    expect(Object.keys(read.body).sort()).toEqual(['email', 'expiresAt', 'kind', 'role']);
    expect(JSON.stringify(link.body)).not.toMatch(/argon2|umbrellas/);
    const fresh = await acceptInvitation(keys.url, link.body, { password: 'four yellow bicycles' });
    expect([(await gina.request('GET', '/me')).status, (await fresh.request('GET', '/me')).status]).toEqual([401, 200]);
    await expect(logInAs(keys.url, 'gina@example.com', PASSWORD)).rejects.toThrow('refused');
    // The gateway keeps no earlier passwords, and a password may come again.
    const second = await keys.admin.request<MadeLink>('POST', `/people/${await idOf('gina@example.com')}/password-link`, {});
    await acceptInvitation(keys.url, second.body, { password: 'four yellow bicycles' });
  });

  it('ends a link for a new password with the role that the person had: who made it may not change every role', async () => {
    await newPerson('rosa@example.com');
    const id = await idOf('rosa@example.com');
    const link = await keys.admin.request<MadeLink>('POST', `/people/${id}/password-link`, {});
    await keys.admin.request('PATCH', `/people/${id}`, { role: 'admin' });
    await expect(acceptInvitation(keys.url, link.body, { password: 'four yellow bicycles' })).rejects.toThrow('not_found');
    await expect(logInAs(keys.url, 'rosa@example.com', PASSWORD)).resolves.toBeDefined();
  });

  it('ASVS 3.3.4: lists where a person is logged in, and logs out there', async () => {
    const here = await newPerson('hanna@example.com');
    const there = await logInAs(keys.url, 'hanna@example.com', PASSWORD);
    const { body } = await here.request<PageBody<{ id: string; current: boolean; address: string }>>('GET', '/me/logins');
    expect(body.data.map(({ current }) => current).sort()).toEqual([false, true]);
    const other = body.data.find(({ current }) => !current);
    expect((await anna.request('DELETE', `/me/logins/${other?.id}`)).status).toBe(404);
    expect((await here.request('DELETE', `/me/logins/${other?.id}`)).status).toBe(204);
    expect([(await there.request('GET', '/me')).status, (await here.request('GET', '/me')).status]).toEqual([401, 200]);
  });

  it('removes a person: no login, no name and no address are left, and the audit log keeps the act', async () => {
    const ida = await newPerson('ida@example.com');
    expect((await keys.admin.request('DELETE', `/people/${await idOf('ida@example.com')}`)).status).toBe(204);
    expect((await ida.request('GET', '/me')).status).toBe(401);
    expect(JSON.stringify(await people())).not.toContain('ida@example.com');
    const { body } = await keys.admin.request<PageBody<{ action: string; target: string }>>('GET', '/audit?target=@ida');
    expect(body.data.map(({ action }) => action)).toEqual(expect.arrayContaining(['person.create', 'person.remove']));
    // The address may be used again; the handle of the person who is gone is not given to somebody else.
    expect((await (await newPerson('ida@example.com')).request('GET', '/me')).body).toMatchObject({ keyName: '@ida-2' });
  });

  it('ASVS 4.1.3: makes a key of an operator an operator only with the scope admin', async () => {
    const olga = await newPerson('olga@example.com', 'operator');
    const keyWith = async (name: string, scopes: string[]) =>
      withKey(keys.url, (await olga.request<{ secret: string }>('POST', '/api-keys', { name, scopes })).body.secret);
    const [small, large] = [await keyWith('small-key', ['chat', 'ops:read']), await keyWith('large-key', ['admin', 'ops:read'])];
    for (const [client, operator, status] of [
      [small, false, 403],
      [large, true, 200],
    ] as const) {
      expect((await client.request('GET', '/me')).body).toMatchObject({ operator, person: { role: 'operator' } });
      expect((await client.request('GET', '/model-providers')).status).toBe(status);
    }
  });

  it('ASVS 4.1.2: lets an admin of the tenant default become no operator by a key', async () => {
    const ada = await newPerson('ada@example.com', 'admin');
    expect((await ada.request('GET', '/me')).body).toMatchObject({ operator: false });
    const make = (scopes: string[]) => ada.request<{ id: string }>('POST', '/api-keys', { name: 'hers', scopes });
    expect((await make(['chat', 'admin'])).status).toBe(403);
    const own = await make(['chat']);
    expect([own.status, (await ada.request('DELETE', `/api-keys/${own.body.id}`)).status]).toEqual([201, 204]);
    const { id } = await keys.makeKey({ name: 'second-root', scopes: ['admin'] });
    expect((await ada.request('DELETE', `/api-keys/${id}`)).status).toBe(403);
    expect((await ada.request('GET', '/audit?tenant=acme')).status).toBe(403);
  });

  it('ends the keys of a person that may do more than the role, and all of them with the account', async () => {
    const max = await newPerson('max@example.com', 'approver');
    const make = async (name: string, scopes: string[]) => {
      const { body } = await max.request<{ id: string; secret: string }>('POST', '/api-keys', { name, scopes });
      const key = withKey(keys.url, body.secret);
      expect((await key.request('GET', '/me')).body).toMatchObject({ keyName: '@max', keyId: body.id, person: { name: 'max' } });
      return key;
    };
    await keys.admin.request('PATCH', `/people/${await idOf('max@example.com')}`, { role: 'admin' });
    const [small, large] = [await make('small', ['chat']), await make('large', ['chat', 'ops:read'])];
    const statuses = async () => [(await small.request('GET', '/me')).status, (await large.request('GET', '/me')).status];
    expect(await statuses()).toEqual([200, 200]);
    await keys.admin.request('PATCH', `/people/${await idOf('max@example.com')}`, { role: 'member' });
    expect(await statuses()).toEqual([200, 401]);
    await keys.admin.request('PATCH', `/people/${await idOf('max@example.com')}`, { disabled: true });
    expect(await statuses()).toEqual([401, 401]);
  });

  it('ASVS 2.2.3: lists the sign-ins of a person, and writes an unusual one to the audit log', async () => {
    const nora = await newPerson('nora@example.com');
    await logInAs(keys.url, 'nora@example.com', PASSWORD);
    const agent = { 'user-agent': 'Mozilla/5.0 (iPhone) Safari/1' };
    const shown = { email: 'nora@example.com', password: PASSWORD };
    expect((await createRestClient(keys.url).request('POST', '/login', shown, agent)).status).toBe(200);
    const { body } = await nora.request<PageBody<object>>('GET', '/me/sign-ins');
    expect(body.data).toMatchObject([
      { way: 'password', client: 'Safari, iPhone', unusual: true },
      { way: 'password', unusual: false },
      { way: 'invitation', unusual: false },
    ]);
    const audit = await keys.admin.request<PageBody<object>>('GET', '/audit?action=login.unusual&target=@nora');
    expect(audit.body.data).toMatchObject([{ actor: '@nora', details: { client: 'Safari, iPhone', way: 'password' } }]);
  });

  it('gives each person devices with notifications of their own, which end with the account', async () => {
    const [kim, lea] = [await newPerson('kim@example.com'), await newPerson('lea@example.com')];
    const device = {
      endpoint: 'https://push.example.com/send/kim',
      keys: {
        p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
        auth: 'BTBZMqHH6r4Tts7J_aSIgg',
      },
    };
    expect((await kim.request('POST', '/push-subscriptions', device)).status).toBe(201);
    const count = async (person: PersonClient) => (await person.request<PageBody<object>>('GET', '/push-subscriptions')).body.data.length;
    expect([await count(kim), await count(lea)]).toEqual([1, 0]);
    await keys.admin.request('PATCH', `/people/${await idOf('kim@example.com')}`, { disabled: true });
    expect((await kim.request('GET', '/push-subscriptions')).status).toBe(401);
  });

  it('ASVS 4.2.1: keeps the people of tenants apart', async () => {
    const { secret } = await keys.makeKey({ name: 'boss', tenant: 'acme', scopes: ['admin', 'chat'] });
    const boss = withKey(keys.url, secret);
    const link = await boss.request<MadeLink>('POST', '/invitations', { role: 'admin', email: 'jan@acme.example' });
    const jan = await acceptInvitation(keys.url, link.body, { name: 'Jan', password: PASSWORD });
    expect((await jan.request('GET', '/me')).body).toMatchObject({ tenant: 'acme', operator: false, person: { role: 'admin' } });
    const { body } = await jan.request<PageBody<PersonRow>>('GET', '/people');
    expect(body.data.map(({ email }) => email)).toEqual(['jan@acme.example']);
    expect((await jan.request('DELETE', `/people/${await idOf('anna@example.com')}`)).status).toBe(404);
    expect((await boss.request('POST', '/invitations', { role: 'operator' })).status).toBe(403);
    expect((await keys.admin.request('POST', '/invitations', { role: 'member', email: 'jan@acme.example' })).status).toBe(400);
  });

  async function cookieOf(email: string): Promise<string> {
    const { headers } = await createRestClient(keys.url).request('POST', '/login', { email, password: PASSWORD }, { origin: keys.url });
    return headers.get('set-cookie')?.split(';')[0] ?? '';
  }
});

describe('a gateway without keys', () => {
  let gateway: Gateway;

  beforeAll(async () => {
    gateway = await startGateway();
  });
  afterAll(() => gateway?.stop());

  it('ASVS 2.5.4: has no account at first, and is locked by its first one, which must be an operator, and who stays able to manage people', async () => {
    const { url } = gateway;
    const local = createRestClient(url);
    expect((await local.request('GET', '/login/ways')).body).toEqual({ key: true, password: false, passkey: false, providers: [] });
    for (const email of ['admin@localhost', 'root@localhost', 'admin@example.com'])
      expect((await local.request('POST', '/login', { email, password: 'admin' })).status).toBe(401);
    expect(await local.request('POST', '/invitations', { role: 'member' })).toMatchObject({
      status: 400,
      body: { error: { param: '/role' } },
    });
    const link = await local.request<MadeLink>('POST', '/invitations', { role: 'operator' });
    expect((await local.request('GET', '/me')).body).toMatchObject({ keyName: 'local', loginRequired: false });
    const first = await acceptInvitation(url, link.body, { name: '李雷', email: 'lei@example.com', password: PASSWORD });
    expect((await local.request('GET', '/me')).status).toBe(401);
    expect((await local.request('GET', '/login/ways')).body).toEqual({ key: true, password: true, passkey: false, providers: [] });
    const { body } = await first.request<{ operator: boolean; keyName: string; person: { id: string } }>('GET', '/me');
    expect(body).toMatchObject({ operator: true, keyName: '@lei' });
    for (const change of [{ role: 'member' }, { disabled: true }])
      expect(await first.request('PATCH', `/people/${body.person.id}`, change)).toMatchObject({
        status: 400,
        body: { error: { param: '/role' } },
      });
    expect((await first.request('DELETE', `/people/${body.person.id}`)).status).toBe(400);
    const { body: roles } = await first.request<{ data: { role: string; scopes: string[] }[] }>('GET', '/roles');
    expect(roles.data.find(({ role }) => role === 'approver')?.scopes).toEqual(['chat', 'approve', 'ops:read']);
  });
});
