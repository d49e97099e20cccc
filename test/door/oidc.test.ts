/** Logins at a real OpenID Connect provider: accounts by groups, invitations and addresses, and everything that an attacker may bring. */
import { createPrivateKey, sign } from 'node:crypto';
import { CookieBrowser, type Visit } from '../support/cookie_browser';
import { type KeyBench, startKeyBench } from '../support/key_bench';
import { createMcpConfig, type McpConfig } from '../support/mcp_servers';
import { type Account, CLIENT_SECRET, startOidcProvider, type TestProvider, writeLoginFile } from '../support/oidc_provider';
import { acceptInvitation, logInAs, type MadeLink, tokenOf } from '../support/people_client';
import { createRestClient, type PageBody } from '../support/rest_client';
import { startSmtpServer, type TestSmtpServer } from '../support/smtp_server';
import { until } from '../support/until';

const PASSWORD = 'seven green umbrellas';
const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';

const GROUPS = { staff: 'member', reviewers: 'approver', bosses: 'admin', roots: 'operator' };
const PROVIDERS = [
  { id: 'staff', name: 'Staff login', groups: GROUPS },
  { id: 'acme', groups: { staff: 'member' }, tenant: 'acme' },
  { id: 'trusting', groups: { staff: 'member' }, trustEmail: true },
];

let provider: TestProvider;
let keys: KeyBench;
let config: McpConfig;
let smtp: TestSmtpServer;

beforeAll(async () => {
  [provider, smtp] = await Promise.all([startOidcProvider(), startSmtpServer()]);
  config = await createMcpConfig({});
  await writeLoginFile(config.directory, provider, PROVIDERS);
  const mail = { NETA_SMTP_URL: smtp.url, NETA_MAIL_FROM: 'Neta <neta@example.com>' };
  keys = await startKeyBench({ NETA_CONFIG_DIR: config.directory, OIDC_SECRET: CLIENT_SECRET, ...mail });
}, 60_000);
afterAll(async () => {
  await keys?.bench.stop();
  await Promise.all([provider?.stop(), smtp?.stop()]);
  await config?.remove();
});

const at = (path: string) => `${keys.url}${path}`;
const me = async (browser: CookieBrowser) => (await browser.send('GET', at('/api/v1/me'))).body as unknown as Me;
interface Me {
  keyName: string;
  tenant: string;
  operator: boolean;
  scopes: string[];
  person: { id: string; name: string; role: string; groups: string[]; needs?: string };
}

async function logIn(account: Account | undefined, id = 'staff', browser = new CookieBrowser()): Promise<CookieBrowser & { last: Visit }> {
  await provider.use(account);
  return Object.assign(browser, { last: await browser.open(at(`/auth/${id}/start`)) });
}
const invite = async (role: string, email?: string) => (await keys.admin.request<MadeLink>('POST', '/invitations', { role, email })).body;
const person = (name: string, more: object = {}): Account => ({
  sub: `sub-${name}`,
  name,
  email: `${name}@example.com`,
  email_verified: true,
  groups: ['staff'],
  ...more,
});

it('says that the provider cannot be reached, and goes on once it can', async () => {
  const browser = await logIn(person('early'));
  expect(browser.last).toMatchObject({ status: 502, text: expect.stringContaining('cannot be reached') });
  await provider.serve(keys.url, ['staff', 'acme', 'trusting']);
  const { body } = await createRestClient(keys.url).request('GET', '/login/ways');
  expect(body).toEqual({
    key: true,
    password: false,
    passkey: false,
    providers: [
      { id: 'staff', name: 'Staff login' },
      { id: 'acme', name: 'acme' },
      { id: 'trusting', name: 'trusting' },
    ],
  });
});

it('ASVS 3.2.1, 3.4.2, 3.4.3: makes an account from the groups, with a fresh cookie that scripts and other sites do not get', async () => {
  const anna = await logIn(person('Anna'));
  expect(anna.last.url).toBe(at('/'));
  expect(await me(anna)).toMatchObject({ keyName: '@anna', tenant: 'default', person: { name: 'Anna', role: 'member' } });
  const first = anna.cookie(at('/'), 'neta_session');
  await logIn(person('Anna'), 'staff', anna);
  expect([first?.length, anna.cookie(at('/'), 'neta_session') === first]).toEqual([48, false]);
  expect(anna.cookie(at('/auth/staff/callback'), 'neta_auth')).toBeUndefined();
  // Without a password there is none to guess.
  expect(anna.cookie(at('/'), 'neta_device')).toBeUndefined();
});

