/**
 * `npm run conformance:mcp`: runs the server scenarios of @modelcontextprotocol/conformance for 2025-11-25 against the MCP door of the built gateway,
 * and against @modelcontextprotocol/server-everything for comparison; then those that 2026-07-28 requires of a server against the gateway, and those
 * that it requires of a client against the gateway's client (client.mjs). Prints all results. Most server scenarios ask for a tool, prompt or resource with a name of
 * their own (such as test_image_content); a server without it fails them by design, and the table says so. The gateway gets the tools that a
 * manifest can be: texts, an error, an image, a sound and a resource. Exits with 1 when a scenario fails that needs nothing but a server.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { buildIfNeeded, root } from '../../scripts/build_if_needed.mjs';
import { killAtExit, makeTemporaryDirectory } from '../gateway/leftovers.mjs';

const PACKAGES = join(root, 'node_modules/@modelcontextprotocol');
const SUITE = join(PACKAGES, 'conformance/dist/index.js');
const EVERYTHING = join(PACKAGES, 'server-everything/dist/index.js');
const CLIENT = join(root, 'bench/conformance/client.mjs');
const STATELESS = '2026-07-28';
const START_MS = 30_000;
const SUITE_MS = 300_000;

/** Scenarios that need nothing but a server; the others name what they look for. */
const GENERAL = new Set([
  'server-initialize',
  'server-session-lifecycle',
  'server-sse-polling',
  'ping',
  'tools-list',
  'prompts-list',
  'resources-list',
  'server-sse-multiple-streams',
  'dns-rebinding-protection',
]);
/** Scenarios that the tools of `writeTools` make possible. */
const WITH_TOOLS = new Set([
  'tools-call-simple-text',
  'tools-call-error',
  'tools-call-image',
  'tools-call-audio',
  'tools-call-embedded-resource',
  'tools-call-mixed-content',
]);
/** An image of one pixel, and a sound of no length. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=';
/** Scenarios about parts of the protocol that the gateway does not offer. */
const NOT_OFFERED = /^(?:logging|completion|resources|prompts)-|-sampling$/;

/** The message of a check that needs a tool of the suite. */
const NOT_TESTABLE = /^Not testable:/;

const passed = row => row !== undefined && row.failed === 0 && row.passed > 0;

function reasonOf(scenario) {
  if (GENERAL.has(scenario)) return 'needs nothing';
  if (WITH_TOOLS.has(scenario)) return 'needs a tool of the suite, which the gateway got';
  return NOT_OFFERED.test(scenario) ? 'not offered by the gateway' : 'needs a tool of the suite';
}

buildIfNeeded();
const home = makeTemporaryDirectory('neta-conformance-');
const targets = { gateway: await startGateway(), 'server-everything': await startEverything() };
const results = {};
for (const [name, url] of Object.entries(targets))
  results[name] = await runSuite(name, ['server', '--url', url, '--suite', 'all', '--spec-version', '2025-11-25']);
const stateless = await runSuite('stateless', ['server', '--url', targets.gateway, '--requirements', STATELESS]);
const client = await runClientSuite();
reportRequired(`required of a server by ${STATELESS}`, stateless);
reportRequired(`required of a client by ${STATELESS}`, client);
report(results);

async function startGateway() {
  const config = join(home, 'config');
  cpSync(join(root, 'config/agents'), join(config, 'agents'), { recursive: true });
  writeTools(join(config, 'tools'));
  const env = {
    PATH: process.env.PATH,
    PORT: '0',
    NETA_CONFIG_DIR: config,
    NETA_DATA_DIR: join(home, 'data'),
    NETA_WORKSPACE: join(home, 'workspace'),
    NETA_MCP_TOOLS: 'test_*',
  };
  const child = spawn(process.execPath, ['bootstrap.js'], { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] });
  killAtExit(child);
  const timer = setTimeout(() => child.kill('SIGKILL'), START_MS);
  for await (const text of child.stdout) {
    const url = /ready on (\S+)/.exec(text)?.[1];
    if (!url) continue;
    clearTimeout(timer);
    child.stdout.resume();
    return `${url}/mcp`;
  }
  throw new Error('The gateway did not start.');
}

/** Writes tools that the suite calls, as manifests. */
function writeTools(folder) {
  mkdirSync(folder, { recursive: true });
  const write = (name, answer) => {
    const manifest = { name, display_name: name, description: 'A tool of the conformance suite.', runtime: 'native', entry: `${name}.sh` };
    const command = { name: 'run', description: 'Answers the suite.', effect: 'read', parameters: { type: 'object', properties: {} } };
    writeFileSync(join(folder, `${name}.yaml`), JSON.stringify({ ...manifest, commands: [command] }));
    writeFileSync(join(folder, `${name}.sh`), `#!/bin/sh\nread request\necho '${JSON.stringify(answer)}'\n`);
    chmodSync(join(folder, `${name}.sh`), 0o755);
  };
  write('test_simple_text', { status: 'success', result: 'This is a simple text response for testing.' });
  const image = { type: 'image', mimeType: 'image/png', base64: PNG };
  const resource = { type: 'resource', uri: 'test://embedded-resource', mimeType: 'text/plain', text: 'This is an embedded resource.' };
  const withBlocks = (...blocks) => ({ status: 'success', message: 'See the content.', result: { blocks } });
  write('test_image_content', withBlocks(image));
  write('test_audio_content', withBlocks({ type: 'audio', mimeType: 'audio/wav', base64: WAV }));
  write('test_embedded_resource', withBlocks(resource));
  write('test_multiple_content_types', withBlocks(image, resource));
  write('test_error_handling', { status: 'error', error: 'This tool intentionally returns an error for testing' });
}

