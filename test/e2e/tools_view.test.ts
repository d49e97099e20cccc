/** The tools view in a real Chromium: tools by toolset, why one cannot run, MCP servers and their connection. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AgentBench, startBench } from '../support/agent_bench';
import { createMcpConfig, type McpConfig, PUBLISHED, stdio, waitForServers } from '../support/mcp_servers';
import { byTestId, type ChatBrowser, startChatBrowser } from './chat_browser';

let config: McpConfig;
let bench: AgentBench;
let browser: ChatBrowser;
let lateServer: string;

beforeAll(async () => {
  config = await createMcpConfig({});
  lateServer = join(config.directory, 'late.mjs');
  await config.write({
    files: stdio(PUBLISHED.filesystem, '${NETA_WORKSPACE}'),
    late: stdio(lateServer, '${NETA_WORKSPACE}'),
    unused: { ...stdio(PUBLISHED.filesystem, '${NETA_WORKSPACE}'), enabled: false },
  });
  [bench, browser] = await Promise.all([startBench({ env: { NETA_CONFIG_DIR: config.directory } }), startChatBrowser()]);
  await waitForServers(bench.rest, ({ files, late }) => files?.state === 'connected' && late?.state === 'failed');
});
afterAll(async () => {
  await browser?.stop();
  await bench?.stop();
  await config?.remove();
});
afterEach(() => browser.closePages());

const open = (options = {}) => browser.open({ url: `${bench.gateway.url}/?view=tools`, ...options });
const tool = (name: string) => byTestId('tool', `[data-name="${name}"]`);
const server = (name: string, state: string) => byTestId('mcp-server', `[data-name="${name}"][data-state="${state}"]`);

it('lists tools by toolset with origin and calls, and finds some by their words', async () => {
  await bench.rest.request('POST', '/tools/call', { toolName: 'read_file', parameters: { path: 'missing.txt' } });
  const { page, complaints } = await open();
  await page.waitForSelector(`${byTestId('toolset', '[data-toolset="base"][data-origin="builtin"]')} ${tool('read_file')}`);
  expect(await page.textContent(tool('read_file'))).toMatch(/Ready.*only reads.*1 call.*1 error/);
  await page.waitForSelector(`${byTestId('toolset', '[data-toolset="files"][data-origin="mcp"]')} ${tool('files__read_text_file')}`);

  await page.fill(byTestId('tool-search'), 'FILES read_text');
  await page.waitForSelector(tool('read_file'), { state: 'detached' });
  expect(await page.isVisible(tool('files__read_text_file'))).toBe(true);
  await page.focus(`${tool('files__read_text_file')} summary`);
  await page.keyboard.press('Enter');
  await page.waitForSelector(`${tool('files__read_text_file')} .tool-description`);
  await page.fill(byTestId('tool-search'), 'no such words');
  await page.waitForSelector(`${byTestId('tools-found')}:has-text("No tool matches.")`);
  expect(complaints).toEqual([]);
});

it('says why a server is not connected, and connects it again by keyboard', async () => {
  const { page, complaints } = await open();
  await page.waitForSelector(server('files', 'connected'));
  await page.waitForSelector(server('unused', 'disabled'));
  expect(await page.isVisible(`${server('unused', 'disabled')} ${byTestId('reconnect')}`)).toBe(false);
  await page.waitForSelector(server('late', 'failed'));
  expect(await page.textContent(`${server('late', 'failed')} ${byTestId('server-problem')}`)).not.toBe('');
  await writeFile(lateServer, `import ${JSON.stringify(PUBLISHED.filesystem)};\n`);
  await page.focus(`${byTestId('mcp-server', '[data-name="late"]')} ${byTestId('reconnect')}`);
  await page.keyboard.press('Enter');
  await page.waitForSelector(server('late', 'connected'));
  await page.waitForSelector(tool('late__read_text_file'));
  expect(await page.isVisible(`${server('late', 'connected')} ${byTestId('server-problem')}`)).toBe(false);
  expect(complaints).toEqual([]);
});

it('fits a phone, in Chinese', async () => {
  const { page } = await open({ viewport: { width: 390, height: 800 }, isMobile: true, hasTouch: true, locale: 'zh-CN' });
  await page.waitForSelector(`${tool('read_file')}:has-text("可用")`);
  await page.waitForSelector(`${server('files', 'connected')}:has-text("已连接")`);
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
});
