/** A chat of 2,000 turns in a real Chromium: the page shows its end, and earlier turns on demand; only turns near the view are in the document. */

import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { ChatMessage } from '../../src/port/llm';
import { type AgentBench, startBench } from '../support/agent_bench';
import { fillLongChat, LONG_CHAT } from '../support/long_chat';
import type { PageBody } from '../support/rest_client';
import { until } from '../support/until';
import { byTestId, type ChatBrowser, type OpenPage, startChatBrowser, turn } from './chat_browser';
import { findBarriers } from './ops_browser';

const TURNS = 2_000;
const MAX_NODES = 3_000;
/** The ordinal of a turn with a tool call. */
const WITH_CARD = TURNS - 4;
const NEEDLE = 1_234;
const TURN = byTestId('turn');
const EARLIER = byTestId('show-earlier');
const CARD = `${byTestId('tool-card')} .tool-head`;

let bench: AgentBench;
let browser: ChatBrowser;

beforeAll(async () => {
  [bench, browser] = await Promise.all([startBench(), startChatBrowser()]);
  bench.model.onTurn('grow', { text: Array.from({ length: 40 }, (_, line) => `Line ${line}.`).join('\n\n'), chunkSize: 30, pauseAfter: 9 });
  bench.model.onTurn(/./, 'Fine.');
  await fillLongChat({
    path: join(bench.gateway.dataDir, 'neta.db'),
    turns: TURNS,
    messagesOf,
    runOf: ordinal => (ordinal === 1 ? { status: 'cancelled' } : {}),
  });
});

afterAll(async () => {
  await browser?.stop();
  await bench?.stop();
});
afterEach(() => browser.closePages());

/** Turns of several heights, which the page cannot know before it shows them. */
function messagesOf(ordinal: number): ChatMessage[] {
  const question: ChatMessage = { role: 'user', content: `question ${ordinal}.` };
  const list = Array.from({ length: ordinal % 7 }, (_, i) => `- point ${i}`).join('\n');
  const answer: ChatMessage = { role: 'assistant', content: `${ordinal === NEEDLE ? 'The needle' : 'answer'} ${ordinal}.\n\n${list}` };
  if (ordinal !== WITH_CARD) return [question, answer];
  const call = { id: 'call_1', type: 'function' as const, function: { name: 'read_file', arguments: '{"path":"beds.md"}' } };
  return [
    question,
    { role: 'assistant', content: '', tool_calls: [call] },
    { role: 'tool', tool_call_id: 'call_1', content: 'Beans grow here.' },
    answer,
  ];
}

const openChat = (options = {}): Promise<OpenPage> => browser.open({ url: `${bench.gateway.url}/?session=${LONG_CHAT}`, ...options });

/** Returns the numbers of the turns in the document, and of those on the screen; a gap on the screen is 0. */
const readTurns = (page: Page): Promise<{ mounted: number[]; visible: number[]; nodes: number }> =>
  page.evaluate(selector => {
    const view = document.querySelector('[data-testid="transcript"]')?.getBoundingClientRect();
    const numberOf = (element: Element) => Number(/question (\d+)\./.exec(element.textContent ?? '')?.[1] ?? 0);
    const isVisible = (element: Element) => {
      const { top, bottom } = element.getBoundingClientRect();
      return view !== undefined && bottom > view.top && top < view.bottom;
    };
    return {
      mounted: [...document.querySelectorAll(selector)].map(numberOf),
      visible: [...(document.querySelector('.turns')?.children ?? [])].filter(isVisible).map(numberOf),
      nodes: document.getElementsByTagName('*').length,
    };
  }, TURN);

const scrollTo = (page: Page, part: number): Promise<void> =>
  page.evaluate(async at => {
    const scroller = document.querySelector('[data-testid="transcript"]');
    if (scroller) scroller.scrollTop = at * (scroller.scrollHeight - scroller.clientHeight);
    for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
  }, part);

