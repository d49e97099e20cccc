/** The jobs view in a real Chromium: a person makes, runs, pauses, edits and deletes a job, and finds its chats. */
import { type AgentBench, startBench } from '../support/agent_bench';
import { byTestId, type ChatBrowser, type OpenPage, startChatBrowser, turn } from './chat_browser';

const JOB = byTestId('job');
const FORM = byTestId('job-form');

let bench: AgentBench;
let browser: ChatBrowser;

beforeAll(async () => {
  [bench, browser] = await Promise.all([startBench({ own: 'jobs start by themselves' }), startChatBrowser()]);
  bench.model.onTurn('water the plants', 'The plants have water.');
});

afterAll(async () => {
  await browser?.stop();
  await bench?.stop();
});
afterEach(async () => {
  await browser.closePages();
  const { body } = await bench.rest.request<{ data: { id: string }[] }>('GET', '/jobs');
  for (const { id } of body.data) await bench.rest.request('DELETE', `/jobs/${id}`);
});

const openJobs = (options = {}): Promise<OpenPage> =>
  browser.open({ url: `${bench.gateway.url}/?view=jobs`, timezoneId: 'Europe/Berlin', ...options });

async function createJob(fields: object = {}): Promise<string> {
  const job = { name: 'Garden', input: 'water the plants', schedule: { cron: '30 7 * * 1-5', timeZone: 'Europe/Berlin' }, ...fields };
  const { status, body } = await bench.rest.request<{ id: string }>('POST', '/jobs', job);
  expect(status).toBe(201);
  return body.id;
}

it('makes a job, runs it now and leads to its chat, which says what made it', async () => {
  const { page, complaints } = await openJobs();
  await page.waitForSelector('text=There are no jobs yet.');
  await page.click(byTestId('add-job'));
  await page.fill(byTestId('job-name'), 'Garden');
  await page.fill(byTestId('job-input'), 'water the plants');
  await page.selectOption(byTestId('job-days'), '1-5');
  await page.fill(byTestId('job-time'), '07:30');
  expect(await page.inputValue(byTestId('job-time-zone'))).toBe('Europe/Berlin');
  await page.click(byTestId('save-job'));
  await page.waitForSelector(JOB);
  expect(await page.textContent(byTestId('job-schedule'))).toBe('Monday to Friday at 07:30Europe/Berlin');
  expect(await page.textContent(byTestId('job-next'))).toMatch(/^(in \d+ (minutes?|hours?|days?)|tomorrow).*07:30$/);
  expect(await page.textContent(byTestId('job-last'))).toBe('not yet');

  await page.click(byTestId('run-job'));
  await page.waitForSelector(`${byTestId('notice')} >> text=The job has started.`);
  await page.click(byTestId('job-runs-toggle'));
  await page.waitForSelector(`${byTestId('job-run')}[data-status="completed"]`, { timeout: 15_000 });
  expect(await page.textContent(byTestId('job-run'))).toContain('started by hand');
  await page.click(`${byTestId('job-run')} ${byTestId('open-run')}`);
  await page.waitForSelector(`${turn('completed')} >> text=The plants have water.`);
  await page.waitForSelector(`${byTestId('session-row')} ${byTestId('job-mark')}`);
  await page.click(`${byTestId('session-origin')} a`);
  await page.waitForSelector(byTestId('job-runs'));
  expect(complaints).toEqual([]);
});

