/** Turns on the chat page: incomplete answers, failures, steering messages, calls that did not run, printing. */
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import { type ApprovalBench, startApprovalBench } from '../support/approval_bench';
import { until } from '../support/until';
import { approval, byTestId, type ChatBrowser, COMPOSER, startChatBrowser, turn } from './chat_browser';
import { findBarriers } from './ops_browser';

let bench: ApprovalBench;
let browser: ChatBrowser;
/** A server that never answers. */
const silent = createServer(() => {});
let silentHost: string;

beforeAll(async () => {
  await new Promise<void>(resolve => silent.listen(0, '127.0.0.1', resolve));
  silentHost = `127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const env = { NETA_MAX_TOOL_ITERATIONS: '3', NETA_FETCH_ALLOW: silentHost };
  [bench, browser] = await Promise.all([startApprovalBench({ env }), startChatBrowser()]);
});

afterAll(async () => {
  await browser?.stop();
  await bench?.stop();
  silent.closeAllConnections();
  silent.close();
});

afterEach(() => browser?.closePages());

const open = (options = {}) => browser.open({ url: bench.gateway.url, ...options });
const CUT = byTestId('run-cut');

describe('an incomplete answer', () => {
  it.each([
    ['length', 'output_limit', 'reached its output limit'],
    ['content_filter', 'content_filter', 'content filter'],
  ])('by %s says so, after a reload too', async (finishReason, reason, sentence) => {
    bench.model.onTurn(`cut by ${finishReason}`, { text: 'Half a sen', finishReason });
    const { page, say } = await open();
    await say(`cut by ${finishReason}`);
    await page.waitForSelector(`${CUT}[data-reason="${reason}"]:has-text("${sentence}")`);
    expect(await page.locator(byTestId('continue')).count()).toBe(reason === 'output_limit' ? 1 : 0);
    await page.reload();
    await page.waitForSelector(`${CUT}[data-reason="${reason}"]:has-text("${sentence}")`);
  });

  it('names the limit of tool rounds and continues with a click', async () => {
    const again = (n: number) => ({ toolCalls: [{ name: 'bash', arguments: { command: `echo round ${n}` } }] });
    bench.model.onTurn('never stop', again(1), again(2), again(3));
    // The last model call offers no tools, and a note follows the message.
    bench.model.onTurn(request => request.toolNames.length === 0, 'This is as far as I came.');
    bench.model.onTurn(/^Continue$/, 'Now I am done.');
    const { page, say } = await open();
    await say('never stop');
    await page.waitForSelector(`${CUT}[data-reason="max_iterations"]`);
    await page.click(byTestId('continue'));
    await page.waitForSelector(turn('completed'));
    expect(await page.locator(byTestId('user-message')).allTextContents()).toEqual(['You: never stop', 'You: Continue']);
    expect(await page.locator(byTestId('continue')).count()).toBe(0);
  });
});

describe('a message that was sent', () => {
  it('is edited and answered again in branches, and the switcher moves between them, in another tab too', async () => {
    bench.model.onTurn('red tulips', { text: 'Tulips it is.', times: 1 });
    bench.model.onTurn('red tulips', 'Tulips again.');
    bench.model.onTurn('water them', 'Watered.');
    bench.model.onTurn('blue irises', 'Irises it is.');
    const { page, context, complaints, say, focusReaches } = await open();
    const texts = (tab = page) => tab.locator(byTestId('user-message')).allTextContents();
    const number = (text: string) => `${byTestId('branch-number')}:has-text("${text}")`;
    await say('red tulips');
    await page.waitForSelector(turn('completed'));
    await say('water them');
    await page.waitForSelector(`${turn('completed')} >> nth=1`);
    const other = await context.newPage();
    await other.goto(page.url());
    await other.waitForSelector(`${turn('completed')} >> nth=1`);

    await page.bringToFront();
    await page.hover(`${turn('completed')} >> nth=0`);
    await page.click(`${byTestId('edit-sent')} >> nth=0`);
    await focusReaches('edited-message');
    await page.keyboard.press('Escape');
    await focusReaches('composer');
    await page.click(`${byTestId('edit-sent')} >> nth=0`);
    await page.fill(byTestId('edited-message'), 'blue irises');
    await page.keyboard.press('Enter');
    await page.waitForSelector(`${byTestId('answer')}:has-text("Irises it is.")`);
    await page.waitForSelector(number('2/2'));
    expect(await texts()).toEqual(['You: blue irises']);
    // The list shows one chat, and the tab that looks at the first branch keeps it.
    expect(await page.locator(`${byTestId('session-row')}:has-text("red tulips")`).count()).toBe(1);
    await other.bringToFront();
    await other.evaluate(() => dispatchEvent(new Event('focus')));
    await other.waitForSelector(number('1/2'));
    expect(await texts(other)).toEqual(['You: red tulips', 'You: water them']);

    await page.bringToFront();
    await page.click(byTestId('previous-branch'));
    await page.waitForSelector(`${byTestId('answer')}:has-text("Watered.")`);
    await focusReaches('next-branch');
    expect(await texts()).toEqual(['You: red tulips', 'You: water them']);
    await page.reload();
    await page.waitForSelector(number('1/2'));
    await page.click(`${byTestId('regenerate')} >> nth=0`);
    await page.waitForSelector(`${byTestId('answer')}:has-text("Tulips again.")`);
    await page.waitForSelector(number('3/3'));
    expect(await texts()).toEqual(['You: red tulips']);
    expect(complaints).toEqual([]);
  });

  it('keeps an edited text, sends it also when the person leaves the chat, and is answered again once for two clicks', async () => {
    bench.model.onTurn('red roses', 'Roses it is.');
    bench.model.onTurn('feed them', 'Fed.');
    bench.model.onTurn('white roses', 'White ones.');
    bench.model.onTurn('yellow roses', 'Yellow ones.');
    const { page, say, complaints } = await open();
    const texts = () => page.locator(byTestId('user-message')).allTextContents();
    const edit = async (text: string) => {
      await page.hover(`${turn('completed')} >> nth=0`);
      await page.click(`${byTestId('edit-sent')} >> nth=0`);
      await page.fill(byTestId('edited-message'), text);
    };
    await say('red roses');
    await page.waitForSelector(turn('completed'));
    await say('feed them');
    await page.waitForSelector(`${turn('completed')} >> nth=1`);

    // The details of the turns arrive while the branch is being created.
    const details = await holdRequests(page, 'GET', '**/runs/*/events?*');
    const branches = await holdRequests(page, 'POST', '**/branches');
    await page.reload();
    await details.begun;
    const firstRun = await page.getAttribute(`${turn('completed')} >> nth=0`, 'data-run-id');
    await edit('white roses');
    await page.press(byTestId('edited-message'), 'Enter');
    await branches.begun;
    const arrived = page.waitForResponse(`**/runs/${firstRun}/events?*`);
    details.release();
    await arrived;
    branches.release();
    await page.waitForSelector(`${byTestId('answer')}:has-text("White ones.")`);
    expect(await texts()).toEqual(['You: white roses']);

    await edit('yellow roses');
    await page.press(byTestId('edited-message'), 'Escape');
    await page.click(byTestId('edit-sent'));
    expect(await page.inputValue(byTestId('edited-message'))).toBe('yellow roses');
    const left = await holdRequests(page, 'POST', '**/branches');
    await page.press(byTestId('edited-message'), 'Enter');
    await left.begun;
    await page.click(byTestId('new-chat'));
    const answered = page.waitForResponse(response => response.status() === 201 && response.url().endsWith('/branches'));
    left.release();
    const branch = (await (await answered).json()) as { id: string };
    await page.click(byTestId('session-row', `[data-session-id="${branch.id}"] a`));
    await page.waitForSelector(`${byTestId('answer')}:has-text("Yellow ones.")`);

    let created = 0;
    page.on('request', request => request.method() === 'POST' && request.url().endsWith('/branches') && created++);
    await page.dblclick(byTestId('regenerate'));
    await page.waitForSelector(`${byTestId('branch-number')}:has-text("4/4")`);
    expect(created).toBe(1);
    expect(complaints).toEqual([]);
  });
});

describe('a failed run', () => {
  it('shows its title, code and run id, and a retry when that can help', async () => {
    bench.model.onTurn('fail for now', { error: { status: 500, message: 'bad luck' }, times: 3 });
    bench.model.onTurn('fail for now', 'Better now.');
    const { page, say } = await open();
    await say('fail for now');
    await page.waitForSelector(byTestId('run-error'));
    const runId = await page.getAttribute(turn('failed'), 'data-run-id');
    expect(await page.textContent(byTestId('error-facts'))).toMatch(new RegExp(`^model_\\w+ · ${runId}$`));
    await page.click(byTestId('retry'));
    await page.waitForSelector(turn('completed'));
    // The retry stands in the place of the failed run, which is kept as a branch.
    await page.waitForSelector(`${byTestId('branch-number')}:has-text("2/2")`);
    expect(await page.locator(byTestId('user-message')).allTextContents()).toEqual(['You: fail for now']);
    await page.click(byTestId('previous-branch'));
    await page.waitForSelector(byTestId('run-error'));
  });

  it('offers to edit the message when a retry cannot help', async () => {
    bench.model.onTurn('fail for good', { error: { status: 400, message: 'no such thing' } });
    const { page, say, focusReaches } = await open();
    await say('fail for good');
    await page.waitForSelector(`${byTestId('run-error')}:has-text("The model server refused the request")`);
    expect(await page.locator(byTestId('retry')).count()).toBe(0);
    await page.click(byTestId('edit-message'));
    expect(await page.inputValue(COMPOSER)).toBe('fail for good');
    await focusReaches('composer');
  });
});

describe('a steering message', () => {
  it("is shown as the person's words, live and after a reload", async () => {
    bench.model.onTurn('long work', { text: 'Working.', toolCalls: [{ name: 'bash', arguments: { command: 'sleep 1' } }] });
    bench.model.onTurn('only the first', 'Only the first, then.');
    const { page, say } = await open();
    await say('long work');
    await page.waitForSelector(`${byTestId('tool-card')}[data-state="running"]`);
    const runId = await page.getAttribute(turn('running'), 'data-run-id');
    await bench.rest.request('POST', `/runs/${runId}/steer`, { text: 'only the first' });
    await page.waitForSelector(turn('completed'));
    const words = ['You: long work', 'You: only the first'];
    expect(await page.locator(byTestId('user-message')).allTextContents()).toEqual(words);
    await page.reload();
    await page.waitForSelector(turn('completed'));
    expect(await page.locator(byTestId('user-message')).allTextContents()).toEqual(words);
    expect(await page.locator(`${byTestId('answer')} .markdown`).allInnerTexts()).toEqual(['Working.', 'Only the first, then.']);
  });
});

describe('a message that is written while the agent works', () => {
  it('goes into the run, waits, or stops the run, as the person chooses by button or key', async () => {
    bench.model.onTurn('dig the bed', { text: 'Digging.', toolCalls: [{ name: 'bash', arguments: { command: 'sleep 2' } }] });
    bench.model.onTurn('deeper please', { text: 'Deeper, and on and on.', chunkSize: 4, pauseAfter: 1 });
    bench.model.onTurn('plant beans', 'Planted.');
    const { page, say, complaints, focusReaches } = await open();
    await say('dig the bed');
    await page.waitForSelector(`${byTestId('tool-card')}[data-state="running"]`);
    expect(await page.locator(byTestId('busy-choice')).count()).toBe(0);
    await page.fill(COMPOSER, 'deeper please');
    await page.click(byTestId('busy-steer'));
    // Shown at once, before the agent has read it.
    await page.waitForSelector(`${byTestId('steering')}:has-text("deeper please")`);
    await focusReaches('composer');
    await page.waitForSelector(`${byTestId('answer')}:has-text("deeper please")`);
    expect(await page.locator(byTestId('steering')).count()).toBe(0);
    await page.fill(COMPOSER, 'plant beans');
    await page.press(COMPOSER, 'Control+Shift+Enter');
    await page.waitForSelector(turn('cancelled'));
    await page.waitForSelector(`${turn('completed')}:has-text("Planted.")`);
    expect(await page.locator(byTestId('user-message')).allTextContents()).toEqual([
      'You: dig the bed',
      'You: deeper please',
      'You: plant beans',
    ]);
    expect(complaints).toEqual([]);
  });
});

describe('a tool call without a result', () => {
  it('is shown as denied when a person denied it, and its approval becomes one line', async () => {
    const { page, say } = await open();
    await say('tally never');
    await page.waitForSelector(approval('pending'));
    const tall = (await page.locator(byTestId('approval-card')).boundingBox())?.height ?? 0;
    await page.click(byTestId('approval-deny'));
    // Denying is the safe choice.
    expect(await page.getAttribute(byTestId('approval-submit'), 'class')).toContain('primary');
    await page.click(byTestId('approval-submit'));
    await page.waitForSelector(`${byTestId('tool-card')}[data-state="denied"]`);
    expect((await page.locator(byTestId('approval-card')).boundingBox())?.height).toBeLessThan(Math.min(60, tall / 2));
    expect(await page.textContent(`${byTestId('tool-card')} .tool-state`)).toBe('Not allowed');
  });

  it('is shown as stopped when a person stopped it', async () => {
    bench.model.onTurn('sleep long', { toolCalls: [{ name: 'bash', arguments: { command: 'echo begun; sleep 60' } }] });
    const { page, say, focusReaches } = await open();
    await say('sleep long');
    await page.waitForSelector(`${byTestId('tool-card')}:has-text("begun")`);
    await page.click(byTestId('stop'));
    await page.waitForSelector(turn('cancelled'));
    await page.waitForSelector(`${byTestId('tool-card')}[data-state="stopped"]`);
    await focusReaches('composer');
  });
});

describe('quiet work', () => {
  const FOLD = byTestId('activity');
  const call = (name: string, args: Record<string, unknown>) => ({ name, arguments: args });
  const CARD = byTestId('tool-card');

  it('is one line that opens to the cards, live and after a reload; changes, failures and no misses stand outside', async () => {
    const todos = [{ id: '1', content: 'Look around', status: 'in_progress' }];
    await writeFile(join(bench.gateway.workspace, 'here.txt'), 'harbour\n');
    bench.model.onTurn(
      'look around quietly',
      { toolCalls: [call('todo', { todos }), call('read_file', { path: 'here.txt' }), call('read_file', { path: 'nowhere.txt' })] },
      { toolCalls: [call('bash', { command: 'grep -q "light; house" here.txt' }), call('list_dir', {})] },
      { toolCalls: [call('bash', { command: 'echo slowly; sleep 1.2' })] },
    );
    bench.model.onTurn(request => request.toolNames.length === 0, 'Nothing there.');
    const { page, say, complaints } = await open();
    await say('look around quietly');
    // Live, the line shows the running step and its time.
    await page.waitForSelector(`${FOLD}[data-state="running"]:has-text("Run a command")`);
    expect(await page.textContent(`${FOLD} ${byTestId('elapsed')}`)).toMatch(/^\d+ s$/);
    await page.waitForSelector(turn('incomplete'));
    expect(await page.textContent(FOLD)).toMatch(/^Read 2 files, ran 2 commands, listed 1 folder · 2 found nothing · [\d.]+ s$/);
    expect(await page.locator(CARD).count()).toBe(0);
    await page.reload();
    await page.waitForSelector(`${FOLD}:has-text("2 found nothing")`);
    await page.click(`${FOLD} button`);
    expect(await page.locator(CARD).evaluateAll(cards => cards.map(card => card.getAttribute('data-state')))).toEqual([
      'ok',
      'missed',
      'missed',
      'ok',
      'ok',
    ]);
    expect(complaints).toEqual([]);
    // Without the events of the run, the page does not know how its calls ended.
    await page.route('**/runs/*/events*', route => route.fulfill({ status: 404, json: {} }));
    await page.reload();
    await page.click(`${FOLD} button`);
    expect(new Set(await page.locator(`${CARD} .tool-state`).allTextContents())).toEqual(new Set(['Outcome not stored']));
  });

  it('leaves an open card open and its output visible when a second call makes the line', async () => {
    const waiting = (word: string) => call('bash', { command: `printf 'Now %s' ${word}; until [ -f ${word}.flag ]; do sleep 0.05; done` });
    const raise = (word: string) => writeFile(join(bench.gateway.workspace, `${word}.flag`), '');
    bench.model.onTurn('two slow commands', { toolCalls: [waiting('first')] }, { toolCalls: [waiting('second')] }, 'Both are done.');
    const { page, say } = await open();
    await say('two slow commands');
    const head = page.locator(`${CARD} .tool-head`).first();
    await page.waitForSelector(`${CARD} .output:has-text("Now first")`);
    await head.click();
    await head.click();
    await raise('first');
    await page.waitForSelector(`${FOLD} ${CARD}[data-state="running"] .output:has-text("Now second")`);
    expect(await head.getAttribute('aria-expanded')).toBe('true');
    expect(await head.evaluate(element => element === document.activeElement)).toBe(true);
    // A closed line keeps the card with live output.
    await page.click(`${FOLD} .activity-head`);
    await page.waitForSelector(`${FOLD} .activity-head:has-text("Ran 2 commands · 1 running")`);
    expect(await page.locator(CARD).count()).toBe(1);
    expect(await page.textContent(`${CARD} .output`)).toContain('Now second');
    await page.focus(`${CARD} ${byTestId('stop-call')}`);
    await raise('second');
    await page.waitForSelector(turn('completed'));
    expect(await page.locator(CARD).count()).toBe(0);
    expect(await page.locator(`${FOLD} .activity-head`).evaluate(element => element === document.activeElement)).toBe(true);
  });

  it('counts parallel calls, keeps a card for each, and stops each alone', async () => {
    const waiting = (path: string) => call('fetch_page', { url: `http://${silentHost}/${path}` });
    bench.model.onTurn('two at once', { toolCalls: [waiting('left'), waiting('right')] }, 'Neither was needed.');
    const { body } = await bench.rest.request<{ id: string }>('POST', '/sessions', { agent: 'researcher' });
    const { page, say, complaints } = await open({ url: `${bench.gateway.url}/?session=${body.id}` });
    await say('two at once');
    await page.waitForSelector(`${FOLD} .activity-head:has-text("· 2 running")`);
    expect(await page.locator(`${CARD}[data-state="running"]`).count()).toBe(2);
    expect(await findBarriers(page)).toEqual([]);
    await page.locator(CARD).nth(1).locator(byTestId('stop-call')).click();
    // A stopped call stands outside the line; the other call runs on.
    await page.waitForSelector(`${CARD}[data-state="stopped"]`);
    expect(await page.locator(byTestId('stop-call')).count()).toBe(1);
    await page.click(byTestId('stop-call'));
    await page.waitForSelector(turn('completed'));
    expect(await page.locator(CARD).evaluateAll(cards => cards.map(card => card.getAttribute('data-state')))).toEqual([
      'stopped',
      'stopped',
    ]);
    expect(complaints).toEqual([]);
  });

  it('is stopped from the line, and the agent goes on', async () => {
    const look = call('list_dir', {});
    bench.model.onTurn(
      'two quiet steps',
      { toolCalls: [look] },
      { toolCalls: [call('bash', { command: 'sleep 60' })] },
      'It took too long, so I went on.',
    );
    const { page, say } = await open();
    await say('two quiet steps');
    await page.click(`${FOLD} ${byTestId('stop-call')}`);
    await page.waitForSelector(turn('completed'));
    expect(await page.locator(CARD).evaluateAll(cards => cards.map(card => card.getAttribute('data-state')))).toEqual(['ok', 'stopped']);
    expect(await page.textContent(byTestId('answer'))).toContain('It took too long');
  });

  it('shows a terminal with colours, a long result whole on demand, and the text of a written file', async () => {
    const colours = `printf '\\033[31mred <b>\\033[0m plain'`;
    bench.model.onTurn(
      'print in colours',
      { toolCalls: [call('bash', { command: colours })] },
      { text: 'And a long one.', toolCalls: [call('bash', { command: 'seq 1 9000' })] },
      { text: 'And a file.', toolCalls: [call('write_file', { path: 'greet.ts', content: 'const a = "b";\n' })] },
    );
    bench.model.onTurn(request => request.toolNames.length === 0, 'Printed.');
    const { page, say, complaints } = await open();
    await say('print in colours');
    await page.waitForSelector(turn('incomplete'));
    for (const index of [0, 1, 2]) await page.click(`${CARD} .tool-head >> nth=${index}`);
    const result = (index: number) => page.locator(CARD).nth(index).locator('pre');
    await page.waitForSelector('.ansi-fg-red:text-is("red <b>")');
    expect(await result(0).textContent()).toBe(`$ ${colours}\nred <b> plain`);
    expect(await findBarriers(page)).toEqual([]);
    await page.locator(byTestId('show-whole-result')).click();
    await page.waitForSelector(byTestId('whole-result'));
    await page.locator(CARD).nth(1).locator(byTestId('result-search')).fill('4321');
    await page.waitForSelector(`${byTestId('result-matches')}:text-is("1 of 1")`);
    expect(await result(1).locator('mark.current').textContent()).toBe('4321');
    expect(await page.locator('.diff-line.added').allTextContents()).toEqual(['+const a = "b";\n']);
    expect(complaints).toEqual([]);
  });

  it('shows a result that was truncated for the model too in pages, finds words in all of it and saves it', async () => {
    bench.model.onTurn('count far', { toolCalls: [call('bash', { command: 'seq 1 40000' })] }, 'Counted.');
    const { page, say, complaints } = await open();
    await say('count far');
    await page.waitForSelector(turn('completed'));
    await page.click(`${CARD} .tool-head`);
    await page.click(byTestId('show-whole-result'));
    expect(await page.textContent(byTestId('result-place'))).toMatch(/^Characters 1 to 100,000 of 2\d\d,\d\d\d$/);
    await page.fill(byTestId('result-search'), '9999');
    await page.waitForSelector(`${byTestId('result-matches')}:text-is("1 of 4")`);
    expect(await page.textContent(`${byTestId('tool-result')} mark.current`)).toBe('9999');
    await page.click(byTestId('match-before'));
    await page.waitForSelector(`${byTestId('result-place')}:has-text("Characters 200,001 to")`);
    expect(await page.textContent(byTestId('result-matches'))).toBe('4 of 4');
    expect(await findBarriers(page)).toEqual([]);
    await page.click(byTestId('page-before'));
    await page.waitForSelector(`${byTestId('result-place')}:has-text("Characters 100,001 to")`);
    const saving = page.waitForEvent('download');
    await page.click(byTestId('download-result'));
    const saved = await text(await (await saving).createReadStream());
    expect(saved.trimEnd().split('\n').slice(-2)).toEqual(['39999', '40000']);
    expect(complaints).toEqual([]);
  });

  it('leaves file changes and failed calls visible, and one quiet call as its card', async () => {
    const made = call('write_file', { path: 'made.txt', content: 'new' });
    const read = call('read_file', { path: 'made.txt' });
    bench.model.onTurn(
      'make and break',
      { toolCalls: [read, made] },
      { toolCalls: [call('bash', { command: 'exit 7' }), read] },
      'Made it.',
    );
    const { page, say } = await open({ locale: 'zh-CN' });
    await say('make and break');
    await page.waitForSelector(turn('completed'));
    const names = await page
      .locator(CARD)
      .evaluateAll(cards => cards.map(card => `${card.getAttribute('data-tool')} ${card.getAttribute('data-state')}`));
    expect(names).toEqual(['read_file missed', 'write_file ok', 'bash failed', 'read_file ok']);
    // The turn went well, so nothing in it is red.
    const isRed = (card: Element) => getComputedStyle(card.querySelector('.tool-state') as Element).color === 'rgb(176, 42, 32)';
    expect(
      await page
        .locator(CARD)
        .evaluateAll((cards, red) => cards.some(card => getComputedStyle(card).borderColor === red), 'rgb(239, 201, 195)'),
    ).toBe(false);
    expect(await page.locator(`${CARD}[data-state="failed"]`).evaluate(isRed)).toBe(false);
  });
});

