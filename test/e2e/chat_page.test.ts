/** The chat page in a real Chromium, served by the built gateway, with a scripted model behind it. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { launchBrowser } from '../support/browser';
import { type Gateway, startGateway } from '../support/gateway';
import { type MockModel, startMockModel } from '../support/mock_model';
import { until } from '../support/until';
import { countRows } from './chat_browser';
import { findBarriers } from './ops_browser';

const byTestId = (id: string, state = ''): string => `[data-testid="${id}"]${state}`;
const turn = (state: string): string => byTestId('turn', `[data-state="${state}"]`);

describe('the chat page', () => {
  let model: MockModel;
  let gateway: Gateway;
  let demo: Gateway;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let complaints: string[];

  beforeAll(async () => {
    const files = { 'notes.txt': 'hello world\n' };
    model = await startMockModel();
    gateway = await startGateway({ env: { OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: 'test', NETA_MODEL: 'mock-1' }, files });
    demo = await startGateway();
    browser = await launchBrowser();
  });

  afterAll(async () => {
    await browser?.close();
    await Promise.all([gateway?.stop(), demo?.stop()]);
    await model?.stop();
  });

  afterEach(async () => {
    await context?.close();
  });

  /** Opens the page as a new person and collects the errors of the browser. */
  async function open(options: BrowserContextOptions & { url?: string } = {}): Promise<Page> {
    const { url = gateway.url, ...rest } = options;
    context = await browser.newContext({ reducedMotion: 'reduce', ...rest });
    context.setDefaultTimeout(10_000);
    page = await context.newPage();
    complaints = [];
    page.on('pageerror', error => complaints.push(String(error)));
    page.on('console', entry => entry.type() === 'error' && complaints.push(entry.text()));
    await page.goto(url);
    return page;
  }

  async function say(text: string): Promise<void> {
    await page.fill(byTestId('composer'), text);
    await page.press(byTestId('composer'), 'Enter');
  }

  const answerText = async (): Promise<string> => (await page.textContent(`${byTestId('answer')} >> nth=-1`)) ?? '';

  it('streams an answer as Markdown, puts the session into the address and names the model', async () => {
    const text = 'Here is **bold** text.\n\n```js\nconst x = 1;\n```\n\n- one\n- two';
    model.onTurn('stream some markdown', { text, chunkSize: 4, pauseAfter: 6 });
    await open();
    await say('stream some markdown');
    await page.waitForSelector(`${byTestId('answer')} strong`);
    expect(await page.isVisible(byTestId('stop'))).toBe(true);
    model.resume();
    await page.waitForSelector(turn('completed'));
    expect(await page.textContent('.code-block code')).toBe('const x = 1;\n');
    expect(await page.locator(`${byTestId('answer')} li`).count()).toBe(2);
    expect(page.url()).toMatch(/\?session=ses_/);
    expect(await page.textContent(byTestId('model-label'))).toBe('mock-1');
    expect(await page.textContent(byTestId('usage'))).toMatch(/tokens in/);
    await page.waitForSelector(byTestId('session-row'));
    expect(complaints).toEqual([]);
  });

  it('shows a tool call with its arguments and result, and the diff of a patch', async () => {
    const patch = { path: 'notes.txt', old_string: 'world', new_string: 'moon' };
    model.onTurn(
      'look and change',
      { toolCalls: [{ name: 'bash', arguments: { command: 'echo from the shell' } }] },
      { toolCalls: [{ name: 'patch', arguments: patch }] },
      'Changed.',
    );
    await open();
    await say('look and change');
    await page.waitForSelector(turn('completed'));
    const shell = byTestId('tool-card', '[data-tool="bash"][data-state="ok"]');
    expect(await page.textContent(`${shell} .tool-summary`)).toBe('echo from the shell');
    await page.click(`${shell} button`);
    expect(await page.textContent(`${shell} ${byTestId('tool-result')}`)).toContain('from the shell');
    await page.click(`${byTestId('tool-card', '[data-tool="patch"]')} button`);
    expect(await page.textContent(byTestId('diff-count'))).toBe('+1 −1');
    expect(await page.textContent(byTestId('diff'))).not.toMatch(/@@|---|\+\+\+/);
    expect(await page.getAttribute('.diff-line.removed', 'data-number')).toBe('1');
    expect(await page.textContent('.diff-line.removed .diff-words')).toBe('world');
    expect(await page.textContent('.diff-line.removed')).toContain('hello world');
    expect(await page.textContent('.diff-line.added')).toContain('hello moon');
    expect(await readFile(join(gateway.workspace, 'notes.txt'), 'utf8')).toBe('hello moon\n');

    await page.reload();
    await page.waitForSelector(`${byTestId('tool-card', '[data-tool="patch"][data-state="ok"]')} .tool-duration`);
    expect(await answerText()).toContain('Changed.');
    expect(complaints).toEqual([]);
  });

  it('shows the plan and its progress', async () => {
    const todos = [
      { id: '1', content: 'Look around', status: 'completed' },
      { id: '2', content: 'Write it down', status: 'in_progress' },
    ];
    model.onTurn('make a plan', { toolCalls: [{ name: 'todo', arguments: { todos } }] }, 'Planned.');
    await open({ viewport: { width: 1440, height: 800 } });
    const edgeOf = async (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate(element => element.getBoundingClientRect().right);
    const edge = await edgeOf('.composer');
    await say('make a plan');
    await page.waitForSelector(turn('completed'));
    // The text stays where it is when the plan comes.
    expect([await edgeOf('.composer'), await edgeOf('.user-message')]).toEqual([edge, expect.any(Number)]);
    expect(await page.locator(byTestId('plan-panel')).evaluate(plan => plan.getBoundingClientRect().left)).toBeGreaterThan(edge);
    expect(await page.textContent(byTestId('plan-progress'))).toBe('1 of 2 done');
    expect(await page.locator(byTestId('plan-item')).allTextContents()).toEqual(['Done: Look around', 'In progress: Write it down']);
  });

  it('asks a question, counts down, is answered with a click, and shows the answer in a second tab (neta.clarify.protocol)', async () => {
    const ask = { question: 'Which colour?', choices: ['Red', 'Blue'] };
    model.onTurn('ask me', { toolCalls: [{ name: 'clarify', arguments: ask }] }, 'Blue it is.');
    await open();
    await say('ask me');
    await page.waitForSelector(byTestId('clarify-card', '[data-status="pending"]'));
    expect(await page.textContent(byTestId('clarify-countdown'))).toMatch(/^[45]:\d\d$/);
    await page.waitForFunction(() => document.activeElement?.id === 'composer');

    const second = await context.newPage();
    await second.goto(page.url());
    await second.waitForSelector(byTestId('clarify-choice'));
    await page.click(`${byTestId('clarify-choice')}:has-text("Blue")`);
    expect(await page.textContent(byTestId('clarify-answer'))).toBe('You answeredBlue');
    expect(await second.textContent(byTestId('clarify-answer'))).toBe('Answered elsewhereBlue');
    await second.waitForSelector(turn('completed'));
    expect(await second.textContent(byTestId('answer'))).toContain('Blue it is.');
    expect(complaints).toEqual([]);
  });

  it('continues after a reload during a run without gaps or duplicates', async () => {
    const words = Array.from({ length: 60 }, (_, index) => `word${index}`).join(' ');
    model.onTurn('count the words', { text: words, chunkSize: 7, pauseAfter: 20 });
    await open();
    await say('count the words');
    await page.waitForFunction(() => document.querySelector('[data-testid=answer]')?.textContent?.includes('word10 '));
    await page.reload();
    await page.waitForFunction(() => document.querySelector('[data-testid=answer]')?.textContent?.includes('word10 '));
    expect(await page.locator(byTestId('turn')).count()).toBe(1);
    model.resume();
    await page.waitForSelector(turn('completed'));
    expect((await page.textContent(`${byTestId('answer')} .markdown`))?.trim()).toBe(words);
    expect(await page.locator(byTestId('user-message')).count()).toBe(1);
    expect(complaints).toEqual([]);
  });

  it('reconnects after a restart of the gateway and sends a message that was written offline once', async () => {
    model.onTurn('before the break', 'Answer before.');
    model.onTurn('during the break', 'Answer after.');
    await open();
    await say('before the break');
    await page.waitForSelector(turn('completed'));
    await gateway.kill();
    await page.waitForSelector(byTestId('connection-banner'));
    await say('during the break');
    await gateway.restart();
    await page.waitForSelector(`${turn('completed')} >> nth=1`);
    expect(await page.locator(byTestId('connection-banner')).count()).toBe(0);
    expect(await page.locator(byTestId('user-message')).allTextContents()).toEqual(['You: before the break', 'You: during the break']);
    expect(await answerText()).toContain('Answer after.');
    expect(model.requests('during the break')).toHaveLength(1);
  });

  it('opens and shows opened chats without the gateway, keeps what is sent then over a reload, and delivers it once', async () => {
    model.onTurn('in an old chat', 'Answer to the first.');
    model.onTurn('sent before the reload', 'Answer to the second.');
    model.onTurn('first words of a new chat', 'Answer to the third.');
    await open();
    await say('in an old chat');
    await page.waitForSelector(turn('completed'));
    const chat = page.url();
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    await until(() => countRows(page, 'neta.device /', 'chats'));
    await gateway.kill();
    await page.waitForSelector(`${byTestId('connection-banner')}:has-text("The gateway does not answer")`);
    await say('sent before the reload');
    await page.waitForSelector(byTestId('unsent-note'));
    expect(await page.locator(byTestId('working')).count()).toBe(0);
    await page.click(byTestId('new-chat'));
    await say('first words of a new chat');
    await page.waitForSelector(byTestId('unsent-note'));
    await page.reload();
    await page.waitForSelector(`${turn('sending')}:has-text("first words of a new chat")`);
    await page.goto(chat);
    await page.waitForSelector(`${turn('completed')}:has-text("Answer to the first.")`);
    expect(await page.textContent(byTestId('kept-chat'))).toContain('A copy on this device');
    expect(await page.textContent(byTestId('kept-list'))).toContain('These chats are kept on this device');
    await page.waitForSelector(`${turn('sending')}:has-text("sent before the reload")`);
    await page.fill(byTestId('composer'), 'for tomorrow');
    await until(() => countRows(page, 'neta.device /', 'drafts'));
    await gateway.restart();
    await page.waitForSelector(byTestId('kept-chat'), { state: 'detached' });
    await page.waitForSelector(`${turn('completed')} >> nth=1`);
    await page.click(`${byTestId('session-row')}:has-text("first words of a new chat") a`);
    await page.waitForSelector(`${turn('completed')}:has-text("Answer to the third.")`);
    const tab = await context.newPage();
    await page.close();
    page = tab;
    await page.goto(chat);
    await page.waitForFunction(() => document.querySelector<HTMLTextAreaElement>('#composer')?.value === 'for tomorrow');
    await page.waitForSelector(`${turn('completed')} >> nth=1`);
    expect(await page.locator(byTestId('user-message')).allTextContents()).toEqual(['You: in an old chat', 'You: sent before the reload']);
    for (const text of ['sent before the reload', 'first words of a new chat']) expect(model.requests(text)).toHaveLength(1);
    expect(await countRows(page, 'neta', 'outbox')).toBe(0);
    // A chat that is deleted elsewhere is dropped at the next start.
    const kept = await until(() => countRows(page, 'neta.device /', 'chats'));
    const { status } = await fetch(`${gateway.url}/api/v1/sessions/${new URL(chat).searchParams.get('session')}`, { method: 'DELETE' });
    expect(status).toBe(204);
    await page.goto(gateway.url);
    await until(async () => (await countRows(page, 'neta.device /', 'chats')) === kept - 1);
  });

  it('leaves the message of an open tab to that tab, and delivers it once when the tab has closed', async () => {
    model.onTurn('written without a socket', 'Answer to the other tab.');
    await open();
    await page.waitForSelector(byTestId('connection-banner'), { state: 'detached' });
    const away = await context.newPage();
    await away.route('**/socket.io/**', route => route.abort());
    await away.routeWebSocket(/socket\.io/, socket => socket.close());
    await away.goto(gateway.url);
    // With a chosen level the tab would create the session itself, so that the gateway could not notice a second delivery.
    await away.selectOption(byTestId('thinking-level'), 'low');
    await away.fill(byTestId('composer'), 'written without a socket');
    await away.press(byTestId('composer'), 'Enter');
    await away.waitForSelector(`${byTestId('unsent-note')}:has-text("Not confirmed yet")`);
    await until(() => countRows(page, 'neta', 'outbox'));
    await page.reload();
    await page.waitForFunction(hasWaitingLock);
    expect(model.requests('written without a socket')).toEqual([]);
    await away.close();
    await page.waitForSelector(`${byTestId('session-row')}:has-text("written without a socket")`);
    await until(async () => (await countRows(page, 'neta', 'outbox')) === 0);
    expect(model.requests('written without a socket')).toHaveLength(1);
  });

  it('says whether the network or the gateway is away', async () => {
    await open();
    const banner = (text: string) => page.waitForSelector(`${byTestId('connection-banner')}:has-text("${text}")`);
    await page.waitForSelector(byTestId('connection-banner'), { state: 'detached' });
    await context.setOffline(true);
    await gateway.kill();
    await banner('You are offline');
    await context.setOffline(false);
    await banner('The gateway does not answer');
    await gateway.restart();
    await page.waitForSelector(byTestId('connection-banner'), { state: 'detached' });
  });

  it('stops the agent with the button and with Escape', async () => {
    model.onTurn(/stop me/, { text: 'a very long answer that never comes to its end', chunkSize: 6, pauseAfter: 3 });
    await open();
    const stops = [() => page.click(byTestId('stop')), () => page.keyboard.press('Escape')];
    for (const [index, stop] of stops.entries()) {
      await say('stop me');
      await page.waitForSelector(`${turn('running')} .markdown`);
      await stop();
      await page.waitForSelector(`${turn('cancelled')} >> nth=${index}`);
      await page.waitForSelector(byTestId('stop'), { state: 'detached' });
    }
    const ends = await Promise.all(model.requests(/stop me/).map(request => request.ended));
    expect(ends).toEqual(['hung_up', 'hung_up']);
  });

  it('queues messages and removes a queued one', async () => {
    model.onTurn('the first one', { text: 'First answer.', pauseAfter: 0 });
    model.onTurn('the second one', 'Second answer.');
    await open();
    await say('the first one');
    await page.waitForSelector(turn('running'));
    await say('the second one');
    await say('the third one');
    await page.waitForSelector(`${byTestId('queued-note')} >> nth=1`);
    await page.click(`${byTestId('queued-note')} button >> nth=1`);
    await page.waitForSelector(turn('cancelled'));
    model.resume();
    await page.waitForSelector(`${turn('completed')} >> nth=1`);
    expect(await page.locator(`${byTestId('answer')} p`).allTextContents()).toEqual(['First answer.', 'Second answer.']);
    expect(model.requests('the third one')).toEqual([]);
  });

  it('uses the chosen thinking level from the first message on', async () => {
    model.onTurn('think about it', { text: 'Thought through.', reasoning: 'Let me see.' });
    await open();
    await page.selectOption(byTestId('thinking-level'), 'high');
    await say('think about it');
    await page.waitForSelector(turn('completed'));
    expect(await page.inputValue(byTestId('thinking-level'))).toBe('high');
    expect(model.requests('think about it').map(request => request.body.reasoning_effort)).toEqual(['high']);
    expect(await page.textContent(`${byTestId('reasoning')} .reasoning-text`)).toBe('Let me see.');
    expect(await page.isVisible('.reasoning-text')).toBe(false);
    await page.reload();
    await page.waitForSelector(byTestId('reasoning'));
    expect(await page.inputValue(byTestId('thinking-level'))).toBe('high');
  });

  it('stores a thinking level that is chosen while the first message is being sent', async () => {
    model.onTurn('answer in a moment', { text: 'Here it is.', pauseAfter: 0 });
    await open();
    await say('answer in a moment');
    await page.selectOption(byTestId('thinking-level'), 'low');
    await model.waitFor('answer in a moment');
    await page.waitForURL(/session=/);
    expect(await page.inputValue(byTestId('thinking-level'))).toBe('low');
    model.resume();
    await page.waitForSelector(turn('completed'));
    await page.reload();
    await page.waitForSelector(turn('completed'));
    expect(await page.inputValue(byTestId('thinking-level'))).toBe('low');
  });

  it('opens an empty chat while the first message of another chat is being sent', async () => {
    model.onTurn('the quick one', 'Quick answer.');
    await open();
    await page.fill(byTestId('composer'), 'the quick one');
    await page.waitForSelector(byTestId('send', ':enabled'));
    // Both in one step, so that no answer of the gateway comes between.
    await page.evaluate(() => {
      document.querySelector<HTMLFormElement>('form.composer')?.requestSubmit();
      document.querySelector<HTMLElement>('[data-testid="new-chat"]')?.click();
    });
    await page.waitForSelector(byTestId('empty-state'));
    await page.click(`${byTestId('session-row')}:has-text("the quick one") a`);
    await page.waitForSelector(turn('completed'));
  });

  it('requests the info and the list of sessions once', async () => {
    context = await browser.newContext();
    page = await context.newPage();
    const asked: string[] = [];
    page.on('request', request => asked.push(request.url().slice(gateway.url.length)));
    const connected = page.waitForRequest(/\/runs\?status=waiting/);
    await page.goto(gateway.url);
    await connected;
    await page.waitForSelector(byTestId('model-label'));
    await page.waitForSelector(byTestId('session-row'));
    await page.waitForLoadState('networkidle');
    const count = (path: string) => asked.filter(one => one === `/api/v1${path}`).length;
    expect(['/info', '/sessions?limit=50', '/sessions?pinned=true&limit=100', '/projects'].map(count)).toEqual([1, 1, 1, 1]);
  });

  it('renames and deletes chats, and leaves a deleted chat', async () => {
    model.onTurn('a chat to lose', 'Noted.');
    await open();
    await say('a chat to lose');
    await page.waitForSelector(turn('completed'));
    const row = byTestId('session-row', ':has(a[aria-current])');
    await page.hover(row);
    await page.click(`${row} ${byTestId('chat-menu')}`);
    await page.click(byTestId('menu-rename'));
    await page.fill(byTestId('rename-field'), 'A better title');
    await page.press(byTestId('rename-field'), 'Enter');
    await page.waitForSelector(`${byTestId('chat-title')}:has-text("A better title")`);
    await until(() => countRows(page, 'neta.device /', 'chats'));
    const address = page.url();
    await page.hover(row);
    await page.click(`${row} ${byTestId('chat-menu')}`);
    await page.click(byTestId('menu-delete'));
    await page.click(byTestId('confirm'));
    await page.waitForSelector(byTestId('empty-state'));
    await until(async () => (await countRows(page, 'neta.device /', 'chats')) === 0);
    expect(page.url()).not.toContain('session=');
    await page.goto(address);
    await page.waitForSelector('.session-note');
    expect(await page.isDisabled(byTestId('composer'))).toBe(true);
    await page.click(byTestId('start-over'));
    await page.waitForSelector(byTestId('empty-state'));
    expect(await page.isDisabled(byTestId('composer'))).toBe(false);
  });

  it('pins, archives and moves chats, one or many, for all tabs, and marks chats whose agent works', async () => {
    model.onTurn('chat of another tab', { text: 'It goes on and on.', chunkSize: 4, pauseAfter: 1 });
    const row = (title: string) => byTestId('session-row', `:has-text("${title}")`);
    const create = (title: string) =>
      fetch(`${gateway.url}/api/v1/sessions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ title }),
      });
    await open();
    await page.waitForSelector(byTestId('session-row'));
    // Chats that were made elsewhere appear without a reload.
    await create('Onions');
    await create('Radishes');
    await page.waitForSelector(row('Radishes'));
    const other = await context.newPage();
    await other.goto(gateway.url);
    await other.fill(byTestId('composer'), 'chat of another tab');
    await other.press(byTestId('composer'), 'Enter');
    await page.waitForSelector(`${row('chat of another tab')} ${byTestId('running-dot')}`);
    model.resume();
    await page.waitForSelector(`${row('chat of another tab')} ${byTestId('running-dot')}`, { state: 'detached' });

    const choose = async (title: string, item: string) => {
      await page.hover(row(title));
      await page.click(`${row(title)} ${byTestId('chat-menu')}`);
      await page.click(byTestId(`menu-${item}`));
    };
    await choose('Onions', 'pin');
    const pinned = `.session-group:has-text("Pinned") + ul ${row('Onions')}`;
    await page.waitForSelector(pinned);
    await other.waitForSelector(pinned);
    await choose('Onions', 'select');
    await page.click(`${row('Radishes')} a`);
    await page.waitForSelector(`${byTestId('selection-bar')}:has-text("2 chats selected")`);
    await page.click(byTestId('move-selected'));
    await page.fill(byTestId('project-name'), 'Vegetables');
    await page.click(byTestId('move'));
    await page.click(`${byTestId('project')}:has-text("Vegetables2")`);
    await page.waitForSelector(`.session-folder ${row('Radishes')}`);
    await choose('Radishes', 'archive');
    await page.waitForSelector(row('Radishes'), { state: 'detached' });
    await page.click(byTestId('archived-chats'));
    await page.waitForSelector(`.session-folder ${row('Radishes')}`);
  });

  it('keeps a temporary chat out of list and address and deletes it when it is left; instructions reach the agent', async () => {
    model.onTurn('what is secret', 'Nothing stays.');
    await open();
    const choose = async (item: string) => {
      await page.click(byTestId('chat-options'));
      await page.click(byTestId(`menu-${item}`));
    };
    await choose('temporary');
    await page.waitForSelector(byTestId('temporary-mark'));
    await choose('instructions');
    await page.fill(byTestId('instructions'), 'Answer like a pirate.');
    await page.click(byTestId('save-instructions'));
    await say('what is secret');
    await page.waitForSelector(turn('completed'));
    expect(page.url()).not.toContain('session=');
    expect(await page.locator(byTestId('session-row'), { hasText: 'secret' }).count()).toBe(0);
    expect(String(model.requests('what is secret')[0]?.body.messages[0]?.content)).toContain('Answer like a pirate.');
    await choose('instructions');
    expect(await page.inputValue(byTestId('instructions'))).toBe('Answer like a pirate.');
    await page.keyboard.press('Escape');
    const deleted = page.waitForResponse(answer => answer.request().method() === 'DELETE' && answer.ok());
    await page.click(byTestId('new-chat'));
    await deleted;
    expect(await page.isVisible(byTestId('temporary-mark'))).toBe(false);
    expect(await countRows(page, 'neta.device /', 'chats')).toBe(0);
    expect(complaints).toEqual([]);
  });

  it('does not let a person replace the instructions of a chat that is still loading', async () => {
    const request = (method: string, path: string, body: object) =>
      fetch(`${gateway.url}/api/v1${path}`, { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
    const { id } = (await (await request('POST', '/sessions', { title: 'In verse' })).json()) as { id: string };
    await request('PATCH', `/sessions/${id}`, { instructions: 'Answer in verse.' });
    await open();
    const away = await context.newPage();
    await away.routeWebSocket(/socket\.io/, socket => socket.close());
    await away.route('**/socket.io/**', route => route.abort());
    const openInstructions = async (tab: Page) => {
      await tab.goto(`${gateway.url}/?session=${id}`);
      await tab.click(byTestId('chat-options'));
      await tab.click(byTestId('menu-instructions'));
    };
    await openInstructions(away);
    expect(await away.isDisabled(byTestId('instructions'))).toBe(true);
    expect(await away.isDisabled(byTestId('save-instructions'))).toBe(true);
    await openInstructions(page);
    await page.waitForSelector(`${byTestId('instructions')}:enabled`);
    expect(await page.inputValue(byTestId('instructions'))).toBe('Answer in verse.');
    expect(complaints).toEqual([]);
  });

  it('imports chats of another program, says which did not come in, and exports a chat as Markdown and JSON', async () => {
    await open();
    const choose = async (item: string) => {
      await page.click(byTestId('chat-options'));
      await page.click(byTestId(`menu-${item}`));
    };
    await choose('import');
    await page.setInputFiles(byTestId('import-file'), { name: 'a.json', mimeType: 'application/json', buffer: Buffer.from('{"a":1}') });
    await page.waitForSelector(byTestId('import-problem'));
    const messages = [
      { messageId: '1', parentMessageId: '0', isCreatedByUser: true, text: 'Which cheese is blue?', createdAt: '2024-05-01T08:00:00.000Z' },
      { messageId: '2', parentMessageId: '1', isCreatedByUser: false, text: 'Stilton, **for example**.' },
    ];
    const file = JSON.stringify([
      { title: 'Blue cheese', messages },
      { title: 'An empty one', messages: [] },
    ]);
    await page.setInputFiles(byTestId('import-file'), { name: 'b.json', mimeType: 'application/json', buffer: Buffer.from(file) });
    await page.waitForSelector(byTestId('import-refused'));
    await page.waitForSelector(`${byTestId('import-status')}:has-text("1 chat was imported. 1 did not come in:")`);
    expect(await page.textContent(byTestId('import-refused'))).toContain('An empty one');
    await page.click(byTestId('import-close'));
    await page.click(`${byTestId('session-row')} >> text=Blue cheese`);
    await page.waitForSelector(`${byTestId('answer')} strong`);
    const download = async (item: string) => {
      const [saved] = await Promise.all([page.waitForEvent('download'), choose(item)]);
      return { name: saved.suggestedFilename(), text: await text(await saved.createReadStream()) };
    };
    const markdown = await download('markdown');
    expect(markdown.name).toBe('Blue cheese.md');
    expect(markdown.text).toContain('## You\n\nWhich cheese is blue?\n\n## Agent\n\nStilton, **for example**.');
    expect(JSON.parse((await download('json')).text)).toMatchObject({
      session: { title: 'Blue cheese' },
      messages: [{ role: 'user' }, { role: 'assistant' }],
    });
    expect(complaints).toEqual([]);
  });

  it('shows a chat to others by a link, page by page and in both themes, until the link is revoked', async () => {
    await open();
    const choose = async (item: string) => {
      await page.click(byTestId('chat-options'));
      await page.click(byTestId(`menu-${item}`));
    };
    await choose('import');
    const file = JSON.stringify([chatGptExport('Lighthouses', 'How many are there?', 102)]);
    await page.setInputFiles(byTestId('import-file'), { name: 'a.json', mimeType: 'application/json', buffer: Buffer.from(file) });
    await page.waitForSelector(`${byTestId('import-status')}:has-text("1 chat was imported.")`);
    expect(await findBarriers(page)).toEqual([]);
    await page.click(byTestId('import-close'));
    await page.click(`${byTestId('session-row')} >> text=Lighthouses`);
    await page.waitForSelector(byTestId('answer'));
    await choose('share');
    await page.selectOption(byTestId('share-days'), '7');
    await page.click(byTestId('share-create'));
    const url = await page.inputValue(byTestId('share-url'));
    expect(await page.evaluate(() => document.activeElement?.getAttribute('data-testid'))).toBe('share-url');

    const others = await browser.newContext({ reducedMotion: 'reduce' });
    const reader = await others.newPage();
    const requests: string[] = [];
    reader.on('pageerror', error => complaints.push(String(error)));
    reader.on('request', request => requests.push(request.url()));
    await reader.goto(url);
    const messages = reader.locator(byTestId('shared-message'));
    await reader.waitForSelector(`${byTestId('shared-message')} strong`);
    expect(await reader.textContent(byTestId('shared-title'))).toBe('Lighthouses');
    expect(await messages.count()).toBe(100);
    await reader.click(byTestId('shared-more'));
    await reader.waitForSelector(byTestId('shared-more'), { state: 'detached' });
    expect(await messages.count()).toBe(102);
    expect(await messages.nth(0).textContent()).toBe('YouHow many are there?');
    expect(await messages.nth(1).locator('img, a[href^="javascript"], a[href^="/"]').count()).toBe(0);
    const sizeOf = (selector: string) =>
      reader
        .locator(selector)
        .first()
        .evaluate(heading => getComputedStyle(heading).fontSize);
    expect(await sizeOf('.markdown h2')).not.toBe(await sizeOf('.shared-message > h2'));
    expect(requests.filter(address => !address.startsWith(gateway.url))).toEqual([]);
    const token = new URL(url).hash.slice(1);
    expect(requests.filter(address => !address.includes('#') && address.includes(token))).toEqual([]);
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const shown of [page, reader]) {
        await shown.emulateMedia({ colorScheme });
        expect(await findBarriers(shown)).toEqual([]);
      }
    }
    await page.click(byTestId('share-revoke'));
    await page.waitForSelector(byTestId('share-row'), { state: 'detached' });
    await reader.reload();
    await reader.waitForSelector(`${byTestId('shared-status')}:has-text("expired or was revoked")`);
    expect(await messages.count()).toBe(0);
    await others.close();
    expect(complaints).toEqual([]);
  });

  it('has one tab stop in the list of chats, and keys for everything in it', async () => {
    await open();
    await page.waitForSelector(byTestId('session-row'));
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('data-testid') ?? document.activeElement?.className);
    await page.focus(byTestId('open-search'));
    await page.keyboard.press('Tab');
    const [first] = await page.locator('[data-roving]').all();
    expect(await first?.evaluate(item => item === document.activeElement)).toBe(true);
    await page.keyboard.press('End');
    expect(await focused()).toBe('archived-chats');
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.closest('.session-scroller') === null)).toBe(true);
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowRight');
    expect(await focused()).toBe('chat-menu');
    await page.keyboard.press('Enter');
    await page.waitForSelector(byTestId('menu'));
    await page.keyboard.press('ArrowDown');
    expect(await focused()).toBe('menu-pin');
    await page.keyboard.press('Escape');
    await page.waitForSelector(byTestId('menu'), { state: 'detached' });
    expect(await focused()).toBe('chat-menu');
  });

  it('shows html of an answer as text and makes no dangerous link', async () => {
    model.onTurn('be evil', '<img src=x onerror="window.evil=1"> [click](javascript:window.evil=1) ![x](https://example.invalid/x.png)');
    await open();
    await say('be evil');
    await page.waitForSelector(turn('completed'));
    expect(await page.locator(`${byTestId('answer')} img`).count()).toBe(0);
    expect(await page.locator(`${byTestId('answer')} a[href^="javascript"]`).count()).toBe(0);
    expect(await answerText()).toContain('<img src=x');
    expect(complaints).toEqual([]);
  });

  it('decodes every character reference of HTML, and shows unknown ones and encoded tags as text', async () => {
    model.onTurn('write references', '&copy; &CounterClockwiseContourIntegral; &nosuch; &#8364; &lt;b&gt;bold&lt;/b&gt; `&copy;`');
    await open();
    await say('write references');
    await page.waitForSelector(turn('completed'));
    expect(await page.innerText(`${byTestId('answer')} p`)).toBe('© ∳ &nosuch; € <b>bold</b> &copy;');
    expect(complaints).toEqual([]);
  });

  it("shows a page with a link to the chat at an unknown address, in the person's language, and sends JSON to programs", async () => {
    context = await browser.newContext({ locale: 'zh-CN' });
    page = await context.newPage();
    const answer = await page.goto(`${gateway.url}/nonsense`);
    expect(answer?.status()).toBe(404);
    expect(await page.textContent('h1')).toBe('没有这个页面');
    expect(await page.evaluate(() => getComputedStyle(document.body).display)).toBe('grid');
    await page.click('a.primary');
    await page.waitForSelector(byTestId('empty-state'));
    const plain = await fetch(`${gateway.url}/nonsense`);
    expect(await plain.json()).toMatchObject({ error: { code: 'not_found' } });
    const program = await fetch(`${gateway.url}/api/v1/nonsense`, { headers: { accept: 'text/html' } });
    expect(await program.json()).toMatchObject({ error: { code: 'not_found' } });
  });

  it('says when commands run without a sandbox', async () => {
    for (const NETA_SANDBOX of ['none', 'auto']) {
      const other = await startGateway({ env: { NETA_SANDBOX } });
      await open({ url: other.url });
      const info = await fetch(`${other.url}/api/v1/info`);
      const { sandbox } = (await info.json()) as { sandbox: { kind: string } };
      await page.waitForSelector(byTestId('demo-badge'));
      const expected = sandbox.kind === 'none' ? 1 : 0;
      expect(await page.locator(byTestId('no-sandbox')).count()).toBe(expected);
      expect(await page.locator(byTestId('rail-no-sandbox')).count()).toBe(expected);
      await context.close();
      await other.stop();
    }
  });

  it('scrolls only the list of chats: New chat and API reference stay visible', async () => {
    await open();
    await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        fetch(`${gateway.url}/api/v1/sessions`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ title: `Chat ${index}` }),
        }),
      ),
    );
    await page.reload();
    await page.locator(byTestId('session-row')).nth(39).scrollIntoViewIfNeeded();
    const seen = (selector: string) =>
      page.evaluate(one => {
        const box = document.querySelector(one)?.getBoundingClientRect();
        return box !== undefined && box.top >= 0 && box.bottom <= innerHeight;
      }, selector);
    expect([await seen(byTestId('new-chat')), await seen('.docs-link')]).toEqual([true, true]);
  });

  it('makes its small project with the demo model in an empty workspace, from the first suggestion', async () => {
    await open({ url: demo.url });
    await page.waitForSelector(byTestId('demo-badge'));
    await page.click(`${byTestId('example')} >> nth=0`);
    await page.click(`${byTestId('clarify-choice')} >> nth=1`);
    await page.waitForSelector(turn('completed'));
    expect(await readFile(join(demo.workspace, 'first-steps/greet.js'), 'utf8')).toContain('const greeting = "Hello";');
    expect(await page.textContent(byTestId('plan-progress'))).toBe('3 of 3 done');
    const change = byTestId('tool-card', '[data-tool="patch"][data-state="ok"]');
    await page.click(`${change} button`);
    expect(await page.textContent(`${change} .diff-line.added >> nth=-1`)).toContain('Hello');
    await page.click(`${change} ${byTestId('undo')}`);
    await page.waitForSelector(`${change} .tag:has-text("Undone")`);
    expect(await readFile(join(demo.workspace, 'first-steps/greet.js'), 'utf8')).not.toContain('const greeting = "Hello";');
    expect(complaints).toEqual([]);
  });

  it('is Chinese in a Chinese browser, and changes the language on request', async () => {
    await open({ url: demo.url, locale: 'zh-CN' });
    await page.waitForSelector(byTestId('empty-state'));
    await page.waitForSelector('html[lang="zh-CN"]');
    expect(await page.textContent(byTestId('demo-badge'))).toContain('演示');
    const nameOfApp = () =>
      page.evaluate(async () => {
        const { href } = document.querySelector<HTMLLinkElement>('link[rel="manifest"]') ?? {};
        return (await (await fetch(href ?? '')).json()).name;
      });
    expect(await nameOfApp()).toBe('Neta 智能体');
    await say('列出文件');
    await page.waitForSelector(turn('completed'));
    expect(await page.locator(byTestId('tool-card', '[data-tool="list_dir"]')).count()).toBe(1);
    expect(await answerText()).toMatch(/\p{Script=Han}/u);
    await page.selectOption(byTestId('language'), 'en');
    await page.waitForSelector('html[lang="en"]');
    expect(await page.textContent(byTestId('new-chat'))).toBe('New chat');
    expect(await nameOfApp()).toBe('Neta');
    await page.reload();
    await page.waitForSelector('html[lang="en"]');
  });

  it('fits a phone and shows the chats in a drawer', async () => {
    await open({ url: demo.url, viewport: { width: 360, height: 700 }, hasTouch: true, isMobile: true });
    await page.waitForSelector(byTestId('empty-state'));
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
    expect(await page.isVisible(byTestId('session-list'))).toBe(false);
    await page.tap(byTestId('open-sessions'));
    await page.waitForSelector(byTestId('session-list'), { state: 'visible' });
    await page.keyboard.press('Escape');
    await page.waitForSelector(byTestId('session-list'), { state: 'hidden' });
    await page.tap(byTestId('chat-options'));
    await page.tap(byTestId('menu-thinking'));
    await page.tap(byTestId('menu-high'));
    await page.tap(byTestId('chat-options'));
    expect(await page.textContent(byTestId('menu-thinking'))).toMatch(/: High$/);
  });

  it('keeps the chosen theme', async () => {
    await open({ url: demo.url, colorScheme: 'light' });
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await ground();
    await page.click(byTestId('theme'));
    await page.click(byTestId('theme'));
    await page.waitForSelector('html[data-theme="dark"]');
    const dark = await ground();
    expect(dark).not.toBe(light);
    await page.reload();
    await page.waitForSelector('html[data-theme="dark"]');
    expect(await ground()).toBe(dark);
  });
});

/** A chat of conversations.json of ChatGPT: a question and answers to it, the first with Markdown that a page must not trust. */
function chatGptExport(title: string, question: string, count: number): object {
  const answer =
    '## A **lot**\n\n<img src=x onerror="alert(1)"> ![x](https://example.invalid/x.png) [a](javascript:alert(1)) [b](notes.txt)';
  const rows = Array.from({ length: count }, (_, index) => {
    const [role, text] = index === 0 ? ['user', question] : ['assistant', index === 1 ? answer : 'And one more.'];
    const message = { author: { role }, create_time: 1_714_550_400 + index, content: { content_type: 'text', parts: [text] } };
    return [String(index), { id: String(index), parent: index === 0 ? null : String(index - 1), message }] as const;
  });
  return { title, mapping: Object.fromEntries(rows), current_node: String(count - 1) };
}

/** Runs in the page: true when the page waits for the end of another page. */
async function hasWaitingLock(): Promise<boolean> {
  const { pending = [] } = await navigator.locks.query();
  return pending.length > 0;
}
