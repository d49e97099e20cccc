/** Authenticator apps beside the password: added, needed, used once, lost, and guessed. */
import { createHmac } from 'node:crypto';
import { Secret } from 'otpauth';
import { addApp } from '../support/authenticator';
import { type KeyBench, startKeyBench } from '../support/key_bench';
import { acceptInvitation, logInAs, type MadeLink, type PersonClient, tokenOf } from '../support/people_client';
import { createRestClient, type PageBody } from '../support/rest_client';

const PASSWORD = 'seven green umbrellas';

let keys: KeyBench;

beforeAll(async () => {
  keys = await startKeyBench();
});
afterAll(() => keys?.bench.stop());

async function newPerson(name: string): Promise<{ client: PersonClient; email: string; id: string }> {
  const email = `${name}@example.com`;
  const { body } = await keys.admin.request<MadeLink>('POST', '/invitations', { role: 'member', email });
  const client = await acceptInvitation(keys.url, body, { name, password: PASSWORD });
  const me = await client.request<{ person: { id: string } }>('GET', '/me');
  return { client, email, id: me.body.person.id };
}

const login = (email: string, code?: string) => createRestClient(keys.url).request('POST', '/login', { email, password: PASSWORD, code });

it('ASVS 2.8.1, 2.8.4, 3.7.1: asks for a code behind the right password, begins no login without it, and takes each code once', async () => {
  const { client, email } = await newPerson('anna');
  const { code } = await addApp(client);
  const asked = await login(email);
  expect(asked).toMatchObject({ status: 401, body: { error: { param: '/code', details: { needs: 'code' } } } });
  expect(asked.headers.get('set-cookie')).toBeNull();
  // A wrong password does not tell that there is an app.
  const wrong = await createRestClient(keys.url).request('POST', '/login', { email, password: 'wrong umbrellas here' });
  expect([wrong.status, wrong.body.error.param]).toEqual([401, undefined]);
  const now = code();
  expect((await login(email, now)).status).toBe(200);
  expect(await login(email, now)).toMatchObject({ status: 401, body: { error: { message: expect.stringContaining('used before') } } });
  expect((await login(email, code(-30))).status).toBe(401);
  expect((await login(email, code(30))).status).toBe(200);
  for (const bad of [code(300), '٠٠٠٠٠٠']) expect([bad, (await login(email, bad)).status]).toEqual([bad, 401]);
});

it('ASVS 2.8.3: makes a secret of 160 bits for each app, and takes its codes as RFC 6238 has them', async () => {
  const [{ client, email }, other] = [await newPerson('rfc'), await newPerson('other')];
  const { secret } = await addApp(client);
  expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  expect((await addApp(other.client)).secret).not.toBe(secret);
  const step = Buffer.alloc(8);
  step.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000)));
  const mac = createHmac('sha1', Secret.fromBase32(secret).bytes).update(step).digest();
  const code = (mac.readUInt32BE(mac.readUInt8(19) & 15) & 0x7fffffff) % 1_000_000;
  expect((await login(email, String(code).padStart(6, '0'))).status).toBe(200);
});

it('ASVS 2.6.1, 2.6.2: takes each recovery code once, however it is written, and removes the app by one', async () => {
  const { client, email } = await newPerson('rita');
  const { recoveryCodes, code } = await addApp(client);
  const [first = '', second = '', third = ''] = recoveryCodes;
  expect(new Set(recoveryCodes).size).toBe(10);
  expect(first).toMatch(/^[a-z0-9]{6}(-[a-z0-9]{6}){3}$/);
  expect((await login(email, ` ${first.toUpperCase().replaceAll('-', '')} `)).status).toBe(200);
  // A code of the app still counts in the half minute of a recovery code, and nobody is told of a second use.
  expect((await login(email, code())).status).toBe(200);
  const reused = await keys.admin.request<PageBody<{ action: string }>>('GET', '/audit?target=@rita&action=factor.reuse');
  expect(reused.body.data).toEqual([]);
  expect((await login(email, first)).status).toBe(401);
  const { body } = await client.request<PageBody<{ kind: string; recoveryCodes: number }>>('GET', '/me/factors');
  expect(body.data).toMatchObject([{ kind: 'totp', recoveryCodes: 9 }]);
  expect((await client.request('POST', '/me/totp/remove', { code: '123456' })).status).toBe(401);
  expect((await client.request('POST', '/me/totp/remove', { code: second })).status).toBe(204);
  expect([(await login(email)).status, (await login(email, third)).status]).toEqual([200, 200]);
});