it('shows the error of the gateway at its field, and keeps what was typed', async () => {
  const { page, focused } = await openJobs();
  await page.click(byTestId('add-job'));
  await page.click(byTestId('save-job'));
  await page.waitForSelector(`${byTestId('field-problem')} >> text=Please fill in this field.`);
  expect(await page.getAttribute(byTestId('job-name'), 'aria-invalid')).toBe('true');
  await page.fill(byTestId('job-name'), 'Mars');
  await page.fill(byTestId('job-input'), 'look up');
  await page.fill(byTestId('job-time-zone'), 'Mars/Base');
  await page.click(byTestId('save-job'));
  await page.waitForSelector(`${byTestId('job-time-zone')}[aria-invalid]`);
  const problems = () => page.locator(byTestId('field-problem')).allTextContents();
  expect(await problems()).toEqual([expect.stringMatching(/zone/i)]);
  await page.selectOption(byTestId('job-kind'), 'cron');
  await page.fill(byTestId('job-time-zone'), 'UTC');
  await page.fill(byTestId('job-cron'), '0 0 31 2 *');
  await page.click(byTestId('save-job'));
  await page.waitForSelector(`${byTestId('job-cron')}[aria-invalid]`);
  await page.selectOption(byTestId('job-kind'), 'interval');
  await page.fill(byTestId('job-every'), '0.5');
  await page.click(byTestId('save-job'));
  await page.waitForSelector(`${byTestId('job-every')}[aria-invalid]`);
  expect(await page.inputValue(byTestId('job-input'))).toBe('look up');
  expect(await page.locator(JOB).count()).toBe(0);
  // Escape leaves the form and not the view, and asks first.
  await page.keyboard.press('Escape');
  await page.waitForSelector(byTestId('confirm-dialog'));
  await page.keyboard.press('Escape');
  await page.waitForSelector(byTestId('confirm-dialog'), { state: 'detached' });
  expect(await page.inputValue(byTestId('job-input'))).toBe('look up');
  await page.keyboard.press('Escape');
  await page.click(byTestId('confirm'));
  await page.waitForSelector(FORM, { state: 'detached' });
  expect(await page.isVisible(byTestId('view-jobs'))).toBe(true);
  expect(await focused()).not.toBe('composer');
});

it('pauses, resumes, edits and deletes a job, and asks before it deletes', async () => {
  await createJob();
  const { page, focusReaches } = await openJobs();
  await page.click(byTestId('pause-job'));
  await page.waitForSelector(`${JOB}[data-state="paused"]`);
  expect(await page.textContent(byTestId('job-next'))).toBe('none');
  await page.click(byTestId('resume-job'));
  await page.waitForSelector(`${JOB}[data-state="enabled"]`);
  await focusReaches('pause-job');
  // Opening the runs moves nothing above them.
  const top = async () => (await page.locator(byTestId('job-runs-toggle')).boundingBox())?.y;
  const before = await top();
  await page.click(byTestId('job-runs-toggle'));
  await page.waitForSelector(`${byTestId('job-runs')} >> text=No runs yet.`);
  expect(await top()).toBe(before);
  await focusReaches('job-runs-toggle');

  await page.click(byTestId('edit-job'));
  expect(await page.inputValue(byTestId('job-time'))).toBe('07:30');
  expect(await page.inputValue(byTestId('job-days'))).toBe('1-5');
  await page.selectOption(byTestId('job-kind'), 'interval');
  await page.fill(byTestId('job-every'), '2');
  await page.selectOption(byTestId('job-unit'), 'hours');
  await page.click(byTestId('save-job'));
  await page.waitForSelector(`${byTestId('job-schedule')} >> text=Every 2 hours`);
  await page.waitForFunction(() => document.activeElement?.matches('[data-testid="edit-job"]'));

  await page.click(byTestId('delete-job'));
  await page.click(`${byTestId('confirm-dialog')} >> text=Cancel`);
  await page.waitForSelector(byTestId('confirm-dialog'), { state: 'detached' });
  await focusReaches('delete-job');
  await page.click(byTestId('delete-job'));
  await page.click(byTestId('confirm'));
  await page.waitForSelector('text=There are no jobs yet.');
  await focusReaches('view-heading');
});

