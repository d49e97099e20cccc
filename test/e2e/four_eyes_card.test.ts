/** The card of an approval that asks for colleagues, in a real Chromium, for the person whose message caused the call. */
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AgentBench, startBench } from '../support/agent_bench';
import { withKey } from '../support/key_bench';
import type { PageBody, RestClient } from '../support/rest_client';
import { byTestId, type ChatBrowser, COMPOSER, startChatBrowser } from './chat_browser';

const NAMES = ['driver', 'dora', 'erik'];
const secretOf = (name: string): string => `${name}-secret-0123456789`;
const PROGRESS = byTestId('approval-progress');

let bench: AgentBench;
let config: string;
let browser: ChatBrowser;

beforeAll(async () => {
  config = await mkdtemp(join(tmpdir(), 'neta-four-eyes-card-'));
  await cp(join(__dirname, '../../config/agents'), join(config, 'agents'), { recursive: true });
  await writeFile(
    join(config, 'approvals.yaml'),
    "rules:\n  - { tool: bash, pattern: 'tally', decision: ask, approvers: 2, notBy: requester }\n",
  );
  const keys = NAMES.map(name => `${name}:${secretOf(name)}:acme:chat+approve`).join(',');
  [bench, browser] = await Promise.all([startBench({ env: { NETA_CONFIG_DIR: config, NETA_API_KEYS: keys } }), startChatBrowser()]);
  bench.model.onTurn('deploy', { toolCalls: [{ name: 'bash', arguments: { command: 'echo tally' } }] }, 'Deployed.');
});
afterAll(async () => {
  await browser?.stop();
  await bench?.stop();
  await rm(config, { recursive: true, force: true });
});

it('[R] says whose yes counts and who has said yes, and refuses that of the driver', async () => {
  const { url } = bench.gateway;
  const { page } = await browser.open({ url });
  await page.fill(byTestId('login-key'), secretOf('driver'));
  await page.press(byTestId('login-key'), 'Enter');
  await page.waitForSelector(byTestId('login-card'), { state: 'detached' });
  await page.fill(COMPOSER, 'deploy');
  await page.press(COMPOSER, 'Enter');
  await page.waitForSelector(`${PROGRESS}:has-text("0 of 2 said yes")`);
  expect(await page.textContent(PROGRESS)).toContain('The yes of driver does not count');
  // A yes counts for this call as it is.
  expect(await page.locator(byTestId('approval-session')).count()).toBe(0);
  expect(await page.locator(byTestId('approval-edit')).count()).toBe(0);
  await page.click(byTestId('approval-once'));
  await page.waitForSelector(`${byTestId('approval-problem')}:has-text("a colleague must allow it")`);
  const [dora, erik] = ['dora', 'erik'].map(name => withKey(url, secretOf(name))) as [RestClient, RestClient];
  const { body } = await dora.request<PageBody<{ requestId: string }>>('GET', '/approvals?status=pending');
  const allow = (who: RestClient) => who.request('POST', `/approvals/${body.data[0]?.requestId}`, { decision: 'allow_once' });
  await allow(dora);
  await page.waitForSelector(`${PROGRESS}:has-text("1 of 2 said yes: dora")`);
  await allow(erik);
  await page.waitForSelector(`${byTestId('approval-outcome')}:has-text("by dora, erik")`);
});
