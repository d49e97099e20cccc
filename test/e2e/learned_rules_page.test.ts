/** Proposed approval rules on the operator pages, in a real Chromium: an admin accepts one with a click and takes it back with another. */
import { type ApprovalBench, startApprovalBench } from '../support/approval_bench';
import type { PageBody } from '../support/rest_client';
import { until } from '../support/until';
import { byTestId } from './chat_browser';
import { type OpsBrowser, startOpsBrowser } from './ops_browser';

let bench: ApprovalBench;
let browser: OpsBrowser;

beforeAll(async () => {
  const rules = 'rules:\n  - { tool: bash, decision: ask }\n';
  [bench, browser] = await Promise.all([startApprovalBench({ rules }), startOpsBrowser()]);
  bench.model.onTurn('check', { toolCalls: [{ name: 'bash', arguments: { command: 'echo checked' } }] }, 'Done.');
  await Promise.all([1, 2, 3, 4, 5].map(allowOne));
});
afterAll(async () => {
  await browser?.stop();
  await bench?.stop();
});

async function allowOne(): Promise<void> {
  const { rest } = bench;
  const { body } = await rest.request<{ runId: string }>('POST', '/runs', { input: 'check', clarify: 'wait' }, { prefer: 'respond-async' });
  const open = async () =>
    (await rest.request<PageBody<{ requestId: string; runId: string }>>('GET', '/approvals?status=pending')).body.data;
  const asked = await until(async () => (await open()).find(({ runId }) => runId === body.runId));
  await rest.request('POST', `/approvals/${asked?.requestId}`, { decision: 'allow_once' });
  await until(async () => (await bench.statusOf(body.runId)) === 'completed');
}

const rule = (state: string) => `${byTestId('rule')}[data-state="${state}"]`;

it('[R] shows what a rule would change, accepts it and takes it back', async () => {
  const { page, complaints, findBarriers } = await browser.open(`${bench.gateway.url}/ops/people`);
  await page.waitForSelector(`${rule('open')}:has-text("people allowed this 5 of 5 times")`);
  await page.click(`${rule('open')} summary`);
  await page.waitForSelector(`${rule('open')} ${byTestId('diff')}:has-text("echo checked")`);
  await page.waitForSelector(`${rule('open')} li:has-text("asks → runs")`);
  expect(await findBarriers()).toEqual([]);
  await page.click(byTestId('accept-rule'));
  await page.waitForSelector(rule('accepted'));
  await page.click(byTestId('undo-rule'));
  await page.waitForSelector(rule('undone'));
  expect(complaints).toEqual([]);
});
