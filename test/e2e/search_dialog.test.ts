/** The search dialog in a real Chromium: keyboard and mouse, answers in the wrong order, a message far up, a phone. */

import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { ChatMessage } from '../../src/port/llm';
import { type AgentBench, startBench } from '../support/agent_bench';
import { fillLongChat, LONG_CHAT } from '../support/long_chat';
import { byTestId, type ChatBrowser, startChatBrowser, turn } from './chat_browser';
import { findBarriers } from './ops_browser';

const RUNS = 230;
const DIALOG = byTestId('search-dialog');
const FIELD = byTestId('search-field');
const MESSAGE = byTestId('search-message');
const SESSION = byTestId('search-session');

let bench: AgentBench;
let browser: ChatBrowser;
let harbour: { sessionId: string; runId: string };

beforeAll(async () => {
  [bench, browser] = await Promise.all([startBench(), startChatBrowser()]);
  bench.model.onTurn('harbour', 'First, call ahead.\n\nThe **harbour** opens at nine; bring the zucchini papers.\n\nLast, take a coat.');
  bench.model.onTurn('天气', '上海明天有雨。');
  bench.model.onTurn('wait for it', { text: 'A slow answer.', chunkSize: 4, pauseAfter: 1 });
  bench.model.onTurn(/./, 'Fine.');
  harbour = (await bench.rest.run({ input: 'Plan the harbour visit' })).body;
  await bench.rest.run({ input: '请问上海的天气怎么样？' });
  await fillLongChat({ path: join(bench.gateway.dataDir, 'neta.db'), turns: RUNS, messagesOf: textsOf });
});

afterAll(async () => {
  await browser?.stop();
  await bench?.stop();
});
afterEach(() => browser.closePages());

const textsOf = (ordinal: number): ChatMessage[] => [
  { role: 'user', content: `question ${ordinal}.` },
  { role: 'assistant', content: ordinal === 7 ? 'The needle is in this answer.' : `answer ${ordinal}.` },
];

const open = (options = {}) => browser.open({ url: bench.gateway.url, ...options });
const isOnScreen = (page: Page, selector: string) =>
  page.evaluate(at => {
    const box = document.querySelector(at)?.getBoundingClientRect();
    return box !== undefined && box.top >= 0 && box.bottom <= innerHeight;
  }, selector);

it('finds chats and messages, and opens a message from the keyboard', async () => {
  const { page, focusReaches, complaints } = await open();
  await page.keyboard.press('Control+k');
  await page.waitForSelector(DIALOG);
  await focusReaches('search-field');
  // Without a query it offers the newest chats.
  await page.waitForSelector(`${SESSION} >> text=A long talk`);
  await page.keyboard.type('HARBOUR');
  await page.waitForSelector(MESSAGE);
  expect(await page.locator(byTestId('search-group')).allTextContents()).toEqual(['Chats', 'Messages']);
  expect(await findBarriers(page)).toEqual([]);
  expect(await page.locator(SESSION).allTextContents()).toEqual([expect.stringContaining('Plan the harbour visit')]);
  expect(await page.locator(`${MESSAGE} mark`).allTextContents()).toEqual(['harbour', 'harbour']);

  await page.fill(FIELD, 'zucchini');
  await page.waitForSelector(`${MESSAGE}:has(mark:text("zucchini"))`);
  expect(await page.getAttribute(MESSAGE, 'aria-selected')).toBe('true');
  await page.keyboard.press('Enter');
  await page.waitForSelector(DIALOG, { state: 'detached' });
  const found = await page.waitForSelector('.found');
  expect(await found.textContent()).toBe('The harbour opens at nine; bring the zucchini papers.');
  expect(new URL(page.url()).searchParams.get('session')).toBe(harbour.sessionId);
  await focusReaches('composer');
  await page.waitForSelector('.found', { state: 'detached' });
  expect(complaints).toEqual([]);
});

it('narrows the search by agent, project, days and archive', async () => {
  await bench.rest.request('PATCH', `/sessions/${harbour.sessionId}`, { project: 'Coast' });
  const { page, complaints } = await open();
  await page.keyboard.press('Control+k');
  await page.fill(FIELD, 'harbour');
  await page.waitForSelector(MESSAGE);
  await page.click(byTestId('search-filter'));
  const none = () => page.waitForSelector(MESSAGE, { state: 'detached' });
  await page.selectOption(byTestId('filter-project'), 'Coast');
  await page.waitForSelector(`${SESSION}:has-text("Plan the harbour visit")`);
  await page.selectOption(byTestId('filter-archived'), 'true');
  await none();
  await page.selectOption(byTestId('filter-archived'), 'false');
  await page.waitForSelector(MESSAGE);
  await page.fill(byTestId('filter-to'), '2020-01-01');
  await page.press(byTestId('filter-to'), 'Tab');
  await none();
  expect(await findBarriers(page)).toEqual([]);
  await page.click(byTestId('search-filter'));
  await page.waitForSelector(MESSAGE);
  expect(complaints).toEqual([]);
});

it('moves with the arrow keys over both groups, and Escape returns the focus and stops nothing', async () => {
  const { page, say, focusReaches } = await open();
  await say('wait for it');
  await page.waitForSelector(turn('running'));
  await page.click(byTestId('open-search'));
  await page.waitForSelector(FIELD);
  await page.fill(FIELD, 'harbour');
  await page.waitForSelector(MESSAGE);
  const active = () => page.getAttribute('.search-row.active', 'data-testid');
  const seen = [await active()];
  for (const key of ['ArrowDown', 'ArrowUp', 'ArrowUp']) {
    await page.keyboard.press(key);
    seen.push(await active());
  }
  expect(seen).toEqual(['search-session', 'search-message', 'search-session', 'search-message']);
  await page.keyboard.press('Escape');
  await page.waitForSelector(DIALOG, { state: 'detached' });
  await focusReaches('open-search');
  expect(await page.isVisible(turn('running'))).toBe(true);
  bench.model.resume();
  await page.waitForSelector(turn('completed'));
});