it('shows the latest turns with one page of messages, and earlier ones on request, in order and in place', async () => {
  const { page, complaints } = await browser.open({ url: bench.gateway.url });
  const pages: string[] = [];
  page.on('request', request => request.url().includes('/messages?') && pages.push(request.url()));
  await page.goto(`${bench.gateway.url}/?session=${LONG_CHAT}`);
  await page.waitForSelector(`${TURN} >> text=answer ${TURNS}.`);
  expect(pages).toHaveLength(1);
  const latest = await readTurns(page);
  expect(latest.mounted).toEqual(range(latest.mounted[0] ?? 0, TURNS));
  expect(latest.mounted.length).toBeLessThan(40);
  await scrollTo(page, 0);
  const top = (await readTurns(page)).visible[0] ?? 0;
  expect(top).toBe(TURNS - 97);
  const question = page.locator(`${TURN} >> text=question ${top}.`);
  const placeOf = async () => (await question.boundingBox())?.y ?? Number.NaN;
  const before = await placeOf();
  await page.click(EARLIER);
  await page.waitForSelector(`${TURN} >> text=question ${top - 1}.`, { state: 'attached' });
  expect(Math.abs((await placeOf()) - before)).toBeLessThan(2);
  expect(complaints).toEqual([]);
});

it('keeps few nodes while the person scrolls over all turns, and shows the right turns', async () => {
  // The address of the first message loads all turns.
  const { page, complaints } = await browser.open({ url: `${bench.gateway.url}/?session=${LONG_CHAT}&run=run_1` });
  await page.waitForSelector('.found:has-text("question 1.")');
  const seen: number[] = [];
  for (const part of [0, 0.001, 0.2, 0.5, 0.503, 0.8, 1, 0.9, 0]) {
    await scrollTo(page, part);
    const { visible, nodes } = await readTurns(page);
    expect(nodes).toBeLessThan(MAX_NODES);
    expect(visible).toEqual(range(visible[0] ?? 0, visible.at(-1) ?? 0));
    seen.push(visible[0] ?? 0);
  }
  expect(seen[0]).toBe(1);
  expect(seen.at(-1)).toBe(1);
  expect(await page.locator(TURN).first().getAttribute('data-state')).toBe('cancelled');
  expect(await page.locator(TURN).first().getAttribute('aria-posinset')).toBe('1');
  expect(await page.locator(TURN).first().getAttribute('aria-setsize')).toBe(String(TURNS));
  // A wheel moves the text by exactly its step, although the turns above were never on the page.
  await scrollTo(page, 0.6);
  await page.mouse.move(700, 300);
  const number = (await readTurns(page)).visible[1];
  const place = async () => (await page.locator(`${TURN}:has-text("question ${number}.")`).boundingBox())?.y ?? Number.NaN;
  const before = await place();
  for (let step = 0; step < 5; step += 1) {
    await page.mouse.wheel(0, -100);
    await page.evaluate(() => new Promise(requestAnimationFrame));
  }
  await page.waitForFunction(
    ([selector, from]) => {
      const now = document.querySelector(`${selector}`)?.getBoundingClientRect().y ?? 0;
      return Math.abs(now - Number(from) - 500) < 3;
    },
    [`${TURN}[aria-posinset="${number}"]`, before],
  );
  // A message that a search finds far from the view. The filled messages are indexed in the background.
  await until(async () => (await bench.rest.request<PageBody<object>>('GET', '/search?q=needle')).body.data[0]);
  await scrollTo(page, 1);
  await page.keyboard.press('Control+k');
  await page.fill(byTestId('search-field'), 'needle');
  await page.click(byTestId('search-message'));
  await page.waitForSelector(`.found:has-text("The needle ${NEEDLE}.")`);
  await page.waitForFunction(() => {
    const box = document.querySelector('.found')?.getBoundingClientRect();
    return box !== undefined && box.top >= 0 && box.bottom <= innerHeight;
  });
  const around = await readTurns(page);
  expect(around.visible).toEqual(range(around.visible[0] ?? 0, around.visible.at(-1) ?? 0));
  expect(around.visible).toContain(NEEDLE);
  expect(around.nodes).toBeLessThan(MAX_NODES);
  expect(await findBarriers(page)).toEqual([]);
  expect(complaints).toEqual([]);
});

