/** Sends hostile input to every tool of one running gateway and measures its event loop all the time. */
import { readdir, rename, symlink, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { historyProblem } from '../../src/runtime/history';
import type { ModelRequest } from '../support/mock_model';
import { itInSandbox } from '../support/sandbox_table';
import { type Site, startSite } from '../support/site';
import { DATA_ROWS, RAW_ROWS } from './data_rows';
import { EDIT_ROWS, fileRows } from './file_rows';
import { type Answer, type HostileBench, loopProblem, type Row, rowProblem, SECRET, startHostileBench } from './hostile_bench';
import { dripRows, SERVICE_WORST, serviceRows, worstSettings } from './service_rows';
import { boundedShellRows, sandboxedShellRows, TERMINAL_ROWS } from './shell_rows';
import { HOSTILE_PAGES, webRows } from './web_rows';

const CALLS_A_RUN = 30;
const AT_ONCE = 6;
const UNITS_AT_ONCE = 500_000;
const UNITS_A_RUN = 2_500_000;
const MAX_ARGUMENT_UNITS = 1024 * 1024;
/** A model stream is at most 1 MiB a call here, and a request body 1 MiB. */
const MAX_DIRECT_UNITS = 1_000_000;
/** Seven runs of two builds grew by 608 to 706 MiB: the memory that the engine keeps after inputs of megabytes. */
const MAX_GROWTH_MIB = 800;
const MAX_MEMORY_MIB = 1_600;

jest.setTimeout(90_000);

let site: Site;
let bench: HostileBench;
let memoryBefore: number;
/** These take 15 s in any case, so they start first and are checked last. */
let drips: Promise<Answer[]>;

beforeAll(async () => {
  site = await startSite({ ...HOSTILE_PAGES, ...SERVICE_WORST });
  bench = await startHostileBench(site, worstSettings(site));
  memoryBefore = (await bench.memory()).now;
  drips = Promise.all(dripRows(site).map(bench.direct));
  drips.catch(() => {});
});

afterAll(async () => {
  await bench?.stop();
  await site?.stop();
});

function problemOf(row: Row, answer: Answer | undefined): string[] {
  const problem = answer ? rowProblem(row, answer) : 'no answer';
  return problem === undefined ? [] : [`${row.what}: ${problem}`];
}

async function problemsOfDirect(rows: readonly Row[]): Promise<string[]> {
  const problems: string[] = [];
  for (const some of inGroups(rows, { most: AT_ONCE, units: UNITS_AT_ONCE, rowUnits: MAX_DIRECT_UNITS })) {
    const answers = await Promise.all(some.map(row => bench.direct(row)));
    for (const [index, row] of some.entries()) problems.push(...problemOf(row, answers[index]));
    await bench.lookAtLoop(some.map(({ what }) => what).join(' | '));
  }
  return problems;
}

async function problemsOfRuns(rows: readonly Row[]): Promise<string[]> {
  const problems: string[] = [];
  // The most that one model answer may contain and that a model server accepts in a history.
  for (const some of inGroups(rows, { most: CALLS_A_RUN, units: UNITS_A_RUN, rowUnits: MAX_ARGUMENT_UNITS })) {
    const answers = await bench.inRun(some);
    for (const [index, row] of some.entries()) problems.push(...problemOf(row, answers[index]));
    await bench.lookAtLoop(`a run: ${some.map(({ what }) => what).join(' | ')}`);
  }
  return problems;
}

const unitsOf = ({ args }: Row): number => Buffer.byteLength(typeof args === 'string' ? args : JSON.stringify(args));

/** Groups rows that run in parallel; leaves out those that are too long for the door. */
function inGroups(rows: readonly Row[], limits: { most: number; units: number; rowUnits: number }): Row[][] {
  const groups: Row[][] = [];
  let units = Number.POSITIVE_INFINITY;
  for (const row of rows.filter(candidate => unitsOf(candidate) <= limits.rowUnits)) {
    units += unitsOf(row);
    if (units > limits.units || groups.at(-1)?.length === limits.most) {
      groups.push([]);
      units = unitsOf(row);
    }
    groups.at(-1)?.push(row);
  }
  return groups;
}

it('keeps every path inside the workspace and does not block on devices', async () => {
  const rows = fileRows(bench.outside);
  expect(await problemsOfDirect(rows)).toEqual([]);
  expect(await problemsOfRuns(rows.filter((_, index) => index % 7 === 0))).toEqual([]);
});

it('patches within its time limit and never through a link', async () => {
  expect(await problemsOfDirect(EDIT_ROWS)).toEqual([]);
  expect(await problemsOfRuns(EDIT_ROWS.filter(({ tool }) => tool === 'patch'))).toEqual([]);
});

it('stays inside the workspace when a link is swapped during the check', async () => {
  const { workspace } = bench.gateway;
  const swap = join(workspace, 'swap');
  let isOver = false;
  const swapping = (async () => {
    for (let i = 0; !isOver; i += 1) {
      await symlink(i % 2 === 0 ? bench.outside : join(workspace, 'directory'), `${swap}.next`);
      await rename(`${swap}.next`, swap);
    }
  })();
  const path = 'swap/canary.txt';
  const answers = await Promise.all(
    Array.from({ length: 120 }, (_, i) => {
      const calls = [
        { tool: 'read_file', args: { path } },
        { tool: 'write_file', args: { path, content: 'overwritten' } },
        { tool: 'search', args: { pattern: 'canary', path: i % 8 === 0 ? 'swap' : 'directory' } },
        { tool: 'file_delete', args: { path } },
      ];
      return bench.direct({ what: '', expect: 'any', ...(calls[i % calls.length] as { tool: string; args: Record<string, unknown> }) });
    }),
  );
  isOver = true;
  await swapping;
  await unlink(swap);
  expect(answers.filter(({ text }) => text.includes(SECRET))).toEqual([]);
  expect(await bench.changesOutside()).toEqual([]);
  await bench.lookAtLoop('the swapped link');
});

it('calculates, counts and parses within its time limit', async () => {
  expect(await problemsOfDirect(DATA_ROWS.filter(({ tool }) => tool !== 'clarify'))).toEqual([]);
  expect(await problemsOfRuns(DATA_ROWS.filter(({ tool }, index) => index % 5 === 0 || tool === 'clarify'))).toEqual([]);
});

it('connects to no private address and survives every page', async () => {
  const rows = webRows(site);
  expect(await problemsOfDirect(rows)).toEqual([]);
  expect(await problemsOfRuns(rows.filter((_, index) => index % 6 === 0))).toEqual([]);
});

it('treats answers of search and weather services as data, whatever their size', async () => {
  expect(await problemsOfDirect(serviceRows())).toEqual([]);
  expect(await problemsOfRuns(serviceRows())).toEqual([]);
});

it('kills commands that would never end, and accepts any command and any output', async () => {
  expect(await problemsOfDirect(boundedShellRows(bench.isSandboxed).filter(({ tool }) => tool === 'bash'))).toEqual([]);
  expect(await problemsOfRuns([...boundedShellRows(bench.isSandboxed), ...TERMINAL_ROWS])).toEqual([]);
});

itInSandbox('shows a command neither files outside nor the environment of the gateway, nor a network', async () => {
  const seen = site.requests.length;
  const rows = sandboxedShellRows({ outside: bench.outside, pid: bench.gateway.pid, port: new URL(site.url('/')).port });
  expect(await problemsOfRuns(rows)).toEqual([]);
  expect(site.requests.length).toBe(seen);
  expect(await bench.changesOutside()).toEqual([]);
  expect(await readdir(dirname(bench.gateway.workspace))).not.toContain('outside.txt');
});

it('answers every malformed tool call and keeps the history valid', async () => {
  expect(await problemsOfRuns(RAW_ROWS)).toEqual([]);
  const calls = [1, 2, 3].map(() => ({ name: 'echo', arguments: { text: 'x' }, id: 'call_same' }));
  bench.model.onTurn('the same id', { toolCalls: calls }, 'done');
  const first = await bench.rest.run({ input: 'the same id' });
  expect(first.body).toMatchObject({ status: 'completed', toolCalls: [{ ok: true }, { ok: true }, { ok: true }] });
  const { sessionId } = first.body;
  bench.model.onTurn('too many', { toolCalls: Array.from({ length: 33 }, () => ({ name: 'echo', arguments: { text: 'x' } })) });
  expect((await bench.rest.run({ input: 'too many', sessionId })).body).toMatchObject({
    status: 'failed',
    error: { code: 'model_too_large' },
  });
  const odd = RAW_ROWS.map(({ tool, args }) => ({ name: tool, arguments: args })).slice(-20);
  bench.model.onTurn('odd names', { toolCalls: odd, chunkSize: 64 * 1024 }, 'done');
  expect((await bench.rest.run({ input: 'odd names', sessionId })).body.status).toBe('completed');
  bench.model.onTurn('and now', 'all is well');
  expect((await bench.rest.run({ input: 'and now', sessionId })).body).toMatchObject({ status: 'completed', text: 'all is well' });
  const { messages } = (bench.model.requests('and now').at(-1) as ModelRequest).body;
  expect(historyProblem(messages)).toBeUndefined();
  const sent = messages.flatMap(message => ('tool_calls' in message ? (message.tool_calls ?? []) : []));
  expect(sent.filter(call => !/^[A-Za-z0-9_-]{1,64}$/.test(call.function.name))).toEqual([]);
  expect(new Set(sent.map(call => call.id)).size).toBe(sent.length);
  await bench.lookAtLoop('odd calls of a model');
});

it('aborts answers that never end', async () => {
  const answers = await drips;
  expect(dripRows(site).flatMap((row, index) => problemOf(row, answers[index]))).toEqual([]);
});

it('changed nothing outside, leaked no memory, logged no error and never blocked the event loop for 250 ms', async () => {
  expect(await bench.changesOutside()).toEqual([]);
  const { now, most } = await bench.memory();
  const noiseMs = await bench.stopNoise();
  const worst = bench.worst();
  process.stdout.write(`hostile suite: ${JSON.stringify({ ...worst, noiseMs, memoryMiB: { before: memoryBefore, now, most } })}\n`);
  expect(now - memoryBefore).toBeLessThan(MAX_GROWTH_MIB);
  expect(most).toBeLessThan(MAX_MEMORY_MIB);
  expect(bench.gateway.output()).not.toContain('"level":"error"');
  expect(loopProblem(worst, noiseMs)).toBeUndefined();
});

it('detects a blocked event loop on a busy machine too', async () => {
  expect(loopProblem({ busyMs: 0, busyBy: '', delayMs: 2_600, delayBy: 'a disk', queuedMs: 60_000 }, 60_000)).toMatch(
    /2600 ms of waiting .*a disk/,
  );
  const blocked = await startHostileBench(site, { NETA_DEBUG_POINTS: 'tool_effect=block:600' });
  try {
    await blocked.inRun([{ what: 'echo', tool: 'echo', args: { text: 'x' }, expect: 'ok' }]);
    await blocked.lookAtLoop('the failpoint');
    expect(loopProblem({ ...blocked.worst(), queuedMs: 0 }, 0)).toMatch(/^\d+.* ms of (work|waiting).*, by the failpoint$/);
  } finally {
    await blocked.stop();
  }
});
