/** The pages in a real Chromium, behind a reverse proxy that shows the gateway below a path. */
import { type Gateway, startGateway } from '../support/gateway';
import { type ReverseProxy, startReverseProxy } from '../support/reverse_proxy';
import { until } from '../support/until';
import { byTestId, type ChatBrowser, COMPOSER, startChatBrowser, turn } from './chat_browser';

const BOSS = 'boss-secret-0123456789';
const PATH = '/team/agent';

let plain: Gateway;
let configured: Gateway;
let browser: ChatBrowser;
let proxy: ReverseProxy;

beforeAll(async () => {
  const keys = { NETA_API_KEYS: `boss:${BOSS}::admin+chat+ops:read`, NETA_ORIGINS: 'http://127.0.0.1:1' };
  [plain, configured, browser] = await Promise.all([
    startGateway(),
    startGateway({ env: { ...keys, NETA_BASE_PATH: PATH } }),
    startChatBrowser(),
  ]);
});
afterEach(async () => {
  await browser.closePages();
  await proxy?.stop();
});
afterAll(async () => {
  await browser?.stop();
  await Promise.all([plain?.stop(), configured?.stop()]);
});

it.each<[string, { strips: boolean; upgrades?: boolean }, () => Gateway]>([
  ['removes the path, without a setting', { strips: true }, () => plain],
  ['removes the path and refuses WebSocket connections', { strips: true, upgrades: false }, () => plain],
  ['removes the path, with the setting and keys', { strips: true }, () => configured],
  ['passes the path on, with the setting and keys', { strips: false }, () => configured],
])(
  'chat, docs and operator pages work, and the chat can be installed, when the proxy %s',
  async (_, how, gateway) => {
    proxy = await startReverseProxy({ target: gateway().url, path: PATH, ...how });
    const { page, context, complaints } = await browser.open({ url: `${proxy.url}/` });
    context.setDefaultTimeout(30_000);
    if (gateway() === configured) {
      await page.fill(byTestId('login-key'), BOSS);
      await page.press(byTestId('login-key'), 'Enter');
      await page.waitForSelector(byTestId('login-card'), { state: 'detached' });
      expect((await context.cookies()).map(cookie => cookie.path)).toEqual([PATH]);
      complaints.length = 0;
    }
    await page.fill(COMPOSER, 'What can you do?');
    await page.press(COMPOSER, 'Enter');
    await page.waitForSelector(turn('completed'));
    expect(page.url()).toContain(`${proxy.url}/?session=`);
    await page.reload();
    await page.waitForSelector(turn('completed'));

    const devTools = await context.newCDPSession(page);
    expect(await devTools.send('Page.getAppManifest')).toMatchObject({ url: `${proxy.url}/manifest.webmanifest`, errors: [] });
    expect(await devTools.send('Page.getInstallabilityErrors')).toEqual({ installabilityErrors: [] });

    await page.goto(`${proxy.url}/ops/runs`);
    await page.waitForSelector(`${byTestId('screen-runs')} a[href^="${PATH}/ops/runs/"]`);
    await page.click(`${byTestId('screen-runs')} a[href^="${PATH}/ops/runs/"]`);
    await page.waitForURL(`${proxy.url}/ops/runs/*`);
    await page.reload();
    await page.waitForSelector(byTestId('waterfall'));

    await page.goto(`${proxy.url}/docs`);
    const operation = page.locator('[data-operation="GET /api/v1/info"]');
    await operation.locator('h3 button').click();
    await operation.locator(byTestId('send-request')).click();
    expect(await operation.locator(byTestId('api-answer')).textContent()).toContain('200');
    expect(await operation.locator(byTestId('api-example')).textContent()).toContain(`${proxy.url}/api/v1/info`);
    await page.click(`a[href="${PATH}/"]`);
    await page.waitForSelector(COMPOSER);
    // A browser names each WebSocket connection that the proxy refuses; the page then uses the polling transport.
    const unexpected = complaints.filter(complaint => how.upgrades !== false || !complaint.includes('WebSocket'));
    expect(unexpected).toEqual([]);
  },
  90_000,
);

it('opens without the gateway; a new build takes over at the next load, and open tabs keep the files of the old one', async () => {
  let isRolledOut = false;
  let version = '';
  let program = '';
  // The second build has another version, and another name for the program of the page.
  const change = (text: string) => text.replaceAll(version, 'secondversion000').replaceAll(program, 'index-second00.js');
  const edit = (url: string) => {
    if (!isRolledOut) return {};
    if (url === '/' || url === '/service_worker.js') return { change };
    if (url === '/assets/index-second00.js') return { url: `/assets/${program}` };
    return url === `/assets/${program}` ? { url: '/assets/nothing.js' } : {};
  };
  proxy = await startReverseProxy({ target: plain.url, path: PATH, strips: true, edit });
  const { page, context } = await browser.open({ url: `${proxy.url}/` });
  // An unsent text belongs to this gateway, not to another one of the same origin.
  await page.evaluate(() => sessionStorage.setItem('neta.draft.new', JSON.stringify({ text: 'for another gateway' })));
  await page.reload();
  await page.waitForSelector(COMPOSER);
  expect(await page.inputValue(COMPOSER)).toBe('');
  await page.fill(COMPOSER, 'for this one');
  await until(
    () => page.evaluate(() => Object.keys(sessionStorage)),
    keys => keys.includes(`neta.draft.new ${PATH}/`),
  );
  const readVersion = () => page.getAttribute('meta[name="version"]', 'content');
  version = (await readVersion()) ?? '';
  program = (await page.getAttribute('script[type="module"]', 'src'))?.split('/').at(-1) ?? '';
  const isKept = (...versions: string[]) =>
    until(
      async () =>
        (await page.evaluate(() => caches.keys()))
          .map(name => name.split(' ').at(-1))
          .sort()
          .join() === versions.sort().join(),
    );
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await isKept(version);
  const old = await context.newPage();
  await old.goto(`${proxy.url}/`);
  await old.waitForSelector(COMPOSER);

  proxy.setAway(true);
  await page.reload();
  await page.waitForSelector(COMPOSER);
  expect(await readVersion()).toBe(version);

  proxy.setAway(false);
  isRolledOut = true;
  await page.reload();
  await page.waitForSelector(COMPOSER);
  expect(await readVersion()).toBe('secondversion000');
  await isKept(version, 'secondversion000');
  // The cache of the new build is there before its files are. Old files go at the first load behind the end of its installation.
  await until(() =>
    page.evaluate(async () => {
      const registration = await navigator.serviceWorker.getRegistration();
      return registration?.active?.state === 'activated' && !registration.installing && !registration.waiting;
    }),
  );
  expect(await old.evaluate(async address => (await fetch(address)).status, `${proxy.url}/assets/${program}`)).toBe(200);

  await old.close();
  // The browser frees the lock of a closed tab a moment later.
  await until(
    () => page.evaluate(async () => (await navigator.locks.query()).held?.map(({ name }) => name)),
    held => !held?.includes(`neta.version ${version} ${PATH}/`),
  );
  await page.reload();
  await isKept('secondversion000');
  proxy.setAway(true);
  await page.reload();
  await page.waitForSelector(COMPOSER);
  expect(await readVersion()).toBe('secondversion000');
}, 60_000);
