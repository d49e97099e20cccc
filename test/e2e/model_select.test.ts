/** The choice of a model in a real Chromium: it belongs to the chat, says how each model stands, and is absent without a choice. */
import { type ModelBench, startModelBench, TWO_MODELS } from '../support/model_bench';
import { byTestId, type ChatBrowser, COMPOSER, startChatBrowser, turn } from './chat_browser';

const SELECT = byTestId('model-select');
const MODELS = TWO_MODELS.replace(/model: model-[ab]/g, '$&, price: { input: 1, output: 1 }');

let bench: ModelBench;
let browser: ChatBrowser;

beforeAll(async () => {
  const profiles = { default: 'suggestions: [{ en: What is in the workspace?, zh-CN: 工作区里有什么？ }]' };
  [bench, browser] = await Promise.all([startModelBench({ models: MODELS, profiles }), startChatBrowser()]);
  bench.b.onTurn('break down', { error: { status: 401, message: 'no such key' } });
  for (const server of [bench.a, bench.b]) server.onTurn(/./, 'fine');
});
afterAll(async () => {
  await browser?.stop();
  await bench?.stop();
});
afterEach(() => browser.closePages());

const open = (path = '/', options = {}) => browser.open({ url: bench.gateway.url + path, ...options });
const askedOf = (text: string) => [bench.a.requests(text).length, bench.b.requests(text).length];

it('keeps a choice for the chat that is about to begin, and changes it later', async () => {
  const { page, say, complaints } = await open();
  await page.waitForSelector(`${SELECT} option:text-is("Default: a")`, { state: 'attached' });
  await page.selectOption(SELECT, 'b');
  await say('with the second');
  await page.waitForSelector(turn('completed'));
  expect(askedOf('with the second')).toEqual([0, 1]);
  await page.reload();
  await page.waitForFunction(() => document.querySelector<HTMLSelectElement>('[data-testid="model-select"]')?.value === 'b');

  await page.selectOption(SELECT, '');
  await say('with the first');
  await page.waitForSelector(`${turn('completed')} >> nth=1`);
  expect(askedOf('with the first')).toEqual([1, 0]);
  await page.click(byTestId('new-chat'));
  expect(await page.inputValue(SELECT)).toBe('');
  expect(complaints).toEqual([]);
});

it('marks a model that fails, with the reason', async () => {
  const { page, say, complaints } = await open();
  await page.waitForSelector(SELECT);
  expect(await page.isVisible(byTestId('model-problem'))).toBe(false);
  await page.selectOption(SELECT, 'b');
  await say('break down');
  await page.waitForSelector(turn('completed'));
  const reason = await page.getAttribute(byTestId('model-problem'), 'title');
  expect(reason).toMatch(/^(failing: |paused until \d\d:\d\d, because it failed: ).*no such key/);
  expect(await page.textContent(`${SELECT} option[value="b"]`)).toContain(`Second – ${reason?.slice(0, 20)}`);
  expect(complaints).toEqual([]);
});

it('fits a phone, in Chinese', async () => {
  const { page } = await open('/', { viewport: { width: 390, height: 800 }, isMobile: true, hasTouch: true, locale: 'zh-CN' });
  await page.waitForSelector(`${SELECT} option:has-text("默认：a")`, { state: 'attached' });
  await page.selectOption(SELECT, 'b');
  expect(await page.isVisible(SELECT)).toBe(true);
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
});

it('an empty chat offers the first messages of the profile, in the language of the page, and not those of the demo', async () => {
  const { page } = await open('/', { locale: 'zh-CN' });
  await page.waitForSelector(byTestId('example'));
  expect(await page.locator(byTestId('example')).allTextContents()).toEqual(['工作区里有什么？']);
  await page.click(byTestId('example'));
  await page.waitForSelector(turn('completed'));
  expect(askedOf('工作区里有什么？')).toEqual([1, 0]);
});

it('[R] says below the message what it will likely cost, and asks the gateway once however much is typed', async () => {
  for (let i = 0; i < 5; i += 1) await bench.rest.run({ input: 'what is it worth?' });
  const { page, complaints } = await open();
  const asked: string[] = [];
  page.on('request', request => void (request.url().endsWith('/runs/preview') && asked.push(request.url())));
  await page.fill(COMPOSER, 'look');
  await page.waitForSelector(byTestId('run-price'));
  expect(await page.textContent(byTestId('run-price'))).toMatch(/about \$[\d.–$]+, .+, from \d+ similar runs/);
  for (const text of ['look closer', 'look closer still']) await page.fill(COMPOSER, text);
  await page.waitForSelector(byTestId('run-price'));
  expect([asked.length, complaints]).toEqual([1, []]);
});
