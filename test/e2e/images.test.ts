/** Images in the message field and in messages, in a real Chromium: the model gets what the person saw. */
import { crc32, deflateSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { type ModelBench, startModelBench } from '../support/model_bench';
import { makePdf } from '../support/site';
import { byTestId, type ChatBrowser, COMPOSER, startChatBrowser, turn } from './chat_browser';

const MODELS = `
models:
  - { id: a, baseUrl: "{a}", apiKeyEnv: KEY_A, model: model-a, images: true, files: true }
  - { id: b, baseUrl: "{b}", apiKeyEnv: KEY_B, model: model-b, label: Blind }
`;
const PREVIEWS = `${byTestId('composer-images')} img`;
const SENT = `${byTestId('message-image')} img`;
const NOTES = byTestId('image-notes');
const PICKER = byTestId('file-picker');

let bench: ModelBench;
let browser: ChatBrowser;

beforeAll(async () => {
  [bench, browser] = await Promise.all([startModelBench({ models: MODELS }), startChatBrowser()]);
  bench.a.onTurn('ask me', { toolCalls: [{ name: 'clarify', arguments: { question: 'Which one?' } }] }, 'fine');
  bench.a.onTurn('fails once', { error: { status: 401 }, times: 1 });
  for (const server of [bench.a, bench.b]) server.onTurn(/./, 'seen');
});
afterAll(async () => {
  await browser?.stop();
  await bench?.stop();
});
afterEach(() => browser.closePages());

const open = (options = {}) => browser.open({ url: bench.gateway.url, ...options });
const png = (name: string, side = 8) => ({ name, mimeType: 'image/png', buffer: makePng(side) });

interface Part {
  type: string;
  image_url?: { url: string };
}

/** The bytes of the images in the last request with this text. */
function imagesSent(text: string): { type: string; bytes: Buffer }[] {
  const content = bench.a.requests(text).at(-1)?.body.messages.at(-1)?.content as unknown as Part[];
  return content.flatMap(({ image_url }) => {
    const [, type = '', base64 = ''] = /^data:([^;]+);base64,(.+)$/.exec(image_url?.url ?? '') ?? [];
    return image_url ? [{ type, bytes: Buffer.from(base64, 'base64') }] : [];
  });
}

/** Pastes or drops a file as the browser would. */
function give(page: Page, kind: 'paste' | 'drop', name: string, texts: Record<string, string> = {}) {
  const file = { kind, name, base64: makePng(8).toString('base64'), texts };
  return page.evaluate(given => {
    const data = new DataTransfer();
    const bytes = Uint8Array.from(atob(given.base64), character => character.charCodeAt(0));
    data.items.add(new File([bytes], given.name, { type: 'image/png' }));
    for (const [type, text] of Object.entries(given.texts)) data.setData(type, text);
    const options = { bubbles: true, cancelable: true };
    const event =
      given.kind === 'paste'
        ? new ClipboardEvent('paste', { ...options, clipboardData: data })
        : new DragEvent('drop', { ...options, dataTransfer: data });
    document.querySelector(given.kind === 'paste' ? '#composer' : '.transcript')?.dispatchEvent(event);
    return event.defaultPrevented;
  }, file);
}

it('a PDF goes with the message that names it, and the message shows it by its name', async () => {
  const { page, complaints } = await open();
  const paper = { name: 'tariff.pdf', mimeType: 'application/pdf', buffer: makePdf('Lighthouse tariff 1887') };
  await page.fill(COMPOSER, 'read the');
  await page.setInputFiles(PICKER, [paper]);
  await page.waitForFunction(() => document.querySelector<HTMLTextAreaElement>('#composer')?.value === 'read the @uploads/tariff.pdf ');
  await page.press(COMPOSER, 'Enter');
  await page.waitForSelector(turn('completed'));
  const sent = JSON.stringify(bench.a.requests('read the').at(-1)?.body.messages.at(-1)?.content);
  expect(sent).toContain(`"filename":"tariff.pdf","file_data":"data:application/pdf;base64,${paper.buffer.toString('base64')}"`);
  for (const isReloaded of [false, true]) {
    if (isReloaded) await page.reload();
    const chip = await page.waitForSelector(byTestId('message-file'));
    expect(await chip.textContent()).toBe('tariff.pdf');
    const answer = await page.request.get(new URL((await chip.getAttribute('href')) ?? '', bench.gateway.url).href);
    expect(Buffer.compare(await answer.body(), paper.buffer)).toBe(0);
  }
  expect(complaints).toEqual([]);
});

it('are picked, pasted and dropped, removed by keyboard, sent, and shown again after a reload', async () => {
  const { page, context, say, focusReaches, complaints } = await open();
  await page.setInputFiles(PICKER, [png('first.png'), png('second.png')]);
  await page.waitForSelector(`${PREVIEWS} >> nth=1`);
  expect(await give(page, 'paste', 'third.png')).toBe(true);
  await page.waitForSelector(`${PREVIEWS} >> nth=2`);
  expect(await give(page, 'drop', 'fourth.png')).toBe(true);
  await page.waitForSelector(`${PREVIEWS}[alt="Image 4: fourth.png"]`);
  // A copied table has a picture beside its text.
  expect(await give(page, 'paste', 'table.png', { 'text/plain': 'a\tb' })).toBe(false);
  expect(await page.textContent(NOTES)).toContain('4 images are attached.');
  expect(await page.isEnabled(byTestId('send'))).toBe(false);

  await page.focus(`${byTestId('remove-image')} >> nth=1`);
  await page.keyboard.press('Enter');
  await page.waitForSelector(`${PREVIEWS} >> nth=3`, { state: 'detached' });
  await focusReaches('remove-image');
  expect(await page.locator(PREVIEWS).evaluateAll(all => all.map(image => image.getAttribute('alt')))).toEqual([
    'Image 1: first.png',
    'Image 2: third.png',
    'Image 3: fourth.png',
  ]);

  await say('look at these');
  await page.waitForSelector(turn('completed'));
  const second = await context.newPage();
  await second.goto(page.url());
  await second.waitForSelector(`${SENT} >> nth=2`);
  expect(await page.isVisible(byTestId('composer-images'))).toBe(false);
  expect(imagesSent('look at these')).toEqual(Array(3).fill({ type: 'image/png', bytes: makePng(8) }));
  for (const isReloaded of [false, true]) {
    if (isReloaded) await page.reload();
    await page.waitForSelector(`${SENT} >> nth=2`);
    await page.waitForFunction(selector => {
      const images = Array.from(document.querySelectorAll<HTMLImageElement>(selector));
      return images.length === 3 && images.every(image => image.naturalWidth === 8);
    }, SENT);
    await page.click(`${byTestId('message-image')} >> nth=1`);
    await page.waitForSelector(byTestId('image-dialog'));
    await page.keyboard.press('Escape');
    await page.waitForSelector(byTestId('image-dialog'), { state: 'detached' });
    await focusReaches('message-image');
  }
  // The events of a run do not name its images: the other tab reads them.
  await page.setInputFiles(PICKER, png('late.png'));
  await page.waitForSelector(PREVIEWS);
  await say('and at this');
  await second.waitForSelector(`${turn('completed')} >> nth=1`);
  await second.waitForSelector(`${byTestId('turn')} >> nth=1 >> ${SENT}`);
  expect(complaints).toEqual([]);
});

it('are scaled down until a message can carry them, and a file that cannot be used is named', async () => {
  const { page, say, complaints } = await open();
  const text = { name: 'notes.png', mimeType: 'image/png', buffer: Buffer.from('not an image') };
  await page.setInputFiles(PICKER, [png('photo.png', 1_800), text, ...Array.from({ length: 8 }, (_, i) => png(`small${i}.png`, 300))]);
  await page.waitForSelector(`${PREVIEWS} >> nth=7`, { timeout: 60_000 });
  const notes = (await page.textContent(NOTES)) ?? '';
  expect(notes).toContain('notes.png is not an image that this browser can read.');
  expect(notes).toContain('small7.png was left out: a message can carry 8 images.');
  await say('look at all of them');
  await page.waitForSelector(turn('completed'));
  const sent = imagesSent('look at all of them');
  expect(sent).toHaveLength(8);
  expect(sent.reduce((sum, { bytes }) => sum + bytes.length, 0)).toBeLessThanOrEqual(600 * 1024);
  expect(sent[0]?.type).toBe('image/webp');
  expect(complaints).toEqual([]);
});

it('stay with their chat over a reload, and are not sent with an answer to a question', async () => {
  const { page, say, complaints } = await open();
  await say('ask me with images');
  await page.waitForSelector(byTestId('composer-purpose', '[data-purpose="answer"]'));
  await page.setInputFiles(PICKER, png('kept.png'));
  await page.waitForSelector(PREVIEWS);
  expect(await page.textContent(NOTES)).toContain('Images go with your next message, not with an answer.');
  await say('this one');
  await page.waitForSelector(turn('completed'));
  expect(await page.isVisible(PREVIEWS)).toBe(true);
  await page.click(byTestId('new-chat'));
  await page.waitForSelector(PREVIEWS, { state: 'detached' });
  await page.goBack();
  await page.waitForSelector(PREVIEWS);
  await page.reload();
  await page.waitForSelector(`${PREVIEWS}[alt="Image 1: kept.png"]`);
  await page.waitForSelector(turn('completed'));
  await say('now look');
  await page.waitForSelector(`${turn('completed')} >> nth=1`);
  expect(imagesSent('now look')).toHaveLength(1);
  await page.reload();
  await page.waitForSelector(SENT);
  expect(await page.isVisible(PREVIEWS)).toBe(false);
  expect(complaints).toEqual([]);
});

it('are sent again with a run that failed, and a model that cannot see is named', async () => {
  const { page, say, complaints } = await open();
  await page.setInputFiles(PICKER, png('shot.png'));
  await page.selectOption(byTestId('model-select'), 'b');
  await page.waitForSelector(`${byTestId('blind-model')}:has-text("Blind cannot see images")`);
  await page.selectOption(byTestId('model-select'), '');
  await page.waitForSelector(byTestId('blind-model'), { state: 'detached' });
  await say('this fails once');
  await page.waitForSelector(turn('failed'));
  await page.reload();
  await page.waitForSelector(turn('failed'));
  await page.click(byTestId('edit-message'));
  await page.waitForSelector(PREVIEWS);
  expect(await page.inputValue(COMPOSER)).toBe('this fails once');
  await page.press(COMPOSER, 'Enter');
  await page.waitForSelector(turn('completed'));
  expect(imagesSent('this fails once')).toEqual([{ type: 'image/png', bytes: makePng(8) }]);
  expect(complaints).toEqual([]);
});

it('fit a phone, in Chinese', async () => {
  const { page } = await open({ viewport: { width: 390, height: 800 }, isMobile: true, hasTouch: true, locale: 'zh-CN' });
  await page.setInputFiles(
    PICKER,
    Array.from({ length: 8 }, (_, i) => png(`图${i}.png`)),
  );
  await page.waitForSelector(`${PREVIEWS} >> nth=7`);
  expect(await page.getAttribute(COMPOSER, 'placeholder')).toBe('写下要对图片做什么…');
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
});

/** A square PNG of noise, which cannot be compressed. */
function makePng(side: number): Buffer {
  let seed = 7;
  const rows = Buffer.alloc(side * (1 + side * 3));
  for (let i = 0; i < rows.length; i++) {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    rows[i] = i % (1 + side * 3) === 0 ? 0 : seed >>> 16;
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const start = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([start, chunk('IHDR', header), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))]);
}
