/** Files of the workspace in a real Chromium: the view that lists, shows and stores them, and files that a message names. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AgentBench, startBench } from '../support/agent_bench';
import { byTestId, type ChatBrowser, COMPOSER, startChatBrowser, turn } from './chat_browser';

let bench: AgentBench;
let browser: ChatBrowser;
const FOLDER = 'files-view';

beforeAll(async () => {
  [bench, browser] = await Promise.all([startBench(), startChatBrowser()]);
  const folder = join(bench.gateway.workspace, FOLDER);
  await mkdir(join(folder, 'deep'), { recursive: true });
  await writeFile(join(folder, 'plan.md'), '# The plan\n\n- one\n');
  await writeFile(join(folder, 'sales.csv'), 'city,sum\n"Paris, France",12\n北京,7\n');
  await writeFile(join(folder, 'blob.bin'), Buffer.from([0, 1, 2, 255]));
  await writeFile(join(folder, 'deep/app.ts'), 'export const answer = 42;\n');
  await writeFile(join(folder, 'paper.pdf'), '%PDF-1.4\n<script>parent.hacked = true</script>');
});
afterAll(async () => {
  await browser?.stop();
  await rm(join(bench.gateway.workspace, FOLDER), { recursive: true, force: true });
  await rm(join(bench.gateway.workspace, 'uploads'), { recursive: true, force: true });
  await bench?.stop();
});
afterEach(() => browser.closePages());

const open = (path: string, options = {}) => browser.open({ url: bench.gateway.url + path, ...options });
const openFolder = (options = {}) => open(`/?view=files&item=${FOLDER}/`, options);
const row = (name: string) => byTestId('file', `[data-path="${FOLDER}/${name}"]`);
const text = (name: string, content: string, mimeType = 'text/plain') => ({ name, mimeType, buffer: Buffer.from(content) });
const stored = (path: string) => readFile(join(bench.gateway.workspace, path), 'utf8');

it('lists a directory, and shows a document, a table, code and what cannot be shown', async () => {
  const { page, complaints } = await openFolder();
  await page.click(`${row('plan.md')} ${byTestId('open-file')}`);
  await page.waitForSelector(`${byTestId('file-text')} h1:has-text("The plan")`);
  await page.click(`nav a:has-text("${FOLDER}")`);
  await page.click(`${row('sales.csv')} ${byTestId('open-file')}`);
  await page.waitForSelector(byTestId('file-table'));
  expect(await page.locator(`${byTestId('file-table')} td`).allTextContents()).toEqual(['Paris, France', '12', '北京', '7']);
  await page.goBack();
  await page.click(`${row('deep')} ${byTestId('open-file')}`);
  await page.click(`${byTestId('file', `[data-path="${FOLDER}/deep/app.ts"]`)} ${byTestId('open-file')}`);
  await page.waitForSelector(`${byTestId('file-text')} .hljs-keyword`);
  await page.goto(`${bench.gateway.url}/?view=files&item=${FOLDER}/blob.bin`);
  await page.waitForSelector(`${byTestId('file-notice')}:has-text("cannot be shown")`);
  // The browser of the tests has no viewer of PDF files; the page would say so.
  await page.addInitScript(() => Object.defineProperty(navigator, 'pdfViewerEnabled', { value: true }));
  await page.goto(`${bench.gateway.url}/?view=files&item=${FOLDER}/paper.pdf`);
  await page.waitForSelector(byTestId('file-document'));
  expect(await page.evaluate(() => 'hacked' in window)).toBe(false);
  expect(complaints).toEqual([]);
  await page.goto(`${bench.gateway.url}/?view=files&item=gone.txt`);
  await page.waitForSelector(`${byTestId('file-notice')}:has-text("does not exist")`);
  // A browser would remove the dots, and the page would read and delete a chat in place of a file.
  await page.goto(`${bench.gateway.url}/?view=files&item=../sessions/one`);
  await page.waitForSelector(`${byTestId('file-notice')}:has-text("does not exist")`);
  expect(await page.isVisible(byTestId('delete-file'))).toBe(false);
});

it('stores files without replacing any, and deletes one after a question', async () => {
  const { page } = await openFolder();
  await page.setInputFiles(byTestId('upload-picker'), [text('plan.md', 'other'), text('a b#c.txt', 'new')]);
  await page.waitForSelector(row('plan-2.md'));
  await page.waitForSelector(row('a-b-c.txt'));
  expect(await stored(`${FOLDER}/plan.md`)).toContain('# The plan');
  expect(await stored(`${FOLDER}/plan-2.md`)).toBe('other');
  await page.click(`${row('plan-2.md')} ${byTestId('delete-file')}`);
  await page.click(byTestId('confirm'));
  await page.waitForSelector(row('plan-2.md'), { state: 'detached' });
  await expect(stored(`${FOLDER}/plan-2.md`)).rejects.toThrow('ENOENT');
});

it('attaches a file to a message, which names it and links to it', async () => {
  bench.model.onTurn('sum this', 'It is 12.');
  const { page, complaints } = await open('/');
  await page.fill(COMPOSER, 'sum this');
  await page.setInputFiles(byTestId('file-picker'), text('numbers.csv', 'a,b\n5,7\n', 'text/csv'));
  await page.waitForFunction(() => document.querySelector<HTMLTextAreaElement>('#composer')?.value === 'sum this @uploads/numbers.csv ');
  expect(await stored('uploads/numbers.csv')).toBe('a,b\n5,7\n');
  await page.press(COMPOSER, 'Enter');
  await page.waitForSelector(turn('completed'));
  expect(bench.model.requests('sum this').at(-1)?.body.messages.at(-1)?.content).toContain('sum this @uploads/numbers.csv');
  await page.click(byTestId('mentioned-file'));
  await page.waitForSelector(byTestId('file-table'));
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await page.waitForSelector(COMPOSER);
  expect(complaints).toEqual([]);
});

it('a slow upload holds up no other chat, and is named in its own', async () => {
  const { page, say } = await open('/');
  await say('sum this');
  await page.waitForSelector(turn('completed'));
  let arrive = () => {};
  const arrived = new Promise<void>(resolve => {
    arrive = resolve;
  });
  await page.route('**/files/uploads/**', async route => {
    await arrived;
    await route.continue();
  });
  await page.fill(COMPOSER, 'with this');
  await page.setInputFiles(byTestId('file-picker'), text('slow.txt', 'slow'));
  await page.waitForSelector(`${byTestId('send')}:disabled`);
  await page.click(byTestId('new-chat'));
  await page.fill(COMPOSER, 'something else');
  await page.waitForSelector(`${byTestId('send')}:enabled`);
  await page.goBack();
  await page.waitForSelector(turn('completed'));
  arrive();
  await page.waitForFunction(() => document.querySelector<HTMLTextAreaElement>('#composer')?.value === 'with this @uploads/slow.txt ');
});

it('completes a path behind an @ by keyboard', async () => {
  const { page } = await open('/');
  await page.fill(COMPOSER, 'read ');
  await page.locator(COMPOSER).pressSequentially('@files-v');
  await page.waitForSelector(byTestId('mention-row'));
  await page.keyboard.press('Enter');
  await page.waitForSelector(`${byTestId('mention-row')}:has-text("plan.md")`);
  await page.locator(COMPOSER).pressSequentially('p');
  await page.waitForFunction(() => document.querySelectorAll('[data-testid=mention-row]').length === 2);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Tab');
  expect(await page.inputValue(COMPOSER)).toBe(`read @${FOLDER}/plan.md `);
  await page.locator(COMPOSER).pressSequentially('@files-v');
  await page.waitForSelector(byTestId('mention-row'));
  await page.keyboard.press('Escape');
  await page.waitForSelector(byTestId('mention-list'), { state: 'detached' });
  expect(await page.inputValue(COMPOSER)).toContain('@files-v');
  await page.locator(COMPOSER).pressSequentially('i');
  await page.waitForSelector(byTestId('mention-row'));
  // The list belongs to the place of the cursor.
  await page.keyboard.press('Home');
  await page.waitForSelector(byTestId('mention-list'), { state: 'detached' });
});
