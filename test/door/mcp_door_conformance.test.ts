/** The scenarios of the MCP conformance suite that need nothing but a server. `npm run conformance:mcp` runs all of them. */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startBench } from '../support/agent_bench';

const SUITE = join(__dirname, '../../node_modules/@modelcontextprotocol/conformance/dist/index.js');
/** Version of the protocol -> its scenarios. A version with sessions is spoken otherwise than one without. */
const SCENARIOS = {
  '2025-11-25': [
    'server-initialize',
    'server-session-lifecycle',
    'ping',
    'tools-list',
    'prompts-list',
    'resources-list',
    'server-sse-polling',
    'server-sse-multiple-streams',
    'dns-rebinding-protection',
  ],
  '2026-07-28': [
    'server-stateless',
    'tools-list',
    'prompts-list',
    'resources-list',
    'sep-2164-resource-not-found',
    'caching',
    'http-header-validation',
    'input-required-result-unsupported-methods',
    'input-required-result-validate-input',
    'server-sse-multiple-streams',
    'dns-rebinding-protection',
  ],
};
/** The message of a check that needs a tool of the suite. */
const NOT_TESTABLE = /^Not testable:/;

interface Check {
  id: string;
  status: string;
  errorMessage?: string;
}

it.each(Object.entries(SCENARIOS))('passes every scenario of %s that needs no tool of the suite', async (version, scenarios) => {
  const bench = await startBench();
  const folder = await mkdtemp(join(tmpdir(), 'neta-conformance-'));
  try {
    const runs = scenarios.map(scenario =>
      promisify(execFile)(process.execPath, [
        SUITE,
        'server',
        '--url',
        `${bench.gateway.url}/mcp`,
        '--scenario',
        scenario,
        '--spec-version',
        version,
        '--output-dir',
        folder,
      ]),
    );
    await Promise.allSettled(runs);
    const entries = await readdir(folder);
    const checks = await Promise.all(
      entries.map(async entry => JSON.parse(await readFile(join(folder, entry, 'checks.json'), 'utf8')) as Check[]),
    );
    expect(entries).toHaveLength(scenarios.length);
    const failures = checks.flat().filter(({ status }) => status === 'FAILURE');
    expect(failures.filter(({ errorMessage = '' }) => !NOT_TESTABLE.test(errorMessage))).toEqual([]);
    expect(checks.every(some => some.some(({ status }) => status === 'SUCCESS'))).toBe(true);
  } finally {
    await bench.stop();
    await rm(folder, { recursive: true, force: true });
  }
});