it('shows in Chinese, on a phone, a job that another place has made, and one for a single time', async () => {
  const { page } = await openJobs({ viewport: { width: 390, height: 780 }, locale: 'zh-CN' });
  await page.waitForSelector('text=还没有定时任务。');
  await createJob({ name: '浇花', schedule: { cron: '*/20 9-17 1,15 * *', timeZone: 'Asia/Shanghai' } });
  await createJob({ name: '一次', schedule: { at: new Date(Date.now() + 3_600_000).toISOString() } });
  await page.waitForSelector(`${JOB} >> nth=1`);
  const [often, once] = await page.locator(byTestId('job-schedule')).allTextContents();
  expect(often).toMatch(/分钟.*Asia\/Shanghai\*\/20 9-17 1,15 \* \*$/);
  expect(once).toMatch(/^一次，/);
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
});

it('asks in words before the agent makes a job', async () => {
  const schedule = { cron: '30 7 * * 1-5', timeZone: 'Europe/Berlin' };
  const call = { name: 'cron', arguments: { action: 'create', name: 'Garden', schedule, input: 'water the plants' } };
  bench.model.onTurn('every morning', { toolCalls: [call] }, 'It is set.');
  const { page, say, complaints } = await browser.open({ url: bench.gateway.url });
  await say('every morning');
  const rows = `${byTestId('approval-arguments')} > div`;
  await page.waitForSelector(`${rows}:has-text("WhenMonday to Friday at 07:30 · Europe/Berlin")`);
  expect(await page.locator(rows).allTextContents()).toEqual([
    'ActionCreate a job',
    'NameGarden',
    'WhenMonday to Friday at 07:30 · Europe/Berlin',
    'What to dowater the plants',
  ]);
  await page.click('[data-status="pending"] [data-shortcut="1"]');
  await page.waitForSelector(turn('completed'));
  expect(complaints).toEqual([]);
});

it('keeps an unsaved form over a reload, and drops it when it is discarded', async () => {
  const { page, complaints } = await openJobs();
  await page.click(byTestId('add-job'));
  await page.fill(byTestId('job-input'), 'water the plants');
  await page.fill(byTestId('job-time'), '06:15');
  await page.reload();
  await page.click(byTestId('add-job'));
  expect(await page.inputValue(byTestId('job-input'))).toBe('water the plants');
  expect(await page.inputValue(byTestId('job-time'))).toBe('06:15');
  await page.keyboard.press('Escape');
  await page.click(byTestId('confirm'));
  await page.click(byTestId('add-job'));
  expect(await page.inputValue(byTestId('job-input'))).toBe('');
  expect(complaints).toEqual([]);
});

it('says in words on its card what a call did to the jobs', async () => {
  bench.model.onTurn('which jobs are there', { toolCalls: [{ name: 'cron', arguments: { action: 'list' } }] }, 'None.');
  const { page, say } = await browser.open({ url: bench.gateway.url });
  await say('which jobs are there');
  await page.waitForSelector(turn('completed'));
  const card = byTestId('tool-card', '[data-tool="cron"]');
  await page.waitForSelector(`${card} .tool-summary:has-text("List the jobs")`);
  await page.click(`${card} button`);
  await page.waitForSelector(`${card} ${byTestId('approval-arguments')}:has-text("List the jobs")`);
  expect(await page.textContent(`${card} ${byTestId('tool-result')}`)).toBe('There are no jobs.');
});

it('ignores a list that was read before a change', async () => {
  await createJob();
  const { page } = await openJobs();
  await page.waitForSelector(JOB);
  const released = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const isAnswered = page.waitForResponse(
    response => new URL(response.url()).pathname.endsWith('/jobs') && response.request().method() === 'GET',
  );
  await page.route(
    url => url.pathname.endsWith('/jobs'),
    async route => {
      if (route.request().method() !== 'GET') return route.continue();
      const response = await route.fetch();
      held.resolve();
      await released.promise;
      return route.fulfill({ response });
    },
  );
  await held.promise;
  await page.click(byTestId('pause-job'));
  await page.waitForSelector(`${JOB}[data-state="paused"]`);
  released.resolve();
  await isAnswered;
  await page.evaluate(() => new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  expect(await page.getAttribute(JOB, 'data-state')).toBe('paused');
});
