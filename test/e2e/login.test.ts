/** Logging in and out in a real Chromium: the key becomes a cookie, and losing the login loses nothing else. */
import type { BrowserContext, Page } from 'playwright-core';
import { type Gateway, startGateway } from '../support/gateway';
import { type MockModel, startMockModel } from '../support/mock_model';
import { type PushService, startPushService } from '../support/push_service';
import { startSite } from '../support/site';
import { until } from '../support/until';
import { approval, byTestId, type ChatBrowser, COMPOSER, countRows, startChatBrowser, turn } from './chat_browser';
import { usePushService } from './fake_push';

const BOSS = 'boss-secret-0123456789';
const ANNA = 'anna-secret-0123456789';
const OTHER = 'other-secret-0123456789';
const WATCHER = 'watcher-secret-0123456789';
const CARD = byTestId('login-card');
const FIELD = byTestId('login-key');
const PROBLEM = byTestId('login-problem');
const ACCOUNT = byTestId('account');

let model: MockModel;
let gateway: Gateway;
let browser: ChatBrowser;
let pushService: PushService;

const startWithKeys = () => {
  const keys = [
    `boss:${BOSS}:acme:admin+chat+approve+ops:write`,
    `anna:${ANNA}:acme:chat`,
    `other:${OTHER}:other:chat`,
    `watcher:${WATCHER}:acme:ops:read`,
  ];
  const env = {
    NETA_WEBHOOK_ALLOW: pushService.host,
    OPENAI_BASE_URL: model.baseUrl,
    OPENAI_API_KEY: 'test',
    NETA_MODEL: 'mock-1',
    NETA_API_KEYS: keys.join(','),
  };
  return startGateway({ env });
};

beforeAll(async () => {
  model = await startMockModel();
  pushService = await startPushService();
  model.onTurn('say a lot', { text: 'one two three four', chunkSize: 4, pauseAfter: 2 });
  const job = { action: 'create', name: 'hourly', schedule: { everyMs: 3_600_000 }, input: 'look' };
  model.onTurn('make a job', { toolCalls: [{ name: 'cron', arguments: job }] }, 'done');
  model.onTurn(/./, 'fine');
  [gateway, browser] = await Promise.all([startWithKeys(), startChatBrowser()]);
});
afterAll(async () => {
  await browser?.stop();
  await gateway?.stop();
  await model?.stop();
  await pushService?.stop();
});
afterEach(() => browser.closePages());

const open = (options = {}) => browser.open({ url: gateway.url, ...options });

async function logIn(page: Page, key: string): Promise<void> {
  await page.waitForSelector(FIELD);
  await page.fill(FIELD, key);
  await page.press(FIELD, 'Enter');
}

const countChats = (page: Page) => countRows(page, 'neta.device /', 'chats');
const isEmpty = (page: Page) => until(async () => (await countChats(page)) === 0);

const isOnline = (page: Page) => page.waitForSelector(`${CARD}, ${byTestId('connection-banner')}`, { state: 'detached' });