describe('the receipt of an answer', () => {
  it('says when, how long, what was used and what it cost, live and after a reload; the chat has a total and a context meter', async () => {
    const usage = { inputTokens: 1000, outputTokens: 50 };
    bench.model.onTurn('how much was it', {
      reasoning: 'I look it up first, which takes',
      pauseAfter: 3,
      chunkSize: 8,
      text: 'Cheap.',
      usage,
    });
    bench.model.onTurn('and once more', { text: 'Cheap again.', usage });
    const { page, say, complaints } = await open();
    await say('how much was it');
    await page.waitForSelector(`${byTestId('glimpse')}:has-text("I look")`);
    await new Promise(resolve => setTimeout(resolve, 1100));
    bench.model.resume();
    await page.waitForSelector(turn('completed'));
    expect(await page.textContent(`${byTestId('reasoning')} summary`)).toMatch(/^Thought for [\d.]+ s$/);
    const receipt = byTestId('receipt');
    const said = /\d\d:\d\d[\d.]+ m?s1,000 tokens in · 50 outunpricedOpen the run$/;
    expect(await page.textContent(receipt)).toMatch(said);
    const runId = await page.getAttribute(turn('completed'), 'data-run-id');
    expect(await page.getAttribute(`${receipt} a`, 'href')).toBe(`/ops/runs/${runId}`);
    await page.reload();
    await page.waitForSelector(`${receipt} time`);
    expect(await page.textContent(receipt)).toMatch(said);
    await say('and once more');
    await page.waitForSelector(`${byTestId('chat-total')}:has-text("All 2 answers: 2,100 tokens")`);
    expect(await page.textContent(byTestId('context-used'))).toMatch(/^1 % of [\d,]+ tokens of context$/);
    expect(complaints).toEqual([]);
  });
});

