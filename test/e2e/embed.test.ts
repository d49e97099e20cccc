/** The chat in pages of other sites, in a real Chromium: <neta-chat>, its frame, and the page that shows both. */
import type { Frame, Page } from 'playwright-core';
import { textOfDownload } from '../support/browser';
import { type Gateway, startGateway } from '../support/gateway';
import { type MockModel, startMockModel } from '../support/mock_model';
import { type Site, startSite } from '../support/site';
import { until } from '../support/until';
import { byTestId, COMPOSER, question, turn } from './chat_browser';
import { findBarriers, type OpsBrowser, PHONE, startOpsBrowser } from './ops_browser';

jest.setTimeout(60_000);

const KEY = 'anna-secret-0123456789';
const OTHER_KEY = 'ben-secret-01234567890';
/** A square of 10 by 10 pixels. */
const RED_PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAIAAAACUFjqAAAAEklEQVR42mM4oKCABzGMSmNDAM86ZAErpDc4AAAAAElFTkSuQmCC',
  'base64',
);
const BASE_PATH = '/agent';
const BUTTON = byTestId('neta-chat-button');
const NOTE = byTestId('neta-chat-note');
const EVENTS = ['neta-open', 'neta-close', 'neta-question', 'neta-end'];

let site: Site;
let model: MockModel;
let gateway: Gateway;
let browser: OpsBrowser;

/** A page of a shop with the chat of its owner's gateway. It knows the key of its visitor, and collects what the element tells. */
const shopPage = (
  address: string,
  attributes: string,
) => `<!doctype html><html lang="en"><head><meta name="viewport" content="width=device-width"><title>A shop</title></head>
<body><main><h1>A shop</h1></main><neta-chat src="${address}" ${attributes}></neta-chat>
<script>
  const chat = document.querySelector('neta-chat');
  chat.key = '${KEY}';
  globalThis.told = [];
  for (const name of ${JSON.stringify(EVENTS)}) chat.addEventListener(name, ({ type, detail }) => told.push({ type, ...detail }));
</script><script src="${address}/neta-chat.js" async></script></body></html>`;

beforeAll(async () => {
  model = await startMockModel();
  model.onTurn('tell a story', { text: 'Once there was a lighthouse.', chunkSize: 5, pauseAfter: 3 });
  model.onTurn(
    'help me choose',
    { toolCalls: [{ name: 'clarify', arguments: { question: 'Which colour?', choices: ['Red', 'Blue'] } }] },
    ({ toolResults }) => (toolResults.at(-1)?.includes('Blue') ? 'Blue it is.' : 'I did not hear it.'),
  );
  site = await startSite({
    '/red.png': response => response.writeHead(200, { 'content-type': 'image/png' }).end(RED_PNG),
    '/shop': (response, request) => {
      const attributes = new URL(request.url ?? '', 'http://shop').searchParams.get('attributes') ?? '';
      response.writeHead(200, { 'content-type': 'text/html' }).end(shopPage(`${gateway.url}${BASE_PATH}`, attributes));
    },
  });
  model.onTurn(/notes\.txt/, `Thank you. ![A red square](${site.url('/red.png')})`);
  const env = {
    OPENAI_BASE_URL: model.baseUrl,
    OPENAI_API_KEY: 'test',
    NETA_MODEL: 'mock-1',
    NETA_API_KEYS: `anna:${KEY}::chat+approve,ben:${OTHER_KEY}::chat`,
    NETA_ORIGINS: allowedOrigin(),
    NETA_BASE_PATH: BASE_PATH,
    NETA_FETCH_ALLOW: site.host,
  };
  [gateway, browser] = await Promise.all([startGateway({ env }), startOpsBrowser()]);
});

afterEach(() => browser.closePages());

afterAll(async () => {
  await browser?.stop();
  await gateway?.stop();
  await Promise.all([site?.stop(), model?.stop()]);
});

/** Another site than the gateway at 127.0.0.1, so that the browser sends no cookies into the frame. */
const allowedOrigin = () => `http://${site.host.replace('127.0.0.1', 'localhost')}`;

/** Opens the panel and returns the frame in it. */
async function openPanel(page: Page): Promise<Frame> {
  await page.click(BUTTON);
  return frameOf(page);
}

async function frameOf(page: Page): Promise<Frame> {
  const element = await page.waitForSelector(`${byTestId('neta-chat-frame')}[data-shown]`);
  const frame = await element.contentFrame();
  if (!frame) throw new Error('the element has no frame');
  await frame.waitForSelector(COMPOSER);
  return frame;
}

async function say(frame: Frame, text: string): Promise<void> {
  await frame.fill(COMPOSER, text);
  await frame.press(COMPOSER, 'Enter');
}

const toldBy = (page: Page) => page.evaluate(() => (globalThis as unknown as { told: { type: string }[] }).told);
const tellsEnd = (page: Page, count: number) =>
  until(async () => (await toldBy(page)).filter(({ type }) => type === 'neta-end').length === count);