it('lets the role follow the groups at each login, and refuses a person whom no group lets in any more', async () => {
  expect((await me(await logIn(person('gus', { groups: ['bosses', 'staff', '__proto__'] })))).person.role).toBe('admin');
  const gus = await logIn(person('gus', { groups: 'reviewers' }));
  // Chats are shared with groups of the provider, too.
  expect((await me(gus)).person.groups).toEqual(['reviewers']);
  expect((await me(gus)).person.role).toBe('approver');
  const { last } = await logIn(person('gus', { groups: ['constructor', 7] }));
  expect([last.status, last.text]).toEqual([403, expect.stringContaining('None of your groups')]);
  // Who is out of the groups is out everywhere.
  expect((await gus.send('GET', at('/api/v1/me'))).status).toBe(401);
  expect((await me(await logIn(person('olga', { groups: ['roots'] })))).operator).toBe(true);
});

it('accepts an invitation by a login at the provider, for the person with this address, once', async () => {
  const link = await invite('approver', 'ivan@example.com');
  const accept = async (account: Account) => {
    const browser = new CookieBrowser();
    await provider.use(account);
    const { body } = await browser.send('POST', at('/auth/staff/start'), { invitation: tokenOf(link), returnTo: '/ops' });
    expect(String(body['url'])).not.toContain(tokenOf(link));
    return Object.assign(browser, { last: await browser.open(String(body['url'])) });
  };
  const ivan = person('ivan', { groups: [] });
  expect((await accept({ ...ivan, sub: 'other', email: 'eve@example.com' })).last.status).toBe(403);
  expect((await accept({ ...ivan, sub: 'other', email_verified: false })).last.status).toBe(403);
  const accepted = await accept(ivan);
  expect([accepted.last.url, (await me(accepted)).person.role]).toEqual([at('/ops'), 'approver']);
  expect((await accept({ ...ivan, sub: 'second' })).last.status).toBe(404);
  // No group lets Ivan in, and the invitation goes on to count.
  expect((await me(await logIn(ivan))).person.role).toBe('approver');
});

it('links an account by a verified address of the same tenant, and never that of an operator', async () => {
  const make = async (role: string, email: string) =>
    acceptInvitation(keys.url, await invite(role, email), { name: email.split('@')[0], password: PASSWORD });
  await make('member', 'lena@example.com');
  await make('operator', 'root@example.com');
  for (const account of [
    person('lena', { email_verified: false, sub: 'x' }),
    person('lena', { email_verified: 'true', sub: 'x' }),
    person('root'),
  ]) {
    const handle = (await me(await logIn(account))).keyName;
    expect(['@lena', '@root']).not.toContain(handle);
  }
  expect((await logIn(person('lena', { sub: 'y' }), 'acme')).last.status).toBe(403);
  expect((await me(await logIn(person('lena')))).keyName).toBe('@lena');
  // The address of somebody who has left, given to another person.
  expect((await logIn(person('lena', { sub: 'successor' }))).last.status).toBe(403);
  expect((await (await logInAs(keys.url, 'lena@example.com', PASSWORD)).request('GET', '/me')).body).toMatchObject({ keyName: '@lena' });
});

it('links no account whose person wrote the address: who waits there with a password gets no role of the real owner', async () => {
  const waiting = await acceptInvitation(keys.url, await invite('approver'), {
    name: 'Mel',
    email: 'vera@example.com',
    password: PASSWORD,
  });
  const { last } = await logIn(person('vera', { groups: ['bosses'] }));
  expect([last.status, last.text]).toEqual([403, expect.stringContaining('this login may not use it')]);
  expect((await waiting.request('GET', '/me')).body).toMatchObject({ keyName: '@mel', person: { role: 'approver' } });
});

it('makes no operator by a group of somebody who was invited', async () => {
  const roleOf = async (browser: CookieBrowser) => (await me(browser)).person.role;
  const nora = person('nora', { groups: ['roots'] });
  await acceptInvitation(keys.url, await invite('member', 'nora@example.com'), { name: 'nora', password: PASSWORD });
  expect([await roleOf(await logIn(nora)), await roleOf(await logIn(nora))]).toEqual(['member', 'member']);
  expect(await roleOf(await logIn({ ...nora, groups: ['bosses'] }))).toBe('admin');
  const link = await invite('approver');
  await provider.use(person('otto', { groups: ['roots'] }));
  const otto = new CookieBrowser();
  const begun = await otto.send('POST', at('/auth/staff/start'), { invitation: tokenOf(link), returnTo: '/ops' });
  await otto.open(String(begun.body['url']));
  expect(await roleOf(otto)).toBe('approver');
});

