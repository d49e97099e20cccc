/** The skills view in a real Chromium against the gateway: skills of the operator and of the agent, broken ones, and the approval of a change. */
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type AgentBench, startBench } from '../support/agent_bench';
import { approval, byTestId, type ChatBrowser, startChatBrowser, turn } from './chat_browser';

const SKILL = (name: string, description: string, text: string) => `---\nname: ${name}\ndescription: ${description}\n---\n\n${text}\n`;

const OPERATOR_FILES: Record<string, string> = {
  'release-notes/SKILL.md': SKILL('release-notes', 'Writes release notes.', '# How to write\n\nRun `git log`. <script>alert(1)</script>'),
  'release-notes/references/style.md': '# Style\n\n**Short** sentences.',
  'release-notes/scripts/notes.py': 'print("notes")\n',
  'renamed/SKILL.md': SKILL('other-name', 'Has another name than its folder.', 'Works.'),
  'broken/SKILL.md': '---\nname: broken\n---\n\nNo description.\n',
};

let config: string;
let bench: AgentBench;
let browser: ChatBrowser;

beforeAll(async () => {
  config = await mkdtemp(join(tmpdir(), 'neta-skills-'));
  await cp(join(__dirname, '../../config/agents'), join(config, 'agents'), { recursive: true });
  for (const [path, content] of Object.entries(OPERATOR_FILES)) {
    const target = join(config, 'skills', path);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, content);
  }
  [bench, browser] = await Promise.all([startBench({ env: { NETA_CONFIG_DIR: config } }), startChatBrowser()]);
});

afterAll(async () => {
  await browser?.stop();
  await bench?.stop();
  await rm(config, { recursive: true, force: true });
});

afterEach(async () => {
  await browser?.closePages();
  await bench.rest.request('DELETE', '/skills/travel-plan');
});

const row = (name: string) => byTestId('skill', `[data-name="${name}"]`);
const open = (path = '/?view=skills', options = {}) => browser.open({ url: bench.gateway.url + path, ...options });
const put = (content: string) => bench.rest.request('PUT', '/skills/travel-plan', { content });
const stored = async () => (await bench.rest.request<{ content: string }>('GET', '/skills/travel-plan')).body.content;

it('lists skills with their source, and names the file and line of a problem', async () => {
  const { page, complaints } = await open();
  await page.waitForSelector(row('release-notes'));
  expect(await page.textContent(row('release-notes'))).toContain('From the operator');
  expect(await page.textContent(`${row('broken')} ${byTestId('skill-problems')}`)).toMatch(/SKILL\.md:\d+/);
  expect(await page.isVisible(`${row('broken')} ${byTestId('skill-switch')}`)).toBe(false);
  const warned = byTestId('skill', `:has(${byTestId('skill-warnings')})`);
  expect(await page.textContent(warned)).toMatch(/can be used, but should be mended:.*SKILL\.md/);
  expect(await page.isVisible(`${warned} ${byTestId('skill-switch')}`)).toBe(true);
  expect(complaints).toEqual([]);
});

it('turns a skill off and on, also one of the operator', async () => {
  const { page } = await open();
  const toggle = `${row('release-notes')} ${byTestId('skill-switch')}`;
  for (const checked of ['false', 'true']) {
    await page.click(toggle);
    await page.waitForSelector(`${toggle}[aria-checked="${checked}"]`);
    const { body } = await bench.rest.request<{ enabled: boolean }>('GET', '/skills/release-notes');
    expect(String(body.enabled)).toBe(checked);
  }
});

it('shows the text of a skill as safe Markdown, opens its files, and returns to the list', async () => {
  const { page, complaints } = await open();
  await page.click(`${row('release-notes')} ${byTestId('open-skill')}`);
  await page.waitForSelector(`${byTestId('skill-page')} .markdown h1:has-text("How to write")`);
  expect(page.url()).toContain('item=release-notes');
  expect(await page.isVisible(byTestId('edit-skill'))).toBe(false);
  expect(await page.locator(`${byTestId('skill-page')} script`).count()).toBe(0);
  await page.click(`${byTestId('skill-file')}:has-text("references/style.md")`);
  await page.waitForSelector(`${byTestId('skill-file-text')} strong:has-text("Short")`);
  await page.click(`${byTestId('skill-file')}:has-text("scripts/notes.py")`);
  await page.waitForSelector(`pre${byTestId('skill-file-text')}:has-text('print("notes")')`);
  await page.reload();
  await page.waitForSelector(byTestId('skill-page'));
  await page.keyboard.press('Escape');
  await page.waitForSelector(row('release-notes'));
  expect(page.url()).not.toContain('item=');
  expect(complaints).toEqual([]);
});