async function asBoss<T>(method: string, path: string, body?: unknown): Promise<T> {
  const response = await fetch(`${gateway.url}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${BOSS}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return (text === '' ? undefined : JSON.parse(text)) as T;
}

/** Makes a key that can be revoked. */
const createKey = (name: string, scopes = ['chat']) => asBoss<{ id: string; secret: string }>('POST', '/api-keys', { name, scopes });

async function cookiesOf(context: BrowserContext) {
  return (await context.cookies()).map(({ httpOnly, sameSite }) => ({ httpOnly, sameSite }));
}

it('ASVS 3.2.3: asks for a key, says when it is wrong, and keeps the login in a cookie that no script can read', async () => {
  const { page, context, say, focusReaches } = await open();
  await page.waitForSelector(CARD);
  await focusReaches('login-key');
  // The card is modal, and the browser's own way to close a dialog does not close it.
  for (let i = 0; i < 3; i++) await page.keyboard.press('Escape');
  await page.waitForSelector(CARD);
  await page.click(byTestId('log-in'));
  await page.waitForSelector(`${PROBLEM}:has-text("Enter a key.")`);
  await logIn(page, 'not-the-key-0123456789');
  await page.waitForSelector(`${PROBLEM}:has-text("This key is not valid.")`);
  expect(await page.getAttribute(FIELD, 'type')).toBe('password');
  await page.click(byTestId('show-key'));
  expect(await page.getAttribute(FIELD, 'type')).toBe('text');

  // A copied key often has a line break behind it.
  await logIn(page, ` ${ANNA} `);
  await page.waitForSelector(CARD, { state: 'detached' });
  expect(await cookiesOf(context)).toEqual([{ httpOnly: true, sameSite: 'Strict' }]);
  expect(await page.evaluate(() => document.cookie + JSON.stringify({ ...localStorage, ...sessionStorage }))).not.toContain(ANNA);
  await say('hello');
  await page.waitForSelector(turn('completed'));
  await page.reload();
  await page.waitForSelector(turn('completed'));
  expect(await page.isVisible(CARD)).toBe(false);
  await page.click(`${ACCOUNT} summary`);
  expect(await page.textContent(ACCOUNT)).toMatch(/anna.*Tenant: acme.*The key may: chat/);
});

it('ends push at a log-out of the operator pages, for the next key, and when the gateway has forgotten the device', async () => {
  const { page, context } = await open();
  await context.addInitScript(usePushService, pushService.subscribe().subscription);
  await page.goto(`${gateway.url}/?view=settings`);
  const turnOn = async (key: string) => {
    await logIn(page, key);
    await page.waitForSelector(CARD, { state: 'detached' });
    await page.check(byTestId('setting-push'));
    await page.waitForSelector(byTestId('setting-push', '[data-state="on"]'));
  };
  const isOff = async (times: number) =>
    void (await page.waitForFunction(
      count => localStorage.getItem('neta.push') === null && localStorage.getItem('unsubscribed') === String(count),
      times,
    ));
  const devices = async () => (await asBoss<{ data: { id: string }[] }>('GET', '/push-subscriptions')).data;
  await turnOn(BOSS);
  await page.goto(`${gateway.url}/ops`);
  await page.click(`${ACCOUNT} summary`);
  await page.click(byTestId('log-out'));
  await page.waitForSelector(CARD);
  await isOff(1);
  expect(await devices()).toEqual([]);

  await page.goto(`${gateway.url}/?view=settings`);
  await turnOn(BOSS);
  await context.clearCookies();
  await page.reload();
  await logIn(page, ANNA);
  await isOff(2);

  await page.goto(`${gateway.url}/?view=settings`);
  await context.clearCookies();
  await page.reload();
  await turnOn(BOSS);
  for (const { id } of await devices()) await asBoss('DELETE', `/push-subscriptions/${id}`);
  await page.goto(gateway.url);
  await isOff(3);
});

it('goes on where it was after a key was revoked in the middle of an answer', async () => {
  const { id, secret } = await createKey('temporary');
  const { page, say } = await open();
  await logIn(page, secret);
  await isOnline(page);
  await say('say a lot');
  await page.waitForSelector(`${byTestId('answer')}:has-text("one")`);
  await page.fill(COMPOSER, 'half a sentence');
  await asBoss('DELETE', `/api-keys/${id}`);
  await page.waitForSelector(`${CARD}:has-text("Nothing that you wrote here is lost.")`);
  const address = page.url();
  await logIn(page, secret);
  await page.waitForSelector(`${PROBLEM}:has-text("This key is not valid.")`);
  model.resume();
  await logIn(page, ANNA);
  await page.waitForSelector(turn('completed'));
  expect(await page.textContent(byTestId('answer'))).toContain('one two three four');
  expect(await page.inputValue(COMPOSER)).toBe('half a sentence');
  expect(page.url()).toBe(address);
  await page.press(COMPOSER, 'Enter');
  await page.waitForSelector(`${turn('completed')} >> nth=1`);
});

it('ends the login in every tab and browser with one click, and leaves no draft and no copy of a chat behind', async () => {
  const { secret } = await createKey('everywhere');
  const [one, elsewhere] = [await open(), await open()];
  const tab = await one.context.newPage();
  await logIn(one.page, secret);
  await logIn(elsewhere.page, secret);
  await isOnline(one.page);
  await isOnline(elsewhere.page);
  await tab.goto(gateway.url);
  await tab.waitForSelector(ACCOUNT);
  await elsewhere.say('hello');
  await elsewhere.page.waitForSelector(turn('completed'));
  await until(() => countChats(elsewhere.page));
  await one.say('hello');
  await one.page.waitForSelector(turn('completed'));
  await until(() => countChats(one.page));
  // The copy of a chat whose answer streams is written when the person leaves the page.
  await elsewhere.say('say a lot');
  await elsewhere.page.waitForSelector(`${turn('running')}:has-text("one")`);
  await one.page.fill(COMPOSER, 'secret plans');
  await tab.fill(COMPOSER, 'kept in this tab');
  await one.page.click(`${ACCOUNT} summary`);
  await one.page.click(byTestId('log-out-everywhere'));
  for (const page of [one.page, tab, elsewhere.page]) await page.waitForSelector(CARD);
  expect(await cookiesOf(one.context)).toEqual([]);
  await isEmpty(one.page);
  await isEmpty(elsewhere.page);
  await elsewhere.page.evaluate(() => dispatchEvent(new Event('pagehide')));
  expect(await countChats(elsewhere.page)).toBe(0);
  model.resume();
  await logIn(one.page, ANNA);
  await isOnline(one.page);
  expect(await one.page.inputValue(COMPOSER)).toBe('');
  await tab.reload();
  await tab.waitForSelector(ACCOUNT);
  expect(await tab.inputValue(COMPOSER)).toBe('kept in this tab');
});

it('starts with an empty page for another tenant', async () => {
  const { id, secret } = await createKey('mine');
  const { page, say } = await open();
  await logIn(page, secret);
  await isOnline(page);
  await say('for my eyes');
  await page.waitForSelector(turn('completed'));
  await page.fill(COMPOSER, 'my draft');
  await until(() => countChats(page));
  await asBoss('DELETE', `/api-keys/${id}`);
  await logIn(page, OTHER);
  await page.waitForSelector(byTestId('empty-state'));
  await isEmpty(page);
  await page.waitForSelector(`${ACCOUNT}:has-text("other")`);
  expect(await page.inputValue(COMPOSER)).toBe('');
  expect(await page.locator(byTestId('session-row')).count()).toBe(0);
});

it('does not send a message under another key that logged in with the same browser', async () => {
  model.onTurn('for the boss only', 'Understood.');
  const { page, context, say } = await open();
  await logIn(page, BOSS);
  await isOnline(page);
  await say('hello');
  await until(() => countChats(page));
  const tab = await context.newPage();
  let isAway = true;
  await tab.route('**/socket.io/**', route => (isAway ? route.abort() : route.continue()));
  await tab.routeWebSocket(/socket\.io/, socket => (isAway ? socket.close() : void socket.connectToServer()));
  await tab.goto(gateway.url);
  await tab.waitForSelector(`${ACCOUNT}:has-text("boss")`);
  await tab.fill(COMPOSER, 'for the boss only');
  await tab.press(COMPOSER, 'Enter');
  await tab.waitForSelector(byTestId('unsent-note'));
  const status = await page.evaluate(
    async ([url, key]) => {
      const headers = { 'content-type': 'application/json' };
      return (await fetch(url, { method: 'POST', headers, body: JSON.stringify({ key }) })).status;
    },
    [`${gateway.url}/api/v1/login`, ANNA] as const,
  );
  expect(status).toBe(200);
  isAway = false;
  await tab.click(`${byTestId('connection-banner')} button`);
  await tab.waitForSelector(`${turn('unsent')}:has-text("written under another login")`);
  await isEmpty(tab);
  expect(model.requests('for the boss only')).toEqual([]);
  await tab.click(byTestId('retry'));
  await tab.waitForSelector(turn('completed'));
  expect(model.requests('for the boss only')).toHaveLength(1);
});

it('refuses a login from a page of another origin', async () => {
  const site = await startSite({ '/page': response => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>evil') });
  try {
    const { page, context } = await open();
    await page.waitForSelector(CARD);
    const evil = await context.newPage();
    await evil.goto(site.url('/page'));
    for (const type of ['application/json', 'text/plain']) {
      const tried = await evil.evaluate(
        ([url, body, contentType]) =>
          fetch(url, {
            method: 'POST',
            mode: contentType === 'text/plain' ? 'no-cors' : 'cors',
            credentials: 'include',
            headers: { 'content-type': contentType },
            body,
          }).then(
            ({ ok }) => ok,
            () => false,
          ),
        [`${gateway.url}/api/v1/login`, JSON.stringify({ key: ANNA }), type] as const,
      );
      expect(tried).toBe(false);
    }
    expect(await context.cookies()).toEqual([]);
    await page.reload();
    await page.waitForSelector(CARD);
  } finally {
    await site.stop();
  }
});

it('offers what the key may do, and says what it may not', async () => {
  const { page, say } = await open();
  await logIn(page, BOSS);
  await isOnline(page);
  await say('make a job');
  await page.waitForSelector(`${approval('pending')} ${byTestId('approval-once')}`);
  const asAnna = await open({ locale: 'zh-CN' });
  await asAnna.page.goto(page.url());
  await logIn(asAnna.page, ANNA);
  await asAnna.page.waitForSelector(`${approval('pending')}:has-text("你不能决定这次调用")`);
  expect(await asAnna.page.isVisible(byTestId('approval-once'))).toBe(false);
  await page.click(byTestId('approval-once'));
  await asAnna.page.waitForSelector(turn('completed'));
  await asAnna.page.waitForSelector(`${approval('answered')} ${byTestId('approval-outcome')}:has-text("boss")`);

  await page.goto(`${gateway.url}/?view=skills`);
  await page.waitForSelector(byTestId('new-skill'));
  await asAnna.page.goto(`${gateway.url}/?view=skills`);
  await asAnna.page.waitForSelector('text=你不能更改技能');
  expect(await asAnna.page.isVisible(byTestId('new-skill'))).toBe(false);

  const asWatcher = await open();
  const polled: string[] = [];
  await logIn(asWatcher.page, WATCHER);
  await asWatcher.page.waitForSelector(`${byTestId('cannot-chat')}:has-text("You may not chat.")`);
  expect(await asWatcher.page.isEnabled(COMPOSER)).toBe(false);
  // A key that may not chat asks for no runs, and has a way to the operator pages.
  asWatcher.page.on('request', request => /\/(?:runs|approvals)\?/.test(request.url()) && polled.push(request.url()));
  await asWatcher.page.evaluate(() => dispatchEvent(new Event('focus')));
  expect(await asWatcher.page.getAttribute(byTestId('open-ops'), 'href')).toBe('/ops');
  expect(await asAnna.page.isVisible(byTestId('open-ops'))).toBe(false);
  await asWatcher.page.click(byTestId('open-memory'));
  await asWatcher.page.waitForSelector(`${byTestId('view-notice')}:has-text("needs the scope chat")`);
  expect(polled).toEqual([]);
});

it('says how long to wait after too many wrong keys, on a phone in Chinese', async () => {
  const limited = await startWithKeys();
  try {
    const { page } = await open({
      url: limited.url,
      viewport: { width: 390, height: 800 },
      isMobile: true,
      hasTouch: true,
      locale: 'zh-CN',
    });
    // The gateway counts wrong keys by address: 20 in a minute.
    for (let i = 0; i < 20; i++) {
      const body = JSON.stringify({ key: `wrong-key-0123456789-${i}` });
      await fetch(`${limited.url}/api/v1/login`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    }
    await logIn(page, 'wrong-key-0123456789-x');
    await page.waitForSelector(`${PROBLEM}:has-text("太多错误的密钥")`);
    expect(await page.textContent(byTestId('login-wait'))).toMatch(/请在 \d+ 秒后重试/);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
  } finally {
    await limited.stop();
  }
});

it('asks for nothing where there are no keys', async () => {
  const keyless = await startGateway();
  try {
    const { page, say, complaints } = await open({ url: keyless.url });
    await say('help');
    await page.waitForSelector(turn('completed'));
    expect(await page.isVisible(CARD)).toBe(false);
    expect(await page.isVisible(ACCOUNT)).toBe(false);
    expect(complaints).toEqual([]);
  } finally {
    await keyless.stop();
  }
});