it('keeps an address that is not verified out of the account, unless the operator trusts the provider', async () => {
  const una = await logIn(person('una', { email_verified: undefined }));
  const rows = async () => (await keys.admin.request<PageBody<{ handle: string; email?: string }>>('GET', '/people')).body.data;
  expect((await rows()).find(({ handle }) => handle === '@una')).not.toHaveProperty('email');
  expect((await me(una)).person.role).toBe('member');
  await logIn(person('uma', { email_verified: undefined }), 'trusting');
  expect((await rows()).find(({ handle }) => handle === '@uma')?.email).toBe('uma@example.com');
});

it('keeps tenants apart: the same person of the provider is another one in each tenant', async () => {
  const zoe = person('zoe', { email: undefined });
  const [here, there] = [await me(await logIn(zoe)), await me(await logIn(zoe, 'acme'))];
  expect([here.tenant, there.tenant, here.person.id === there.person.id]).toEqual(['default', 'acme', false]);
});

it('refuses a disabled person, and gives the provider no way to enable an account', async () => {
  const { id } = (await me(await logIn(person('dan')))).person;
  await keys.admin.request('PATCH', `/people/${id}`, { disabled: true });
  expect((await logIn(person('dan'))).last).toMatchObject({ status: 403, text: expect.stringContaining('disabled') });
  expect((await keys.admin.request('POST', `/people/${id}/password-link`, {})).status).toBe(404);
});

it('refuses a password for a person whom groups let in', async () => {
  const { id } = (await me(await logIn(person('pia')))).person;
  expect((await keys.admin.request('POST', `/people/${id}/password-link`, {})).status).toBe(403);
  expect((await createRestClient(keys.url).request('POST', '/login', { email: 'pia@example.com', password: '' })).status).toBe(400);
  expect((await createRestClient(keys.url).request('POST', '/login', { email: 'pia@example.com', password: PASSWORD })).status).toBe(401);
});

it('shows a page when the provider refuses, without the words of the provider', async () => {
  const { last } = await logIn(undefined);
  expect([last.status, last.headers.get('content-type')]).toEqual([401, expect.stringContaining('text/html')]);
  expect(last.text).not.toContain('<b>no');
  const { text } = await new CookieBrowser().open(at('/auth/staff/callback?code=x&state=y'), { accept: 'application/json' });
  expect(JSON.parse(text)).toMatchObject({ error: { code: 'unauthenticated' } });
});