const isExpanded = (page: Page) => page.getAttribute(BUTTON, 'aria-expanded');
const focusIn = (target: Page | Frame) =>
  target.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.tagName ?? document.activeElement?.id ?? '');

it('a page of an allowed origin opens the chat, reads a streamed answer, answers a question, and finds the chat again after a reload', async () => {
  const { page, context, complaints } = await browser.open('about:blank');
  const addresses: string[] = [];
  const keyless: string[] = [];
  page.on('request', request => {
    addresses.push(request.url());
    if (request.url().includes('/api/v1/') && request.headers()['authorization'] !== `Bearer ${KEY}`) keyless.push(request.url());
  });
  await page.goto(`${allowedOrigin()}/shop?attributes=title="Ask the shop"`);
  await page.waitForSelector(BUTTON);
  expect(addresses.filter(address => address.includes('/embed'))).toEqual([]);
  expect([await isExpanded(page), await page.getAttribute(BUTTON, 'aria-label')]).toEqual(['false', 'Open: Ask the shop']);

  let frame = await openPanel(page);
  await frame.waitForFunction(() => document.activeElement?.id === 'composer');
  expect([await isExpanded(page), await focusIn(page)]).toEqual(['true', 'IFRAME']);
  expect(await frame.textContent(byTestId('chat-title'))).toBe('Ask the shop');
  expect(await findBarriers(page)).toEqual([]);
  await say(frame, 'tell a story');
  await frame.waitForSelector(`${turn('running')} :text("Once there")`);
  model.resume();
  await frame.waitForSelector(`${turn('completed')} :text("Once there was a lighthouse.")`);
  await tellsEnd(page, 1);

  await frame.press(COMPOSER, 'Escape');
  await page.waitForSelector(`${BUTTON}[aria-expanded="false"]`);
  expect(await focusIn(page)).toBe('BUTTON');
  await page.evaluate(() => (document.querySelector('neta-chat') as unknown as { send(text: string): void }).send('help me choose'));
  await page.waitForSelector(byTestId('neta-chat-badge'));
  frame = await openPanel(page);
  expect(await page.isVisible(byTestId('neta-chat-badge'))).toBe(false);
  await frame.click(`${question('pending')} button:has-text("Blue")`);
  await frame.waitForSelector(':text("Blue it is.")');
  // The text of an answer is there before its end.
  await tellsEnd(page, 2);
  const told = await toldBy(page);
  expect(told.map(({ type }) => type)).toEqual(['neta-open', 'neta-end', 'neta-close', 'neta-question', 'neta-open', 'neta-end']);
  expect(told[1]).toMatchObject({ sessionId: expect.stringMatching(/^ses_/), runId: expect.stringMatching(/^run_/), state: 'completed' });
  expect(told[3]).toMatchObject({ kind: 'clarification' });

  await page.reload();
  frame = await openPanel(page);
  await frame.waitForSelector(':text("Once there was a lighthouse.")');
  await page.evaluate(() => document.querySelector('neta-chat')?.setAttribute('lang', 'zh-CN'));
  await frame.waitForSelector(`${COMPOSER}[placeholder*="消息"]`);
  // Another gateway of the origin, below another path, keeps its own.
  const kept = await frame.evaluate(async () => [...Object.keys(localStorage), ...(await indexedDB.databases()).map(({ name }) => name)]);
  expect(kept.sort()).toEqual([`neta ${BASE_PATH}/`, 'neta.clientId', `neta.embed.default.anna.default ${BASE_PATH}/`]);
  await frame.click(byTestId('new-chat'));
  await frame.waitForSelector(byTestId('empty-state'));
  expect(addresses.filter(address => address.includes(KEY))).toEqual([]);
  expect(keyless).toEqual([]);
  expect(await context.cookies()).toEqual([]);
  expect(complaints).toEqual([]);
});

it('a page of an origin that is not listed shows no chat, and says what to do', async () => {
  const { page, complaints } = await browser.open(`${site.url('/shop')}?attributes=open`);
  await page.waitForSelector(`${NOTE}[data-failed]`);
  expect(await page.textContent(NOTE)).toContain(`adding http://${site.host} to NETA_ORIGINS`);
  expect(complaints.join()).toContain('frame-ancestors');
  await page.keyboard.press('Tab');
  await page.click(`${NOTE} button:has-text("Close")`);
  expect(await isExpanded(page)).toBe('false');
});

