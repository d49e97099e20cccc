/** The operator pages for the log, limits, prices, notices, files and titles; and every screen by keyboard alone. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AgentBench, startBench } from '../support/agent_bench';
import { type AgentConfig, createAgentConfig } from '../support/agent_config';
import { textOfDownload } from '../support/browser';
import { byTestId } from './chat_browser';
import { type OpsBrowser, startOpsBrowser } from './ops_browser';
import { changeEveryControl } from './ops_controls';

const LIMITS = 'default:\n  tokensPerDay: 100000\n';
const SCREENS = [
  '',
  'runs',
  'sessions',
  'people',
  'suites',
  'tools',
  'models',
  'limits',
  'jobs',
  'connections',
  'logs',
  'audit',
  'accounts',
  'keys',
  'config',
];
const row = (table: string, more = '') => `${byTestId(`${table}-row`)}${more}`;

let config: AgentConfig;
let bench: AgentBench;
let browser: OpsBrowser;

beforeAll(async () => {
  config = await createAgentConfig(['base'], { helper: ['base'] });
  await writeFile(join(config.directory, 'limits.yaml'), LIMITS);
  const env = { NETA_CONFIG_DIR: config.directory };
  [bench, browser] = await Promise.all([startBench({ env }), startOpsBrowser()]);
  bench.model.onTurn('fail', { error: { status: 400, message: 'no' } });
  bench.model.onTurn('answer slowly', { text: 'A long answer that goes on.', chunkSize: 4, pauseAfter: 2 });
  bench.model.onTurn(/./, 'fine');
});

afterAll(async () => {
  await browser?.stop();
  await bench?.stop();
  await config?.remove();
});

afterEach(() => browser.closePages());

const open = (path: string, options = {}) => browser.open(`${bench.gateway.url}/ops${path}`, options);

it('holds the log while new lines are counted, goes on with them, and downloads it', async () => {
  const { body: first } = await bench.rest.run({ input: 'before the pause' });
  const { page } = await open('/logs');
  const linkOf = (runId: string) => row('log', ` a[href$="${runId}"]`);
  await page.waitForSelector(linkOf(first.runId));
  await page.click(byTestId('hold-log'));
  const { body: second } = await bench.rest.run({ input: 'during the pause' });
  await page.waitForSelector('.toolbar [role="status"]:has-text("new line")');
  expect(await page.locator(linkOf(second.runId)).count()).toBe(0);
  await page.click(byTestId('hold-log'));
  await page.waitForSelector(linkOf(second.runId));
  const [download] = await Promise.all([page.waitForEvent('download'), page.click(byTestId('download-log'))]);
  const lines = (await textOfDownload(download)).trim().split('\n');
  expect(lines.map(line => JSON.parse(line).runId)).toEqual(expect.arrayContaining([first.runId, second.runId]));
});

it('raises a limit for today', async () => {
  await bench.rest.run({ input: 'use some tokens' });
  const { page } = await open('/limits');
  await page.click(`${row('limits', ':has-text("tokensPerDay")')} ${byTestId('raise')}`);
  await page.fill(byTestId('raise-by'), '5000');
  await page.fill(byTestId('reason'), 'a busy day');
  await page.click(byTestId('confirm'));
  await page.waitForSelector(row('limits', ':has-text("5,000")'));
});

it('says on the overview, in the log and in the usage whom a used-up budget refuses', async () => {
  await bench.rest.run({ input: 'use some tokens' });
  await writeFile(join(config.directory, 'limits.yaml'), 'default:\n  tokensPerDay: 1\n');
  let refused = await bench.rest.run({ input: 'too much' });
  while (refused.status !== 429) refused = await bench.rest.run({ input: 'too much' });
  const { page, go, findBarriers, complaints } = await open('');
  await page.waitForSelector('[data-code="budgets_used_up"]:has-text("key local of default")');
  await page.waitForSelector('[data-code="requests_refused"]:has-text("local of default"):has-text("quota_exceeded")');
  await page.waitForSelector(`${byTestId('tile-tokens')}.bad:has-text("1 used up")`);
  await page.waitForSelector(`${byTestId('tile-refused')}.warn`);
  expect(await findBarriers()).toEqual([]);
  await page.click('[data-code="budgets_used_up"] a');
  await page.waitForSelector(byTestId('screen-limits'));
  await go('logs');
  await page.selectOption(byTestId('filter-level'), 'warn');
  await page.waitForSelector(row('log', ':has-text("tenant=default"):has-text("key=local"):has-text("limit=tokensPerDay")'));
  await go('models');
  await page.selectOption(byTestId('usage-by'), 'tenant');
  await page.click(row('usage', '[data-key^="default"] a >> nth=0'));
  await page.waitForFunction(() => location.search.includes('tenant=default'));
  const chinese = await open('', { locale: 'zh-CN' });
  await chinese.page.waitForSelector('[data-code="budgets_used_up"]:has-text("default 的密钥 local")');
  expect([complaints, chinese.complaints]).toEqual([[], []]);
  await writeFile(join(config.directory, 'limits.yaml'), LIMITS);
  while (refused.status === 429) refused = await bench.rest.run({ input: 'fine again' });
});

it('names mistakes in the language of the page: of a file, and of a run', async () => {
  await writeFile(join(config.directory, 'agents/helper.yaml'), 'name: helper\ntoolsets: [no_such_set]\n');
  const { body } = await bench.rest.run({ input: 'fail' });
  const chinese = await open('', { locale: 'zh-CN' });
  await chinese.page.waitForSelector(`${byTestId('warnings')}:has-text("没有工具集“no_such_set”")`);
  await chinese.go('config');
  await chinese.page.waitForSelector(row('files', '[data-key="agents/helper.yaml"]:has-text("没有工具集")'));
  await chinese.page.goto(`${bench.gateway.url}/ops/runs/${body.runId}`);
  await chinese.page.waitForSelector(`${byTestId('run-facts')} .cell-note.bad`);
  expect(await chinese.page.textContent(`${byTestId('run-facts')} .cell-note.bad`)).toMatch(/^\w+: \p{Script=Han}/u);
  expect(await chinese.page.textContent(byTestId('run-errors'))).toMatch(/\p{Script=Han}+[。]/u);
  const english = await open('');
  await english.page.waitForSelector(`${byTestId('warnings')}:has-text("there is no toolset")`);
  await writeFile(join(config.directory, 'agents/helper.yaml'), 'name: helper\n');
  await english.page.waitForSelector(`${byTestId('warnings')}:has-text("there is no toolset")`, { state: 'detached' });
});

it('keeps what a person wrote when the text is not YAML, and beside a version that another person saved', async () => {
  const { page } = await open('/config/limits.yaml');
  await page.waitForSelector(row('fields', '[data-key="default.tokensPerDay"]:has-text("a day in UTC")'));
  const broken = 'default:\n  tokensPerDay: [1\n';
  await page.fill(byTestId('file-text'), broken);
  await page.click(byTestId('save-file'));
  await page.waitForSelector(`${byTestId('file-problem')}:has-text("line")`);
  expect(await page.inputValue(byTestId('file-text'))).toBe(broken);
  await page.fill(byTestId('file-text'), 'default:\n  tokensPerDay: many\n');
  await page.click(byTestId('save-file'));
  await page.waitForSelector(`${byTestId('file-problem')}:has-text("/default/tokensPerDay")`);
  await page.waitForSelector(`${byTestId('file-problem')}:has-text("line 2")`);

  const mine = `${LIMITS}# mine\n`;
  await page.fill(byTestId('file-text'), mine);
  await writeFile(join(config.directory, 'limits.yaml'), `${LIMITS}# theirs\n`);
  await page.click(byTestId('save-file'));
  await page.click(byTestId('load-newest'));
  await page.waitForSelector(byTestId('file-mine'));
  expect(await page.inputValue(byTestId('file-mine'))).toBe(mine);
  expect(await page.inputValue(byTestId('file-text'))).toContain('# theirs');
  await page.fill(byTestId('file-text'), `${LIMITS}# both\n`);
  await page.click(byTestId('save-file'));
  await page.waitForSelector(byTestId('file-mine'), { state: 'detached' });
  expect(await readFile(join(config.directory, 'limits.yaml'), 'utf8')).toBe(`${LIMITS}# both\n`);
});

it('finds a session by its title, which no message holds', async () => {
  const { body } = await bench.rest.run({ input: 'something else' });
  await bench.rest.request('PATCH', `/sessions/${body.sessionId}`, { title: 'Quarterly orchard report' });
  const { page } = await open('/sessions');
  await page.fill(byTestId('session-search'), 'orchard');
  await page.waitForFunction(() => document.querySelectorAll('[data-testid="sessions-row"]').length === 1);
  await page.waitForSelector(row('sessions', ':has-text("Quarterly orchard report")'));
});

it('shows why an operator switched a tool off, in the language of the page', async () => {
  await bench.rest.request('POST', '/ops/tools/list_dir', { enabled: false, reason: 'too slow' });
  const { page } = await open('/tools?q=list_dir', { locale: 'zh-CN' });
  await page.waitForSelector(row('tools', '[data-key="list_dir"][data-state="off"]:has-text("too slow")'));
  expect(await page.textContent(row('tools', ' .cell-note'))).toMatch(/\p{Script=Han}/u);
  await bench.rest.request('POST', '/ops/tools/list_dir', { enabled: true });
});

it('changes every select, filter and toggle of every screen: no page error, and the screen follows the address', async () => {
  await bench.rest.run({ input: 'for the filters' });
  await bench.rest.run({ input: 'fail' });
  await bench.rest.request('POST', '/ops/tools/list_dir', { enabled: true });
  await bench.connect();
  const opened = await open('');
  const links = await opened.page.locator('#ops-nav a').evaluateAll(found => found.map(link => link.getAttribute('data-testid') ?? ''));
  const [faults, counts]: [string[], Record<string, number>] = [[], {}];
  for (const screen of links.map(link => link.replace('go-', ''))) {
    const changed = await changeEveryControl(opened, screen);
    faults.push(...changed.faults);
    counts[screen] = changed.controls;
  }
  expect(faults).toEqual([]);
  expect(Object.keys(counts)).toHaveLength(SCREENS.length);
  for (const screen of ['runs', 'sessions', 'tools', 'models', 'logs', 'audit', 'accounts', 'keys', 'config'])
    expect(counts[screen]).toBeGreaterThan(0);
}, 120_000);

it('works by keyboard alone: each stop of Tab shows the focus, and none is a trap', async () => {
  await bench.rest.run({ input: 'for the lists' });
  const { page } = await open('');
  for (const screen of SCREENS) {
    await page.goto(`${bench.gateway.url}/ops/${screen}`);
    await page.waitForSelector('.ops-screen h1');
    await page.waitForSelector('.view-spinner', { state: 'detached' });
    const unseen: string[] = [];
    let [count, place] = [0, ''];
    for (; count < 400; count += 1) {
      await page.keyboard.press('Tab');
      const stop = await page.evaluate(describeFocus);
      if (stop.isOut) break;
      if (!stop.isSeen) unseen.push(stop.name);
      place = stop.name;
    }
    expect([screen, unseen, count < 400, count > 5, place !== '']).toEqual([screen, [], true, true, true]);
  }
}, 120_000);

it('asks by keyboard, Escape closes without an act, and a new figure does not move the focus', async () => {
  const started = await bench.rest.request<{ runId: string }>('POST', '/runs', { input: 'answer slowly' }, { prefer: 'respond-async' });
  const { page } = await open('/runs');
  const cancel = row('live-runs', `[data-key="${started.body.runId}"] button`);
  await page.focus(cancel);
  await page.keyboard.press('Enter');
  await page.waitForSelector(byTestId('reason-dialog'));
  const shownButtons = () => page.locator(`${byTestId('reason-dialog')} button`).allTextContents();
  expect(await shownButtons()).toEqual(['Keep running', 'Stop 1 run']);
  await page.keyboard.press('Escape');
  await page.waitForSelector(byTestId('reason-dialog'), { state: 'detached' });
  await page.selectOption(byTestId('language'), 'zh-CN');
  await page.click(cancel);
  expect(await shownButtons()).toEqual(['让它继续', '停止 1 个运行']);
  await page.click(byTestId('keep'));
  await page.waitForSelector(byTestId('reason-dialog'), { state: 'detached' });
  await page.selectOption(byTestId('language'), 'en');
  await page.focus(cancel);
  const isFocused = () => page.evaluate(selector => document.activeElement === document.querySelector(selector), cancel);
  await page.waitForFunction(selector => document.activeElement === document.querySelector(selector), cancel);
  const { body } = await bench.rest.run({ input: 'another one' });
  await page.reload();
  await page.focus(cancel);
  const { body: next } = await bench.rest.run({ input: 'a third one' });
  await page.waitForSelector(row('ended-runs', `[data-key="${next.runId}"]`));
  expect([body.status, await isFocused()]).toEqual(['completed', true]);
  await page.keyboard.press('Enter');
  await page.keyboard.type('by keyboard');
  await page.keyboard.press('Enter');
  await page.waitForSelector(byTestId('live-runs-empty'));
  bench.model.resume();
});

it('shows how people rated answers, and their sentences on demand', async () => {
  const { body } = await bench.rest.run({ input: 'rate it' });
  await bench.rest.request('PUT', `/runs/${body.runId}/feedback`, { rating: 'down', text: 'The sum is wrong.' });
  const { page, complaints } = await open('/models');
  await page.waitForSelector(row('feedback-counts', ':has-text("default")'));
  expect(await page.locator(byTestId('ratings')).count()).toBe(0);
  await page.click(`${row('feedback-counts')} td:has-text("1") a`);
  await page.click(`${row('ratings', ':has-text("The sum is wrong.")')} ${byTestId('run-link')}`);
  await page.waitForSelector(byTestId('run-facts'));
  await page.goBack();
  await page.click(byTestId('reset-filters'));
  await page.waitForSelector(byTestId('ratings'), { state: 'detached' });
  expect(complaints).toEqual([]);
});

it('shows the price of a model with its list and date', async () => {
  const key = 'apiKeyEnv: OPENAI_API_KEY';
  const models = `models:\n  - { id: mock, model: mock-1, baseUrl: "${bench.model.baseUrl}", ${key} }\n  - { id: mini, model: gpt-4o-mini, ${key} }\n`;
  await writeFile(join(config.directory, 'models.yaml'), models);
  const { page } = await open('/models');
  const price = row('models', '[data-key="mini"]:has-text("genai-prices")');
  await page.waitForSelector(price);
  expect(await page.textContent(price)).toMatch(/\d{4}-\d{2}-\d{2}/);
});

/** Runs in the page. A focus is seen when the browser draws a ring, and the element has a place on the screen. */
function describeFocus(): { name: string; isSeen: boolean; isOut: boolean } {
  const element = document.activeElement;
  if (!element || element === document.body) return { name: '', isSeen: true, isOut: true };
  const { outlineStyle, outlineWidth } = getComputedStyle(element);
  // The frame around a search field draws the ring of its input.
  const { boxShadow } = getComputedStyle(element.closest('.search-field') ?? element);
  const { width, height } = element.getBoundingClientRect();
  // The browser itself marks the part of a date that has the focus.
  const isDate = element.matches('input[type="date"], input[type="datetime-local"]');
  const hasRing = isDate || (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none';
  const name = `${element.tagName} ${element.getAttribute('data-testid') ?? element.className} ${element.textContent?.slice(0, 30)}`;
  return { name, isSeen: hasRing && width > 0 && height > 0, isOut: false };
}
