/** The API page in a real Chromium, served by the built gateway. */
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { launchBrowser } from '../support/browser';
import { type Gateway, startGateway } from '../support/gateway';
import { createRestClient } from '../support/rest_client';

const OPERATION = '[data-testid="operation"]';

describe('the API page', () => {
  let gateway: Gateway;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let complaints: string[];
  let paths: Record<string, Record<string, unknown>>;

  beforeAll(async () => {
    [gateway, browser] = await Promise.all([startGateway(), launchBrowser()]);
    const { body } = await createRestClient(gateway.url).request<{ paths: typeof paths }>('GET', '//openapi.json');
    paths = body.paths;
  }, 60_000);

  afterAll(async () => {
    await browser?.close();
    await gateway?.stop();
  });

  afterEach(async () => {
    await context?.close();
  });

  /** Everything the browser complains about is collected, refusals by the content security policy too. */
  async function open(path = '/docs', options: BrowserContextOptions = {}): Promise<Page> {
    context = await browser.newContext({ reducedMotion: 'reduce', permissions: ['clipboard-read', 'clipboard-write'], ...options });
    context.setDefaultTimeout(10_000);
    page = await context.newPage();
    complaints = [];
    page.on('pageerror', error => complaints.push(String(error)));
    page.on('console', entry => entry.type() === 'error' && complaints.push(entry.text()));
    await page.goto(gateway.url + path);
    await page.waitForSelector(`${OPERATION}, [data-testid="guide"]`);
    return page;
  }

  it('shows every operation of the document with its method and path, and the whole error table', async () => {
    await open();
    expect(new URL(page.url()).pathname).toBe('/docs.html');
    const shown = await page.locator('.operation-address').allTextContents();
    const documented = Object.entries(paths).flatMap(([path, methods]) => Object.keys(methods).map(method => method.toUpperCase() + path));
    expect(shown.sort()).toEqual(documented.sort());
    expect(await page.locator('[data-testid="errors"] tbody tr').count()).toBeGreaterThan(20);
    expect(complaints).toEqual([]);
  });

  it('shows the fields of a body with type, limits and default', async () => {
    await open();
    const rows = (await page.locator('#post-api-v1-runs > table').last().locator('tr').allTextContents()).map(row =>
      row.replaceAll('\n', ' '),
    );
    expect(rows).toContainEqual(expect.stringMatching(/^inputrequired.*string.*1 to 200,000 characters/));
    expect(rows).toContainEqual(expect.stringMatching(/^onBusy.*"enqueue" \| "reject" \| "interrupt".*default "enqueue"/));
    expect(rows).toContainEqual(expect.stringMatching(/^timeoutMs.*integer.*1,000 to 86,400,000/));
  });

  it('shows the range and the default of an integer in a query', async () => {
    await open();
    const rows = await page.locator('#get-api-v1-runs-id-events > table').first().locator('tr').allTextContents();
    expect(rows).toContainEqual(expect.stringMatching(/^limitquery\s*integer.*1 to 1,000 · default 500/));
  });

  it('shows for the events of a run the data of each type, and the errors of an operation by their code', async () => {
    await open();
    const events = page.locator('#get-api-v1-runs-id-events');
    expect(await events.textContent()).toContain('events_expired');
    const rows = await events.locator('.answer tr').allTextContents();
    expect(rows).toContainEqual(expect.stringMatching(/^run_end\s*RunEndEvent/));
    expect(rows).toContainEqual(expect.stringMatching(/^durationMs\s*number/));
  });

  it('gives a command to copy that names this gateway', async () => {
    await open();
    const example = page.locator('#post-api-v1-runs [data-testid="example"]').first();
    await example.locator('button').click();
    await example.locator('button[aria-label="Copied"]').waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toBe(
      `curl "${gateway.url}/api/v1/runs" \\\n  -H 'content-type: application/json' \\\n  -d '${JSON.stringify({ input: 'list the files' })}'`,
    );
    expect(complaints).toEqual([]);
  });

  it('opens at the operation that the address names', async () => {
    await open('/docs#post-api-v1-runs-id-cancel');
    await page.waitForSelector('#post-api-v1-runs-id-cancel.current');
    const top = await page.evaluate(() => document.getElementById('post-api-v1-runs-id-cancel')?.getBoundingClientRect().top ?? -1);
    expect(top).toBeGreaterThanOrEqual(0);
    expect(top).toBeLessThan(200);
    await page.click('.docs-navigation a[href="#get-api-v1-tools"]');
    await page.waitForSelector('#get-api-v1-tools.current');
  });

  it('is Chinese for a Chinese browser, English when that is chosen, and keeps the chosen theme', async () => {
    await open('/docs', { locale: 'zh-CN', colorScheme: 'light' });
    expect(await page.getAttribute('html', 'lang')).toBe('zh-CN');
    const titles = await page.locator(`${OPERATION} h3`).allTextContents();
    expect(titles.filter(title => !/\p{Script=Han}/u.test(title))).toEqual([]);
    expect(await page.textContent('#post-api-v1-runs')).toContain('发给智能体的消息');
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await ground();
    await page.click('[data-testid="theme"]');
    await page.click('[data-testid="theme"]');
    expect(await ground()).not.toBe(light);
    await page.reload();
    await page.waitForSelector(OPERATION);
    expect(await ground()).not.toBe(light);
    await page.selectOption('[data-testid="language"]', 'en');
    await page.waitForSelector('#post-api-v1-runs h3:has-text("Start a run")');
    const meanings = await page.locator('.docs-main').textContent();
    expect(meanings).not.toMatch(/\p{Script=Han}/u);
  });

  it('shows the Socket.IO protocol and the guides in both languages, with links that stay on the page', async () => {
    await open('/docs#guide:protocol');
    const guide = page.locator('[data-testid="guide"]');
    await guide.locator('h1:has-text("Protocol")').waitFor();
    expect(await guide.textContent()).toContain('replay_reset');
    await guide.locator('a:has-text("errors")').first().click();
    await guide.locator('h1:has-text("Errors")').waitFor();
    expect(await page.locator('.docs-navigation a[aria-current="page"]').textContent()).toContain('error');
    await page.selectOption('[data-testid="language"]', 'zh-CN');
    await guide.locator('h1:has-text("错误")').waitFor();
    await page.click('.docs-navigation a[href="#get-api-v1-tools"]');
    await page.waitForSelector('#get-api-v1-tools.current');
    expect(complaints).toEqual([]);
  });

  it('fits a phone: nothing sticks out, the contents come as a box', async () => {
    await open('/docs', { viewport: { width: 360, height: 700 }, hasTouch: true, isMobile: true });
    await page.evaluate(() => {
      document.querySelectorAll('details').forEach(answer => {
        answer.open = true;
      });
    });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
    expect(await page.isVisible('.docs-navigation')).toBe(false);
    await page.tap('.docs-contents a[href="#errors"]');
    await page.waitForFunction(() => location.hash === '#errors' && scrollY > 1_000);
    await page.goto(`${gateway.url}/docs#guide:protocol`);
    await page.waitForSelector('[data-testid="guide"] h1');
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  });
});
