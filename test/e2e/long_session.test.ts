/** A long session in a real Chromium: the page shows its end, and earlier messages on demand. */

import { join } from 'node:path';
import { openSqliteStore } from '../../src/adapter/sqlite/sqlite_store';
import { DEFAULT_TENANT } from '../../src/port/principal';
import { type Gateway, startGateway } from '../support/gateway';
import { STORE_PARTS } from '../support/store_parts';
import { aMessage, aRun, aSession } from '../support/store_records';
import { byTestId, type ChatBrowser, startChatBrowser } from './chat_browser';

const SESSION = 'ses_long';
const RUNS = 230;
const TURN = byTestId('turn');

let gateway: Gateway;
let browser: ChatBrowser;

beforeAll(async () => {
  gateway = await startGateway();
  browser = await startChatBrowser();
  const store = await openSqliteStore({ parts: STORE_PARTS, path: join(gateway.dataDir, 'neta.db') });
  const of = { tenantId: DEFAULT_TENANT, sessionId: SESSION };
  await store.transaction('none', async tx => {
    await tx.sessions.insert(aSession({ tenantId: DEFAULT_TENANT, id: SESSION }));
    for (let ordinal = 1; ordinal <= RUNS; ordinal++) {
      const runId = `run_${ordinal}`;
      await tx.runs.insert(aRun({ ...of, id: runId, status: ordinal === 1 ? 'cancelled' : 'completed', createdAt: ordinal }));
      const place = { ...of, runId, runOrdinal: ordinal };
      const texts = [`question ${ordinal}.`, `answer ${ordinal}.`];
      const roles = ['user', 'assistant'] as const;
      const messages = texts.map((content, position) => ({ position, message: { role: roles[position] ?? 'user', content } }));
      await tx.messages.insert(messages.map(message => aMessage({ ...place, ...message, id: `msg_${ordinal}_${message.position}` })));
    }
  });
  await store.close();
});

afterAll(async () => {
  await browser?.stop();
  await gateway?.stop();
});
afterEach(() => browser.closePages());

it('shows the latest turns with one page of messages, and earlier ones on request, in order and in place', async () => {
  const { page, complaints } = await browser.open({ url: gateway.url });
  const pages: string[] = [];
  page.on('request', request => request.url().includes('/messages?') && pages.push(request.url()));
  await page.goto(`${gateway.url}/?session=${SESSION}`);
  await page.waitForSelector(`${TURN} >> text=answer ${RUNS}.`);
  const questions = () => page.locator(byTestId('user-message')).allTextContents();
  const numbers = async () => (await questions()).map(text => Number(/question (\d+)/.exec(text)?.[1]));
  expect(await numbers()).toEqual(range(RUNS - 98, RUNS));
  expect(pages).toHaveLength(1);
  const top = page.locator(`${TURN} >> text=question ${RUNS - 98}.`);
  await top.scrollIntoViewIfNeeded();
  const placeOf = async () => (await top.boundingBox())?.y ?? Number.NaN;
  const before = await placeOf();
  await page.click(byTestId('show-earlier'));
  await page.waitForSelector(`${TURN} >> text=question ${RUNS - 198}.`, { state: 'attached' });
  expect(Math.abs((await placeOf()) - before)).toBeLessThan(40);
  await page.click(byTestId('show-earlier'));
  await page.waitForSelector(byTestId('show-earlier'), { state: 'detached' });
  expect(await numbers()).toEqual(range(1, RUNS));
  expect(await page.locator(TURN).first().getAttribute('data-state')).toBe('cancelled');
  expect(complaints).toEqual([]);
});

const range = (first: number, last: number): number[] => Array.from({ length: last - first + 1 }, (_, i) => first + i);
