/** The lines in a chat about its model, in a real Chromium: another one that answered, and older messages that were summarised. */
import { type AgentBench, startBench } from '../support/agent_bench';
import { type AgentConfig, createAgentConfig } from '../support/agent_config';
import { type ModelBench, startModelBench, TWO_MODELS } from '../support/model_bench';
import { byTestId, type ChatBrowser, startChatBrowser, turn } from './chat_browser';

/** About 1,200 tokens. */
const LONG = 'The beans grow along the wall of the shed. '.repeat(120);
const COMPACTED = byTestId('context-compacted');
const FALLBACK = byTestId('model-fallback');

let browser: ChatBrowser;
let bench: AgentBench;
let config: AgentConfig;
let models: ModelBench;

beforeAll(async () => {
  config = await createAgentConfig(['base']);
  const env = { NETA_CONFIG_DIR: config.directory, NETA_CONTEXT_TOKENS: '20000' };
  [bench, models, browser] = await Promise.all([startBench({ env }), startModelBench({ models: TWO_MODELS }), startChatBrowser()]);
  bench.model.onTurn(({ body }) => /^You write the summary/.test(body.messages[0]?.content ?? ''), '## Goals\nA **garden** plan.');
  bench.model.onTurn(/./, 'Noted.');
  models.a.onTurn('break down', { error: { status: 401, message: 'no such key' } });
  models.b.onTurn('break down', 'Here I am.');
  models.b.onTurn(/^step \d+$/, LONG);
  models.a.onTurn(/^step \d+$/, LONG);
});
afterAll(async () => {
  await browser?.stop();
  await Promise.all([bench?.stop(), models?.stop()]);
  await config?.remove();
});
afterEach(() => browser.closePages());

it('says that older messages were summarised, and folds the summary open, also after a reload', async () => {
  let sessionId: string | undefined;
  for (let i = 0; i < 8; i++) {
    const { body } = await bench.rest.run({ input: `turn ${i} ${LONG}`, ...(sessionId && { sessionId }) });
    sessionId = body.sessionId;
  }
  const { page, say, complaints } = await browser.open({ url: `${bench.gateway.url}/?session=${sessionId}` });
  for (let i = 8; i < 16 && !(await page.isVisible(COMPACTED)); i++) {
    await page.waitForSelector(`${turn('completed')}[aria-posinset="${i}"]`);
    await say(`turn ${i} ${LONG}`);
    await page.waitForSelector(`${turn('completed')}[aria-posinset="${i + 1}"]`);
  }
  for (const isReloaded of [false, true]) {
    if (isReloaded) await page.reload();
    await page.waitForSelector(COMPACTED);
    expect(await page.textContent(`${COMPACTED} summary`)).toMatch(/^Older messages were summarised: 1\d,\d{3} to \d,\d{3} tokens$/);
    expect(await page.isVisible(`${COMPACTED} strong`)).toBe(false);
    await page.focus(`${COMPACTED} summary`);
    await page.keyboard.press('Enter');
    await page.waitForSelector(`${COMPACTED} strong:has-text("garden")`);
  }
  expect(await page.textContent(COMPACTED)).toMatch(/instead of \d+ older messages/);
  expect(complaints).toEqual([]);
});

it('says which model answered instead, and why, also after a reload', async () => {
  const { page, say, complaints } = await browser.open({ url: models.gateway.url });
  await say('break down');
  await page.waitForSelector(turn('completed'));
  for (const isReloaded of [false, true]) {
    if (isReloaded) await page.reload();
    await page.waitForSelector(FALLBACK);
    // The name of a model comes with the list of models.
    await page.waitForSelector(`${FALLBACK}:has-text("Answered by Second, because a: ")`);
    expect(await page.textContent(FALLBACK)).toContain('no such key');
  }
  expect(complaints).toEqual([]);
});

it('shows the line of an old turn after a reload, once the person scrolls to it', async () => {
  const { body } = await models.rest.run({ input: 'break down' });
  for (let i = 0; i < 10; i++) await models.rest.run({ input: `step ${i}`, sessionId: body.sessionId });
  const { page, complaints } = await browser.open({ url: models.gateway.url });
  const read: string[] = [];
  page.on('request', request => read.push(/\/runs\/(\w+)\/events/.exec(request.url())?.[1] ?? ''));
  await page.goto(`${models.gateway.url}/?session=${body.sessionId}`);
  // The details of the latest eight turns load at once.
  await page
    .locator(`${byTestId('turn')}[aria-posinset="11"]`)
    .locator(FALLBACK)
    .waitFor({ state: 'attached' });
  await page.waitForFunction(() => performance.getEntriesByType('resource').filter(({ name }) => /\/events/.test(name)).length === 8);
  expect(read).not.toContain(body.runId);
  await page.evaluate(selector => document.querySelector(selector)?.scrollTo(0, 0), byTestId('transcript'));
  await page
    .locator(`${byTestId('turn')}[aria-posinset="1"]`)
    .locator(FALLBACK)
    .waitFor();
  expect(read).toContain(body.runId);
  expect(complaints).toEqual([]);
});