it('runs actions by name, shows the shortcuts, and puts the hits of a chat together', async () => {
  const { page, complaints, focusReaches } = await open();
  await page.keyboard.press('Control+k');
  await page.fill(FIELD, 'dark');
  await page.waitForSelector(`${byTestId('search-action')} >> text=Theme: dark`);
  await page.keyboard.press('Enter');
  await page.waitForSelector(DIALOG, { state: 'detached' });
  expect(await page.getAttribute('html', 'data-theme')).toBe('dark');
  await page.keyboard.press('Control+k');
  await page.fill(FIELD, 'harbour');
  await page.waitForSelector(MESSAGE);
  expect(await page.locator(`${MESSAGE} .search-row-chat:not(.visually-hidden)`).count()).toBe(1);
  expect(await findBarriers(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.focus(byTestId('new-chat'));
  await page.keyboard.press('?');
  await page.waitForSelector(byTestId('shortcut-sheet'));
  expect(await findBarriers(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.waitForSelector(byTestId('shortcut-sheet'), { state: 'detached' });
  await focusReaches('new-chat');
  await page.goto(`${bench.gateway.url}/?session=${harbour.sessionId}`);
  await page.waitForSelector(turn('completed'));
  await page.focus('#composer');
  await page.keyboard.press('ArrowUp');
  await focusReaches('edited-message');
  expect(await page.inputValue(byTestId('edited-message'))).toBe('Plan the harbour visit');
  expect(complaints).toEqual([]);
});

it('loads earlier messages until the hit is there, and scrolls to it', async () => {
  const { page } = await open();
  await page.keyboard.press('Control+k');
  await page.fill(FIELD, 'needle');
  await page.click(MESSAGE);
  await page.waitForSelector('.found:has-text("The needle is in this answer.")');
  await page.waitForFunction(() => {
    const box = document.querySelector('.found')?.getBoundingClientRect();
    return box !== undefined && box.top >= 0 && box.bottom <= innerHeight;
  });
  // The same message once more, from the end of the same chat.
  await page.click(byTestId('jump-to-latest'));
  await page.keyboard.press('Control+k');
  await page.fill(FIELD, 'needle');
  await page.click(MESSAGE);
  await page.waitForSelector('.found');
  expect(await isOnScreen(page, '.found')).toBe(true);
});

it('opens a hit in its own tab by its address', async () => {
  const { page } = await open({ url: `${bench.gateway.url}/?session=${LONG_CHAT}&run=run_120` });
  await page.waitForSelector('.found:has-text("question 120.")');
  await page.click(byTestId('new-chat'));
  expect(new URL(page.url()).search).toBe('');
});

it('shows the newest answer when an older one arrives later', async () => {
  const { page } = await open();
  let release = () => {};
  const isReleased = new Promise<void>(resolve => {
    release = resolve;
  });
  const late = page.waitForResponse(response => response.url().includes('q=harbour') && response.url().includes('/search'));
  await page.route('**/api/v1/search?q=harbour*', async route => {
    await isReleased;
    await route.continue();
  });
  const asked = page.waitForRequest('**/api/v1/search?q=harbour*');
  await page.keyboard.press('Control+k');
  await page.fill(FIELD, 'harbour');
  await asked;
  await page.fill(FIELD, '天气');
  await page.waitForSelector(`${MESSAGE}:has(mark:text("天气"))`);
  release();
  await (await late).finished();
  expect(await page.locator(MESSAGE).allTextContents()).toEqual([expect.stringContaining('请问上海的天气怎么样？')]);
});

it('says when nothing was found, and searches again after a failure', async () => {
  const { page } = await open();
  await page.keyboard.press('Control+k');
  await page.fill(FIELD, 'xylophone');
  await page.waitForSelector(`${byTestId('search-status')} >> text=Nothing found for “xylophone”.`);
  await page.route('**/api/v1/search?*', route => route.abort());
  await page.fill(FIELD, 'harbour');
  await page.waitForSelector(`${byTestId('search-status')} >> text=The search failed.`);
  await page.unroute('**/api/v1/search?*');
  await page.click(byTestId('search-retry'));
  await page.waitForSelector(MESSAGE);
  // Signs alone are no words; they break nothing.
  await page.fill(FIELD, '*** "');
  await page.waitForSelector(`${byTestId('search-status')} >> text=Nothing found`);
});

it('is a full sheet on a phone, in Chinese, and returns to the list of chats', async () => {
  const { page, focusReaches } = await open({ viewport: { width: 390, height: 780 }, locale: 'zh-CN', hasTouch: true });
  await page.click(byTestId('open-sessions'));
  await page.click(byTestId('open-search'));
  await page.waitForSelector(DIALOG);
  expect(await page.locator(DIALOG).boundingBox()).toEqual({ x: 0, y: 0, width: 390, height: 780 });
  await page.click(byTestId('search-close'));
  await page.waitForSelector(DIALOG, { state: 'detached' });
  await focusReaches('open-search');
  await page.click(byTestId('open-search'));
  await page.fill(FIELD, '上海');
  await page.click(`${MESSAGE} >> text=明天有雨`);
  await page.waitForSelector('.found:has-text("上海明天有雨。")');
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
});
