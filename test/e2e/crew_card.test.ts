/** Crew cards in a real Chromium: members that work side by side, their approvals, Stop, and the same cards after a reload. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startBench } from '../support/agent_bench';
import { type AgentConfig, createProfiles } from '../support/agent_config';
import { delegate, delegateAll } from '../support/crew_bench';
import { approval, byTestId, type ChatBrowser, startChatBrowser, turn } from './chat_browser';

const card = (member: string, state = ''): string =>
  `${byTestId('crew-card')}[data-member="${member}"]${state && `[data-state="${state}"]`}`;
const RULES = "rules:\n  - { tool: bash, pattern: 'tally', decision: ask }\n";

let bench: Awaited<ReturnType<typeof startBench>>;
let config: AgentConfig;
let browser: ChatBrowser;

beforeAll(async () => {
  config = await createProfiles({ default: 'members: [scout, smith]', scout: 'label: Scout', smith: '' });
  await writeFile(join(config.directory, 'approvals.yaml'), RULES);
  [bench, browser] = await Promise.all([startBench({ env: { NETA_CONFIG_DIR: config.directory } }), startChatBrowser()]);
});

afterAll(async () => {
  await browser?.stop();
  await bench?.stop();
  await config?.remove();
});
afterEach(() => browser.closePages());

const open = (options = {}) => browser.open({ url: bench.gateway.url, ...options });
const bash = (command: string) => ({ toolCalls: [{ name: 'bash', arguments: { command } }] });

it('shows members that work side by side, live, and the same after a reload', async () => {
  bench.model.onTurn('explore', delegateAll([{ task: 'tell a story' }, { task: 'count files', member: 'smith' }]), 'Both are back.');
  bench.model.onTurn('tell a story', { text: 'Once upon a time there was **a fox**.', chunkSize: 6, pauseAfter: 3 });
  bench.model.onTurn('count files', bash('ls | wc -l'), 'There are none.');
  const { page, say, complaints } = await open();
  await say('explore');
  await page.waitForSelector(`${card('scout', 'running')} >> text=Once upon`);
  await page.waitForSelector(`${card('smith', 'completed')} >> text=There are none.`);
  expect(await page.textContent(`${card('scout')} strong`)).toBe('Scout');
  const [left, right] = await Promise.all(['scout', 'smith'].map(member => page.locator(card(member)).boundingBox()));
  expect(left?.y).toBe(right?.y);
  // The card replaces the call that delegated.
  expect(await page.locator(byTestId('tool-card')).count()).toBe(0);
  bench.model.resume();
  await page.waitForSelector(turn('completed'));
  await page.waitForSelector(card('scout', 'completed'));

  const facts = (member: string) => page.textContent(`${card(member)} .crew-facts`);
  const before = await Promise.all(['scout', 'smith'].map(facts));
  expect(before[1]).toMatch(/^Done[\d.]+ m?s[\d,]+ tokens$/);
  await page.reload();
  await page.waitForSelector(card('smith', 'completed'));
  expect(await Promise.all(['scout', 'smith'].map(facts))).toEqual(before);
  await page.click(`${card('smith')} ${byTestId('crew-toggle')}`);
  await page.waitForSelector(`${card('smith')} ${byTestId('tool-card')}[data-state="ok"]`);
  expect(await page.textContent(`${card('smith')} ${byTestId('crew-items')}`)).toContain('There are none.');

  await page.click(`${card('smith')} ${byTestId('crew-open-chat')}`);
  await page.waitForSelector(`${turn('completed')} >> text=There are none.`);
  expect(await page.textContent(byTestId('chat-title'))).toBe('count files');
  await page.click(`${byTestId('session-origin')} a`);
  await page.waitForSelector(card('smith', 'completed'));
  expect(complaints).toEqual([]);
});

it('lists the file changes of members among those of the chat', async () => {
  bench.model.onTurn('let them write', delegate('write a note', { member: 'smith' }), 'They wrote.');
  bench.model.onTurn(
    'write a note',
    { toolCalls: [{ name: 'write_file', arguments: { path: 'note.md', content: 'hello\n' } }] },
    'Written.',
  );
  const { page, say } = await open();
  await say('let them write');
  await page.waitForSelector(`${turn('completed')} >> text=They wrote.`);
  await page.click(byTestId('open-changes'));
  await page.waitForSelector(`${byTestId('file-change')}:has-text("note.md")`);
  expect(await page.textContent(byTestId('change-origin'))).toBe('by smith');
});

it('stops one member, and the agent goes on', async () => {
  bench.model.onTurn('send one', delegate('walk slowly'), 'It came back early.');
  bench.model.onTurn('walk slowly', { text: 'One step and another step', chunkSize: 4, pauseAfter: 2 });
  const { page, say } = await open();
  await say('send one');
  await page.waitForSelector(`${card('scout', 'running')} >> text=One`);
  await page.click(byTestId('crew-stop'));
  await page.waitForSelector(card('scout', 'cancelled'));
  await page.waitForSelector(`${turn('completed')} >> text=It came back early.`);
  expect(await page.locator(byTestId('crew-stop')).count()).toBe(0);
});

it('asks for the approval of a member on its card, and in every tab of the chat', async () => {
  bench.model.onTurn('let them tally', delegate('tally once', { member: 'smith' }), 'Tallied.');
  bench.model.onTurn('tally once', bash('echo one >> tally.txt'), 'Written.');
  const { page, context, say } = await open();
  await say('let them tally');
  await page.waitForSelector(`${card('smith', 'asking')} ${approval('pending')}`);
  expect(await page.textContent(card('smith'))).toContain('smith asks:');
  expect(await page.locator(byTestId('approval-card')).count()).toBe(1);
  const second = await context.newPage();
  await second.goto(page.url());
  await second.waitForSelector(`${card('smith', 'asking')} ${approval('pending')}`);
  // Another chat says where the agent waits.
  const third = await context.newPage();
  await third.goto(bench.gateway.url);
  await third.waitForSelector(`${byTestId('waiting-banner')} >> text=let them tally`);
  await second.click(byTestId('approval-once'));
  await Promise.all([page, second].map(tab => tab.waitForSelector(`${turn('completed')} >> text=Tallied.`)));
  await page.waitForSelector(card('smith', 'completed'));
  expect(await page.locator(byTestId('approval-card')).count()).toBe(0);
  // The decision is among the steps of the member.
  await page.click(byTestId('crew-toggle'));
  await page.waitForSelector(`${card('smith')} ${byTestId('approval-outcome')} >> text=Allowed once`);
});

it('keeps a temporary chat while the page shows the chat of a member', async () => {
  bench.model.onTurn('ask in secret', delegate('whisper'), 'It whispered.');
  bench.model.onTurn('whisper', 'Psst.');
  const { page, say, complaints } = await open();
  await page.click(byTestId('chat-options'));
  await page.click(byTestId('menu-temporary'));
  await say('ask in secret');
  const waysBack = [() => page.click(`${byTestId('session-origin')} a`), () => page.goBack()];
  for (const goBack of waysBack) {
    await page.waitForSelector(`${turn('completed')} >> text=It whispered.`);
    await page.waitForSelector(byTestId('temporary-mark'));
    await page.click(byTestId('crew-toggle'));
    await page.click(byTestId('crew-open-chat'));
    await page.waitForSelector(`${byTestId('session-origin')} a`);
    await goBack();
  }
  await page.waitForSelector(`${turn('completed')} >> text=It whispered.`);
  const deleted = page.waitForResponse(answer => answer.request().method() === 'DELETE' && answer.ok());
  await page.click(byTestId('new-chat'));
  await deleted;
  expect(complaints).toEqual([]);
});

it('fits a phone, in Chinese, and shows a member that failed', async () => {
  bench.model.onTurn('派两个人', delegateAll([{ task: '成功的任务' }, { task: '失败的任务', member: 'smith' }]), '结束。');
  bench.model.onTurn('成功的任务', '做完了。');
  bench.model.onTurn('失败的任务', { error: { status: 400, message: 'no such luck' } });
  const { page, say } = await open({ viewport: { width: 390, height: 780 }, locale: 'zh-CN' });
  await say('派两个人');
  await page.waitForSelector(turn('completed'));
  expect(await page.textContent(`${card('smith', 'failed')} ${byTestId('crew-state')}`)).toBe('失败');
  expect(await page.textContent(card('smith'))).toContain('no such luck');
  expect(await page.textContent(`${card('scout', 'completed')} ${byTestId('crew-said')}`)).toBe('做完了。');
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
});
