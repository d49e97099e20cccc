/** The patch tool through every door, compared byte for byte, and undo over REST. */
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { encode } from 'iconv-lite';
import type { RunEvent } from '../../src/port/run_event';
import { type AgentBench, startBench } from '../support/agent_bench';
import type { PageBody } from '../support/rest_client';

interface PatchArguments {
  path: string;
  old_string: string;
  new_string: string;
  replace_all?: boolean;
}

interface CallEnd {
  ok: boolean;
  result: string;
  details?: { strategy?: string; count?: number; diff?: string; lines?: number[]; undoable?: boolean; code?: string };
}

interface Execution {
  id: string;
  tool: string;
  toolCallId?: string;
  runId?: string;
  status: string;
}

let bench: AgentBench;
beforeAll(async () => {
  bench = await startBench({ own: 'it is killed' });
});
afterAll(() => bench?.stop());

const fileOf = (path: string): string => join(bench.gateway.workspace, path);

/** Lets the model make these calls: one per answer, or all in one answer when `together`. */
async function converse(text: string, calls: { name: string; arguments: Record<string, unknown> }[], together = false): Promise<CallEnd[]> {
  const answers = together ? [{ toolCalls: calls }] : calls.map(call => ({ toolCalls: [call] }));
  bench.model.onTurn(text, ...answers, 'Done.');
  const client = await bench.connect();
  const { runId } = await client.chat(text);
  await client.endOf(runId);
  return client.eventsOf(runId).flatMap(event => (event.type === 'tool_call_end' ? [event.data as CallEnd] : []));
}

type Door = (name: string, args: PatchArguments) => Promise<CallEnd>;

const inAChat: Door = async (name, args) => {
  const [end] = await converse(`please edit for ${name}`, [{ name: 'patch', arguments: { ...args } }]);
  if (!end) throw new Error('the patch was not called');
  return end;
};

const asADirectCall: Door = async (_, parameters) => {
  const { body } = await bench.rest.request<{ status: string; result: CallEnd['details']; message: string }>('POST', '/tools/call', {
    toolName: 'patch',
    parameters,
  });
  return { ok: body.status === 'success', result: body.message, ...(body.result && { details: body.result }) };
};

const inARestRun: Door = async (name, args) => {
  const text = `please edit for ${name}`;
  bench.model.onTurn(text, { toolCalls: [{ name: 'patch', arguments: { ...args } }] }, 'Done.');
  const { runId, toolCalls } = (await bench.rest.run({ input: text })).body;
  expect(toolCalls).toHaveLength(1);
  const { body } = await bench.rest.request<PageBody<RunEvent>>('GET', `/runs/${runId}/events?limit=1000`);
  const end = body.data.find(event => event.type === 'tool_call_end');
  if (!end) throw new Error('the patch was not called');
  return end.data as CallEnd;
};

const CHINESE = '# 配置文件,请小心修改\r\n名称 = 一\r\n数量 = 十\r\n';
const FIVE_MB = Array.from(
  { length: 90_000 },
  (_, i) => `  const value${i} = compute(${i * 7_919}, "text ${i % 97}"); // 注 ${i % 13}\r\n`,
).join('');

