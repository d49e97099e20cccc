/** The API page in a real Chromium, served by the built gateway. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { GUIDES } from '../../web/src/docs/guides';
import { type Gateway, startGateway } from '../support/gateway';
import { createRestClient } from '../support/rest_client';
import { type OpsBrowser, type OpsPage, PHONE, startOpsBrowser } from './ops_browser';

jest.setTimeout(60_000);

const DOCS = join(__dirname, '../../docs');
const OPERATION = '[data-testid="operation"]';
const SUMMARY = '.operation-summary';
const GUIDE = '[data-testid="guide"]';
const HAN = /\p{Script=Han}/u;

describe('the API page', () => {
  let gateway: Gateway;
  let browser: OpsBrowser;
  let opened: OpsPage;
  let page: Page;
  /** Addresses of other hosts that the page asked for. */
  let foreignRequests: string[];
  let paths: Record<string, Record<string, unknown>>;

  beforeAll(async () => {
    [gateway, browser] = await Promise.all([startGateway(), startOpsBrowser()]);
    const { body } = await createRestClient(gateway.url).request<{ paths: typeof paths }>('GET', '//openapi.json');
    paths = body.paths;
  });

  afterAll(async () => {
    await browser?.stop();
    await gateway?.stop();
  });

  afterEach(async () => {
    await browser.closePages();
    expect(opened.complaints).toEqual([]);
    expect(foreignRequests).toEqual([]);
  });

  async function open(path = '/docs', options: BrowserContextOptions = {}): Promise<void> {
    foreignRequests = [];
    opened = await browser.open('about:blank', options);
    page = opened.page;
    page.on('request', request => /^https?:/.test(request.url()) && isForeign(request.url()) && foreignRequests.push(request.url()));
    await page.goto(gateway.url + path);
    await page.waitForSelector(`${OPERATION}, ${GUIDE} h1`);
  }

  const isForeign = (url: string) => new URL(url).origin !== gateway.url;
  const find = (operation: string): Locator => page.locator(`[data-operation="${operation}"]`);
  const textsOf = (selector: string) => page.locator(selector).allTextContents();
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);

  it('shows every operation of the document, the Socket.IO protocol and the guides in both languages, with links that stay on the page', async () => {
    await open();
    expect(new URL(page.url()).pathname).toBe('/docs');
    const documented = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map(method => `${method.toUpperCase()} ${path}`),
    );
    // The groups are drawn one after the other.
    await page
      .locator(OPERATION)
      .nth(documented.length - 1)
      .waitFor();
    const shown = await page.locator(OPERATION).evaluateAll(operations => operations.map(({ dataset }) => dataset['operation'] ?? ''));
    expect(shown.sort()).toEqual(documented.sort());
    expect((await textsOf(SUMMARY)).filter(text => HAN.test(text))).toEqual([]);

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
    await page.locator(`${SUMMARY}:has-text("启动")`).first().waitFor();
    await page
      .locator(OPERATION)
      .nth(documented.length - 1)
      .waitFor();
    expect((await textsOf(SUMMARY)).filter(text => !HAN.test(text))).toEqual([]);
  });

  it('opens the operation that the address names, sends it to this gateway, and starts a run', async () => {
    await open('/docs#/tools/listTools');
    const operation = find('GET /api/v1/tools');
    await operation.locator('[data-testid="send-request"]').waitFor();
    await page.waitForFunction(isUncovered, '[data-operation="GET /api/v1/tools"] h3');
    await operation.locator('[data-testid="send-request"]').click();
    const answer = operation.locator('[data-testid="api-answer"]');
    await answer.locator(':text("read_file")').waitFor();
    expect(await answer.textContent()).toContain('200');
    const example = operation.locator('[data-testid="api-example"] pre');
    expect(await example.textContent()).toContain(`curl '${gateway.url}/api/v1/tools'`);
    await operation.locator('button:has-text("Python")').click();
    expect(await example.textContent()).toContain(`requests.request(\n    "GET",\n    "${gateway.url}/api/v1/tools"`);

    const starting = find('POST /api/v1/runs');
    await starting.locator('h3 button').click();
    await starting.locator('[data-testid="request-body"]').fill(JSON.stringify({ input: 'What can you do?' }));
    await starting.locator('button:has-text("TypeScript")').click();
    expect(await starting.locator('[data-testid="api-example"] pre').textContent()).toContain('"input": "What can you do?"');
    await page.fill('[data-testid="api-password"]', 'key-of-a-person');
    const sending = page.waitForRequest(`${gateway.url}/api/v1/runs`);
    await starting.locator('[data-testid="send-request"]').click();
    expect((await sending).headers()['authorization']).toBe('Bearer key-of-a-person');
    await starting.locator('[data-testid="api-answer"] :text("completed")').waitFor();
    expect(await starting.locator('.fields code:text-is("sessionId")').count()).toBeGreaterThan(0);
  });

  it('finds operations and all guides by words, and names this gateway in the examples of the guides', async () => {
    const written = [...readdirSync(join(DOCS, 'guides')).map(file => `guides/${file}`)].filter(file => !file.endsWith('.zh-CN.md'));
    expect(written.filter(file => !GUIDES.some(({ name }) => `${name}.md` === file))).toEqual([]);
    await open();
    await page.fill('[data-testid="api-search"]', 'webhook deliveries');
    const hits = page.locator('[data-testid="guide-hits"]');
    await hits.locator('a:has-text("Webhooks")').waitFor();
    const shown = await page.locator(OPERATION).evaluateAll(operations => operations.map(({ dataset }) => dataset['operation']));
    expect(shown).toContain('GET /api/v1/webhooks/{id}/deliveries');
    expect(shown).not.toContain('GET /api/v1/tools');
    await page.fill('[data-testid="api-search"]', 'idempotency');
    await hits.locator('a:has-text("Call the API")').click();
    const guide = page.locator(GUIDE);
    await guide.locator('h1:has-text("Call the agent")').waitFor();
    expect(await guide.textContent()).toContain(`${gateway.url}/api/v1`);
    expect(await guide.textContent()).not.toContain(':7001');
  });

  it('is Chinese in a Chinese browser and dark on a dark system, and English or light when a person chooses that, also after a reload', async () => {
    await open('/docs', { locale: 'zh-CN', colorScheme: 'dark' });
    const dark = await background();
    const ink = () =>
      page
        .locator(SUMMARY)
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
    await find('GET /api/v1/runs').locator('h3 button').click();
    const words = await textsOf(
      ':is(.operation-details h4, .api-side span, .operation-summary, .request-buttons button, .field-required, h1)',
    );
    expect(words.length).toBeGreaterThan(100);
    expect(words.filter(text => !HAN.test(text))).toEqual([]);
    await page.selectOption('[data-testid="language"]', 'en');
    await find('POST /api/v1/runs').locator(`${SUMMARY}:has-text("Start a run")`).waitFor();
    expect((await textsOf(SUMMARY)).filter(text => HAN.test(text))).toEqual([]);
  });

  it.each(['light', 'dark'] as const)(
    'has no barrier in the %s theme, with an open operation, a schema and an answer',
    async colorScheme => {
      await open('/docs#/runs/listRuns', { colorScheme });
      await page.locator('[data-testid="send-request"]').click();
      await page.waitForSelector('[data-testid="api-answer"]');
      await find('GET /api/v1/runs').locator('.inner summary').first().click();
      await page.locator('.named-schema summary').first().click();
      expect(await opened.findBarriers()).toEqual([]);
      await page.click('.docs-tabs a:has-text("Guides")');
      await page.waitForSelector(`${GUIDE} h1`);
      expect(await opened.findBarriers()).toEqual([]);
    },
  );

  it('fits a phone, and loads at most 42 kB of scripts', async () => {
    await open('/docs#/runs/startRun', PHONE);
    await find('POST /api/v1/runs').locator('[data-testid="request-body"]').waitFor();
    expect(await opened.width()).toBe(390);
    const bytes = await page.evaluate(() =>
      (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
        .filter(({ name }) => name.endsWith('.js'))
        .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
    );
    expect(bytes).toBeGreaterThan(5_000);
    expect(bytes).toBeLessThanOrEqual(42_000);
    await page.tap('.docs-tabs a:has-text("Socket.IO")');
    await page.waitForSelector(`${GUIDE} h1`);
    expect(await opened.width()).toBe(390);
  });
});

/** Runs in the page: whether the element is on the screen and the bar of the page does not cover it. */
function isUncovered(selector: string): boolean {
  const element = document.querySelector(selector);
  if (!element || scrollY === 0) return false;
  const { top, left } = element.getBoundingClientRect();
  return element.contains(document.elementFromPoint(left + 5, top + 5));
}
