/** Opens the chat page in a real Chromium, as a new person each time, and collects the errors of the browser. */
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { launchBrowser } from '../support/browser';

export const byTestId = (id: string, state = ''): string => `[data-testid="${id}"]${state}`;
export const turn = (state: string): string => byTestId('turn', `[data-state="${state}"]`);
export const question = (status: string): string => byTestId('clarify-card', `[data-status="${status}"]`);
export const approval = (status: string): string => byTestId('approval-card', `[data-status="${status}"]`);
export const COMPOSER = byTestId('composer');

export interface OpenPage {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Errors of the page and of its console. */
  readonly complaints: string[];
  /** Sends a message. */
  say(text: string): Promise<void>;
  /** Returns the id of the element with the focus, else its test id, else its tag. */
  focused(): Promise<string>;
  /** Resolves when the focus is on the element that `focused` would name `id`. A page moves the focus after it has shown the change. */
  focusReaches(id: string): Promise<void>;
}

export interface ChatBrowser {
  open(options: BrowserContextOptions & { url: string }): Promise<OpenPage>;
  /** Closes the pages; the browser stays. */
  closePages(): Promise<void>;
  stop(): Promise<void>;
}

export async function startChatBrowser(): Promise<ChatBrowser> {
  const browser: Browser = await launchBrowser();
  const contexts: BrowserContext[] = [];
  return {
    async open({ url, ...options }) {
      const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
      contexts.push(context);
      context.setDefaultTimeout(10_000);
      const page = await context.newPage();
      const complaints: string[] = [];
      page.on('pageerror', error => complaints.push(String(error)));
      page.on('console', entry => entry.type() === 'error' && complaints.push(entry.text()));
      await page.goto(url);
      // The composer stands behind an open view.
      await page.waitForSelector(COMPOSER, { state: 'attached' });
      return {
        page,
        context,
        complaints,
        async say(text) {
          await page.fill(COMPOSER, text);
          await page.press(COMPOSER, 'Enter');
        },
        focused: () => page.evaluate(nameFocus),
        focusReaches: async id => void (await page.waitForFunction(hasFocus, id)),
      };
    },
    async closePages() {
      await Promise.all(contexts.splice(0).map(context => context.close()));
    },
    stop: () => browser.close(),
  };
}

/** Counts the rows that the browser keeps in a table; without the database there are none. Needs the page of a gateway. */
export const countRows = (page: Page, database: string, table: string): Promise<number> =>
  page.evaluate(countIn, [database, table] as const);

async function countIn([database, table]: readonly [string, string]): Promise<number> {
  // Opening would create the database.
  if (!(await indexedDB.databases()).some(({ name }) => name === database)) return 0;
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(database);
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const { result } = opening;
      const counting = result.transaction(table).objectStore(table).count();
      counting.onsuccess = () => {
        result.close();
        resolve(counting.result);
      };
    };
  });
}

function nameFocus(): string {
  const element = document.activeElement;
  if (!(element instanceof HTMLElement)) return '';
  return element.id || (element.dataset['testid'] ?? element.tagName);
}

/** A function, not a text: the page forbids the evaluation of text, which each look after the first would need. */
function hasFocus(id: string): boolean {
  const element = document.activeElement;
  return element instanceof HTMLElement && (element.id || (element.dataset['testid'] ?? element.tagName)) === id;
}
