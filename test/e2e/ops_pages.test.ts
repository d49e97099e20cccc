/** The operator pages with real runs through real doors: figures, lists, the page of a run, answers on behalf, switches. */
import { MODEL_KEY } from '../support/agent_bench';
import { type ApprovalBench, RULES, startApprovalBench } from '../support/approval_bench';
import { textOfDownload } from '../support/browser';
import { byTestId } from './chat_browser';
import { type OpsBrowser, PHONE, startOpsBrowser } from './ops_browser';

const KINDS = [
  'overview',
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

let bench: ApprovalBench;
let browser: OpsBrowser;

beforeAll(async () => {
  [bench, browser] = await Promise.all([startApprovalBench(), startOpsBrowser()]);
  const list = { toolCalls: [{ name: 'list_dir', arguments: { path: '.' } }] };
  const ask = { toolCalls: [{ name: 'clarify', arguments: { question: 'Which colour?', choices: ['Red', 'Blue'] } }] };
  bench.model.onTurn('look and ask', list, ask, request => `You said ${request.toolResults.at(-1)}`);
  bench.model.onTurn('answer slowly', { text: 'A long answer that goes on.', chunkSize: 4, pauseAfter: 2 });
  bench.model.onTurn(/./, 'fine');
});

afterAll(async () => {
  await browser?.stop();
  await bench?.stop();
});

afterEach(() => browser.closePages());

const open = (path: string, options = {}) => browser.open(`${bench.gateway.url}/ops${path}`, options);

/** Starts a run that a person can wait for. */
async function startRun(input: string): Promise<string> {
  const body = { input, clarify: 'wait' };
  const answer = await bench.rest.request<{ runId: string }>('POST', '/runs', body, { prefer: 'respond-async' });
  return answer.body.runId;
}

async function endOf(runId: string): Promise<{ status: string; text: string }> {
  for (;;) {
    const { body } = await bench.rest.request<{ status: string; text: string }>('GET', `/runs/${runId}`);
    if (!['queued', 'running', 'waiting'].includes(body.status)) return body;
    await bench.rest.stream('GET', `/runs/${runId}/events`, undefined, { accept: 'text/event-stream' });
  }
}

it('counts runs of every door, and each number leads to its list', async () => {
  const { page } = await open('');
  await page.waitForSelector(`${byTestId('live-state')}[data-status="live"]`);
  await bench.rest.run({ input: 'by REST' });
  const client = await bench.connect();
  const { runId } = await client.chat('by socket');
  await client.waitFor('run_end', event => event.runId === runId);
  const body = { model: 'default', messages: [{ role: 'user', content: 'by OpenAI' }] };
  expect((await bench.rest.request('POST', '//v1/chat/completions', body)).status).toBe(200);
  await page.waitForSelector(`${byTestId('tile-connections')}:has-text("1")`);
  await page.waitForSelector(`${byTestId('health')}:has-text("no question waits")`);
  await page.click(byTestId('tile-runs-per-minute'));
  for (const door of ['REST API', 'chat (socket)', 'OpenAI API']) await page.waitForSelector(row('ended-runs', `:has-text("${door}")`));
  await page.selectOption(byTestId('filter-door'), 'socketio');
  await page.waitForSelector(row('ended-runs', ':has-text("REST API")'), { state: 'detached' });
  expect(await page.locator(row('ended-runs')).count()).toBe(1);
  expect(new URL(page.url()).searchParams.get('door')).toBe('socketio');
  const headOf = (name: string) => `${byTestId('ended-runs')} th:has-text("${name}")`;
  await page.click(byTestId('columns'));
  await page.check(byTestId('column-model'));
  await page.uncheck(byTestId('column-key'));
  await page.keyboard.press('Escape');
  await page.waitForSelector(headOf('Model'));
  await page.click(byTestId('save-view'));
  await page.fill(byTestId('view-name'), 'by socket 连接');
  await page.keyboard.press('Enter');
  await page.waitForSelector(byTestId('saved-view'));
  await page.click(byTestId('reset-filters'));
  await page.waitForFunction(() => location.search === '');
  await page.waitForSelector(headOf('Key'));
  // Another person of the tenant.
  const colleague = await open('/runs');
  await colleague.page.selectOption(byTestId('saved-view'), 'by socket 连接');
  await colleague.page.waitForURL(/door=socketio.*columns=/);
  await page.goto(colleague.page.url());
  await page.waitForSelector(headOf('Model'));
  expect(await page.locator(headOf('Key')).count()).toBe(0);
  expect(await page.inputValue(byTestId('saved-view'))).toBe('by socket 连接');
  await page.click(byTestId('remove-view'));
  await page.waitForSelector(byTestId('saved-view'), { state: 'detached' });
  await page.click(byTestId('reset-filters'));
  await page.waitForSelector(row('ended-runs', ':has-text("REST API")'));
  // A figure is no call to act: it has the colour of the text, and a real link has its own.
  const colourOf = (selector: string) =>
    page
      .locator(row('ended-runs', selector))
      .first()
      .evaluate(each => getComputedStyle(each).color);
  expect(await colourOf(' .number a')).toBe(await colourOf(' .number'));
  expect(await colourOf(' th a')).not.toBe(await colourOf(' th'));
});

it('makes a case of a run with a bad rating, replays the run, and runs the suite', async () => {
  const { body } = await bench.rest.run({ input: 'keep this working' });
  await bench.rest.request('PUT', `/runs/${body.runId}/feedback`, { rating: 'down' });
  const { page, findBarriers, findBareFigures, width, complaints } = await open('/models?rating=down');
  await page.click(byTestId('rating-to-suite'));
  await page.fill(byTestId('case-suite'), 'regress');
  await page.fill(byTestId('case-contains'), 'fine');
  expect(await findBarriers()).toEqual([]);
  await page.click(byTestId('make-case'));
  await page.waitForSelector(byTestId('case-added'));
  await page.click(`${byTestId('replay')} summary`);
  await page.fill(byTestId('replay-prompt'), 'You are terse.');
  await page.click(byTestId('replay-run'));
  await page.waitForSelector(`${byTestId('replay-result')}[data-result="same"]:has-text("You are terse.")`);
  await page.waitForSelector(`${byTestId('replay-request')}[data-state="changed"]:has-text("prompt")`);
  expect([await findBarriers(), await findBareFigures()]).toEqual([[], []]);
  // A screen reader hears the result, not every table.
  expect(await page.textContent(`${byTestId('replay-result')} [role="status"]`)).toMatch(/Same\s*$/);

  // The run has events that its replay has not.
  await page.route('**/replay', async route => {
    const { differences: _none, ...rest } = await (await route.fetch()).json();
    await route.fulfill({ json: { ...rest, result: 'different', differences: ['events'] } });
  });
  await page.selectOption(byTestId('replay-agent'), 'default');
  await page.check(byTestId('replay-live'));
  const sent = page.waitForRequest('**/replay');
  await page.click(byTestId('replay-run'));
  expect((await sent).postDataJSON()).toEqual({ agent: 'default', prompt: 'You are terse.', liveTools: 'read' });
  await page.waitForSelector(`${byTestId('replay-result')} [role="status"]:has-text("Differs: the events of the log.")`);

  // A second case of the same run; a blank is no cost.
  await page.click(byTestId('add-to-suite'));
  await page.fill(byTestId('case-suite'), 'other');
  await page.fill(byTestId('case-cost'), ' ');
  await page.click(byTestId('make-case'));
  await page.waitForSelector(`${byTestId('case-added')}:has-text("other")`);
  expect(await page.evaluate(() => document.activeElement?.getAttribute('data-testid'))).toBe('add-to-suite');
  const { body: other } = await bench.rest.request<{ cases: { checks: object }[] }>('GET', '/suites/other');
  expect(other.cases[0]?.checks).toEqual({ sameCalls: true });

  await page.click(`${byTestId('case-added')} a`);
  await page.click(byTestId('delete-suite'));
  await page.waitForSelector(`${byTestId('confirm-dialog')}:has-text("other and its cases (1)")`);
  await page.click(byTestId('confirm'));
  await page.waitForSelector(row('suites', ':has-text("other")'), { state: 'detached' });
  await page.click(`${row('suites', ':has-text("regress")')} a`);
  await page.click(byTestId('run-suite'));
  await page.waitForSelector(row('cases', '[data-state="passed"]:has-text("keep this working")'));
  await page.setViewportSize(PHONE.viewport);
  expect([await findBarriers(), await width()]).toEqual([[], PHONE.viewport.width]);
  await page.click(byTestId('remove-case'));
  await page.waitForSelector(`${byTestId('confirm-dialog')}:has-text("keep this working")`);
  expect(await findBarriers()).toEqual([]);
  await page.keyboard.press('Escape');
  expect(await page.locator(row('cases')).count()).toBe(1);
  await page.click(byTestId('remove-case'));
  await page.click(byTestId('confirm'));
  await page.waitForSelector(byTestId('suites-empty'));
  expect(complaints).toEqual([]);
});

it('answers a question on behalf, then shows the steps of its run and goes through its log', async () => {
  const runId = await startRun('look and ask');
  const { page, go, complaints } = await open('');
  await page.waitForSelector(`${byTestId('tile-waiting')}:has-text("1")`);
  await page.click(byTestId('tile-waiting'));
  await page.click(`${byTestId('choice')}:has-text("Blue")`);
  await page.waitForSelector(byTestId('people-empty'));
  expect((await endOf(runId)).text).toContain('Blue');

  await go('runs');
  await page.click(row('ended-runs', `[data-key="${runId}"] a`));
  await page.waitForSelector(`${byTestId('run-facts')}[data-status="completed"]`);
  const waterfall = page.locator(byTestId('waterfall'));
  const kinds = await waterfall.locator(byTestId('waterfall-row')).evaluateAll(rows => rows.map(each => each.getAttribute('data-kind')));
  expect(kinds.filter(kind => kind === 'model').length).toBe(3);
  expect(kinds).toEqual(expect.arrayContaining(['tool', 'human']));
  expect(await waterfall.locator(byTestId('first-token')).count()).toBeGreaterThan(0);
  expect(await waterfall.locator('.waterfall-tick').allTextContents()).toHaveLength(5);
  const depthOf = (kind: string) => waterfall.locator(`[data-kind="${kind}"]`).first().getAttribute('data-depth');
  expect([await depthOf('model'), await depthOf('tool'), await depthOf('human')]).toEqual(['0', '1', '2']);
  await waterfall.locator(`[data-kind="human"] ${byTestId('step-toggle')}`).click();
  await waterfall.locator(`${byTestId('step-input')}:has-text("Blue")`).waitFor();
  await waterfall.locator(`${byTestId('step-output')}:has-text("Blue")`).waitFor();
  await page.waitForSelector(row('offered-tools', '[data-key="list_dir"]:has-text("the profile of the agent names it")'));

  // The log: arrow keys, a link to one event, and the place over a reload.
  await page.waitForSelector(`${byTestId('event-card')}:has-text("run_end")`);
  await page.focus(byTestId('scrub'));
  await page.keyboard.press('Home');
  await page.waitForSelector(`${byTestId('event-card')}[data-seq="1"]:has-text("look and ask")`);
  await page.keyboard.press('ArrowRight');
  await page.waitForSelector(`${byTestId('event-card')}[data-seq="2"]`);
  await page.waitForFunction(() => location.hash === '#2');
  await page.reload();
  await page.waitForSelector(`${byTestId('event-card')}[data-seq="2"]`);
  await waterfall.locator('[data-kind="human"] a').click();
  await page.waitForSelector(`${byTestId('event-card')}:has-text("clarify_end")`);
  await page.goto(`${bench.gateway.url}/ops/runs/${runId}?seq=1`);
  await page.waitForSelector(`${byTestId('event-card')}[data-seq="1"]`);
  expect(complaints).toEqual([]);
});

it('exports a run as JSON, copies it as a command, and runs it again', async () => {
  const { body } = await bench.rest.run({ input: "it's a run" });
  const { page, context } = await open(`/runs/${body.runId}`);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const [download] = await Promise.all([page.waitForEvent('download'), page.click(byTestId('export-run'))]);
  const exported = JSON.parse(await textOfDownload(download));
  expect(exported.run.runId).toBe(body.runId);
  expect(exported.events.map((event: { type: string }) => event.type)).toEqual(expect.arrayContaining(['run_start', 'run_end']));
  await page.click(byTestId('copy-curl'));
  await page.waitForSelector(byTestId('notice'));
  const command = await page.evaluate(() => navigator.clipboard.readText());
  expect(command).toContain(`${bench.gateway.url}/api/v1/runs`);
  expect(command).toContain(String.raw`it'\''s a run`);
  await page.click(byTestId('run-again'));
  await page.waitForFunction(id => !location.pathname.endsWith(id), body.runId);
  await page.waitForSelector(`${byTestId('run-facts')}[data-status="completed"]`);
  await page.waitForSelector(byTestId('usual-duration'));
  await page.selectOption(byTestId('filter-with'), body.runId);
  await page.waitForSelector(`${byTestId('compared-figures')} tr:has-text("Model calls"):has-text("1")`);
  expect(await page.locator(`${byTestId('compare')} ${byTestId('waterfall')}`).count()).toBe(2);
});

it('charts a span of time from the first day on, with changes and starts, and a drag zooms to its runs', async () => {
  const { body } = await bench.rest.run({ input: 'for the charts' });
  await bench.rest.request('POST', '/ops/tools/list_dir', { enabled: false });
  await bench.rest.request('POST', '/ops/tools/list_dir', { enabled: true });
  const { page, go, complaints, findBarriers } = await open('');
  await page.selectOption(byTestId('pick-hours'), '24');
  await page.waitForURL(/hours=24/);
  const charts = page.locator(`${byTestId('history')} .chart`);
  await charts.locator('canvas').nth(3).waitFor();
  await page.waitForSelector(`${byTestId('history-marks')}:has-text("changes and starts")`);
  await page.selectOption(byTestId('pick-costBy'), 'model');
  await page.waitForSelector(`${byTestId('history')} figcaption:has-text("Cost by model")`);
  const runs = (await charts.first().locator('td[data-head="ended"]').allTextContents()).map(Number);
  expect(runs).toHaveLength(96);
  expect(runs.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(0);

  const area = charts.first().locator('.u-over');
  await area.scrollIntoViewIfNeeded();
  const { x, y, width, height } = (await area.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  await page.mouse.move(x + width * 0.6, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(x + width - 1, y + height / 2, { steps: 4 });
  await page.mouse.up();
  await page.waitForSelector(byTestId('zoomed'));
  expect(await charts.first().locator('td[data-head="ended"]').count()).toBeLessThan(60);
  await page.click(byTestId('zoomed-runs'));
  await page.waitForSelector(row('ended-runs', `[data-key="${body.runId}"]`));
  expect([...new URL(page.url()).searchParams.keys()]).toEqual(['since', 'until']);

  // A question has waited in the test before.
  await go('people');
  await page.selectOption(byTestId('pick-hours'), '6');
  await charts.locator('canvas').waitFor();
  const waiting = (await charts.locator('td[data-head="for a person"]').allTextContents()).map(Number);
  expect([waiting.length, Math.max(...waiting)]).toEqual([72, 1]);
  expect(await findBarriers()).toEqual([]);
  expect(complaints).toEqual([]);
});

it('decides an approval on behalf', async () => {
  const runId = await startRun('tally onbehalf');
  const { page } = await open('/people');
  await page.waitForSelector(`${byTestId('arguments')}:has-text("onbehalf")`);
  await page.click(byTestId('allow-once'));
  await page.waitForSelector(byTestId('people-empty'));
  await endOf(runId);
  expect(await bench.tallyOf('onbehalf')).toBe(1);
  await page.goto(`${bench.gateway.url}/ops/audit?action=approval.allow`);
  await page.waitForSelector(row('audit', ` ${byTestId('audit-command')}:has-text("onbehalf")`));
});

it('lists a live run with its step, and cancels it', async () => {
  const runId = await startRun('answer slowly');
  const { page } = await open('/runs?state=running');
  await page.waitForSelector(row('live-runs', `[data-key="${runId}"]:has-text("model")`));
  await page.click(byTestId('cancel-live'));
  await page.fill(byTestId('reason'), 'too long an answer');
  await page.click(byTestId('confirm'));
  await page.waitForSelector(byTestId('live-runs-empty'));
  expect((await endOf(runId)).status).toBe('cancelled');
  await page.goto(`${bench.gateway.url}/ops/audit`);
  await page.waitForSelector(row('audit', ':has-text("too long an answer")'));
  bench.model.resume();
});

it('stops new runs with a reason, after a question, and accepts them again', async () => {
  const { page } = await open('/limits');
  await page.click(byTestId('pause-runs'));
  await page.keyboard.press('Escape');
  await page.waitForSelector(`${byTestId('accepting')}[data-accepting="true"]`);
  await page.click(byTestId('pause-runs'));
  await page.fill(byTestId('reason'), 'maintenance');
  await page.keyboard.press('Enter');
  await page.waitForSelector(`${byTestId('accepting')}[data-accepting="false"]:has-text("maintenance")`);
  const refused = await bench.rest.request('POST', '/runs', { input: 'not now' });
  expect([refused.status, refused.body.error.code]).toEqual([503, 'not_accepting']);
  await page.click(byTestId('accept-runs'));
  await page.waitForSelector(`${byTestId('accepting')}[data-accepting="true"]`);
  expect((await bench.rest.run({ input: 'now' })).status).toBe(200);
});

it('switches a tool off and on', async () => {
  const { page } = await open('/tools?q=list_dir');
  const listed = async () => {
    const { body } = await bench.rest.request<{ data: { name: string; enabled: boolean }[] }>('GET', '/tools');
    return body.data.find(tool => tool.name === 'list_dir')?.enabled;
  };
  await page.click(`${row('tools', '[data-key="list_dir"]')} ${byTestId('switch-off')}`);
  await page.fill(byTestId('reason'), 'too slow');
  await page.click(byTestId('confirm'));
  await page.waitForSelector(row('tools', '[data-key="list_dir"][data-state="off"]:has-text("too slow")'));
  expect(await listed()).toBe(false);
  await page.click(byTestId('switch-on'));
  await page.waitForSelector(row('tools', '[data-key="list_dir"][data-state="on"]'));
  expect(await listed()).toBe(true);
});

it('shows models, the audit log, connections and the configuration with their contents', async () => {
  await bench.rest.run({ input: 'count this call' });
  await bench.rest.request('POST', '/ops/tools/list_dir', { enabled: false, reason: 'for the audit log' });
  await bench.rest.request('POST', '/ops/tools/list_dir', { enabled: true });
  await bench.connect();
  const { page, go, complaints } = await open('/models');
  await page.waitForSelector(row('models', ':has-text("default")'));
  await page.waitForSelector(row('usage', ''));
  await page.selectOption(byTestId('usage-by'), 'agent');
  await page.waitForSelector(row('usage', '[data-key^="default"]'));
  await page.selectOption(byTestId('usage-days'), '7');
  await page.selectOption(byTestId('usage-by'), 'day');
  await page.waitForSelector(row('usage', '[data-key^="20"]'));
  expect(complaints).toEqual([]);
  await go('audit');
  await page.click(byTestId('verify-audit'));
  await page.waitForSelector(`${byTestId('chain')}[data-state="good"]`);
  await page.click(`${row('audit', ':has-text("for the audit log")')} >> text=list_dir`);
  await page.waitForSelector(byTestId('screen-tools'));
  await go('connections');
  await page.click(`${row('connections', ':has-text("websocket")')} >> text=local`);
  await page.waitForFunction(() => location.pathname + location.search === '/ops/runs?key=local');
  await page.waitForSelector(row('ended-runs', ':has-text("local")'));
  await go('config');
  await page.waitForSelector(row('checks', '[data-key^="database"][data-state="ok"]'));
  await page.waitForSelector(row('files', '[data-key="approvals.yaml"]'));
  await page.fill(byTestId('setting-search'), 'openai_api');
  await page.waitForSelector(row('settings', '[data-key="OPENAI_API_KEY"]:has-text("environment")'));
  expect(await page.locator(row('settings')).count()).toBe(1);
  expect(await page.content()).not.toContain(MODEL_KEY);
});

it('follows the log, edits a file of the configuration with a guard, and ends a connection', async () => {
  const { page, go } = await open('/logs');
  await page.waitForSelector(`${byTestId('live-state')}[data-status="live"]`);
  const { body } = await bench.rest.run({ input: 'leave a line' });
  await page.click(`${row('log')} a[href$="${body.runId}"] >> nth=0`);
  await page.waitForSelector(byTestId('run-facts'));

  await go('config');
  await page.click(`${row('files', '[data-key="approvals.yaml"]')} ${byTestId('edit-file')}`);
  await page.waitForSelector(row('fields', '[data-key^="rules"]'));
  await page.fill(byTestId('file-text'), 'rules: 7\n');
  await page.click(byTestId('save-file'));
  await page.waitForSelector(`${byTestId('file-problem')}:has-text("rules")`);
  await page.fill(byTestId('file-text'), `${RULES}# mine\n`);
  await bench.setRules(`${RULES}# of another person\n`);
  await page.click(byTestId('save-file'));
  await page.click(byTestId('load-newest'));
  await page.waitForFunction(() => document.querySelector('textarea')?.value.includes('# of another person'));
  await page.fill(byTestId('file-text'), `${RULES}# both\n`);
  await page.click(byTestId('save-file'));
  await page.waitForSelector(`${byTestId('notice')}:has-text("saved")`);

  await bench.connect();
  await go('connections');
  const key = await page.getAttribute(`${row('connections')} >> nth=0`, 'data-key');
  await page.click(`${row('connections', `[data-key="${key}"]`)} ${byTestId('disconnect')}`);
  await page.click(byTestId('confirm'));
  await page.waitForSelector(row('connections', `[data-key="${key}"]`), { state: 'detached' });
});

it('says so when the gateway is away, and goes on when it is back', async () => {
  const { page, findBarriers } = await open('');
  await page.waitForSelector(`${byTestId('health')}:not([data-state="unknown"])`);
  await bench.gateway.kill();
  await page.waitForSelector(`${byTestId('stale-notice')}:has-text("has not answered for 3 seconds")`);
  // The last figures stay, and nothing on the page still says that all is well.
  await page.waitForSelector(`${byTestId('health')}[data-state="unknown"]:has-text("The state is not known")`);
  expect(await page.locator('.health.green').count()).toBe(0);
  await page.waitForSelector(`main[data-live="stale"] ${byTestId('tile-running')}`);
  expect(await findBarriers()).toEqual([]);
  await bench.gateway.restart();
  await page.waitForSelector(`${byTestId('live-state')}[data-status="live"]`, { timeout: 30_000 });
  await page.waitForSelector(byTestId('stale-notice'), { state: 'detached' });
  await page.waitForSelector(`${byTestId('health')}:not([data-state="unknown"])`);
});

// The colour scheme changes the contrast alone, so the dark one needs one rule of axe.
it.each(['light', 'dark'] as const)(
  'has no barriers and no figure without its list on any screen, %s',
  async colorScheme => {
    const { body } = await bench.rest.run({ input: 'for the page of a run' });
    const { page, go, findBarriers, findBareFigures } = await open('', { colorScheme });
    const found: Record<string, string[]> = {};
    const look = async () =>
      colorScheme === 'dark' ? findBarriers('color-contrast') : [...(await findBarriers()), ...(await findBareFigures())];
    for (const screen of KINDS) {
      await go(screen);
      await page.waitForSelector('.view-spinner', { state: 'detached' });
      found[screen] = await look();
    }
    await page.goto(`${bench.gateway.url}/ops/runs/${body.runId}`);
    await page.waitForSelector(byTestId('event-card'));
    found['run'] = await look();
    expect(Object.entries(found).filter(([, barriers]) => barriers.length > 0)).toEqual([]);
  },
  90_000,
);

it('fits a phone in Chinese on every screen', async () => {
  const { body } = await bench.rest.run({ input: 'for a phone' });
  const { page, width } = await open('', { ...PHONE, locale: 'zh-CN' });
  for (const path of [...KINDS, `runs/${body.runId}`]) {
    await page.goto(`${bench.gateway.url}/ops/${path === 'overview' ? '' : path}`);
    await page.waitForSelector('.ops-screen h1');
    await page.waitForSelector('.view-spinner', { state: 'detached' });
    expect([path, await width()]).toEqual([path, 390]);
    expect([path, await page.textContent('.ops-screen h1')]).toEqual([path, expect.stringMatching(/\p{Script=Han}/u)]);
  }
});
