/** Sends hostile commands to one running gateway, in the strongest sandbox of this machine. */
import { readdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { itInSandbox } from '../support/sandbox_table';
import { type Site, startSite } from '../support/site';
import { type HostileBench, startHostileBench } from './hostile_bench';
import { createRowSender, expectUnharmed, type RowSender } from './send_rows';
import { boundedShellRows, sandboxedShellRows, TERMINAL_ROWS } from './shell_rows';

let site: Site;
let bench: HostileBench;
let sender: RowSender;
let memoryBefore: number;

beforeAll(async () => {
  site = await startSite({});
  bench = await startHostileBench(site);
  sender = createRowSender(bench);
  memoryBefore = (await bench.memory()).now;
});

afterAll(async () => {
  await bench?.stop();
  await site?.stop();
});

it('kills commands that would never end, and accepts any command and any output', async () => {
  expect(await sender.problemsOfDirect(boundedShellRows(bench.isSandboxed).filter(({ tool }) => tool === 'bash'))).toEqual([]);
  expect(await sender.problemsOfRuns([...boundedShellRows(bench.isSandboxed), ...TERMINAL_ROWS])).toEqual([]);
});

itInSandbox('shows a command neither files outside nor the environment of the gateway, nor a network', async () => {
  const seen = site.requests.length;
  const rows = sandboxedShellRows({ outside: bench.outside, pid: bench.gateway.pid, port: new URL(site.url('/')).port });
  expect(await sender.problemsOfRuns(rows)).toEqual([]);
  expect(site.requests.length).toBe(seen);
  expect(await bench.changesOutside()).toEqual([]);
  expect(await readdir(dirname(bench.gateway.workspace))).not.toContain('outside.txt');
});

it('changed nothing outside, leaked no memory, logged no error and never blocked the event loop for 250 ms', async () => {
  await expectUnharmed(bench, memoryBefore);
});
