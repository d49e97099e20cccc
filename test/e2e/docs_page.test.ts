/** The API page in a real Chromium, served by the built gateway. */
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { launchBrowser } from '../support/browser';
import { type Gateway, startGateway } from '../support/gateway';
import { createRestClient } from '../support/rest_client';
import { keepPaths } from './short_document';

// Drawing all operations takes seconds on a busy machine.
jest.setTimeout(60_000);

const OPERATION = '.opblock';
const GUIDE = '[data-testid="guide"]';

describe('the API page', () => {
  let gateway: Gateway;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  /** Errors of the page and of its console, refusals by the content security policy too. */
  let complaints: string[];
  /** Addresses of other hosts that the page asked for. */
  let foreignRequests: string[];
  let paths: Record<string, Record<string, unknown>>;

  beforeAll(async () => {
    [gateway, browser] = await Promise.all([startGateway(), launchBrowser()]);
    const { body } = await createRestClient(gateway.url).request<{ paths: typeof paths }>('GET', '//openapi.json');
    paths = body.paths;
  });

  afterAll(async () => {
    await browser?.close();
    await gateway?.stop();
  });

  afterEach(async () => {
    await context?.close();
    expect(complaints).toEqual([]);
    expect(foreignRequests).toEqual([]);
  });

  /** `kept`: the only paths of the document that the page shows. Default: all. */
  async function open(path = '/docs', options: BrowserContextOptions = {}, kept: string[] = []): Promise<void> {
    context = await browser.newContext({ reducedMotion: 'reduce', ...options });
    context.setDefaultTimeout(20_000);
    if (kept.length > 0) await keepPaths(context, ...kept);
    page = await context.newPage();
    complaints = [];
    foreignRequests = [];
    page.on('pageerror', error => complaints.push(String(error)));
    page.on('console', entry => entry.type() === 'error' && complaints.push(entry.text()));
    page.on('request', request => /^https?:/.test(request.url()) && isForeign(request.url()) && foreignRequests.push(request.url()));
    await page.goto(gateway.url + path);
    await page.waitForSelector(`${OPERATION}, ${GUIDE} h1`);
  }

  const isForeign = (url: string) => new URL(url).origin !== gateway.url;
  const find = (method: string, path: string): Locator =>
    page.locator(`.opblock-${method}`).filter({ has: page.locator(`[data-path="${path}"]`) });
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const width = () => page.evaluate(() => document.documentElement.scrollWidth);

  // A view of all operations takes seconds to draw, so a test looks at several things in one.
  it('shows every operation of the document, the Socket.IO protocol and the guides in both languages, with links that stay on the page', async () => {
    await open();
    expect(new URL(page.url()).pathname).toBe('/docs');
    const shown = await page
      .locator(OPERATION)
      .evaluateAll(operations =>
        operations.map(
          operation =>
            operation.querySelector('.opblock-summary-method')?.textContent +
            String(operation.querySelector('[data-path]')?.getAttribute('data-path')),
        ),
      );
    const documented = Object.entries(paths).flatMap(([path, methods]) => Object.keys(methods).map(method => method.toUpperCase() + path));
    expect(shown.sort()).toEqual(documented.sort());
    const summaries = page.locator('.opblock-summary-description');
    expect((await summaries.allTextContents()).filter(text => /\p{Script=Han}/u.test(text))).toEqual([]);

    await page.click('.docs-tabs a:has-text("Socket.IO")');
    const guide = page.locator(GUIDE);
    await guide.locator('h1:has-text("Protocol")').waitFor();
    expect(await page.isVisible(OPERATION)).toBe(false);
    expect(await guide.textContent()).toContain('replay_reset');
    await guide.locator('a:has-text("errors")').first().click();
    await guide.locator('h1:has-text("Errors")').waitFor();
    expect(await page.locator('.guide-list a[aria-current="page"]').textContent()).toContain('error');
    await page.selectOption('[data-testid="language"]', 'zh-CN');
    await guide.locator('h1:has-text("错误")').waitFor();
    await page.click('.docs-tabs a:has-text("接口")');
    await page.locator('.opblock-summary-description:has-text("启动")').first().waitFor();
    expect((await summaries.allTextContents()).filter(text => !/\p{Script=Han}/u.test(text))).toEqual([]);
  });

  it('opens the operation that the address names, sends it to this gateway, and starts a run', async () => {
    await open('/docs#/tools/listTools');
    const operation = find('get', '/api/v1/tools');
    await page.waitForFunction(isUncovered, '#operations-tools-listTools .opblock-summary');
    await operation.locator('.try-out__btn').click();
    await operation.locator('.execute').click();
    const answer = operation.locator('.live-responses-table .response');
    await answer.waitFor();
    expect(await answer.locator('.response-col_status').textContent()).toContain('200');
    expect(await answer.locator('.response-col_description').textContent()).toContain('read_file');
    expect(await operation.locator('.curl').textContent()).toContain(`${gateway.url}/api/v1/tools`);

    const starting = find('post', '/api/v1/runs');
    await starting.locator('.opblock-summary-control').click();
    await starting.locator('.try-out__btn').click();
    await starting.locator('.body-param__text').fill(JSON.stringify({ input: 'What can you do?' }));
    await starting.locator('.execute').click();
    const result = starting.locator('.live-responses-table .response');
    await result.waitFor();
    expect(await result.textContent()).toContain('"status": "completed"');
  });

  it('is Chinese in a Chinese browser and dark on a dark system, and English or light when a person chooses that, also after a reload', async () => {
    await open('/docs', { locale: 'zh-CN', colorScheme: 'dark' }, ['/api/v1/runs', '/api/v1/tools']);
    const dark = await background();
    const ink = () =>
      page
        .locator('.opblock-summary-description')
        .first()
        .evaluate(text => getComputedStyle(text).color);
    const darkInk = await ink();
    await page.click('[data-testid="theme"]');
    expect(await background()).not.toBe(dark);
    expect(await ink()).not.toBe(darkInk);
    await page.click('[data-testid="theme"]');
    await page.emulateMedia({ colorScheme: 'light' });
    await page.reload();
    await page.waitForSelector(OPERATION);
    expect(await background()).toBe(dark);
    expect(await ink()).toBe(darkInk);

    expect(await page.getAttribute('html', 'lang')).toBe('zh-CN');
    const summaries = page.locator('.opblock-summary-description');
    expect((await summaries.allTextContents()).filter(text => !/\p{Script=Han}/u.test(text))).toEqual([]);
    await page.selectOption('[data-testid="language"]', 'en');
    await find('post', '/api/v1/runs').locator('.opblock-summary-description:has-text("Start a run")').waitFor();
    expect((await summaries.allTextContents()).filter(text => /\p{Script=Han}/u.test(text))).toEqual([]);
  });

  it('loads the viewer only when the API is shown', async () => {
    await open('/docs#guide:protocol');
    const loaded = await page.evaluate(() => performance.getEntriesByType('resource').map(entry => entry.name));
    expect(loaded.filter(name => name.includes('swagger'))).toEqual([]);
  });

  it('fits a phone', async () => {
    await open('/docs#/runs/startRun', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
    await find('post', '/api/v1/runs').locator('.try-out__btn').waitFor();
    expect(await width()).toBe(390);
    await page.tap('.docs-tabs a:has-text("Socket.IO")');
    await page.waitForSelector(`${GUIDE} h1`);
    expect(await width()).toBe(390);
  });
});

/** Runs in the page: whether the element is on the screen and the bar of the page does not cover it. */
function isUncovered(selector: string): boolean {
  const element = document.querySelector(selector);
  if (!element || scrollY === 0) return false;
  const { top, left } = element.getBoundingClientRect();
  return element.contains(document.elementFromPoint(left + 5, top + 5));
}
