/** The runner's rules for the calls of a run, through both doors: cache, duplicates, retries, loop detection, truncation, argument repair. */
import { writeFileSync } from 'node:fs';
import { access, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunResult } from '../../src/service/run_log/run_service';
import { type AgentBench, startBench } from '../support/agent_bench';
import { type AgentConfig, createAgentConfig } from '../support/agent_config';
import type { ModelRequest, Reply, ScriptedCall } from '../support/mock_model';
import type { PageBody } from '../support/rest_client';
import { type Site, startSite } from '../support/site';

let bench: AgentBench;
let site: Site;
let config: AgentConfig;

beforeAll(async () => {
  site = await startSite({
    '/flaky': (response, { url }) =>
      timesAsked(url) < 3 ? response.writeHead(503).end() : response.writeHead(200, { 'content-type': 'text/plain' }).end('at last'),
    '/down': response => response.writeHead(503).end(),
    '/page': response => response.writeHead(200, { 'content-type': 'text/plain' }).end('a page'),
  });
  config = await createAgentConfig(['base', 'web', 'data', 'files'], { plain: ['base'] }, ['file_list']);
  const env = { NETA_CONFIG_DIR: config.directory, NETA_FETCH_ALLOW: site.host, NETA_CONTEXT_TOKENS: '1000000' };
  bench = await startBench({ env, files: { 'notes.txt': 'alpha\n' } });
});

afterAll(async () => {
  await bench?.stop();
  await site?.stop();
  await config?.remove();
});

const timesAsked = (path = ''): number => site.requests.filter(request => request.path === path).length;

interface Turn {
  sessionId: string;
  runId: string;
  /** The results that the model got, one per call. */
  told: string[];
  ends: Record<string, unknown>[];
}

type RunTurn = (text: string, replies: Reply[], more?: { sessionId?: string; agent?: string; locale?: string }) => Promise<Turn>;

/** Runs one turn over a door and returns its events. */
const turnOver =
  (start: (text: string, more: Record<string, unknown>) => Promise<{ sessionId: string; runId: string }>, door: string): RunTurn =>
  async (text, replies, more = {}) => {
    const asked = `${text}, over ${door}`;
    bench.model.onTurn(asked, ...replies, 'done');
    const { sessionId, runId } = await start(asked, more);
    const events = await bench.rest.request<PageBody<{ type: string; data: Record<string, unknown> }>>(
      'GET',
      `/runs/${runId}/events?limit=1000`,
    );
    const { toolResults } = bench.model.requests(asked).at(-1) as ModelRequest;
    const ends = events.body.data.filter(event => event.type === 'tool_call_end').map(event => event.data);
    return { sessionId, runId, told: toolResults, ends };
  };

const DOORS: [name: string, runTurn: RunTurn][] = [
  [
    'Socket.IO',
    turnOver(async (text, more) => {
      const client = await bench.connect();
      const ack = await client.chat(text, more);
      await client.endOf(ack.runId);
      client.close();
      return ack;
    }, 'Socket.IO'),
  ],
  ['REST', turnOver(async (text, more) => (await bench.rest.run({ input: text, ...more })).body, 'REST')],
];

const calls = (...toolCalls: ScriptedCall[]): Reply => ({ toolCalls });
const open = (url: string): ScriptedCall => ({ name: 'fetch_page', arguments: { url } });
const exists = (path: string): ScriptedCall => ({ name: 'file_exists', arguments: { path } });
const isThere = (path: string): Promise<boolean> =>
  access(join(bench.gateway.workspace, path)).then(
    () => true,
    () => false,
  );