describe('the rating of an answer', () => {
  it('is given, explained, shown after a reload and in a fork, and taken back, with buttons and keys', async () => {
    bench.model.onTurn('rate me', 'Rated.');
    const { page, context, say, complaints, focusReaches } = await open();
    const rated = (rating: string, isPressed: boolean) => byTestId(`rate-${rating}`, `[aria-pressed="${isPressed}"]`);
    const stored = async () => (await bench.rest.request<{ data: object[] }>('GET', '/feedback')).body.data;
    await say('rate me');
    await page.click(rated('up', false));
    await page.waitForSelector(rated('up', true));
    await page.click(rated('down', false));
    await page.waitForSelector(`${rated('down', true)} ~ form`);
    await page.waitForSelector(rated('up', false));
    await focusReaches('reason');
    expect(await findBarriers(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await focusReaches('rate-down');
    await page.click(byTestId('say-why'));
    await page.fill(byTestId('reason'), 'The sum is wrong.');
    await page.keyboard.press('Enter');
    await focusReaches('rate-down');
    await until(stored, ([row]) => (row as { text?: string } | undefined)?.text !== undefined);
    await page.reload();
    await page.waitForSelector(rated('down', true));
    await page.click(byTestId('say-why'));
    expect(await page.inputValue(byTestId('reason'))).toBe('The sum is wrong.');
    const sessionId = new URL(page.url()).searchParams.get('session');
    const { body: fork } = await bench.rest.request<{ id: string }>('POST', `/sessions/${sessionId}/fork`);
    const copy = await context.newPage();
    await copy.goto(`${bench.gateway.url}/?session=${fork.id}`);
    await copy.waitForSelector(rated('down', true));
    await copy.close();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Enter');
    await page.waitForSelector(rated('down', false));
    await until(stored, rows => rows.length === 0);
    expect(complaints).toEqual([]);
  });
});

describe('the look of a turn', () => {
  it('is spoken in plain words', async () => {
    bench.model.onTurn('speak plainly', 'It is **bold**, `code` and [a link](https://example.org).');
    const { page, say } = await open();
    await say('speak plainly');
    await page.waitForSelector(turn('completed'));
    expect(await page.textContent(byTestId('announcer'))).toBe('It is bold, code and a link.');
  });

  it('has a caret while the text grows, also when the model pauses in the middle of a sentence', async () => {
    bench.model.onTurn('pause in the middle', { text: 'A sentence that stops in the middle of', chunkSize: 8, pauseAfter: 2 });
    const { page, say } = await open();
    await say('pause in the middle');
    await page.waitForSelector('.block.growing p');
    const caret = () => page.evaluate(() => getComputedStyle(document.querySelector('.markdown p') as Element, '::after').content);
    expect(await caret()).toBe('""');
    bench.model.resume();
    await page.waitForSelector(turn('completed'));
    expect(await caret()).toBe('none');
  });

  it("keeps the frame of the person's messages in forced colours", async () => {
    bench.model.onTurn('plain colours', 'Fine.');
    const { page, say } = await open({ forcedColors: 'active' });
    await say('plain colours');
    await page.waitForSelector(turn('completed'));
    expect(await page.evaluate(() => getComputedStyle(document.querySelector('.user-message') as Element).borderStyle)).toBe('solid');
  });

  it('shows the characters of a command as they are, without ligatures', async () => {
    const { page, say } = await open();
    await say('tally != => --');
    await page.waitForSelector(approval('pending'));
    const style = await page.evaluate(
      () => getComputedStyle(document.querySelector('.approval-arguments pre') as Element).fontVariantLigatures,
    );
    expect(style).toBe('none');
  });
});

it('prints the whole chat, without the parts that need a screen', async () => {
  const lines = Array.from({ length: 150 }, (_, index) => `Printed paragraph number ${index}.`);
  bench.model.onTurn('write for paper', lines.join('\n\n'));
  bench.model.onTurn('and a little more', 'The very last words.');
  const { page, say } = await open({ colorScheme: 'dark' });
  await say('write for paper');
  await page.waitForSelector(turn('completed'));
  await say('and a little more');
  await page.waitForSelector(`${turn('completed')} >> nth=1`);
  // The title comes with the list of chats, after the run.
  await page.waitForSelector(`${byTestId('chat-title')}:has-text("write for paper")`);
  const directory = await mkdtemp(join(tmpdir(), 'neta-print-'));
  try {
    await page.pdf({ path: join(directory, 'chat.pdf'), format: 'A4' });
    const text = readPdf(join(directory, 'chat.pdf'));
    for (const line of lines) expect(text).toContain(line);
    expect(text).toContain('write for paper');
    expect(text).toContain('The very last words.');
    expect(text).not.toMatch(/New chat|API reference|Press Enter|Thinking/);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
});

/** Holds the requests of a page with this method and address until `release`. `begun` resolves when a request is held. */
async function holdRequests(page: Page, method: string, address: string) {
  const begun = createSignal();
  const released = createSignal();
  await page.route(address, async route => {
    if (route.request().method() === method) {
      begun.give();
      await released.given;
    }
    await route.fallback();
  });
  return { begun: begun.given, release: released.give };
}

function createSignal() {
  let give = (): void => undefined;
  const given = new Promise<void>(resolve => {
    give = resolve;
  });
  return { given, give };
}

/** Reads the text of a PDF in a process of its own, because jest cannot load the reader, an ES module. */
function readPdf(path: string): string {
  const script = `
    import { readFileSync } from 'node:fs';
    import { extractText } from 'unpdf';
    const { text } = await extractText(new Uint8Array(readFileSync(process.argv[1])), { mergePages: true });
    process.stdout.write(text);`;
  const { stdout, stderr, status } = spawnSync(process.execPath, ['--input-type=module', '-e', script, path], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return stdout.replaceAll(/\s+/g, ' ');
}
