/** The memory view in a real Chromium against the gateway, and the line that says what the agent remembered. */
import { type AgentBench, startBench } from '../support/agent_bench';
import { textOfDownload } from '../support/browser';
import type { PageBody } from '../support/rest_client';
import { byTestId, type ChatBrowser, startChatBrowser, turn } from './chat_browser';
import { findBarriers } from './ops_browser';

interface MemoryRow {
  id: string;
  text: string;
  kind: string;
  source: { by: string; sessionId?: string };
}

let bench: AgentBench;
let browser: ChatBrowser;

beforeAll(async () => {
  [bench, browser] = await Promise.all([startBench({ own: 'memory reaches later prompts' }), startChatBrowser()]);
});

afterAll(async () => {
  await browser?.stop();
  await bench?.stop();
});

afterEach(async () => {
  await browser?.closePages();
  for (const { id } of await storedMemories()) await bench.rest.request('DELETE', `/memories/${id}`);
});

const ROW = byTestId('memory');
const open = (path = '/?view=memory', options = {}) => browser.open({ url: bench.gateway.url + path, ...options });
const add = (text: string, kind = 'fact') => bench.rest.request('POST', '/memories', { text, kind });

async function storedMemories(): Promise<MemoryRow[]> {
  const { body } = await bench.rest.request<PageBody<MemoryRow>>('GET', '/memories?limit=100');
  return body.data;
}

const textsOf = async () => (await storedMemories()).map(({ text }) => text).sort();