async function startEverything() {
  const port = await freePort();
  const child = spawn(process.execPath, [EVERYTHING, 'streamableHttp'], {
    env: { PATH: process.env.PATH, PORT: String(port) },
    stdio: 'ignore',
  });
  killAtExit(child);
  const url = `http://127.0.0.1:${port}/mcp`;
  const deadline = performance.now() + START_MS;
  while (!(await fetch(url).catch(() => undefined))) {
    if (performance.now() > deadline || child.exitCode !== null) throw new Error('server-everything did not start.');
    await new Promise(resolve => setTimeout(resolve, 50));
  }
  return url;
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

/** Resolves with the checks of each scenario: how many passed and failed, and the first failure. */
async function runSuite(name, options) {
  const folder = join(home, `results-${name}`);
  const args = [SUITE, ...options, '--output-dir', folder];
  // It exits with 1 when a scenario fails.
  await promisify(execFile)(process.execPath, args, { timeout: SUITE_MS, maxBuffer: 64 * 1024 * 1024 }).catch(error => {
    if (error.code !== 1) throw error;
  });
  const scenarios = new Map();
  // Names of scenarios may have a slash.
  for (const entry of readdirSync(folder, { recursive: true }).filter(path => basename(path) === 'checks.json')) {
    const scenario = dirname(entry)
      .replace(/^server-/, '')
      .replace(/-\d{4}-\d{2}-\d{2}T.*$/, '');
    const checks = JSON.parse(readFileSync(join(folder, entry), 'utf8'));
    const failed = checks.filter(({ status, errorMessage = '' }) => status === 'FAILURE' && !NOT_TESTABLE.test(errorMessage));
    scenarios.set(scenario, {
      passed: checks.filter(({ status }) => status === 'SUCCESS').length,
      failed: failed.length,
      error: failed[0]?.errorMessage,
    });
  }
  return scenarios;
}

/** Runs the client scenarios one after another: side by side they would need a processor each. */
async function runClientSuite() {
  const { stdout } = await promisify(execFile)(process.execPath, [SUITE, 'list', '--requirements', STATELESS]);
  const [, list = ''] = /Client scenarios[^\n]*\n((?: {2}- .*\n)+)/.exec(stdout) ?? [];
  const results = new Map();
  for (const [, scenario] of list.matchAll(/- (\S+)/g)) {
    const options = ['client', '--scenario', scenario, '--spec-version', STATELESS, '--command', `${process.execPath} ${CLIENT}`];
    const [row] = (await runSuite(`client-${scenario.replace('/', '-')}`, options)).values();
    results.set(scenario, row);
  }
  return results;
}

function reportRequired(title, rows) {
  for (const [name, row] of rows) console.log(`${name.padEnd(48)}${passed(row) ? 'passed' : `failed: ${row?.error ?? ''}`.slice(0, 120)}`);
  console.log(`\n${title}: ${[...rows.values()].filter(passed).length}/${rows.size}\n`);
}

function report({ gateway, 'server-everything': everything }) {
  const mark = row => (passed(row) ? 'passed' : 'failed');
  const names = [...gateway.keys()].sort((a, b) => reasonOf(a).localeCompare(reasonOf(b)) || a.localeCompare(b));
  const line = (...cells) => console.log(cells.map((cell, i) => String(cell).padEnd([34, 10, 19, 0][i])).join(''));
  line('scenario', 'gateway', 'server-everything', '');
  for (const name of names) line(name, mark(gateway.get(name)), mark(everything.get(name)), reasonOf(name));
  const scoreOf = (rows, choose) => {
    const chosen = names.filter(choose);
    return `${chosen.filter(name => mark(rows.get(name)) === 'passed').length}/${chosen.length}`;
  };
  console.log('');
  const scores = [
    ['needs nothing but a server', name => GENERAL.has(name)],
    ['with the tools that it got', name => WITH_TOOLS.has(name)],
    ['all scenarios', () => true],
  ];
  for (const [title, choose] of scores) line(title, scoreOf(gateway, choose), scoreOf(everything, choose), '');
  const broken = names.filter(name => (GENERAL.has(name) || WITH_TOOLS.has(name)) && mark(gateway.get(name)) === 'failed');
  for (const name of broken) console.log(`\n${name}: ${gateway.get(name).error}`);
  process.exit(broken.length > 0 ? 1 : 0);
}