describe('a callback that an attacker brings', () => {
  /** Logs in at the provider, and stops before the browser is back. */
  const stopBefore = async (account: Account, id = 'staff') => {
    await provider.use(account);
    const browser = new CookieBrowser();
    const { url } = await browser.open(at(`/auth/${id}/start`), { until: at(`/auth/${id}/callback`) });
    return { browser, url };
  };
  const statusOf = async (browser: CookieBrowser, url: string) => (await browser.open(url)).status;

  it('counts in the browser that began the login alone (ASVS 3.2.1, login CSRF)', async () => {
    const { url } = await stopBefore(person('Mallory'));
    const victim = new CookieBrowser();
    expect(await statusOf(victim, url)).toBe(401);
    // A victim who has begun a login has another state.
    await victim.open(at('/auth/staff/start'), { until: provider.issuer });
    expect(await statusOf(victim, url)).toBe(401);
    expect(victim.cookie(at('/'), 'neta_session')).toBeUndefined();
  });

  it('counts once: neither the code nor the cookie works again', async () => {
    const { browser, url } = await stopBefore(person('once'));
    const step = browser.cookie(url, 'neta_auth') ?? '';
    expect(await statusOf(browser, url)).toBe(200);
    expect(await statusOf(browser, url)).toBe(401);
    const replay = await fetch(url, { redirect: 'manual', headers: { cookie: `neta_auth=${step}` } });
    expect(replay.status).toBe(401);
  });

  it('ASVS 3.5.3: is refused with a wrong state, a changed cookie, a foreign code, another issuer, and at another provider', async () => {
    const changed = async (change: (url: URL) => unknown) => {
      const { browser, url } = await stopBefore(person('wrong'));
      const address = new URL(url);
      change(address);
      return statusOf(browser, address.href);
    };
    expect(await changed(url => url.searchParams.set('state', 'another'))).toBe(401);
    expect(await changed(url => url.searchParams.delete('state'))).toBe(401);
    expect(await changed(url => url.searchParams.append('code', 'second'))).toBe(401);
    expect(await changed(url => url.searchParams.set('iss', 'https://evil.example'))).toBe(401);
    const stranger = await stopBefore(person('stranger'));
    const code = new URL(stranger.url).searchParams.get('code') ?? '';
    // PKCE and the nonce bind a code to the login that asked for it.
    expect(await changed(url => url.searchParams.set('code', code))).toBe(401);
    expect(await changed(url => (url.pathname = '/auth/acme/callback'))).toBe(401);
    const { browser, url } = await stopBefore(person('tampered'));
    const step = browser.cookie(url, 'neta_auth') ?? '';
    const tampered = `${step.slice(0, -2)}${step.endsWith('AA') ? 'BB' : 'AA'}`;
    expect((await fetch(url, { redirect: 'manual', headers: { cookie: `neta_auth=${tampered}` } })).status).toBe(401);
  });

  it('is refused with a code that has expired', async () => {
    const { browser, url } = await stopBefore(person('late'));
    await provider.expireCode(new URL(url).searchParams.get('code') ?? '');
    expect(await statusOf(browser, url)).toBe(401);
  });

  it('leads to paths of this gateway alone', async () => {
    const tricks = [
      '//evil.example',
      '/\\evil.example',
      '/%2F/evil.example',
      '/%5Cevil.example',
      '/%255Cevil.example',
      '/.//evil.example',
      '/x/..//evil.example',
      'https://evil.example',
      'javascript:alert(1)',
      '/\t/evil.example',
      '/x%0d%0aset-cookie:a=b',
      '/%09/evil.example',
      'evil',
      '/%zz',
      '/auth/staff/start',
      '/api/v1/me',
      '/AUTH/x',
      '',
    ];
    for (const trick of tricks) {
      const { status, text } = await new CookieBrowser().open(at(`/auth/staff/start?return_to=${encodeURIComponent(trick)}`), {
        accept: 'application/json',
      });
      expect([trick, status, JSON.parse(text).error.param]).toEqual([trick, 400, '/return_to']);
    }
    await provider.use(person('back'));
    const { url } = await new CookieBrowser().open(at(`/auth/staff/start?return_to=${encodeURIComponent('/ops/runs?a=b%20c')}`));
    expect(url).toBe(at('/ops/runs?a=b%20c'));
  });
});

describe('a back-channel logout (ASVS 3.3.1)', () => {
  const send = (token: string, id = 'staff') =>
    fetch(at(`/auth/${id}/back-channel-logout`), { method: 'POST', body: new URLSearchParams({ logout_token: token }) });
  const seconds = () => Math.floor(Date.now() / 1_000);
  const tokenWith = (claims: object, header: object = {}, key = provider.key) => {
    const whole = {
      iss: provider.issuer,
      aud: 'staff',
      iat: seconds(),
      jti: `id-${Math.random()}`,
      events: { [LOGOUT_EVENT]: {} },
      ...claims,
    };
    const parts = [{ alg: 'RS256', kid: provider.keyId, typ: 'logout+jwt', ...header }, whole];
    const text = parts.map(part => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
    return `${text}.${sign('sha256', Buffer.from(text), key).toString('base64url')}`;
  };

  it('ends the logins of the session at once, and no other ones', async () => {
    const one = await logIn(person('lou'));
    const session = await provider.sessionId();
    const other = await logIn(person('lou'));
    await provider.logOut('staff', 'sub-lou', session);
    expect([(await one.send('GET', at('/api/v1/me'))).status, (await other.send('GET', at('/api/v1/me'))).status]).toEqual([401, 200]);
    expect((await send(tokenWith({ sub: 'sub-lou' }))).status).toBe(200);
    expect((await other.send('GET', at('/api/v1/me'))).status).toBe(401);
  });

  it('ASVS 3.5.3: refuses a token that is used again, old, unsigned, of another key, client, issuer or kind', async () => {
    const max = await logIn(person('max'));
    const sub = 'sub-max';
    const once = tokenWith({ sub: 'sub-nobody' });
    expect([(await send(once)).status, (await send(once)).status]).toEqual([200, 400]);
    const unsigned = tokenWith({ sub }, { alg: 'none' }).replace(/[^.]*$/, '');
    const foreign = createPrivateKey(
      (await import('node:crypto'))
        .generateKeyPairSync('rsa', { modulusLength: 2_048 })
        .privateKey.export({ format: 'pem', type: 'pkcs8' }),
    );
    const bad = {
      old: tokenWith({ sub, iat: seconds() - 1_000 }),
      fromTheFuture: tokenWith({ sub, iat: seconds() + 1_000 }),
      expired: tokenWith({ sub, exp: seconds() - 1_000 }),
      unsigned,
      foreign: tokenWith({ sub }, {}, foreign),
      otherClient: tokenWith({ sub, aud: 'acme' }),
      otherIssuer: tokenWith({ sub, iss: 'https://evil.example' }),
      nonce: tokenWith({ sub, nonce: 'n' }),
      noEvent: tokenWith({ sub, events: {} }),
      listOfEvents: tokenWith({ sub, events: [LOGOUT_EVENT] }),
      noId: tokenWith({ sub, jti: undefined }),
      nobody: tokenWith({}),
      idToken: tokenWith({ sub }, { typ: 'at+jwt' }),
      text: 'no token',
    };
    const answers: Record<string, number> = {};
    for (const [name, token] of Object.entries(bad)) answers[name] = (await send(token)).status;
    expect(answers).toEqual(Object.fromEntries(Object.keys(bad).map(name => [name, 400])));
    expect((await max.send('GET', at('/api/v1/me'))).status).toBe(200);
  });

  it('is counted: many wrong tokens of an address are refused, and the others still work for people', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => send('no token').then(({ status }) => status)));
    expect([answers.includes(400), (await send('no token')).status]).toEqual([true, 429]);
    expect((await me(await logIn(person('calm')))).keyName).toBe('@calm');
  });
});