it('ASVS 2.2.1: refuses an address that guesses codes, and writes the tries to the audit log', async () => {
  const { client, email } = await newPerson('gina');
  const { code } = await addApp(client);
  const tries: number[] = [];
  for (let i = 0; i < 6; i += 1) tries.push((await login(email, '000000')).status);
  expect(tries.slice(0, 5).every(status => status === 401) && tries[5] === 429).toBe(true);
  expect((await login(email, code())).status).toBe(429);
  const { body } = await keys.admin.request<PageBody<{ actor: string }>>('GET', '/audit?action=login.fail');
  expect(body.data.length).toBeGreaterThan(0);
});

it('ASVS 2.2.2, 2.5.6: asks for a code also behind a link for a new password, and leaves the link open', async () => {
  const { client, id, email } = await newPerson('paul');
  const { code } = await addApp(client);
  const link = await keys.admin.request<MadeLink>('POST', `/people/${id}/password-link`, {});
  const accept = (more: object) =>
    createRestClient(keys.url).request('POST', `/invitations/${tokenOf(link.body)}`, { password: 'four yellow bicycles', ...more });
  expect(await accept({})).toMatchObject({ status: 401, body: { error: { details: { needs: 'code' } } } });
  expect((await accept({ code: '123456' })).status).toBe(401);
  expect((await accept({ code: code() })).status).toBe(200);
  expect((await createRestClient(keys.url).request('POST', '/login', { email, password: PASSWORD })).status).toBe(401);
});

it('ASVS 2.5.7: lets an admin take the app of a person who has lost it, and nobody of another tenant', async () => {
  const { client, id, email } = await newPerson('lost');
  await addApp(client);
  const { secret } = await keys.makeKey({ name: 'boss', tenant: 'acme', scopes: ['admin'] });
  const boss = (path: string) => createRestClient(keys.url).request('DELETE', path, undefined, { authorization: `Bearer ${secret}` });
  expect((await boss(`/people/${id}/totp`)).status).toBe(404);
  expect((await client.request('DELETE', `/people/${id}/totp`)).status).toBe(403);
  expect((await keys.admin.request('DELETE', `/people/${id}/totp`)).status).toBe(204);
  await expect(logInAs(keys.url, email, PASSWORD)).resolves.toBeDefined();
  const { body } = await keys.admin.request<PageBody<{ action: string }>>('GET', '/audit?target=@lost');
  expect(body.data.map(({ action }) => action)).toEqual(expect.arrayContaining(['factor.add', 'factor.remove']));
});

it('ASVS 3.7.1: counts an app only once it is confirmed, and gives keys none', async () => {
  const { client, email } = await newPerson('pending');
  await client.request('POST', '/me/totp', {});
  expect((await client.request('POST', '/me/totp/confirm', { code: '000000' })).status).toBe(400);
  expect((await login(email)).status).toBe(200);
  await addApp(client);
  expect((await client.request('POST', '/me/totp', {})).status).toBe(400);
  expect((await keys.admin.request('POST', '/me/totp', {})).status).toBe(403);
});

it('lets many people log in at once: a comparison waits for its turn', async () => {
  await newPerson('crowd');
  const answers = await Promise.all(Array.from({ length: 12 }, () => login('crowd@example.com')));
  expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200));
});
