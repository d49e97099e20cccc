/** The scenarios of the MCP conformance suite that need nothing but a server. `npm run conformance:mcp` runs all of them. */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startBench } from '../support/agent_bench';

const SUITE = join(__dirname, '../../node_modules/@modelcontextprotocol/conformance/dist/index.js');
const SCENARIOS = [
  'server-initialize',
  'ping',
  'tools-list',
  'prompts-list',
  'resources-list',
  'server-sse-multiple-streams',
  'dns-rebinding-protection',
];

interface Check {
  id: string;
  status: string;
  errorMessage?: string;
}

it('passes every scenario that needs no tool of the suite', async () => {
  const bench = await startBench();
  const folder = await mkdtemp(join(tmpdir(), 'neta-conformance-'));
  try {
    const runs = SCENARIOS.map(scenario =>
      promisify(execFile)(process.execPath, [
        SUITE,
        'server',
        '--url',
        `${bench.gateway.url}/mcp`,
        '--scenario',
        scenario,
        '--output-dir',
        folder,
      ]),
    );
    await Promise.allSettled(runs);
    const entries = await readdir(folder);
    const checks = await Promise.all(
      entries.map(async entry => JSON.parse(await readFile(join(folder, entry, 'checks.json'), 'utf8')) as Check[]),
    );
    expect(entries).toHaveLength(SCENARIOS.length);
    expect(checks.flat().filter(({ status }) => status === 'FAILURE')).toEqual([]);
    expect(checks.every(some => some.some(({ status }) => status === 'SUCCESS'))).toBe(true);
  } finally {
    await bench.stop();
    await rm(folder, { recursive: true, force: true });
  }
});