describe.each(DOORS)('calls over %s (nanoclaw.executor)', (door, runTurn) => {
  const page = (name: string) => site.url(`/page?${name}-${door}`);
  const asked = (name: string) => timesAsked(`/page?${name}-${door}`);

  describe('the result of a read', () => {
    it('is cached whole, for this session and for a new one, and the result of the run says so', async () => {
      const read = calls(open(page('kept')));
      const first = await runTurn('open it', [read, read]);
      const next = await runTurn('open it in a new session', [read, read]);
      expect(asked('kept')).toBe(1);
      expect(new Set([...first.told, ...next.told]).size).toBe(1);
      expect(first.told[0]).toContain('a page');
      const marks = [...first.ends, ...next.ends].map(({ cached = false, duplicate = false }) => ({ cached, duplicate }));
      expect(marks).toEqual([
        { cached: false, duplicate: false },
        { cached: true, duplicate: true },
        { cached: true, duplicate: false },
        { cached: true, duplicate: true },
      ]);
      const results = await Promise.all([first, next].map(({ runId }) => bench.rest.request<RunResult>('GET', `/runs/${runId}`)));
      const told = results.flatMap(({ body }) => body.toolCalls.map(({ cached = false, duplicate = false }) => ({ cached, duplicate })));
      expect(told).toEqual(marks);
    });

    it.each<[string, ScriptedCall]>([
      ['a file was written', { name: 'write_file', arguments: { path: 'w.txt', content: 'w' } }],
      ['a command ran', { name: 'bash', arguments: { command: 'true' } }],
    ])('is not taken from the cache after %s, in the same attempt and in a later one', async (what, change) => {
      const read = open(page(encodeURIComponent(what)));
      await runTurn(`open it before and after ${what}`, [calls(read, change, read), calls(change), calls(read)]);
      expect(asked(encodeURIComponent(what))).toBe(3);
    });

    it('is not taken from the cache after a direct call changed a file or a change was undone', async () => {
      const read = calls(open(page('direct')));
      await runTurn('open it once', [read]);
      await bench.rest.request('POST', '/tools/call', { toolName: 'write_file', parameters: { path: 'd.txt', content: 'd' } });
      await runTurn('open it after a direct call', [read]);
      const { body } = await bench.rest.request<PageBody<{ id: string }>>('GET', '/tool-executions?tool=write_file&limit=1');
      await bench.rest.request('POST', `/tool-executions/${body.data[0]?.id}/undo`);
      await runTurn('open it after an undo', [read]);
      expect(asked('direct')).toBe(3);
    });

    it('is never cached for files of the workspace, which people change too', async () => {
      const path = `by-hand-${door}.txt`;
      const toolCalls = [
        exists(path),
        { name: 'file_list', arguments: { pattern: path } },
        { name: 'search', arguments: { pattern: path } },
      ];
      const afterAPerson: Reply = () => {
        writeFileSync(join(bench.gateway.workspace, path), `${path}\n`);
        return { toolCalls };
      };
      const { told } = await runTurn('look before and after a person', [calls(...toolCalls), afterAPerson]);
      expect(told.slice(0, 3).join('\n')).toMatch(/does not exist/);
      expect(told.slice(3)).toEqual([
        expect.stringContaining('exists: a file'),
        expect.stringMatching(new RegExp(`^${path}`, 'm')),
        expect.stringContaining(`${path}:1:`),
      ]);
    });
  });

  it('the same read twice in one attempt runs once, and both calls get the whole result', async () => {
    const { told, ends } = await runTurn('open it twice at once', [calls(open(page('twice')), open(page('twice')))]);
    expect(asked('twice')).toBe(1);
    expect(told).toEqual([expect.stringContaining('a page'), told[0]]);
    expect(ends.filter(end => end['duplicate'])).toHaveLength(1);
  });

  it('the model may choose among the tools, and gets its calls back, each with its result', async () => {
    const toolCalls = [
      { id: 'one', ...exists('notes.txt') },
      { id: 'two', ...exists('gone.txt') },
    ];
    await runTurn('look at two files', [calls(...toolCalls)]);
    const { body } = bench.model.requests(`look at two files, over ${door}`).at(-1) as ModelRequest;
    expect(body['tool_choice']).toBe('auto');
    expect(body.messages.slice(-3)).toEqual([
      expect.objectContaining({
        role: 'assistant',
        tool_calls: [expect.objectContaining({ id: 'one' }), expect.objectContaining({ id: 'two' })],
      }),
      { role: 'tool', tool_call_id: 'one', content: 'notes.txt exists: a file.' },
      { role: 'tool', tool_call_id: 'two', content: 'gone.txt does not exist.' },
    ]);
  });

  describe('a transient failure', () => {
    it('of a read is retried, up to three tries', async () => {
      const { told, ends } = await runTurn('open the flaky page', [calls(open(site.url(`/flaky?${door}`)))]);
      expect([told[0], ends]).toEqual([expect.stringContaining('at last'), [expect.objectContaining({ ok: true })]]);
    });

    it('becomes an error result after the third try', async () => {
      const url = `/down?${door}`;
      const { told } = await runTurn('open the page that is down', [calls(open(site.url(url)))]);
      expect([timesAsked(url), told[0]]).toEqual([3, expect.stringContaining('HTTP 503')]);
    });

    it('is not retried when it is permanent or the call writes', async () => {
      const url = `/nowhere?${door}`;
      const command = `echo ran >> ran-${door}.txt; exit 7`;
      await runTurn('fail for good', [calls(open(site.url(url)), { name: 'bash', arguments: { command } })]);
      expect(timesAsked(url)).toBe(1);
      expect(await readFile(join(bench.gateway.workspace, `ran-${door}.txt`), 'utf8')).toBe('ran\n');
    });
  });

  describe('a loop of the model', () => {
    const shapeOf = (told: string): string => (/^Not run/.test(told) ? 'blocked' : /Repeating it/.test(told) ? 'hint' : 'plain');

    it('gets a hint at the third equal result and is blocked at the fifth equal call', async () => {
      const { told } = await runTurn('go round', Array(6).fill(calls(exists('notes.txt'))));
      expect(told.map(shapeOf)).toEqual(['plain', 'plain', 'hint', 'hint', 'blocked', 'blocked']);
    });

    it('is detected in the same way when two calls alternate', async () => {
      const two = [calls(exists('notes.txt')), calls(exists('gone.txt'))];
      const { told } = await runTurn('go to and fro', Array(5).fill(two).flat());
      const each = ['plain', 'plain', 'hint', 'hint', 'blocked'];
      expect(told.map(shapeOf)).toEqual(each.flatMap(shape => [shape, shape]));
    });
  });

  it('long results are truncated for the model, and read_file opens the whole result until the session is deleted', async () => {
    const long = (n: number): ScriptedCall => ({
      name: 'json_process',
      arguments: { operation: 'format', json_string: JSON.stringify(Array(30_000).fill(n)) },
    });
    // Three results share the limit of an attempt; which one comes last is not known in advance.
    const shortest = (results: readonly string[]) => results.slice(0, 3).sort((one, other) => one.length - other.length)[0] ?? '';
    const readOn: Reply = ({ toolResults }) => {
      const path = /is in (\S+): read it in parts/.exec(shortest(toolResults))?.[1];
      return { toolCalls: [{ name: 'read_file', arguments: { path, offset: 29_999 } }] };
    };
    const { told, sessionId } = await runTurn('lay it out', [calls(long(1), long(2), long(3)), readOn]);
    expect(told.slice(0, 3).filter(text => text.length > 90_000 && text.length <= 100_000)).toHaveLength(2);
    expect(shortest(told).length).toBeLessThanOrEqual(2_000);
    expect(shortest(told)).toContain(`.neta/results/${sessionId}/`);
    expect(told[3]).toMatch(/lines 29999-30002 of 30002[\s\S]*30000\| {2}([123]),\n30001\| {2}\1\n30002\|\]$/);
    const folder = join(bench.gateway.workspace, '.neta/results', sessionId);
    await expectPages(sessionId, folder);
    const other = await runTurn('lay it out for others', [calls(long(4))], { locale: 'zh-CN' });
    expect(other.told[0]).toMatch(
      /\n\[\.\.\. 省略 \d+ 个字符 \.\.\.\]\n[\s\S]*\n\[完整结果共 \d+ 个字符，保存在 \S+\.txt：请分段读取。\]$/,
    );
    expect(await readdir(folder)).toHaveLength(3);
    expect((await bench.rest.request('DELETE', `/sessions/${sessionId}`)).status).toBe(204);
    expect(await readdir(join(folder, '..'))).not.toContain(sessionId);
    expect(await readdir(join(folder, '..', other.sessionId))).toHaveLength(1);
  });

  /** Reads whole results in pages and finds words in them; a file that was changed gives no more than the stored text. */
  async function expectPages(sessionId: string, folder: string): Promise<void> {
    const { data } = (await bench.rest.request<PageBody<{ id: string; tool: string }>>('GET', `/tool-executions?session=${sessionId}`))
      .body;
    const { id } = data.findLast(({ tool }) => tool === 'json_process') ?? { id: '' };
    interface Result {
      text: string;
      offset: number;
      nextOffset?: number;
      length: number;
      complete: boolean;
      matches?: { count: number; offsets: number[] };
    }
    const read = async (query: string) => (await bench.rest.request<Result>('GET', `/tool-executions/${id}/result${query}`)).body;
    const first = await read('?limit=100000&q=,');
    expect(first).toMatchObject({ offset: 0, nextOffset: 100_000, complete: true, matches: { count: 29_999 } });
    expect(first.matches?.offsets).toHaveLength(2_000);
    const last = await read(`?offset=${first.length - 3}`);
    expect(last).toEqual({ text: expect.stringMatching(/^\d\n\]$/), offset: first.length - 3, length: first.length, complete: true });
    expect((await bench.rest.request('GET', `/tool-executions/${id}/result?limit=500001`)).status).toBe(400);
    for (const name of await readdir(folder)) await writeFile(join(folder, name), 'something else');
    const rest = await read('?limit=200000');
    expect([rest.complete, rest.text.startsWith(first.text.slice(0, 1_000)), rest.length < first.length]).toEqual([false, true, true]);
  }

  describe('a call with a slip', () => {
    it('in the tool name finds the tool, among the tools of this agent only', async () => {
      const right = await runTurn('read it', [calls({ name: 'Read-File', arguments: { path: 'notes.txt' } })], { agent: 'plain' });
      expect([right.told[0], right.ends[0]?.['name']]).toEqual([expect.stringContaining('1|alpha'), 'read_file']);
      const wrong = await runTurn('delete it', [calls({ name: 'File-Delete', arguments: { path: 'notes.txt' } })], { agent: 'plain' });
      expect(wrong.told[0]).toMatch(/^There is no tool "File-Delete"/);
      expect(await isThere('notes.txt')).toBe(true);
    });

    it('in its JSON is repaired when it reads, and sent back to the model when it would write', async () => {
      const made = `made-${door}.txt`;
      const { told } = await runTurn('mind the commas', [
        calls(
          { name: 'read_file', arguments: "{path: 'notes.txt',}" },
          { name: 'write_file', arguments: `{path: '${made}', content: 'x',}` },
        ),
      ]);
      expect(told).toEqual([expect.stringContaining('1|alpha'), expect.stringMatching(/^Not run.*send the call again/s)]);
      expect(await isThere(made)).toBe(false);
    });

    it('in the types or the frame of its arguments is read as the schema means it', async () => {
      const [wrapped, twice] = [`wrapped-${door}.txt`, `twice-${door}.txt`];
      const { told, ends } = await runTurn('mind the quotes', [
        calls(
          { name: 'read_file', arguments: { path: 'notes.txt', offset: '1', limit: '5' } },
          { name: 'write_file', arguments: { parameters: { path: wrapped, content: '["x"]' } } },
          { name: 'write_file', arguments: JSON.stringify(JSON.stringify({ path: twice, content: 'x' })) },
        ),
      ]);
      expect([told[0], ends.map(end => end['ok'])]).toEqual([expect.stringContaining('1|alpha'), [true, true, true]]);
      expect(await readFile(join(bench.gateway.workspace, wrapped), 'utf8')).toBe('["x"]');
      expect(await isThere(twice)).toBe(true);
    });
  });
});

it('every call runs when the cache is off', async () => {
  await bench.gateway.restart({ NETA_TOOL_CACHE_TTL_MS: '0' });
  const [, runTurn] = DOORS[1] as (typeof DOORS)[number];
  const read = calls(open(site.url('/page?uncached')));
  const { ends } = await runTurn('open it without a cache', [read, read]);
  expect([timesAsked('/page?uncached'), ends.some(end => end['cached'])]).toEqual([2, false]);
});