/** Resolves once login.yaml asks people of these roles for a second factor, and this person is asked, or is asked no more. */
async function putRequired(roles: readonly string[], readMe: () => Promise<Me>): Promise<void> {
  await writeLoginFile(config.directory, provider, PROVIDERS, { requireSecondFactor: roles });
  await until(readMe, ({ person: { needs } }) => needs === (roles.length > 0 ? 'authenticator' : undefined));
}

it('asks no person for a second factor who has no password here, and asks an invited one for it', async () => {
  const role = { groups: ['bosses', 'staff'] };
  const boss = await logIn(person('boss', role));
  const invited = await invite('admin', 'invited@example.com');
  const other = await acceptInvitation(keys.url, invited, { name: 'Invited', password: PASSWORD });
  const readMe = async () => (await other.request<Me>('GET', '/me')).body;
  await putRequired(['admin'], readMe);
  expect((await me(boss)).scopes).toContain('admin');
  expect((await me(await logIn(person('boss', role)))).scopes).toContain('admin');
  await putRequired([], readMe);
});

it('ASVS 7.1.1: writes no code, token or secret to the log, and each login with its way to the audit log', async () => {
  const output = keys.bench.gateway.output();
  for (const secret of [CLIENT_SECRET, 'id_token', 'code_verifier']) expect(output).not.toContain(secret);
  const { body } = await keys.admin.request<PageBody<{ details: object }>>('GET', '/audit?action=login.create&target=@anna');
  expect(body.data[0]?.details).toMatchObject({ way: 'provider:staff' });
});