describe('the prompt library', () => {
  afterEach(async () => {
    const { data } = (await bench.rest.request<PageBody<{ id: string }>>('GET', '/prompts')).body;
    for (const { id } of data) await bench.rest.request('DELETE', `/prompts/${id}`);
  });
  const command = (name: string) => byTestId('command', `[data-command="${name}"]`);

  it('is written in its view, and inserted by a slash, with a form for its variables', async () => {
    const { page, complaints, focusReaches } = await open('/?view=prompts');
    await page.click(byTestId('add-prompt'));
    await page.waitForSelector(`${byTestId('prompt-name')}:focus`);
    await page.keyboard.type('Weekly');
    await page.fill(byTestId('prompt-text'), 'Report on {{topic}} for {{who}}.');
    await page.fill(byTestId('label-0'), 'About what?');
    await page.fill(byTestId('default-1'), 'the team');
    await page.click(byTestId('save-prompt'));
    await page.waitForSelector(byTestId('field-problem'));
    await page.fill(byTestId('prompt-name'), 'weekly');
    await page.keyboard.press('Control+Enter');
    await page.waitForSelector(byTestId('prompt', '[data-name="weekly"]:has-text("topic"):has-text("who")'));
    expect(await findBarriers(page)).toEqual([]);
    await page.click(byTestId('back-to-chat'));
    await focusReaches('composer');
    await page.keyboard.type('/w');
    await page.waitForSelector(`${command('weekly')}[aria-selected="true"]`);
    expect(await findBarriers(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.waitForSelector(`${byTestId('variable-0')}:focus`);
    await page.waitForSelector(`${byTestId('prompt-dialog')}:has-text("About what?")`);
    await page.keyboard.type('bees');
    expect(await findBarriers(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await focusReaches('composer');
    expect(await page.inputValue('#composer')).toBe('Report on bees for the team.');
    expect(complaints).toEqual([]);
  });

  it('stands in the search dialog; a slash also runs actions, Escape leaves the list, and other texts have none', async () => {
    await bench.rest.request('POST', '/prompts', { name: 'greet', text: 'Say hello.' });
    const { page, complaints } = await open('/');
    await page.fill('#composer', 'and more');
    await page.keyboard.press('Control+k');
    await page.fill(byTestId('search-field'), 'greet');
    await page.click(byTestId('search-prompt'));
    await page.waitForFunction(() => document.querySelector<HTMLTextAreaElement>('#composer')?.value === 'and more\n\nSay hello.');
    await page.fill('#composer', 'either/or');
    expect(await page.locator(byTestId('command-list')).count()).toBe(0);
    await page.fill('#composer', '/gre');
    await page.waitForSelector(command('greet'));
    await page.press('#composer', 'Escape');
    await page.waitForSelector(byTestId('command-list'), { state: 'detached' });
    expect(await page.inputValue('#composer')).toBe('/gre');
    await page.fill('#composer', '/sett');
    await page.click(command('settings'));
    await page.waitForSelector(byTestId('view-settings'));
    expect(await page.inputValue('#composer')).toBe('');
    expect(complaints).toEqual([]);
  });

  it('opens the dialogs of the chat and prints it by commands, which the sheet of shortcuts lists', async () => {
    bench.model.onTurn('to share', 'Shared.');
    const { page, say, complaints, focusReaches } = await open('/');
    await say('to share');
    await page.waitForSelector(turn('completed'));
    await page.evaluate(() => Object.assign(globalThis, { print: () => document.body.setAttribute('data-printed', 'yes') }));
    for (const name of ['share', 'instructions', 'import']) {
      await page.fill('#composer', `/${name}`);
      await page.waitForSelector(`${command(name)}[aria-selected="true"]`);
      await page.press('#composer', 'Enter');
      await page.waitForSelector(byTestId(`${name}-dialog`));
      await page.keyboard.press('Escape');
      await page.waitForSelector(byTestId(`${name}-dialog`), { state: 'detached' });
      await focusReaches('composer');
    }
    await page.fill('#composer', '/print');
    await page.click(command('print'));
    await page.waitForSelector('[data-printed="yes"]');
    await page.fill('#composer', '/shortcuts');
    await page.click(command('shortcuts'));
    await page.waitForSelector(byTestId('sheet-commands'));
    const listed = await page.locator(`${byTestId('sheet-commands')} kbd`).allTextContents();
    expect(listed).toEqual(expect.arrayContaining(['/share', '/instructions', '/import', '/print', '/export-json', '/settings']));
    expect(await findBarriers(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });
});

describe('the memory view', () => {
  it('adds, edits and deletes a memory, and keeps the focus', async () => {
    const { page, complaints, focusReaches } = await open();
    await page.waitForSelector('text=Nothing is remembered yet');
    await page.click(byTestId('add-memory'));
    await focusReaches('memory-text');
    await page.keyboard.type('I write dates as 2026-01-31.');
    await page.selectOption(byTestId('memory-kind'), 'preference');
    await page.keyboard.press('Tab');
    await page.click(byTestId('save-memory'));
    await page.waitForSelector(`${ROW}[data-kind="preference"]:has-text("Added by you")`);
    await page.waitForFunction(() => document.activeElement?.matches('[data-testid="add-memory"]'));

    await page.click(byTestId('edit-memory'));
    await page.fill(byTestId('memory-text'), 'I write dates as 31.01.2026.');
    await page.keyboard.press('Control+Enter');
    await page.waitForSelector(`${ROW}:has-text("31.01.2026")`);
    expect(await textsOf()).toEqual(['I write dates as 31.01.2026.']);
    await page.click(byTestId('edit-memory'));
    await page.fill(byTestId('memory-text'), 'half an edit');
    // Escape asks before it throws the text away; in the dialog, Escape only closes the dialog.
    await page.keyboard.press('Escape');
    await page.waitForSelector(byTestId('confirm-dialog'));
    await page.keyboard.press('Escape');
    await page.waitForSelector(byTestId('confirm-dialog'), { state: 'detached' });
    expect(await page.inputValue(byTestId('memory-text'))).toBe('half an edit');
    await page.keyboard.press('Escape');
    await page.click(byTestId('confirm'));
    await page.waitForSelector(ROW);
    await page.waitForFunction(() => document.activeElement?.matches('[data-testid="edit-memory"]'));

    await page.click(byTestId('forget-memory'));
    await page.click(byTestId('confirm'));
    await page.waitForSelector(ROW, { state: 'detached' });
    await page.waitForFunction(() => document.activeElement?.id === 'view-heading');
    expect(await textsOf()).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('shows the memory that says nearly the same, and saves beside it when asked', async () => {
    await add('The release of the lighthouse project is on Thursday at noon');
    const { page } = await open();
    await page.click(byTestId('add-memory'));
    await page.fill(byTestId('memory-text'), 'The release of the lighthouse project is on Thursday at noon sharp');
    await page.click(byTestId('save-memory'));
    await page.waitForSelector(`${byTestId('near-duplicate')}:has-text("Thursday at noon")`);
    expect(await storedMemories()).toHaveLength(1);
    await page.click(byTestId('save-anyway'));
    await page.waitForFunction(row => document.querySelectorAll(row).length === 2, ROW);
    expect(await storedMemories()).toHaveLength(2);
  });

  it('counts characters, and keeps a text that the gateway refuses', async () => {
    const { page } = await open();
    await page.click(byTestId('add-memory'));
    await page.fill(byTestId('memory-text'), '海'.repeat(2_001));
    await page.waitForSelector('.form-count.over:has-text("2,001 of 2,000")');
    expect(await page.isDisabled(byTestId('save-memory'))).toBe(true);
    const secret = `my key is sk-proj-${'a1B2c3D4'.repeat(5)}`;
    await page.fill(byTestId('memory-text'), secret);
    await page.click(byTestId('save-memory'));
    expect(await page.textContent(byTestId('memory-problem'))).toContain('key or a password');
    expect(await page.inputValue(byTestId('memory-text'))).toBe(secret);
    expect(await storedMemories()).toEqual([]);
  });

  it('says why a text was refused in the language of the page, also when it is not that of the browser', async () => {
    const { page } = await open();
    await page.selectOption(byTestId('language'), 'zh-CN');
    await page.click(byTestId('add-memory'));
    await page.fill(byTestId('memory-text'), `密钥 sk-proj-${'a1B2c3D4'.repeat(5)}`);
    await page.click(byTestId('save-memory'));
    expect(await page.textContent(byTestId('memory-problem'))).toContain('似乎含有密钥或密码');
  });

  it('searches while the person types, also two Chinese characters, and filters by kind', async () => {
    await add('妹妹住在杭州，十月过生日。');
    await add('Prefers tea over coffee', 'preference');
    const { page } = await open();
    await page.waitForFunction(row => document.querySelectorAll(row).length === 2, ROW);
    await page.fill(byTestId('memory-search'), '杭州');
    await page.waitForFunction(row => document.querySelectorAll(row).length === 1, ROW);
    expect(await page.textContent(ROW)).toContain('妹妹');
    await page.click(byTestId('kind-preference'));
    await page.waitForSelector('text=No memory matches');
    await page.fill(byTestId('memory-search'), '');
    await page.waitForSelector(`${ROW}:has-text("tea")`);
    expect(await page.getAttribute(byTestId('kind-preference'), 'aria-pressed')).toBe('true');
  });

  it('shows more on request, and exports every memory', async () => {
    const words = ['amber', 'birch', 'cedar', 'delta', 'ember', 'fjord', 'grove', 'haven'];
    const all = words
      .flatMap(one => words.map(two => `${one} ${two} ${words.indexOf(one)}${words.indexOf(two)} ${two}${one}`))
      .slice(0, 60);
    for (const text of all) await bench.rest.request('POST', '/memories', { text, force: true });
    const { page } = await open();
    await page.waitForFunction(row => document.querySelectorAll(row).length === 50, ROW);
    await page.click(byTestId('more'));
    await page.waitForFunction(row => document.querySelectorAll(row).length === 60, ROW);
    await page.waitForSelector(byTestId('more'), { state: 'detached' });
    const [download] = await Promise.all([page.waitForEvent('download'), page.click(byTestId('export-memories'))]);
    const lines = (await textOfDownload(download)).trim().split('\n');
    expect(lines.map(line => (JSON.parse(line) as MemoryRow).text).sort()).toEqual([...all].sort());
  });

  it('fits a phone, in Chinese', async () => {
    await add(`https://example.com/${'long'.repeat(60)}`);
    const { page } = await open('/?view=memory', {
      viewport: { width: 390, height: 800 },
      isMobile: true,
      hasTouch: true,
      locale: 'zh-CN',
    });
    await page.waitForSelector(`${ROW}:has-text("由你添加")`);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
    await page.tap(byTestId('edit-memory'));
    await page.waitForSelector(byTestId('memory-form'));
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
  });
});

describe('what the agent remembers in a chat', () => {
  const save = (text: string) => ({ toolCalls: [{ name: 'memory_save', arguments: { text, kind: 'project' } }] });

  it('is a line with Forget, and the view links to the chat', async () => {
    bench.model.onTurn('remember the branch', save('The release branch is called harbour'), 'I will remember it.');
    const { page, say, focusReaches } = await open('/');
    await say('remember the branch');
    await page.waitForSelector(`${byTestId('memory-line')}:has-text("Remembered: The release branch is called harbour")`);
    await page.waitForSelector(turn('completed'));
    const chat = page.url();
    await page.click(byTestId('open-memory'));
    await page.click(`${ROW}:has-text("Saved by the agent") a`);
    await page.waitForSelector(byTestId('memory-line'));
    expect(page.url()).toBe(chat);
    await page.click(byTestId('forget'));
    await page.waitForSelector(`${byTestId('memory-note')}:has-text("Forgotten")`);
    expect(await storedMemories()).toEqual([]);
    await focusReaches('memory-line');
    await page.reload();
    await page.waitForSelector(`${byTestId('memory-line')}[data-status="forgotten"]`);
    expect(await page.locator(byTestId('forget')).count()).toBe(0);
  });

  it('says what it knew already, and saves the new text on request', async () => {
    await add('The release of the lighthouse project is on Thursday at noon');
    const text = 'The release of the lighthouse project is on Thursday at noon sharp';
    bench.model.onTurn('remember the hour', save(text), 'I knew that.');
    const { page, say } = await open('/');
    await say('remember the hour');
    await page.waitForSelector(`${byTestId('memory-line')}[data-status="known"]`);
    await page.click(byTestId('save-anyway'));
    await page.waitForSelector(`${byTestId('memory-note')}:has-text("Saved")`);
    expect(await textsOf()).toContain(text);
  });
});
