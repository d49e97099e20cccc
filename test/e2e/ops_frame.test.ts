/** The frame of the operator pages, and the screens of sessions, keys and webhooks. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AgentConfig, createAgentConfig } from '../support/agent_config';
import { textOfDownload } from '../support/browser';
import { type Gateway, startGateway } from '../support/gateway';
import { withKey } from '../support/key_bench';
import { type MockModel, startMockModel } from '../support/mock_model';
import { acceptInvitation } from '../support/people_client';
import { createRestClient } from '../support/rest_client';
import { until } from '../support/until';
import { byTestId } from './chat_browser';
import { type OpsBrowser, type OpsPage, PHONE, startOpsBrowser } from './ops_browser';

const BOSS = 'boss-secret-0123456789';
const ANNA = 'anna-secret-0123456789';
const WATCHER = 'watcher-secret-0123456789';
const BEN = 'ben-secret-0123456789';
const DAN = 'dan-secret-0123456789';
const CARD = byTestId('login-card');
const row = (table: string, text: string) => `${byTestId(`${table}-row`)}:has-text("${text}")`;

let model: MockModel;
let gateway: Gateway;
let keyed: Gateway;
let browser: OpsBrowser;
let config: AgentConfig;

beforeAll(async () => {
  model = await startMockModel();
  const ask = { toolCalls: [{ name: 'clarify', arguments: { question: 'Which colour?', choices: ['Red', 'Blue'] } }] };
  model.onTurn('ask me', ask, request => `You said ${request.toolResults.at(-1)}`);
  model.onTurn('sleep for me', { toolCalls: [{ name: 'bash', arguments: { command: 'sleep 77' } }] });
  model.onTurn('remove the build', { toolCalls: [{ name: 'bash', arguments: { command: 'rm -rf ./build' } }] }, 'removed');
  model.onTurn('fail for me', { error: { status: 400, message: 'the upstream has no such adapter' } });
  model.onTurn(/./, 'fine');
  const env = { OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: 'test', NETA_MODEL: 'mock-1' };
  const keys = [
    `boss:${BOSS}:default:admin+chat+ops:read+ops:write`,
    `anna:${ANNA}:acme:chat`,
    `watcher:${WATCHER}:acme:ops:read`,
    `ben:${BEN}:globex:chat`,
    `dan:${DAN}:globex:approve`,
  ];
  config = await createAgentConfig(['base', 'planning', 'interaction']);
  await writeFile(join(config.directory, 'approvals.yaml'), `rules:\n  - { tool: bash, pattern: '^rm ', decision: ask }\n`);
  [gateway, keyed, browser] = await Promise.all([
    startGateway({ env }),
    startGateway({ env: { ...env, NETA_API_KEYS: keys.join(','), NETA_CONFIG_DIR: config.directory } }),
    startOpsBrowser(),
  ]);
});

afterAll(async () => {
  await browser?.stop();
  await gateway?.stop();
  await keyed?.stop();
  await model?.stop();
  await config?.remove();
});

afterEach(() => browser.closePages());

async function logIn({ page }: OpsPage, key: string): Promise<void> {
  await page.fill(byTestId('login-key'), key);
  await page.press(byTestId('login-key'), 'Enter');
}

it('opens every screen by its link, keeps the place over a reload, and moves the focus to the heading', async () => {
  const { page, go } = await browser.open(`${gateway.url}/ops`);
  await page.waitForSelector(byTestId('screen-overview'));
  await go('sessions');
  expect(new URL(page.url()).pathname).toBe('/ops/sessions');
  await page.waitForFunction(() => document.activeElement?.id === 'view-heading');
  expect(await page.title()).toBe('Sessions · Neta');
  await page.reload();
  await page.waitForSelector(byTestId('screen-sessions'));
  await go('keys');
  await page.goBack();
  await page.waitForSelector(byTestId('screen-sessions'));
  await page.goto(`${gateway.url}/ops/nonsense`);
  await page.waitForSelector(`${byTestId('screen-unknown')}:has-text("There is no such page.")`);
});

it('asks for a key, refuses a key without ops:read, and disables what the key may not do', async () => {
  const opened = await browser.open(`${keyed.url}/ops/keys`);
  const { page } = opened;
  await page.waitForSelector(CARD);
  await logIn(opened, ANNA);
  await page.waitForSelector(`${byTestId('ops-refused')}:has-text("anna")`);
  await page.click(byTestId('other-key'));
  await logIn(opened, WATCHER);
  await page.waitForSelector(`${byTestId('screen-keys')} ${byTestId('view-notice')}:has-text("admin")`);
  const button = page.locator(byTestId('new-key'));
  expect(await button.getAttribute('aria-disabled')).toBe('true');
  expect(await button.getAttribute('title')).toContain('admin');
});

it('makes a key, shows its secret once, and revokes it', async () => {
  const opened = await browser.open(`${keyed.url}/ops/keys`);
  const { page } = opened;
  await logIn(opened, BOSS);
  await page.click(byTestId('new-key'));
  await page.click(byTestId('make-key'));
  await page.waitForSelector(`${byTestId('key-problem')}:has-text("Fill in this field.")`);
  await page.fill(byTestId('key-name'), 'not a name');
  await page.click(byTestId('make-key'));
  await page.waitForSelector(`${byTestId('key-problem')}:not(:has-text("Fill in"))`);
  await page.fill(byTestId('key-name'), 'robot');
  await page.press(byTestId('key-name'), 'Enter');
  const secret = String(await page.textContent(byTestId('secret')));
  expect(secret).toMatch(/^neta_/);
  const status = async () => (await fetch(`${keyed.url}/api/v1/me`, { headers: { authorization: `Bearer ${secret}` } })).status;
  expect(await status()).toBe(200);
  await page.click(byTestId('hide-secret'));
  expect(await page.content()).not.toContain(secret);
  await page.click(`${row('keys', 'robot')} ${byTestId('revoke-key')}`);
  await page.click(byTestId('confirm'));
  await page.waitForSelector(row('keys', 'robot'), { state: 'detached' });
  expect(await status()).toBe(401);
});

it('invites a person, shows how the person logs in, changes the role, disables, and removes with what the person made', async () => {
  const opened = await browser.open(`${keyed.url}/ops/accounts`);
  const { page, findBarriers, complaints } = opened;
  await logIn(opened, BOSS);
  await page.waitForSelector(byTestId('accounts-empty'));
  // The browser complains of the first request, which had no login.
  complaints.splice(0);
  await page.click(byTestId('new-invitation'));
  await page.fill(byTestId('invite-email'), 'no address');
  await page.press(byTestId('invite-email'), 'Enter');
  await page.waitForSelector(`${byTestId('invitation-problem')}:has-text("e-mail")`);
  await page.fill(byTestId('invite-email'), 'wei@example.com');
  await page.press(byTestId('invite-email'), 'Enter');
  const url = String(await page.textContent(byTestId('made-link')));
  expect(await findBarriers()).toEqual([]);
  const wei = await acceptInvitation(keyed.url, { id: '', url, role: 'member' }, { name: 'Wei', password: 'seven green umbrellas' });
  await wei.request('POST', '/prompts', { name: 'mine', text: 'a word that nobody else wrote' });
  await page.reload();
  await page.waitForSelector(`${row('accounts', 'wei@example.com')}:has-text("password")`);
  expect(await page.content()).not.toContain(url);
  await page.fill(byTestId('account-search'), 'nobody');
  await page.waitForSelector(byTestId('accounts-empty'));
  await page.fill(byTestId('account-search'), '@WEI');
  await page.click(byTestId('open-account'));
  await page.selectOption(byTestId('account-role'), 'admin');
  await page.click(byTestId('save-role'));
  await page.waitForSelector(`${byTestId('person-facts')}[data-role="admin"]`);
  expect((await wei.request('GET', '/api-keys')).status).toBe(200);
  // The role may see these pages; this key of the person may not.
  const small = await wei.request<{ secret: string }>('POST', '/api-keys', { name: 'small', scopes: ['chat'] });
  const other = await browser.open(`${keyed.url}/ops`);
  await other.page.click(byTestId('other-way'));
  await logIn(other, small.body.secret);
  await other.page.waitForSelector(`${byTestId('ops-refused')}:has-text("This key of Wei lacks the scope ops:read")`);
  expect(await other.page.textContent(byTestId('other-key'))).toBe('Log in with another key');
  await page.click(byTestId('disable'));
  await page.click(byTestId('confirm'));
  await page.waitForSelector(`${byTestId('person-facts')}[data-state="disabled"]`);
  expect((await wei.request('GET', '/me')).status).toBe(401);
  await page.click(byTestId('enable'));
  await page.click(byTestId('password-link'));
  expect(await page.textContent(byTestId('made-link'))).toContain('#invitation=');
  await page.click(byTestId('remove-person'));
  await page.waitForSelector(`${byTestId('confirm-dialog')}:has-text("cannot be undone")`);
  expect(await findBarriers()).toEqual([]);
  await page.keyboard.press('Escape');
  await page.click(byTestId('remove-person'));
  await page.check(byTestId('erase'));
  await page.click(byTestId('confirm'));
  await page.waitForSelector(byTestId('accounts-empty'));
  const { body } = await withKey(keyed.url, BOSS).request<{ data: object[] }>('GET', '/prompts');
  expect([body.data, complaints]).toEqual([[], []]);
});

it('lets an operator answer a question of another tenant, then pause that tenant alone', async () => {
  const [ben, anna] = [withKey(keyed.url, BEN), withKey(keyed.url, ANNA)];
  const asking = ben.run({ input: 'ask me', clarify: 'wait' });
  const opened = await browser.open(`${keyed.url}/ops/people`);
  const { page, go } = opened;
  await logIn(opened, BOSS);
  await page.click(`${byTestId('waiting-row')}:has-text("tenant globex") ${byTestId('choice')}:has-text("Blue")`);
  await page.waitForSelector(byTestId('people-empty'));
  expect((await asking).body.text).toContain('Blue');

  await go('limits');
  await page.click(byTestId('pause-runs'));
  await page.fill(byTestId('pause-tenant'), 'globex');
  await page.fill(byTestId('reason'), 'moving');
  await page.click(byTestId('confirm'));
  await page.waitForSelector(row('paused-tenants', 'moving'));
  expect((await ben.run({ input: 'hello' })).status).toBe(503);
  expect((await anna.run({ input: 'hello' })).status).toBe(200);
  await page.click(`${row('paused-tenants', 'globex')} ${byTestId('accept-tenant')}`);
  await page.waitForSelector(row('paused-tenants', 'globex'), { state: 'detached' });
  expect((await ben.run({ input: 'hello' })).status).toBe(200);
});

it('answers five questions about another tenant within two clicks from the overview', async () => {
  const [ben, dan] = [withKey(keyed.url, BEN), withKey(keyed.url, DAN)];
  const start = async (input: string) =>
    (await ben.request<{ runId: string }>('POST', '/runs', { input, clarify: 'wait' }, { prefer: 'respond-async' })).body.runId;
  await ben.run({ input: 'hello' });
  await ben.run({ input: 'fail for me' });
  const asking = await start('remove the build');
  const opened = await browser.open(`${keyed.url}/ops`);
  const { page } = opened;
  await logIn(opened, BOSS);
  await page.waitForSelector(byTestId('tiles'));
  const open = async () =>
    (await dan.request<{ data: { requestId: string; runId: string }[] }>('GET', '/approvals?status=pending')).body.data;
  const { requestId } = (await until(async () => (await open()).find(({ runId }) => runId === asking))) ?? {};
  await dan.request('POST', `/approvals/${requestId}`, { decision: 'allow_once' });
  const stuck = await start('sleep for me');
  let clicks = 0;
  const click = async (selector: string) => {
    clicks += 1;
    await page.click(selector);
  };
  const fromOverview = async (most: number, look: () => Promise<unknown>) => {
    await page.goto(`${keyed.url}/ops`);
    await page.waitForSelector(byTestId('tiles'));
    clicks = 0;
    await look();
    expect(clicks).toBeLessThanOrEqual(most);
  };
  const live = `${byTestId('busiest')} [data-key="${stuck}"]`;
  await fromOverview(2, async () => {
    await click(`${live} ${byTestId('run-link')}`);
    await page.waitForSelector(`${byTestId('pending-command')}:has-text("sleep 77")`);
  });
  await fromOverview(2, async () => {
    await click(byTestId('tile-spend'));
    await page.waitForSelector(`${row('usage', 'globex')} >> text=/no price|$/`);
  });
  await fromOverview(2, async () => {
    await click(byTestId('go-audit'));
    await page.fill(byTestId('audit-search'), 'RM ./build');
    const allowed = row('audit', 'dan allowed once: rm -rf ./build in ');
    await page.waitForSelector(allowed);
    expect(await page.textContent(allowed)).toMatch(/\.\/build in \//);
    // Only the words of the search are left, once the pause of the typing is over.
    await page.waitForFunction(selector => document.querySelectorAll(selector).length === 1, byTestId('audit-row'));
  });
  await fromOverview(2, async () => {
    await click(byTestId('tile-success'));
    await page.waitForSelector(`${row('ended-runs', 'globex')}:has-text("no such adapter")`);
  });
  await fromOverview(2, async () => {
    await click(`${live} ${byTestId('cancel-live')}`);
    await click(byTestId('confirm'));
    await page.waitForSelector(live, { state: 'detached' });
  });
  expect(opened.complaints.filter(text => !text.includes('401'))).toEqual([]);
});

it('shows an operator why a run of another tenant is stuck, and records that its texts were read', async () => {
  const ben = withKey(keyed.url, BEN);
  const { body } = await ben.request<{ runId: string; sessionId: string }>(
    'POST',
    '/runs',
    { input: 'sleep for me' },
    { prefer: 'respond-async' },
  );
  const boss = withKey(keyed.url, BOSS);
  const opened = await browser.open(`${keyed.url}/ops/runs`);
  const { page, go, findBarriers, complaints } = opened;
  await logIn(opened, BOSS);
  const live = `${byTestId('live-runs-row')}[data-key="${body.runId}"]`;
  await page.waitForSelector(`${live}:has-text("sleep for me"):has-text("sleep 77"):has-text("globex")`);
  await page.selectOption(byTestId('filter-tenant'), 'globex');
  await page.click(`${live} ${byTestId('run-link')}`);
  await page.waitForSelector(`${byTestId('pending-command')}:has-text("sleep 77")`);
  expect(await page.textContent(byTestId('run-now'))).toMatch(/The tool bash has been running for [\d.]+ ?\w+:sleep 77/);
  await page.waitForSelector(`${byTestId('event-card')}:has-text("sleep 77")`);
  await page.click(byTestId('read-chat'));
  await page.waitForSelector(`${byTestId('chat-reading')}:has-text("sleep for me")`);
  expect([await findBarriers(), complaints.filter(text => !text.includes('401'))]).toEqual([[], []]);
  await go('audit');
  await page.waitForSelector(row('audit', body.runId));
  await boss.request('POST', `/ops/runs/${body.runId}/cancel`, {});
  // An operator may replay the run, but a suite has runs of the own tenant only.
  await ben.request('PUT', `/runs/${body.runId}/feedback`, { rating: 'down' });
  await page.goto(`${keyed.url}/ops/runs/${body.runId}`);
  await page.waitForSelector(`${byTestId('replay')}:has-text("belongs to the tenant globex")`);
  expect(await page.locator(byTestId('replay-run')).count()).toBe(1);
  expect(await page.locator(byTestId('add-to-suite')).count()).toBe(0);
  await page.goto(`${keyed.url}/ops/models?rating=down`);
  await page.waitForSelector(row('ratings', 'globex'));
  expect(await page.locator(byTestId('rating-to-suite')).count()).toBe(0);
  const rows = await boss.request<{ data: { target: string; tenant: string; actor: string; details: { kind: string } }[] }>(
    'GET',
    '/audit?action=session.read',
  );
  // Other tests read other texts of that tenant.
  const targets = ['runs', body.runId, body.sessionId];
  const ofTexts = rows.body.data.filter(({ target, tenant }) => targets.includes(target) && tenant === 'globex');
  const read = ofTexts.map(({ target, tenant, actor }) => ({ target, tenant, actor }));
  // The list of runs showed its words too.
  expect(read).toEqual(expect.arrayContaining(targets.map(target => ({ target, tenant: 'globex', actor: 'boss' }))));
  expect(read).toHaveLength(3);
  // A key of the tenant sees its own runs without a row.
  const watcher = withKey(keyed.url, WATCHER);
  expect((await watcher.request('GET', `/ops/runs/${body.runId}/events`)).status).toBe(404);
  expect((await watcher.request('GET', `/ops/sessions/${body.sessionId}/messages`)).status).toBe(403);
});

it('makes a webhook, says why an address is refused, and deletes it', async () => {
  const { page } = await browser.open(`${gateway.url}/ops/keys`);
  await page.click(byTestId('new-webhook'));
  await page.fill(byTestId('webhook-url'), 'ftp://example.com');
  await page.click(byTestId('make-webhook'));
  await page.waitForSelector(byTestId('webhook-problem'));
  await page.fill(byTestId('webhook-url'), 'https://example.com/neta');
  await page.click(byTestId('make-webhook'));
  expect(await page.textContent(byTestId('secret'))).toMatch(/^whsec_/);
  await page.click(`${row('webhooks', 'example.com')} ${byTestId('deliveries-toggle')}`);
  await page.waitForSelector(byTestId('deliveries-empty'));
  await page.click(byTestId('delete-webhook'));
  await page.click(byTestId('confirm'));
  await page.waitForSelector(byTestId('webhooks-empty'));
});

it('makes an inbound webhook, shows how requests to it ended, pauses it and deletes it', async () => {
  const { page } = await browser.open(`${gateway.url}/ops/keys`);
  await page.click(byTestId('new-hook'));
  await page.fill(byTestId('hook-name'), 'deploys');
  await page.click(byTestId('make-hook'));
  await page.waitForSelector(byTestId('hook-problem'));
  await page.fill(byTestId('hook-template'), 'The deploy of {{body.service}} failed.');
  await page.click(byTestId('make-hook'));
  const secret = (await page.textContent(byTestId('secret'))) ?? '';
  const url = (await page.textContent(byTestId('hook-url'))) ?? '';
  expect([secret, url]).toEqual([expect.stringMatching(/^whsec_/), expect.stringContaining(`${gateway.url}/hooks/hook_`)]);
  await page.click(byTestId('hide-secret'));
  const call = (id: string, token = secret) =>
    fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}`, 'webhook-id': id },
      body: '{"service":"shop"}',
    });
  for (const id of ['m1', 'm1']) expect((await call(id)).status).toBe(202);
  expect((await call('m2', 'wrong')).status).toBe(401);
  await page.click(`${row('hooks', 'deploys')} ${byTestId('calls-toggle')}`);
  await page.waitForSelector(row('calls', 'duplicate'));
  await page.waitForSelector(`${row('calls', 'refused')}:has-text("unauthenticated")`);
  await page.click(byTestId('pause-hook'));
  // The buttons "Pause" and "Delete" of a row have "paused" in their text together.
  await page.waitForSelector(`${byTestId('hooks-row')} :text-is("paused")`);
  expect((await call('m3')).status).toBe(403);
  await page.click(byTestId('reload-calls'));
  await page.waitForSelector(`${row('calls', 'refused')}:has-text("forbidden")`);
  await page.click(`${row('calls', 'accepted')} a`);
  await page.waitForURL(/\/ops\/runs\/run_/);
  await page.goBack();
  await page.click(byTestId('delete-hook'));
  await page.click(byTestId('confirm'));
  await page.waitForSelector(byTestId('hooks-empty'));
});

it('finds a session by its messages, shows its size and last run, exports it and deletes it', async () => {
  const rest = createRestClient(gateway.url);
  for (const input of ['plan the garden', '喝一杯绿茶']) await rest.request('POST', '/runs', { input });
  const { page } = await browser.open(`${gateway.url}/ops/sessions`);
  await page.waitForSelector(row('sessions', '绿茶'));
  await page.fill(byTestId('session-search'), 'garden');
  await page.waitForSelector(row('sessions', '绿茶'), { state: 'detached' });
  expect(new URL(page.url()).searchParams.get('q')).toBe('garden');
  await page.reload();
  await page.waitForSelector(`${row('sessions', 'plan the garden')} ${byTestId('last-run')}:has-text("Completed")`);

  const [download] = await Promise.all([page.waitForEvent('download'), page.click(byTestId('export-session'))]);
  const exported = (await textOfDownload(download))
    .trim()
    .split('\n')
    .map(line => JSON.parse(line));
  expect(exported[0]).toMatchObject({ type: 'session', data: { title: 'plan the garden' } });
  expect(exported.map(({ type }) => type)).toEqual(expect.arrayContaining(['message', 'run', 'event']));

  await page.click(byTestId('delete-session'));
  await page.click(byTestId('confirm'));
  await page.waitForSelector(byTestId('sessions-empty'));
  const left = await rest.request('GET', `/sessions/${exported[0].data.id}`);
  expect(left.status).toBe(404);

  await page.fill(byTestId('session-search'), '绿茶');
  await page.waitForSelector(`${row('sessions', '绿茶')}:has-text("喝一杯绿茶")`);
});

it('works on a phone in Chinese: the menu opens, leads to a screen and closes', async () => {
  const { page, width } = await browser.open(`${gateway.url}/ops/keys`, { ...PHONE, locale: 'zh-CN' });
  await page.waitForSelector('h1:has-text("密钥与 Webhook")');
  expect(await page.isVisible(byTestId('go-sessions'))).toBe(false);
  await page.tap(byTestId('ops-menu'));
  await page.keyboard.press('Escape');
  await page.waitForSelector(byTestId('go-sessions'), { state: 'hidden' });
  await page.tap(byTestId('ops-menu'));
  await page.tap(byTestId('go-sessions'));
  await page.waitForSelector(`${byTestId('screen-sessions')} h1:has-text("会话")`);
  await page.waitForSelector(byTestId('go-keys'), { state: 'hidden' });
  expect(await width()).toBe(390);
});
