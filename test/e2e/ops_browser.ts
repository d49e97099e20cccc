/** Opens the operator pages in a real Chromium and checks them with axe. */
import { readFileSync } from 'node:fs';
import type { AxeResults } from 'axe-core';
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { launchBrowser } from '../support/browser';

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

export interface OpsPage {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Errors of the page and of its console, such as refusals by the content security policy. */
  readonly complaints: string[];
  /** Opens a place below /ops without loading the page again. */
  go(screen: string): Promise<void>;
  /** Returns what axe finds on the page as it is now: "rule: selector". `rule`: looks for this rule alone. */
  findBarriers(rule?: string): Promise<string[]>;
  /** Returns the figures of the page that neither lead to what they count nor say why they lead nowhere. */
  findBareFigures(): Promise<string[]>;
  /** Width of the page in CSS pixels. */
  width(): Promise<number>;
}

export interface OpsBrowser {
  open(url: string, options?: BrowserContextOptions): Promise<OpsPage>;
  closePages(): Promise<void>;
  stop(): Promise<void>;
}

export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

export async function startOpsBrowser(): Promise<OpsBrowser> {
  const browser = await launchBrowser();
  const contexts: BrowserContext[] = [];
  return {
    async open(url, options = {}) {
      const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
      contexts.push(context);
      context.setDefaultTimeout(15_000);
      const page = await context.newPage();
      const complaints: string[] = [];
      page.on('pageerror', error => complaints.push(String(error)));
      page.on('console', entry => entry.type() === 'error' && complaints.push(entry.text()));
      await page.goto(url);
      return {
        page,
        context,
        complaints,
        async go(screen) {
          await page.click(`[data-testid="go-${screen}"]`);
          await page.waitForSelector(`[data-testid="screen-${screen}"]`);
        },
        findBarriers: rule => findBarriers(page, rule),
        findBareFigures: () => page.evaluate(findBareFigures),
        width: () => page.evaluate(() => document.documentElement.scrollWidth),
      };
    },
    async closePages() {
      await Promise.all(contexts.splice(0).map(context => context.close()));
    },
    stop: () => browser.close(),
  };
}

/** Returns what axe finds on the page as it is now. The content security policy refuses a script element; an evaluated script does not go through it. */
export async function findBarriers(page: Page, rule?: string): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(AXE);
  const options = rule === undefined ? {} : { runOnly: [rule] };
  const { violations } = await page.evaluate(
    given => (globalThis as unknown as { axe: { run(options: object): Promise<AxeResults> } }).axe.run(given),
    options,
  );
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
}

/** Runs in the page. A figure is a text that is nothing but a number with its unit. */
function findBareFigures(): string[] {
  const figure = /^[$]?\d[\d.,]*[KMGB]?( ?(%|ms|s|min|kB|MB|GB|byte))?( \/ .*| \(.*\))?$/;
  const texts = document.createTreeWalker(document.querySelector('main') ?? document.body, NodeFilter.SHOW_TEXT);
  const bare: string[] = [];
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const text = node.textContent?.trim() ?? '';
    if (
      figure.test(text) &&
      !node.parentElement?.closest('a, button, code, pre, time, select, summary, .chart, .waterfall-axis, [data-why]')
    )
      bare.push(text);
  }
  return bare;
}