describe.each([
  ['a chat over Socket.IO', inAChat],
  ['POST /runs', inARestRun],
  ['POST /tools/call', asADirectCall],
])('patch through %s (neta.patch.params, neta.patch.result)', (door, patch) => {
  it.each([
    ['CRLF', CHINESE, 'utf-8', false],
    ['a byte order mark', CHINESE, 'utf-8', true],
    ['GB18030', CHINESE, 'gb18030', false],
    ['UTF-16LE', CHINESE, 'utf-16le', true],
    ['UTF-16BE', CHINESE, 'utf-16be', true],
  ])('keeps all other bytes of a file with %s', async (kind, before, encoding, addBOM) => {
    const path = 'settings.txt';
    await writeFile(fileOf(path), encode(before, encoding, { addBOM }));
    const end = await patch(`${kind} over ${door}`, { path: fileOf(path), old_string: '名称 = 一\n数量', new_string: '名称 = 二\n总数量' });
    expect(end).toMatchObject({ ok: true, details: { strategy: 'exact', count: 1, lines: [2, 3], undoable: true } });
    expect(end.details?.diff).toContain('\n-名称 = 一\n-数量 = 十\n+名称 = 二\n+总数量 = 十');
    const after = before.replace('名称 = 一', '名称 = 二').replace('数量', '总数量');
    expect(await readFile(fileOf(path))).toEqual(encode(after, encoding, { addBOM }));
  });

  it('edits a file of 5 MB with an inexact quotation', async () => {
    await writeFile(fileOf('large.ts'), FIVE_MB);
    const old_string = 'const value70000 = compute(554330000,  "text 63"); // 注 8';
    const end = await patch(`5 MB over ${door}`, { path: 'large.ts', old_string, new_string: old_string.replace('compute', 'measure') });
    expect(end).toMatchObject({ ok: true, details: { strategy: 'whitespace_normalized', lines: [70_001, 70_001] } });
    const { body } = await bench.rest.request<PageBody<Execution>>('GET', '/tool-executions?tool=patch&limit=1');
    expect(body.data).toMatchObject([{ status: 'success', details: { strategy: 'whitespace_normalized', count: 1 } }]);
    expect(await readFile(fileOf('large.ts'), 'utf8')).toBe(FIVE_MB.replace('value70000 = compute', 'value70000 = measure'));
  });

  it('refuses several matches with their number, and writes nothing', async () => {
    await writeFile(fileOf('twice.txt'), 'same\nsame\n');
    const end = await patch(`twice over ${door}`, { path: 'twice.txt', old_string: 'same', new_string: 'other' });
    expect(end).toMatchObject({ ok: false, result: expect.stringContaining('2') });
    expect(await readFile(fileOf('twice.txt'), 'utf8')).toBe('same\nsame\n');
  });
});

describe('patches in one session', () => {
  it('of one file in one answer run in their order', async () => {
    await writeFile(fileOf('order.txt'), '0\n');
    const calls = Array.from({ length: 8 }, (_, i) => ({
      name: 'patch',
      arguments: { path: i % 2 ? 'order.txt' : fileOf('order.txt'), old_string: `${i}\n`, new_string: `${i + 1}\n` },
    }));
    const ends = await converse('count up', calls, true);
    expect(ends.map(end => end.ok)).toEqual(calls.map(() => true));
    expect(await readFile(fileOf('order.txt'), 'utf8')).toBe('8\n');
  });

  it('do not overwrite the changes of others, and say when repeating a call cannot help', async () => {
    await writeFile(fileOf('shared.txt'), 'a = 1\nb = 1\n');
    const edit = { path: 'shared.txt', old_string: 'a = 1', new_string: 'a = 2' };
    const wrong = { path: 'shared.txt', old_string: 'nothing like this', new_string: 'x' };
    const calls = [
      { name: 'read_file', arguments: { path: 'shared.txt' } },
      { name: 'bash', arguments: { command: "echo 'c = 1' >> shared.txt" } },
      { name: 'patch', arguments: edit },
      { name: 'read_file', arguments: { path: 'shared.txt' } },
      { name: 'patch', arguments: edit },
      { name: 'patch', arguments: wrong },
      { name: 'patch', arguments: wrong },
    ];
    const ends = await converse('edit what others edit', calls);
    expect(ends.map(end => end.ok)).toEqual([true, true, false, true, true, false, false]);
    expect(ends[2]).toMatchObject({ details: { code: 'stale' }, result: expect.stringContaining('read it again') });
    expect(ends[5]?.result).not.toContain('cannot help');
    expect(ends[6]?.result).toContain('repeating it cannot help');
    expect(await readFile(fileOf('shared.txt'), 'utf8')).toBe('a = 2\nb = 1\nc = 1\n');
  });
});