it.each(['light', 'dark'] as const)(
  'the demo and the chat alone have no barrier in the %s theme; a key is kept in memory alone',
  async colorScheme => {
    const { page, context, complaints } = await browser.open(`${gateway.url}${BASE_PATH}/demo/widget`, { colorScheme, locale: 'zh-CN' });
    await page.waitForSelector(BUTTON);
    expect(await page.textContent(byTestId('snippet'))).toContain(`<neta-chat src="${gateway.url}${BASE_PATH}">`);
    expect(await findBarriers(page)).toEqual([]);
    await page.selectOption(byTestId('choose-place'), 'inline');
    await page.waitForSelector(`${byTestId('neta-chat-frame')}[data-shown]`);
    expect(await page.textContent(byTestId('snippet'))).toContain('inline');

    await page.goto(`${gateway.url}${BASE_PATH}/embed?agent=default`);
    await page.fill(byTestId('login-key'), KEY);
    expect([await page.isEnabled(byTestId('new-chat')), await findBarriers(page)]).toEqual([false, []]);
    await page.press(byTestId('login-key'), 'Enter');
    await page.waitForSelector(byTestId('login-key'), { state: 'detached' });
    await page.waitForSelector(byTestId('empty-state'));
    expect(await findBarriers(page)).toEqual([]);
    await page.fill(COMPOSER, 'help me choose');
    await page.press(COMPOSER, 'Enter');
    await page.waitForSelector(question('pending'));
    expect(await findBarriers(page)).toEqual([]);
    await page.click(byTestId('stop'));
    expect(await context.cookies()).toEqual([]);
    // The chat asks who the person is before there is a key.
    expect(complaints.filter(complaint => !complaint.includes('401'))).toEqual([]);
  },
);

it('images and files are read with the key; a person of another key finds neither the chat nor the draft', async () => {
  const { page, complaints } = await browser.open(`${allowedOrigin()}/shop`);
  let frame = await openPanel(page);
  await frame.setInputFiles(byTestId('file-picker'), [
    { name: 'red.png', mimeType: 'image/png', buffer: RED_PNG },
    { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('three lighthouses') },
  ]);
  await frame.waitForFunction(() => document.querySelector<HTMLTextAreaElement>('#composer')?.value.includes('notes.txt'));
  await frame.waitForSelector(byTestId('remove-image'));
  await frame.press(COMPOSER, 'Enter');
  await frame.waitForSelector(turn('completed'));
  await frame.click(`a:has-text("A red square")`);
  await frame.waitForFunction(() => document.querySelector<HTMLImageElement>('img[alt="A red square"]')?.naturalWidth === 10);
  await page.reload();
  frame = await openPanel(page);
  await frame.waitForSelector(`${byTestId('message-image')} img[src^="blob:"]`);
  await frame.click(byTestId('mentioned-file'));
  await frame.waitForSelector(':text("three lighthouses")');
  const [download] = await Promise.all([page.waitForEvent('download'), frame.click(byTestId('download-file'))]);
  expect([download.suggestedFilename(), await textOfDownload(download)]).toEqual(['notes.txt', 'three lighthouses']);
  await frame.click(byTestId('back-to-chat'));
  await frame.fill(COMPOSER, 'a secret of Anna');
  await page.evaluate(key => Object.assign(document.querySelector('neta-chat') ?? {}, { key }), OTHER_KEY);
  await frame.waitForSelector(byTestId('empty-state'));
  expect(await frame.inputValue(COMPOSER)).toBe('');
  expect(complaints).toEqual([]);
});

it('a key that the person has typed in the frame outlives the closed panel, and goes when the page gives another key', async () => {
  const { page } = await browser.open(`${allowedOrigin()}/shop`);
  await page.evaluate(() => Object.assign(document.querySelector('neta-chat') ?? {}, { key: undefined }));
  await page.click(BUTTON);
  const element = await page.waitForSelector(`${byTestId('neta-chat-frame')}[data-shown]`);
  const frame = (await element.contentFrame()) as Frame;
  await frame.fill(byTestId('login-key'), OTHER_KEY);
  await frame.press(byTestId('login-key'), 'Enter');
  await frame.waitForSelector(byTestId('empty-state'));
  await frame.fill(COMPOSER, 'half a sentence');
  await page.click(BUTTON);
  await page.evaluate(() => document.querySelector('neta-chat')?.setAttribute('theme', 'dark'));
  await page.click(BUTTON);
  await frame.waitForSelector('html[data-theme=dark]');
  expect([await frame.inputValue(COMPOSER), await frame.isVisible(byTestId('login-key'))]).toEqual(['half a sentence', false]);
  await page.evaluate(key => Object.assign(document.querySelector('neta-chat') ?? {}, { key }), KEY);
  await frame.waitForFunction(() => document.querySelector<HTMLTextAreaElement>('#composer')?.value === '');
});

it('runs no script from its src attribute', async () => {
  const { page } = await browser.open(`${allowedOrigin()}/shop`);
  await page.evaluate(() => document.querySelector('neta-chat')?.setAttribute('src', 'javascript:parent.document.title="taken"//x'));
  await page.click(BUTTON);
  await page.waitForSelector(`${NOTE}[data-failed]`);
  expect(await page.title()).toBe('A shop');
});

it('on a phone the open panel covers the page, and the close button gives the page back', async () => {
  const { page } = await browser.open(`${allowedOrigin()}/shop`, PHONE);
  const frame = await openPanel(page);
  expect(await page.locator(byTestId('neta-chat-panel')).boundingBox()).toMatchObject({
    x: 0,
    y: 0,
    width: PHONE.viewport.width,
    height: PHONE.viewport.height,
  });
  expect(await page.isVisible(BUTTON)).toBe(false);
  await frame.click(byTestId('close-panel'));
  await page.waitForSelector(BUTTON);
});
