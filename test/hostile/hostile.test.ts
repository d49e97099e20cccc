/** Sends hostile input to every tool of one running gateway and measures its event loop all the time. */
import { rename, symlink, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { historyProblem } from '../../src/runtime/history';
import type { ModelRequest } from '../support/mock_model';
import { type Site, startSite } from '../support/site';
import { DATA_ROWS, RAW_ROWS } from './data_rows';
import { EDIT_ROWS, fileRows } from './file_rows';
import { type Answer, type HostileBench, loopProblem, SECRET, startHostileBench } from './hostile_bench';
import { createRowSender, expectUnharmed, problemOf, type RowSender } from './send_rows';
import { dripRows, SERVICE_WORST, serviceRows, worstSettings } from './service_rows';
import { HOSTILE_PAGES, webRows } from './web_rows';

jest.setTimeout(90_000);

let site: Site;
let bench: HostileBench;
let sender: RowSender;
let memoryBefore: number;
/** These take 15 s in any case, so they start first and are checked last. */
let drips: Promise<Answer[]>;

beforeAll(async () => {
  site = await startSite({ ...HOSTILE_PAGES, ...SERVICE_WORST });
  bench = await startHostileBench(site, worstSettings(site));
  sender = createRowSender(bench);
  memoryBefore = (await bench.memory()).now;
  drips = Promise.all(dripRows(site).map(bench.direct));
  drips.catch(() => {});
});

afterAll(async () => {
  await bench?.stop();
  await site?.stop();
});

it('keeps every path inside the workspace and does not block on devices', async () => {
  const rows = fileRows(bench.outside);
  expect(await sender.problemsOfDirect(rows)).toEqual([]);
  expect(await sender.problemsOfRuns(rows.filter((_, index) => index % 7 === 0))).toEqual([]);
});

it('patches within its time limit and never through a link', async () => {
  expect(await sender.problemsOfDirect(EDIT_ROWS)).toEqual([]);
  expect(await sender.problemsOfRuns(EDIT_ROWS.filter(({ tool }) => tool === 'patch'))).toEqual([]);
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
  expect(await sender.problemsOfDirect(DATA_ROWS.filter(({ tool }) => tool !== 'clarify'))).toEqual([]);
  expect(await sender.problemsOfRuns(DATA_ROWS.filter(({ tool }, index) => index % 5 === 0 || tool === 'clarify'))).toEqual([]);
});

it('connects to no private address and survives every page', async () => {
  const rows = webRows(site);
  expect(await sender.problemsOfDirect(rows)).toEqual([]);
  expect(await sender.problemsOfRuns(rows.filter((_, index) => index % 6 === 0))).toEqual([]);
});

it('treats answers of search and weather services as data, whatever their size', async () => {
  expect(await sender.problemsOfDirect(serviceRows())).toEqual([]);
  expect(await sender.problemsOfRuns(serviceRows())).toEqual([]);
});

it('answers every malformed tool call and keeps the history valid', async () => {
  expect(await sender.problemsOfRuns(RAW_ROWS)).toEqual([]);
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
  await expectUnharmed(bench, memoryBefore);
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
