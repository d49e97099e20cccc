/** The card of a patch in a real browser: the diff, the matching strategy and the undo. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { type AgentBench, startBench } from '../support/agent_bench';
import { launchBrowser } from '../support/browser';
import { findBarriers } from './ops_browser';

const byTestId = (id: string, state = ''): string => `[data-testid="${id}"]${state}`;
const CARD = byTestId('tool-card', '[data-tool="patch"][data-state="ok"]');
const BEFORE = 'name = "world"\r\nsize =  1\r\n';

describe('the card of a patch', () => {
  let bench: AgentBench;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let complaints: string[];
  const fileOf = (path: string): string => join(bench.gateway.workspace, path);

  beforeAll(async () => {
    [bench, browser] = await Promise.all([startBench(), launchBrowser()]);
  });

  afterAll(async () => {
    await browser?.close();
    await bench?.stop();
  });

  afterEach(async () => {
    await context?.close();
  });

  /** Lets the agent patch `path` with inexact text and opens the card. */
  async function patchInPage(path: string, options: BrowserContextOptions = {}): Promise<void> {
    await writeFile(fileOf(path), BEFORE);
    const edit = { path, old_string: 'name = "world"\nsize = 1', new_string: 'name = "moon"\nsize = 1' };
    bench.model.onTurn(`change ${path}`, { toolCalls: [{ name: 'patch', arguments: edit }] }, 'Changed.');
    context = await browser.newContext({ reducedMotion: 'reduce', ...options });
    context.setDefaultTimeout(10_000);
    page = await context.newPage();
    complaints = [];
    page.on('pageerror', error => complaints.push(String(error)));
    await page.goto(bench.gateway.url);
    await page.fill(byTestId('composer'), `change ${path}`);
    await page.press(byTestId('composer'), 'Enter');
    await page.waitForSelector(byTestId('turn', '[data-state="completed"]'));
    await page.click(`${CARD} .tool-head`);
  }

  const noteText = (): Promise<string | null> => page.textContent(`${CARD} ${byTestId('undo-note')}`);
  const noteSays = (text: string) => page.waitForSelector(`${CARD} ${byTestId('undo-note')}:has-text("${text}")`);

  it('shows the removed and added lines and the matching strategy, and undoes the change', async () => {
    await patchInPage('undo.toml');
    expect(await page.textContent(`${CARD} .diff-line.removed`)).toContain('-name = "world"');
    expect(await page.textContent(`${CARD} .diff-line.added`)).toContain('+name = "moon"');
    expect(await page.textContent(`${CARD} .tool-name .tag`)).toBe('match: whitespace normalized');
    expect(await noteText()).toBe('');
    await page.click(`${CARD} ${byTestId('undo')}`);
    await noteSays('Undone: the file is as it was before');
    expect(await readFile(fileOf('undo.toml'), 'utf8')).toBe(BEFORE);
    expect(await page.isVisible(`${CARD} ${byTestId('undo')}`)).toBe(false);
    expect(await page.textContent(`${CARD} .tool-facts .tag`)).toBe('Undone');

    await page.reload();
    await page.waitForSelector(`${CARD} .tool-duration`);
    await page.click(`${CARD} .tool-head`);
    await noteSays('Undone: the file is as it was before');
    expect(await page.isVisible(`${CARD} ${byTestId('undo')}`)).toBe(false);
    expect(await page.textContent(`${CARD} .tool-facts .tag`)).toBe('Undone');
    expect(complaints).toEqual([]);
  });

  it('lists every change of the chat with its diff, and undoes and redoes them, after a reload too', async () => {
    await patchInPage('listed.toml');
    await writeFile(fileOf('listed.md'), '# One\nold\n');
    const write = { path: 'listed.md', content: '# One\ntwo\n' };
    bench.model.onTurn('write listed', { toolCalls: [{ name: 'write_file', arguments: write }] }, 'Written.');
    await page.fill(byTestId('composer'), 'write listed');
    await page.press(byTestId('composer'), 'Enter');
    await page.waitForSelector(`${byTestId('open-changes')}:has-text("2")`);
    await page.focus(byTestId('open-changes'));
    await page.keyboard.press('Enter');
    const row = (index: number) => page.locator(byTestId('file-change')).nth(index);
    await row(1).waitFor();
    expect(await page.textContent(byTestId('changes-count'))).toBe('2 changes, newest first');
    expect(await row(0).locator('summary code').textContent()).toBe('listed.md');
    expect(await row(0).locator('.diff-line.added').allTextContents()).toEqual(['+two\n']);
    expect(await row(0).locator('.diff-line.removed').allTextContents()).toEqual(['-old\n']);
    expect(await row(1).locator('.diff-words').allTextContents()).toContain('moon');
    expect(await findBarriers(page)).toEqual([]);
    await row(1).locator(byTestId('undo')).click();
    await row(1).locator(byTestId('redo')).waitFor();
    expect(await readFile(fileOf('listed.toml'), 'utf8')).toBe(BEFORE);
    await page.keyboard.press('Escape');
    await page.waitForSelector(byTestId('changes-drawer'), { state: 'detached' });
    expect(await page.evaluate(() => document.activeElement?.getAttribute('data-testid'))).toBe('open-changes');
    // The card in the chat says the same.
    expect(await page.textContent(`${CARD} .tool-facts .tag`)).toBe('Undone');

    await page.reload();
    await page.click(byTestId('open-changes'));
    await row(1).locator(byTestId('redo')).click();
    await row(1).locator(byTestId('undo')).waitFor();
    expect(await readFile(fileOf('listed.toml'), 'utf8')).toContain('name = "moon"');
    await row(1).locator(byTestId('undo')).click();
    await row(1).locator(byTestId('redo')).waitFor();
    await writeFile(fileOf('listed.toml'), 'by hand\n');
    await row(1).locator(byTestId('redo')).click();
    await row(1).locator('[role="status"]:has-text("Cannot be redone: the file was changed after the undo")').waitFor();
    expect(await readFile(fileOf('listed.toml'), 'utf8')).toBe('by hand\n');

    // A branch shows the turns before it, whose calls are in the session that it left.
    await page.keyboard.press('Escape');
    bench.model.onTurn('in other words', 'Branched.');
    await page.click(`${byTestId('edit-sent')} >> nth=1`);
    await page.fill(byTestId('edited-message'), 'in other words');
    await page.press(byTestId('edited-message'), 'Enter');
    await page.waitForSelector(`${byTestId('answer')}:has-text("Branched.")`);
    await page.click(`${byTestId('open-changes')}:has-text("1")`);
    await row(0).waitFor();
    expect(await row(0).locator('summary code').textContent()).toBe('listed.toml');
    expect(await row(0).locator(byTestId('change-origin')).textContent()).toBe('from a copied turn');
    expect(await row(0).locator(byTestId('change-counts')).textContent()).toBe('+1 −1');
    expect(complaints).toEqual([]);
  });

  it('refuses the undo and says why when the file was changed later', async () => {
    await patchInPage('taken.toml');
    await writeFile(fileOf('taken.toml'), 'something else\n');
    await page.click(`${CARD} ${byTestId('undo')}`);
    await noteSays('Cannot be undone: the file was changed again');
    expect(await page.isVisible(`${CARD} ${byTestId('undo')}`)).toBe(false);
    expect(await readFile(fileOf('taken.toml'), 'utf8')).toBe('something else\n');
  });

  it('is Chinese on a Chinese page', async () => {
    await patchInPage('chinese.toml', { locale: 'zh-CN' });
    expect(await page.textContent(`${CARD} ${byTestId('undo')}`)).toBe('撤销');
    await page.click(`${CARD} ${byTestId('undo')}`);
    await noteSays('已撤销：文件已恢复到修改之前');
    expect(await readFile(fileOf('chinese.toml'), 'utf8')).toBe(BEFORE);
  });

  it('offers the undo on a narrow screen too', async () => {
    await patchInPage('narrow.toml', { viewport: { width: 360, height: 640 } });
    await page.locator(`${CARD} ${byTestId('undo')}`).scrollIntoViewIfNeeded();
    await page.click(`${CARD} ${byTestId('undo')}`);
    await noteSays('Undone');
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth)).toBe(true);
  });
});
