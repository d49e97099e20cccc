/** What the pages say about a troubled model server, in a real Chromium: an answer that it broke off, and a tool that it refuses. */
import {
  type BrokenModel,
  type Exchange,
  endEvents,
  finish,
  sendEvents,
  sendJson,
  startBrokenModel,
  textChunk,
} from '../support/broken_model';
import { type Gateway, startGateway } from '../support/gateway';
import { byTestId, type ChatBrowser, startChatBrowser, turn } from './chat_browser';

const REFUSAL = "Invalid schema for function 'read_file': array schema missing items.";

let model: BrokenModel;
let gateway: Gateway;
let browser: ChatBrowser;

/** Refuses read_file, and breaks off the answer to "break off". */
function answer({ body, request, response }: Exchange): void {
  const text = JSON.stringify(body);
  if (text.includes('"name":"read_file"')) sendJson(response, 400, { error: { message: REFUSAL } });
  else if (text.includes('break off')) {
    sendEvents(response, [textChunk('half an ans')]);
    setImmediate(() => request.socket.resetAndDestroy());
  } else endEvents(response, [textChunk('fine'), finish('stop'), '[DONE]']);
}

beforeAll(async () => {
  model = await startBrokenModel();
  [gateway, browser] = await Promise.all([startGateway({ env: { OPENAI_BASE_URL: model.serve(answer) } }), startChatBrowser()]);
});
afterAll(async () => {
  await browser?.stop();
  await gateway?.stop();
  await model?.stop();
});
afterEach(() => browser.closePages());

it('says why the model server broke an answer off, also after a reload', async () => {
  const { page, say } = await browser.open({ url: gateway.url });
  await say('break off');
  for (const isReloaded of [false, true]) {
    if (isReloaded) await page.reload();
    await page.waitForSelector(byTestId('run-cut', '[data-reason="model_cut"]'));
    expect(await page.textContent(byTestId('cut-error'))).toMatch(/connection|answer/);
    expect(await page.isVisible(byTestId('continue'))).toBe(true);
  }
});

it('names the model to which a tool is not offered, with the words of its server', async () => {
  const { page, say, complaints } = await browser.open({ url: gateway.url });
  await say('hello');
  await page.waitForSelector(turn('completed'));
  await page.goto(`${gateway.url}/?view=tools`);
  const aside = `${byTestId('tool', '[data-name="read_file"]')} ${byTestId('tool-aside')}`;
  await page.waitForSelector(aside);
  expect(await page.textContent(aside)).toContain('array schema missing items');
  expect(complaints).toEqual([]);
});