it('keeps cards open, the focus and the selection, and the end in view while an answer streams', async () => {
  const { page, say, focused, complaints } = await openChat();
  await page.click(CARD);
  await page.waitForSelector(byTestId('tool-result'));
  await page.focus('#composer');
  await scrollTo(page, 0);
  expect(await page.locator(CARD).count()).toBe(0);
  await scrollTo(page, 1);
  expect(await page.getAttribute(CARD, 'aria-expanded')).toBe('true');
  expect(await page.textContent(byTestId('tool-result'))).toBe('Beans grow here.');
  // With the focus in it, the turn stays; so does the selected text.
  await page.focus(CARD);
  await page.evaluate(
    text => {
      const [element] = [...document.querySelectorAll('.user-message')].filter(each => each.textContent?.includes(text));
      if (element) getSelection()?.selectAllChildren(element);
    },
    `question ${TURNS - 1}.`,
  );
  await scrollTo(page, 0);
  const { mounted } = await readTurns(page);
  expect(mounted.filter(number => number > TURNS - 20)).toEqual([WITH_CARD, TURNS - 1, TURNS]);
  expect(await page.evaluate(() => document.activeElement?.className)).toBe('tool-head');
  expect(await page.evaluate(() => getSelection()?.toString())).toContain(`question ${TURNS - 1}.`);

  await say('grow');
  await page.waitForSelector(`${turn('running')} >> text=Line 5.`);
  const fromEnd = () =>
    page.evaluate(() => {
      const scroller = document.querySelector('[data-testid="transcript"]');
      return scroller ? Math.round(scroller.scrollHeight - scroller.clientHeight - scroller.scrollTop) : Number.NaN;
    });
  expect(await fromEnd()).toBe(0);
  expect(await focused()).toBe('composer');
  // Further up the text stays where it is while the answer grows.
  await scrollTo(page, 0.5);
  const { visible } = await readTurns(page);
  bench.model.resume();
  await page.waitForFunction(() => document.querySelector('[data-state="running"]') === null);
  expect((await readTurns(page)).visible).toEqual(visible);
  await page.click(byTestId('jump-to-latest'));
  await page.waitForSelector(`${TURN} >> text=Line 39.`);
  expect(await fromEnd()).toBe(0);
  expect(complaints).toEqual([]);
});

it('has every loaded turn in the document for printing, for the search of the browser, and when all is selected', async () => {
  const { page, complaints } = await openChat();
  await page.waitForSelector(`${TURN} >> text=answer ${TURNS}.`);
  const loaded = Number(await page.locator(TURN).last().getAttribute('aria-posinset'));
  const countTurns = () => page.locator(TURN).count();
  expect(await countTurns()).toBeLessThan(loaded / 2);
  // The browser prints what is there when the event is over.
  const printed = await page.evaluate(selector => {
    dispatchEvent(new Event('beforeprint'));
    const { length } = document.querySelectorAll(selector);
    dispatchEvent(new Event('afterprint'));
    return length;
  }, TURN);
  expect(printed).toBe(loaded);
  await page.waitForFunction(([selector, count]) => document.querySelectorAll(`${selector}`).length < Number(count), [TURN, loaded / 2]);
  await page.evaluate(() => getSelection()?.selectAllChildren(document.body));
  await page.waitForFunction(([selector, count]) => document.querySelectorAll(`${selector}`).length === count, [TURN, loaded]);
  await page.evaluate(() => getSelection()?.removeAllRanges());
  await scrollTo(page, 0);
  await scrollTo(page, 1);
  expect(await countTurns()).toBeLessThan(loaded);
  await page.keyboard.press('Control+f');
  await page.waitForFunction(([selector, count]) => document.querySelectorAll(`${selector}`).length === count, [TURN, loaded]);
  expect(complaints).toEqual([]);
});

const range = (first: number, last: number): number[] => Array.from({ length: last - first + 1 }, (_, i) => first + i);
