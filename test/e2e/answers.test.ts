/** Answers of the agent on the chat page: tables, code, formulas, diagrams, links, and hostile answers. */
import { type AgentBench, startBench } from '../support/agent_bench';
import { byTestId, type ChatBrowser, type OpenPage, startChatBrowser, turn } from './chat_browser';

let bench: AgentBench;
let browser: ChatBrowser;

beforeAll(async () => {
  [bench, browser] = await Promise.all([startBench(), startChatBrowser()]);
});

afterAll(async () => {
  await browser?.stop();
  await bench?.stop();
});

afterEach(() => browser?.closePages());

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/** Opens the page and lets the agent say this. */
async function show(name: string, text: string, options = {}): Promise<OpenPage> {
  bench.model.onTurn(`show ${name}`, { text });
  const open = await browser.open({ url: bench.gateway.url, ...options });
  await open.say(`show ${name}`);
  await open.page.waitForSelector(turn('completed'));
  return open;
}

const WIDE_TABLE = `| Region | Country | Quarter | Revenue | Expenses | Difference | Employees | Remark |
|---|---|---|---:|---:|---:|---:|---|
| Northern | Denmark | third | 1,204.50 | 998.10 | 206.40 | 1,250 | reorganised |
| Southern | Portugal | fourth | 11,904.75 | 9,008.20 | 2,896.55 | 3,480 | unchanged |`;

describe('on a phone', () => {
  it('a wide table scrolls, its cells keep their words whole, and the page stands still', async () => {
    const { page, complaints } = await show('a wide table', `${WIDE_TABLE}\n\n${'A line.\n\n'.repeat(40)}`, PHONE);
    const table = await page.evaluate(measureTable);
    expect(table.brokenCells).toEqual([]);
    expect(table.scrolls).toBe(true);
    // Neither a scroll into view nor a search in the page may move the document.
    const moved = await page.evaluate(() => {
      for (const element of Array.from(document.querySelectorAll('.visually-hidden, footer'))) element.scrollIntoView();
      scrollTo(200, 2000);
      return [scrollX, scrollY, document.documentElement.scrollHeight - innerHeight, document.documentElement.scrollWidth - innerWidth];
    });
    expect(moved).toEqual([0, 0, 0, 0]);
    expect(complaints).toEqual([]);
  });

  it('buttons and links outside of sentences are at least 40 px high and wide', async () => {
    const { page } = await show('a call', 'Done.', PHONE);
    expect(await page.evaluate(findSmallTargets)).toEqual([]);
    await page.tap(byTestId('open-sessions'));
    await page.waitForSelector(byTestId('session-list'));
    expect(await page.evaluate(findSmallTargets)).toEqual([]);
  });
});

/** Runs in the page. A cell is broken when its longest word is wider than the cell's line. */
function measureTable(): { brokenCells: string[]; scrolls: boolean } {
  const frame = document.querySelector('.markdown .table-scroll');
  const cells = Array.from(document.querySelectorAll('.markdown :is(th, td)'));
  const brokenCells = cells.flatMap(cell => {
    const text = cell.firstChild;
    if (!text) return [];
    const words = [...(text.textContent ?? '').matchAll(/\S+/g)];
    const broken = words.filter(({ 0: word, index }) => {
      const range = document.createRange();
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      return range.getClientRects().length > 1;
    });
    return broken.map(([word]) => word);
  });
  return { brokenCells, scrolls: frame !== null && frame.scrollWidth > frame.clientWidth };
}

/** Runs in the page. */
function findSmallTargets(): string[] {
  return Array.from(document.querySelectorAll('button, select, summary, nav a')).flatMap(element => {
    const { width, height } = element.getBoundingClientRect();
    if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) || (width >= 40 && height >= 40)) return [];
    return [`${element.tagName} ${element.className} ${Math.round(width)}x${Math.round(height)}`];
  });
}