it('writes a new skill from a template, edits it and deletes it', async () => {
  const { page } = await open();
  await page.click(byTestId('new-skill'));
  await page.fill(byTestId('skill-name'), 'release-notes');
  await page.waitForSelector('text=There is a skill with this name already.');
  expect(await page.isDisabled(byTestId('save-skill'))).toBe(true);
  await page.fill(byTestId('skill-name'), 'Travel plan');
  expect(await page.inputValue(byTestId('skill-text'))).toContain('name: travel-plan');
  await page.click(byTestId('save-skill'));
  await page.waitForSelector(`${byTestId('skill-page')} h2:has-text("travel-plan")`);

  await page.click(byTestId('edit-skill'));
  await page.waitForFunction(() => document.activeElement?.matches('[data-testid="skill-text"]'));
  const broken = '---\nname: travel-plan\n---\n\nAsk for the date.\n';
  await page.fill(byTestId('skill-text'), broken);
  await page.click(byTestId('save-skill'));
  expect(await page.textContent(byTestId('skill-problem'))).toContain('SKILL.md:');
  expect(await page.inputValue(byTestId('skill-text'))).toBe(broken);
  const mended = SKILL('travel-plan', 'Plans a journey.', 'Ask for the **date**.');
  await page.fill(byTestId('skill-text'), mended);
  // The unsaved text stays in the form when the person looks at something else.
  await page.click(byTestId('back-to-chat'));
  await page.goBack();
  await page.click(byTestId('edit-skill'));
  expect(await page.inputValue(byTestId('skill-text'))).toBe(mended);
  await page.click(byTestId('save-skill'));
  await page.waitForSelector(`${byTestId('skill-page')} .markdown strong:has-text("date")`);
  expect(await page.textContent(byTestId('skill-page'))).toContain('Plans a journey.');
  expect(await stored()).toBe(mended);

  await page.click(byTestId('delete-skill'));
  await page.click(byTestId('confirm'));
  await page.waitForSelector(row('release-notes'));
  expect(await page.isVisible(row('travel-plan'))).toBe(false);
});

it('does not write over a skill that was made after the list was read', async () => {
  const { page } = await open();
  await page.waitForSelector(row('release-notes'));
  const first = SKILL('travel-plan', 'Made by another.', 'Keep me.');
  await put(first);
  await page.click(byTestId('new-skill'));
  await page.fill(byTestId('skill-name'), 'travel-plan');
  await page.click(byTestId('save-skill'));
  expect(await page.textContent(byTestId('skill-problem'))).toContain('a skill with this name already');
  expect(await stored()).toBe(first);
});

it('shows a change of the agent as text and as a diff before it is allowed', async () => {
  const content = SKILL('travel-plan', 'Plans a journey.', 'Ask for the date.');
  const manage = (args: Record<string, unknown>) => ({
    toolCalls: [{ name: 'skill_manage', arguments: { name: 'travel-plan', ...args } }],
  });
  bench.model.onTurn('keep the way', manage({ action: 'create', content }), 'Kept.');
  const patch = { action: 'patch', old_string: 'Ask for the date.', new_string: 'Ask for the date and the class.' };
  bench.model.onTurn('mend the way', manage(patch), 'Mended.');
  const { page, say } = await open('/');
  await say('keep the way');
  await page.waitForSelector(approval('pending'));
  expect(await page.textContent(`${byTestId('approval-arguments')} pre`)).toBe(content);
  expect(await page.textContent(`${byTestId('approval-arguments')} .argument-inline:has-text("create")`)).toBe('What it doescreate');
  await page.click(byTestId('approval-once'));
  await page.waitForSelector(turn('completed'));
  expect(await stored()).toBe(content);

  await say('mend the way');
  await page.waitForSelector(approval('pending'));
  expect(await page.textContent(`${approval('pending')} .diff-line.removed`)).toContain('-Ask for the date.');
  expect(await page.textContent(`${approval('pending')} .diff-line.added`)).toContain('+Ask for the date and the class.');
  await page.click(byTestId('approval-once'));
  await page.waitForSelector(`${turn('completed')} >> nth=1`);
  expect(await stored()).toContain('and the class');
});

it('fits a phone, in Chinese', async () => {
  await put(SKILL('travel-plan', 'x'.repeat(300), '| a | b |\n|---|---|\n| 1 | 2 |'));
  const { page } = await open('/?view=skills', { viewport: { width: 390, height: 800 }, isMobile: true, hasTouch: true, locale: 'zh-CN' });
  const fits = () => page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth);
  await page.waitForSelector(row('travel-plan'));
  expect(await fits()).toBe(true);
  await page.tap(`${row('travel-plan')} ${byTestId('open-skill')}`);
  await page.waitForSelector(`${byTestId('skill-page')}:has-text("元数据")`);
  expect(await fits()).toBe(true);
  await page.tap(byTestId('edit-skill'));
  await page.waitForSelector(byTestId('skill-form'));
  expect(await fits()).toBe(true);
});
