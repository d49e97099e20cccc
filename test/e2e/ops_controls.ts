/** Finds the selects, filters and toggles of an operator screen on the page itself, and changes each of them. */
import type { Locator, Page } from 'playwright-core';
import { byTestId } from './chat_browser';
import type { OpsPage } from './ops_browser';

/** Filters that the address keeps. A field of a form is no filter. */
const FILTERS = 'main :is(select, input[type="search"], input[type="date"]):not(form *)';
const FORM_FIELDS = 'main form :is(select, input[type="checkbox"], input[type="radio"])';
const TOGGLES = 'main :is([aria-pressed], [aria-expanded], summary)';
const WAIT = { timeout: 3_000 };

/** Changes everything on the screen behind a link of the navigation. Returns the faults as sentences, and how many controls there were. */
export async function changeEveryControl(opened: OpsPage, screen: string): Promise<{ faults: string[]; controls: number }> {
  const { page, complaints } = opened;
  const faults: string[] = [];
  let controls = 0;
  const check = async (what: string, change: () => Promise<unknown>) => {
    controls += 1;
    const before = complaints.length;
    await change().catch((error: Error) => faults.push(`${screen}, ${what}: ${error.message.split('\n')[0]}`));
    faults.push(...complaints.slice(before).map(text => `${screen}, ${what}: ${text}`));
  };
  await check('its link', () => opened.go(screen));
  await settle(page);
  for (const { name, values } of await page.locator(FILTERS).evaluateAll(describe)) {
    await check(name, () => (values ? chooseEach(opened, byTestId(name), values) : fill(page, byTestId(name))));
    await check(`the way out and back after ${name}`, () => leaveAndReturn(opened, screen, byTestId(name)));
  }
  for (const [i] of (await page.locator(TOGGLES).all()).entries()) await check(`toggle ${i}`, () => pressTwice(page, i));
  for (const opener of await page.locator('main [data-testid^="new-"]').all()) await check('a form', () => changeForm(page, opener));
  return { faults, controls };
}

/** Chooses each value of a filter. Each one has an address of its own. */
async function chooseEach({ page }: OpsPage, selector: string, values: readonly string[]): Promise<void> {
  const addresses = new Set<string>();
  for (const value of values) {
    await page.selectOption(selector, value);
    await settle(page);
    await holds(page, selector, value);
    addresses.add(page.url());
  }
  if (addresses.size < values.length) throw new Error('the address does not follow');
}

async function fill(page: Page, selector: string): Promise<void> {
  const text = selector.includes('filter-') ? '2026-01-02' : 'zz';
  await page.fill(selector, text);
  await page.waitForFunction(given => location.search.includes(given), text, WAIT);
}

/** Another screen opens, the way back brings the filter with its value, which only the address holds, and the link of the screen removes it. */
async function leaveAndReturn({ page, go }: OpsPage, screen: string, selector: string): Promise<void> {
  const value = await page.inputValue(selector);
  await go(screen === 'overview' ? 'keys' : 'overview');
  await page.goBack();
  await page.waitForSelector(byTestId(`screen-${screen}`), WAIT);
  await holds(page, selector, value);
  await go(screen);
  await page.waitForFunction(() => location.search === '', undefined, WAIT);
  await page.waitForFunction(
    ({ selector: given, value: old }) => old === '' || document.querySelector<HTMLInputElement>(given)?.value !== old,
    { selector, value },
    WAIT,
  );
  await settle(page);
}

async function pressTwice(page: Page, i: number): Promise<void> {
  const stateOf = () => page.locator(TOGGLES).nth(i).evaluate(readState);
  for (let press = 0; press < 2; press += 1) {
    const before = await stateOf();
    await page.locator(TOGGLES).nth(i).click(WAIT);
    await settle(page);
    if ((await stateOf()) === before) throw new Error('the press changes nothing');
  }
}

/** Changes the selects and boxes of a form, then leaves it. */
async function changeForm(page: Page, opener: Locator): Promise<void> {
  await opener.click(WAIT);
  await page.waitForSelector('main form', WAIT);
  for (const more of await page.locator('main form summary').all()) await more.click(WAIT);
  for (const field of await page.locator(FORM_FIELDS).all()) {
    const [{ values } = {}] = await field.evaluateAll(describe);
    if (values) for (const value of values) await field.selectOption(value);
    else for (let press = 0; press < 2; press += 1) await field.click(WAIT);
  }
  await page.reload();
  await settle(page);
}

async function holds(page: Page, selector: string, value: string): Promise<void> {
  const isHeld = ({ selector: given, value: wanted }: { selector: string; value: string }) =>
    document.querySelector<HTMLInputElement>(given)?.value === wanted;
  await page.waitForFunction(isHeld, { selector, value }, WAIT);
}

async function settle(page: Page): Promise<void> {
  await page.waitForSelector('.ops-screen h1');
  await page.waitForFunction(() => !document.querySelector('.view-spinner'), undefined, WAIT);
  await page.evaluate(() => new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve))));
}

/** Runs in the page. `values`: those of a select, the present one first. */
const describe = (controls: Element[]): { name: string; values?: string[] }[] =>
  controls.map(control => {
    const name = control.getAttribute('data-testid') ?? '';
    if (!(control instanceof HTMLSelectElement)) return { name };
    const values = Array.from(control.options, option => option.value);
    return { name, values: [control.value, ...values.filter(value => value !== control.value)] };
  });

const readState = (element: Element): string | null =>
  element.tagName === 'SUMMARY'
    ? String(element.parentElement?.hasAttribute('open'))
    : (element.getAttribute('aria-pressed') ?? element.getAttribute('aria-expanded'));