describe('undo', () => {
  const undo = (id: string) =>
    bench.rest.request<{ undone?: boolean; path?: string; error?: { code: string } }>('POST', `/tool-executions/${id}/undo`);

  /** Executions of the latest run, oldest first. */
  async function executions(): Promise<Execution[]> {
    const { body } = await bench.rest.request<PageBody<Execution>>('GET', '/tool-executions?limit=1');
    const page = await bench.rest.request<PageBody<Execution>>('GET', `/tool-executions?run=${body.data[0]?.runId}&limit=100`);
    return page.body.data.reverse();
  }

  it('restores the exact bytes and the mode, once', async () => {
    const before = encode(CHINESE, 'gb18030');
    await writeFile(fileOf('undo.txt'), before, { mode: 0o600 });
    const edit = { path: 'undo.txt', old_string: '一', new_string: '二' };
    await converse('edit to be undone', [{ name: 'patch', arguments: edit }]);
    const [execution] = await executions();
    expect(await undo(execution?.id ?? '')).toMatchObject({ status: 200, body: { undone: true, path: 'undo.txt' } });
    expect(await readFile(fileOf('undo.txt'))).toEqual(before);
    expect((await stat(fileOf('undo.txt'))).mode & 0o777).toBe(0o600);
    expect(await undo(execution?.id ?? '')).toMatchObject({ status: 409, body: { error: { code: 'undo_conflict' } } });
  });

  it('makes the next edit of the session read the file first', async () => {
    await writeFile(fileOf('again.txt'), 'a = 1\n');
    const client = await bench.connect();
    const edit = (from: string, to: string) => ({
      toolCalls: [{ name: 'patch', arguments: { path: 'again.txt', old_string: from, new_string: to } }],
    });
    bench.model.onTurn('first edit', edit('a = 1', 'a = 2'), 'Done.');
    const first = await client.chat('first edit');
    await client.endOf(first.runId);
    const [execution] = await executions();
    await undo(execution?.id ?? '');
    bench.model.onTurn('second edit', edit('a = 1', 'a = 3'), 'Refused.');
    const second = await client.chat('second edit', { sessionId: first.sessionId });
    const end = await client.waitFor('tool_call_end', event => event.runId === second.runId);
    expect(end.data).toMatchObject({ ok: false, details: { code: 'stale' } });
    await client.endOf(second.runId);
  });

  it('removes a file that write_file created, and restores one that it replaced', async () => {
    await writeFile(fileOf('old.txt'), 'old\r\n');
    await converse('write two files', [
      { name: 'write_file', arguments: { path: 'new.txt', content: 'new' } },
      { name: 'write_file', arguments: { path: 'old.txt', content: 'other' } },
    ]);
    for (const { id } of await executions()) expect((await undo(id)).status).toBe(200);
    await expect(stat(fileOf('new.txt'))).rejects.toMatchObject({ code: 'ENOENT' });
    expect(await readFile(fileOf('old.txt'), 'utf8')).toBe('old\r\n');
  });

  it('undoes several changes in reverse order only', async () => {
    await writeFile(fileOf('steps.txt'), '0\n');
    const step = (i: number) => ({ name: 'patch', arguments: { path: 'steps.txt', old_string: `${i}`, new_string: `${i + 1}` } });
    await converse('two steps', [step(0), step(1)], true);
    const [first, second] = await executions();
    expect((await undo(first?.id ?? '')).status).toBe(409);
    expect((await undo(second?.id ?? '')).status).toBe(200);
    expect((await undo(first?.id ?? '')).status).toBe(200);
    expect(await readFile(fileOf('steps.txt'), 'utf8')).toBe('0\n');
  });

  it('is offered by the list of changes of a session, and so is the redo', async () => {
    interface Change {
      id: string;
      path: string;
      undone: boolean;
      origin?: string;
    }
    await writeFile(fileOf('list.txt'), 'a\nb\n');
    bench.model.onTurn(
      'change two files',
      { toolCalls: [{ name: 'patch', arguments: { path: 'list.txt', old_string: 'b', new_string: 'c\nd' } }] },
      { toolCalls: [{ name: 'patch', arguments: { path: 'list.txt', old_string: 'nothing', new_string: 'x' } }] },
      { toolCalls: [{ name: 'write_file', arguments: { path: 'made.txt', content: 'made' } }] },
      'Done.',
    );
    const { runId, sessionId } = (await bench.rest.run({ input: 'change two files' })).body;
    const list = async () => (await bench.rest.request<PageBody<Change>>('GET', `/sessions/${sessionId}/changes`)).body.data;
    const [made, patched] = await list();
    expect(made).toMatchObject({ runId, path: 'made.txt', undone: false });
    expect(patched).toEqual({
      id: patched?.id,
      runId,
      toolCallId: expect.any(String),
      tool: 'patch',
      agent: 'default',
      path: 'list.txt',
      diff: expect.stringContaining('\n-b\n+c\n+d'),
      added: 2,
      removed: 1,
      strategy: 'exact',
      undone: false,
      undo: 'possible',
      at: expect.stringMatching(/Z$/),
    });
    const move = (direction: string) => bench.rest.request<Change>('POST', `/changes/${patched?.id}/${direction}`);
    expect(await move('undo')).toMatchObject({ status: 200, body: { ...patched, undone: true, undo: 'undone', redo: 'possible' } });
    expect(await readFile(fileOf('list.txt'), 'utf8')).toBe('a\nb\n');
    expect((await list()).map(({ undone }) => undone)).toEqual([false, true]);
    expect((await move('undo')).status).toBe(409);
    expect(await move('redo')).toMatchObject({ status: 200, body: patched });
    // A fork shows the turns that it copied.
    const { body: fork } = await bench.rest.request<{ id: string }>('POST', `/sessions/${sessionId}/fork`);
    bench.model.onTurn('go on', { toolCalls: [{ name: 'write_file', arguments: { path: 'own.txt', content: 'own' } }] }, 'Done.');
    await bench.rest.run({ input: 'go on', sessionId: fork.id });
    const { data } = (await bench.rest.request<PageBody<Change>>('GET', `/sessions/${fork.id}/changes`)).body;
    expect(data.map(({ path, origin }) => [path, origin])).toEqual([
      ['own.txt', undefined],
      ['made.txt', 'copied'],
      ['list.txt', 'copied'],
    ]);
    expect((await bench.rest.request('POST', '/changes/exe_none/undo')).status).toBe(404);
    expect((await bench.rest.request('GET', '/sessions/ses_none/changes')).status).toBe(404);
  });

  it('is refused when the file was changed or removed since, and changes nothing', async () => {
    await writeFile(fileOf('moved.txt'), 'a\n');
    await converse('edit and change', [{ name: 'patch', arguments: { path: 'moved.txt', old_string: 'a', new_string: 'b' } }]);
    const [execution] = await executions();
    await writeFile(fileOf('moved.txt'), 'b\nand more\n');
    const refused = await undo(execution?.id ?? '');
    expect(refused).toMatchObject({
      status: 409,
      body: { error: { code: 'undo_conflict', message: expect.stringContaining('moved.txt') } },
    });
    expect(refused.headers.get('x-should-retry')).toBe('false');
    expect(await readFile(fileOf('moved.txt'), 'utf8')).toBe('b\nand more\n');
  });

  it('works for a direct call, and only one of two simultaneous requests succeeds', async () => {
    await writeFile(fileOf('direct.txt'), 'a\n');
    await asADirectCall('', { path: 'direct.txt', old_string: 'a', new_string: 'b' });
    const { body } = await bench.rest.request<PageBody<Execution>>('GET', '/tool-executions?tool=patch&limit=1');
    const id = body.data[0]?.id ?? '';
    const statuses = (await Promise.all([undo(id), undo(id)])).map(answer => answer.status);
    expect(statuses.sort()).toEqual([200, 409]);
    expect(await readFile(fileOf('direct.txt'), 'utf8')).toBe('a\n');
  });

  it('answers not_found for an execution that does not exist or changed nothing', async () => {
    await converse('only look', [{ name: 'list_dir', arguments: { path: '.' } }]);
    const [execution] = await executions();
    for (const id of [execution?.id ?? '', 'exe_unknown', 'no such id!']) {
      expect(await undo(encodeURIComponent(id))).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
    }
  });

  it('survives a crash of the gateway', async () => {
    await writeFile(fileOf('crash.txt'), 'a\n');
    await converse('edit before a crash', [{ name: 'patch', arguments: { path: 'crash.txt', old_string: 'a', new_string: 'b' } }]);
    const [execution] = await executions();
    await bench.gateway.kill();
    await bench.gateway.restart();
    expect(await undo(execution?.id ?? '')).toMatchObject({ status: 200 });
    expect(await readFile(fileOf('crash.txt'), 'utf8')).toBe('a\n');
  });
});