describe('an account at a provider that a person links with the own account', () => {
  const CALLBACK = '/auth/staff/callback';
  const join = async (name: string): Promise<CookieBrowser> => {
    const browser = new CookieBrowser();
    const token = tokenOf(await invite('member', `${name}@links.example`));
    expect((await browser.send('POST', at(`/api/v1/invitations/${token}`), { name, password: PASSWORD })).status).toBe(200);
    return browser;
  };
  const begin = async (browser: CookieBrowser, id = 'staff') =>
    browser.send('POST', at(`/api/v1/me/providers/${id}/link`), { returnTo: '/?view=settings' });
  const link = async (browser: CookieBrowser, account: Account): Promise<Visit> => {
    await provider.use(account);
    return browser.open(String((await begin(browser)).body['url']));
  };
  const linkedAt = async (browser: CookieBrowser) => {
    const { data } = (await browser.send('GET', at('/api/v1/me/providers'))).body as unknown as PageBody<{ id: string; linkedAt?: string }>;
    return data.filter(each => each.linkedAt !== undefined).map(({ id }) => id);
  };
  const atWork = (name: string) => person(`work-${name}`, { groups: [], email: `${name}@work.example` });

  it('opens the account from then on, and belongs to one person alone', async () => {
    const [mia, noa] = [await join('mia'), await join('noa')];
    expect(await link(mia, atWork('mia'))).toMatchObject({ status: 200, url: at('/?view=settings') });
    expect(await linkedAt(mia)).toEqual(['staff', 'trusting']);
    expect(await me(await logIn(atWork('mia')))).toMatchObject({ person: { name: 'mia', role: 'member' } });
    expect((await link(mia, atWork('mia'))).status).toBe(200);
    expect(await link(noa, atWork('mia'))).toMatchObject({ status: 403, text: expect.stringContaining('belongs to another person') });
    // The provider knows the browser of before.
    const elsewhere = new CookieBrowser();
    await elsewhere.send('POST', at('/api/v1/login'), { email: 'mia@links.example', password: PASSWORD });
    expect(await link(elsewhere, atWork('second'))).toMatchObject({ status: 403, text: expect.stringContaining('Remove it first') });
    expect(await linkedAt(noa)).toEqual([]);
  });

  it('is linked in the browser and in the login that began it, and by a person at a provider of the own tenant', async () => {
    const [pia, eve] = [await join('pia'), await join('eve')];
    await provider.use(atWork('pia'));
    const { url } = await pia.open(String((await begin(pia)).body['url']), { until: at(CALLBACK) });
    expect((await eve.open(url)).status).toBe(401);
    expect(await linkedAt(eve)).toEqual([]);
    await pia.send('POST', at('/api/v1/logout'), {});
    expect(await pia.open(url)).toMatchObject({ status: 401, text: expect.stringContaining('nothing was linked') });
    expect((await logIn(atWork('pia'))).last.status).toBe(403);
    expect((await begin(eve, 'acme')).status).toBe(404);
    expect((await begin(await logIn(person('ute')), 'trusting')).status).toBe(403);
    const foreign = await fetch(at('/api/v1/me/providers/staff/link'), {
      method: 'POST',
      headers: {
        cookie: `neta_session=${eve.cookie(at('/'), 'neta_session')}`,
        origin: 'http://127.0.0.1:1',
        'content-type': 'application/json',
      },
      body: '{}',
    });
    expect([401, 403]).toContain(foreign.status);
  });

  it('ASVS 4.3.1: is linked by nobody who must add an authenticator app first, also when the link began before', async () => {
    const kim = await join('kim');
    await provider.use(atWork('kim'));
    const { url } = await kim.open(String((await begin(kim)).body['url']), { until: at(CALLBACK) });
    await putRequired(['member'], () => me(kim));
    expect((await begin(kim)).status).toBe(403);
    expect(await kim.open(url)).toMatchObject({ status: 403, text: expect.stringContaining('authenticator app') });
    await putRequired([], () => me(kim));
    expect(await linkedAt(kim)).toEqual([]);
  });

  it('ASVS 2.2.3, 2.5.5: is taken away with the logins that began there, unless it is the last way in, and the person gets mails', async () => {
    const rio = await join('rio');
    await link(rio, atWork('rio'));
    const there = await logIn(atWork('rio'));
    expect((await rio.send('DELETE', at('/api/v1/me/providers/staff'))).status).toBe(204);
    const mails = () => smtp.mails.filter(({ to, text }) => to === 'rio@links.example' && text.includes('\nStaff login\n'));
    await until(() => mails().length === 2);
    expect(mails().map(({ subject }) => subject)).toEqual([
      'A login provider was linked with your Neta account',
      'A login provider of your Neta account was unlinked',
    ]);
    expect((await there.send('GET', at('/api/v1/me'))).status).toBe(401);
    expect((await rio.send('GET', at('/api/v1/me'))).status).toBe(200);
    expect((await logIn(atWork('rio'))).last.status).toBe(403);
    // Sol has accepted an invitation at the provider, and has no password.
    const sol = new CookieBrowser();
    await provider.use(person('sol', { groups: [] }));
    const token = tokenOf(await invite('member', 'sol@example.com'));
    await sol.open(String((await sol.send('POST', at('/auth/staff/start'), { invitation: token })).body['url']));
    const { status, body } = await sol.send('DELETE', at('/api/v1/me/providers/staff'));
    expect([status, JSON.stringify(body)]).toEqual([403, expect.stringContaining('last way in')]);
  });
});
