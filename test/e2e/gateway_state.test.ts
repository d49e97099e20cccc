/** What the chat page says about the gateway: a used-up quota, and mistakes that an operator should mend. */
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startBench } from '../support/agent_bench';
import { createProfiles } from '../support/agent_config';
import { startGateway } from '../support/gateway';
import { startLimitsBench } from '../support/limits_bench';
import { byTestId, type ChatBrowser, COMPOSER, startChatBrowser, turn } from './chat_browser';

let browser: ChatBrowser;

beforeAll(async () => {
  browser = await startChatBrowser();
});
afterAll(() => browser?.stop());
afterEach(() => browser.closePages());

it('says when a used-up quota starts again', async () => {
  const bench = await startLimitsBench('default: { tokensPerDay: 1 }\n');
  try {
    bench.model.onTurn(/./, { text: 'fine', usage: { inputTokens: 10, outputTokens: 10 } });
    const { page, say } = await browser.open({ url: bench.gateway.url, timezoneId: 'UTC' });
    await say('one');
    await page.waitForSelector(turn('completed'));
    await say('two');
    expect(await page.textContent(`${turn('unsent')} ${byTestId('quota-reset')}`)).toMatch(/starts again on .*(?:12:00 AM|24:00|00:00)/);
  } finally {
    await bench.stop();
  }
});

it('leads an operator from a quiet line to the operator pages when something needs attention', async () => {
  const config = await createProfiles({ default: '' });
  await writeFile(join(config.directory, 'mcp.yaml'), 'servers: { broken: { command: 7 } }\n');
  const gateway = await startGateway({ env: { NETA_CONFIG_DIR: config.directory } });
  try {
    const { page } = await browser.open({ url: gateway.url });
    await page.click(`${byTestId('degraded')} a`);
    await page.waitForSelector(byTestId('screen-overview'));
  } finally {
    await gateway.stop();
    await config.remove();
  }
});

it('says in the chat that nothing can be saved or that the model does not answer, until that is over', async () => {
  const bench = await startBench({ own: 'its files are limited' });
  const notice = (trouble: string) => byTestId('gateway-notice', `[data-trouble="${trouble}"]`);
  /** Limits the size of each file of the gateway in bytes, which acts like a full disk. */
  const limitFiles = (bytes: string) => promisify(execFile)('prlimit', ['--pid', String(bench.gateway.pid), `--fsize=${bytes}:unlimited`]);
  try {
    bench.model.onTurn(/./, { error: { status: 503 }, times: 8 });
    bench.model.onTurn(/./, 'fine');
    const { page, say } = await browser.open({ url: bench.gateway.url, locale: 'zh-CN' });
    await say('one');
    await page.waitForSelector(`${notice('model')}:has-text("模型目前没有响应")`);
    await limitFiles('4096');
    await page.reload();
    await page.waitForSelector(`${notice('store')}:has-text("不接受新消息")`);
    await limitFiles('unlimited');
    await page.reload();
    await page.waitForSelector(COMPOSER);
    await page.waitForSelector(notice('store'), { state: 'detached' });
  } finally {
    await bench.stop();
  }
});
