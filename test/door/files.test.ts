/** The files of a workspace over REST: lists, downloads, uploads, and every way out of the workspace. */
import { execFileSync } from 'node:child_process';
import { link, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { type AgentBench, startBench } from '../support/agent_bench';
import { until } from '../support/until';

let bench: AgentBench;

beforeAll(async () => {
  bench = await startBench({ files: { 'notes/a.txt': 'alpha\n', 'page.html': '<script>alert(1)</script>\n', '.env': 'KEY=1\n' } });
});
afterAll(() => bench?.stop());

const inside = (path: string) => join(bench.gateway.workspace, path);
const uploads = () => readdir(inside('.neta/uploads')).catch((): string[] => []);
const at = (path: string) => `${bench.gateway.url}/api/v1/files${path}`;
const get = (path: string, headers: Record<string, string> = {}, method = 'GET') => fetch(at(path), { method, headers });
const put = (path: string, body: BodyInit, headers: Record<string, string> = {}) =>
  fetch(at(path), { method: 'PUT', body, headers, duplex: 'half' } as RequestInit);
const problem = async (answer: Response) => {
  const { error } = (await answer.json()) as { error: { code: string; param?: string; message: string } };
  return [answer.status, error.code];
};
type Row = { name: string; path: string; size: number; type: string; modifiedAt: string };
const list = async (query = '') => (await (await get(query)).json()) as { data: Row[]; nextCursor?: string };

describe('a list', () => {
  it('has a row for each entry in name order, and leaves out what the gateway keeps in .neta', async () => {
    await mkdir(inside('.neta/results'), { recursive: true });
    const { data } = await list();
    expect(data.map(({ name }) => name)).toEqual(['.env', 'notes', 'page.html']);
    expect(data[1]).toMatchObject({ name: 'notes', path: 'notes', type: 'directory', size: 0 });
    expect((await list('?path=notes')).data).toEqual([
      { name: 'a.txt', path: 'notes/a.txt', type: 'file', size: 6, modifiedAt: expect.stringMatching(/^\d{4}-.*Z$/) },
    ]);
  });

  it('comes in pages that hold every entry once', async () => {
    await mkdir(inside('many'));
    const names = Array.from({ length: 7 }, (_, i) => `f${i}.txt`);
    for (const name of names) await writeFile(inside(`many/${name}`), name);
    const seen: string[] = [];
    let cursor = '';
    do {
      const { data, nextCursor = '' } = await list(`?path=many&limit=3${cursor && `&cursor=${cursor}`}`);
      seen.push(...data.map(({ name }) => name));
      cursor = nextCursor;
    } while (cursor !== '');
    expect(seen).toEqual(names);
    expect(await problem(await get('?path=many&cursor=a/b'))).toEqual([400, 'invalid_request']);
  });

  it('refuses a file, and a directory that does not exist', async () => {
    expect(await problem(await get('?path=page.html'))).toEqual([400, 'invalid_request']);
    expect(await problem(await get('?path=nowhere'))).toEqual([404, 'not_found']);
  });
});

describe('a download', () => {
  it('takes the only file whose name looks the same, and says where it is', async () => {
    await mkdir(inside('shots'));
    await writeFile(inside('shots/4.42\u202fPM.txt'), 'narrow');
    const answer = await get('/shots/4.42%20PM.txt');
    expect([answer.status, await answer.text()]).toEqual([200, 'narrow']);
    expect(answer.headers.get('content-location')).toBe('/api/v1/files/shots/4.42%E2%80%AFPM.txt');
    expect((await get('/shots/4.42%20PM.txt', {}, 'DELETE')).status).toBe(404);
    await writeFile(inside('shots/4.42\u00a0PM.txt'), 'wide');
    const refused = (await (await get('/shots/4.42%20PM.txt')).json()) as { error: { message: string } };
    expect(refused.error.message).toContain('"shots/4.42\\u00a0PM.txt", "shots/4.42\\u202fPM.txt"');
  });

  it('has the bytes, their type and a version, and never runs as a page of this origin', async () => {
    const answer = await get('/page.html');
    expect([answer.status, await answer.text()]).toEqual([200, '<script>alert(1)</script>\n']);
    const header = (name: string) => answer.headers.get(name) ?? '';
    expect(header('content-type')).toContain('text/html');
    expect([header('content-length'), header('content-disposition')]).toEqual(['26', 'attachment; filename="page.html"']);
    expect([header('x-content-type-options'), header('content-security-policy')]).toEqual(['nosniff', "sandbox; default-src 'none'"]);
    expect(header('etag')).toMatch(/^"[\w-]+"$/);
  });

  it('of a script or a style has no type under which a page of this origin would load it', async () => {
    for (const name of ['code.js', 'code.mjs', 'look.css']) {
      await writeFile(inside(name), '/* */');
      const { headers } = await get(`/${name}`);
      expect([name, headers.get('content-type')]).toEqual([name, 'application/octet-stream']);
      await rm(inside(name));
    }
  });

  it('of a large file arrives whole', async () => {
    const bytes = Buffer.alloc(5_000_000, 'neta gateway ');
    await writeFile(inside('large.bin'), bytes);
    const answer = await get('/large.bin');
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true);
  });

  it.each([
    ['bytes=0-1', 206, 'al', 'bytes 0-1/6'],
    ['bytes=2-', 206, 'pha\n', 'bytes 2-5/6'],
    ['bytes=-2', 206, 'a\n', 'bytes 4-5/6'],
    ['bytes=0-99', 206, 'alpha\n', 'bytes 0-5/6'],
    ['bytes=0-0,2-3', 200, 'alpha\n', null],
    ['lines=1-2', 200, 'alpha\n', null],
    ['bytes=3-1', 200, 'alpha\n', null],
  ])('answers the range %s with %d', async (range, status, text, contentRange) => {
    const answer = await get('/notes/a.txt', { range });
    expect([answer.status, await answer.text(), answer.headers.get('content-range')]).toEqual([status, text, contentRange]);
  });

  it('refuses a range behind the end, and ignores a range of another version', async () => {
    const behind = await get('/notes/a.txt', { range: 'bytes=6-' });
    expect([behind.headers.get('content-range'), await problem(behind)]).toEqual(['bytes */6', [416, 'range_not_satisfiable']]);
    const other = await get('/notes/a.txt', { range: 'bytes=0-1', 'if-range': '"other"' });
    expect([other.status, await other.text()]).toEqual([200, 'alpha\n']);
  });

  it('is not repeated for a caller that has the version, and HEAD has no body', async () => {
    const head = await get('/notes/a.txt', {}, 'HEAD');
    const etag = head.headers.get('etag') ?? '';
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '6', '']);
    expect((await get('/notes/a.txt', { 'if-none-match': etag })).status).toBe(304);
    await writeFile(inside('notes/a.txt'), 'alpha!');
    expect((await get('/notes/a.txt', { 'if-none-match': etag })).status).toBe(200);
    await writeFile(inside('notes/a.txt'), 'alpha\n');
  });
});

describe('an upload', () => {
  it('of any type stores the bytes as they are, with missing directories', async () => {
    const text = '{"a":1}';
    const answer = await put('/new/deep/data.json', text, { 'content-type': 'application/json' });
    expect([answer.status, answer.headers.get('location')]).toEqual([201, '/api/v1/files/new/deep/data.json']);
    expect(await answer.json()).toMatchObject({ name: 'data.json', path: 'new/deep/data.json', size: 7, type: 'file' });
    expect(await readFile(inside('new/deep/data.json'), 'utf8')).toBe(text);
    const again = await put('/new/deep/data.json', 'shorter');
    expect([again.status, await readFile(inside('new/deep/data.json'), 'utf8')]).toEqual([200, 'shorter']);
    expect(await readdir(inside('.neta/uploads'))).toEqual([]);
  });

  it('takes names with spaces, slashes in other scripts and percent signs', async () => {
    const name = 'Müller & 50% 报告.txt';
    const answer = await put(`/${encodeURIComponent(name)}`, 'x');
    expect(answer.status).toBe(201);
    const location = answer.headers.get('location') ?? '';
    const back = await fetch(bench.gateway.url + location);
    expect([await back.text(), back.headers.get('content-disposition')]).toEqual([
      'x',
      expect.stringContaining("filename*=UTF-8''M%C3%BCller"),
    ]);
    expect(await readFile(inside(name), 'utf8')).toBe('x');
  });

  it('replaces only the version that the caller knows, and creates only what is new', async () => {
    const first = await put('/versions.txt', 'one', { 'if-none-match': '*' });
    const etag = first.headers.get('etag') ?? '';
    expect(first.status).toBe(201);
    expect(await problem(await put('/versions.txt', 'two', { 'if-none-match': '*' }))).toEqual([412, 'precondition_failed']);
    const second = await put('/versions.txt', 'two', { 'if-match': etag });
    expect(second.status).toBe(200);
    expect(await problem(await put('/versions.txt', 'three', { 'if-match': etag }))).toEqual([412, 'precondition_failed']);
    expect(await problem(await put('/none.txt', 'x', { 'if-match': '*' }))).toEqual([412, 'precondition_failed']);
    expect(await problem(await put('/versions.txt', 'x', { 'if-match': 'bare' }))).toEqual([400, 'invalid_request']);
    expect(await readFile(inside('versions.txt'), 'utf8')).toBe('two');
  });

  it('lets exactly one of 16 racing callers create a file', async () => {
    const answers = await Promise.all(Array.from({ length: 16 }, (_, i) => put('/race.txt', `caller ${i}`, { 'if-none-match': '*' })));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 412)).toHaveLength(15);
  });

  it.each([
    ['with its length', {}, () => Buffer.alloc(25 * 1024 * 1024 + 1)],
    [
      'in chunks',
      {},
      () =>
        new ReadableStream({
          start(controller) {
            for (let i = 0; i < 26; i++) controller.enqueue(new Uint8Array(1024 * 1024));
            controller.close();
          },
        }),
    ],
  ])('over 25 MiB, sent %s, is refused and leaves nothing', async (_how, headers, body) => {
    expect(await problem(await put('/huge.bin', body(), headers))).toEqual([413, 'too_large']);
    await expect(stat(inside('huge.bin'))).rejects.toMatchObject({ code: 'ENOENT' });
    expect(await readdir(inside('.neta/uploads'))).toEqual([]);
  });

  it('of exactly 25 MiB is taken', async () => {
    const answer = await put('/full.bin', Buffer.alloc(25 * 1024 * 1024, 1));
    expect([answer.status, (await stat(inside('full.bin'))).size]).toEqual([201, 25 * 1024 * 1024]);
  });

  it('with a Content-Encoding is refused, because it would be stored encoded', async () => {
    expect(await problem(await put('/z.txt', 'x', { 'content-encoding': 'gzip' }))).toEqual([415, 'unsupported_media_type']);
  });

  it('that its caller breaks off changes nothing', async () => {
    await writeFile(inside('kept.txt'), 'whole\n');
    const socket = connect(Number(new URL(bench.gateway.url).port), '127.0.0.1');
    socket.write('PUT /api/v1/files/kept.txt HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1000\r\n\r\nhalf');
    await until(async () => (await uploads()).length === 1);
    socket.destroy();
    await until(async () => (await uploads()).length === 0);
    expect(await readFile(inside('kept.txt'), 'utf8')).toBe('whole\n');
  });

  it('that a crash of the gateway breaks off leaves the old file, and its rest is removed later', async () => {
    await writeFile(inside('crash.txt'), 'whole\n');
    const socket = connect(Number(new URL(bench.gateway.url).port), '127.0.0.1').on('error', () => {});
    socket.write('PUT /api/v1/files/crash.txt HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1000\r\n\r\nhalf');
    await until(async () => (await uploads()).length === 1);
    await bench.gateway.restart();
    expect(await (await get('/crash.txt')).text()).toBe('whole\n');
    const [left = ''] = await readdir(inside('.neta/uploads'));
    execFileSync('touch', ['-d', '2 hours ago', inside(`.neta/uploads/${left}`)]);
    expect((await put('/next.txt', 'x')).status).toBe(201);
    expect(await readdir(inside('.neta/uploads'))).toEqual([]);
  });
});

describe('a change', () => {
  it('can be undone as a change of a tool, an upload and a deletion', async () => {
    await writeFile(inside('draft.txt'), 'old\n');
    const { executionId } = (await (await put('/draft.txt', 'new\n')).json()) as { executionId: string };
    expect((await bench.rest.request('POST', `/tool-executions/${executionId}/undo`)).body).toEqual({ undone: true, path: 'draft.txt' });
    expect(await readFile(inside('draft.txt'), 'utf8')).toBe('old\n');
    expect((await get('/draft.txt', {}, 'DELETE')).status).toBe(204);
    const log = await bench.rest.request<{ data: { id: string; details: object }[] }>('GET', '/tool-executions?tool=file_delete');
    expect(log.body.data[0]?.details).toEqual({ path: 'draft.txt', undoable: true });
    await bench.rest.request('POST', `/tool-executions/${log.body.data[0]?.id}/undo`);
    expect(await readFile(inside('draft.txt'), 'utf8')).toBe('old\n');
  });

  it('can be redone after an undo and a restart, and undone again, unless the file has changed', async () => {
    const { executionId: id } = (await (await put('/plan.txt', 'first\n')).json()) as { executionId: string };
    const move = (direction: string) => bench.rest.request<object>('POST', `/tool-executions/${id}/${direction}`);
    const stateOf = async () => {
      const { body } = await bench.rest.request<{ data: { id: string; undo: string; redo?: string }[] }>(
        'GET',
        '/tool-executions?changes=true',
      );
      const { undo, redo } = body.data.find(execution => execution.id === id) ?? {};
      return { undo, redo };
    };
    expect((await move('redo')).body).toMatchObject({ error: { code: 'undo_conflict', details: { status: 'not_undone' } } });
    await move('undo');
    expect(await stateOf()).toEqual({ undo: 'undone', redo: 'possible' });
    await bench.gateway.restart();
    expect((await move('redo')).body).toEqual({ redone: true, path: 'plan.txt' });
    expect(await readFile(inside('plan.txt'), 'utf8')).toBe('first\n');
    expect(await stateOf()).toEqual({ undo: 'possible', redo: undefined });
    expect((await move('undo')).body).toEqual({ undone: true, path: 'plan.txt' });
    await writeFile(inside('plan.txt'), 'by hand\n');
    expect((await move('redo')).body).toMatchObject({ error: { code: 'undo_conflict', details: { status: 'changed', path: 'plan.txt' } } });
    expect(await readFile(inside('plan.txt'), 'utf8')).toBe('by hand\n');
  });

  it('deletes only a file, and only the version that the caller knows', async () => {
    expect(await problem(await get('/notes', {}, 'DELETE'))).toEqual([400, 'invalid_request']);
    expect(await problem(await get('/nothing.txt', {}, 'DELETE'))).toEqual([404, 'not_found']);
    expect(await problem(await get('/notes/a.txt', { 'if-match': '"old"' }, 'DELETE'))).toEqual([412, 'precondition_failed']);
  });
});

describe('no way leads out of the workspace', () => {
  beforeAll(async () => {
    await writeFile(join(bench.gateway.workspace, '../secret.txt'), 'secret\n');
    await symlink('../secret.txt', inside('out.txt'));
    await symlink('..', inside('up'));
    await symlink('.env', inside('innocent.txt'));
    await mkdir(inside('.neta/results/ses_1'), { recursive: true });
    await writeFile(inside('.neta/results/ses_1/call.txt'), 'kept\n');
    await symlink('.neta/results', inside('results'));
    await mkdir(inside('.git/hooks'), { recursive: true });
    execFileSync('mkfifo', [inside('pipe')]);
  });

  const outside = [
    '/..%2Fsecret.txt',
    '/%2e%2e%2fsecret.txt',
    '/notes%2F..%2F..%2Fsecret.txt',
    '/out.txt',
    '/up/secret.txt',
    '/%2Fetc%2Fpasswd',
    '/a%00b',
  ];
  const hidden = [
    '/.neta/results/ses_1/call.txt',
    '/.NETA/results/ses_1/call.txt',
    '/results/ses_1/call.txt',
    '/notes%2F..%2F.neta%2Fresults',
  ];
  const keys = ['/.env', '/innocent.txt', '/deep/id_rsa', '/server.PEM'];

  it.each([...outside, ...hidden])('by reading %s', async path => {
    const answer = await get(path);
    expect([400, 404]).toContain(answer.status);
    expect(await answer.text()).not.toMatch(/secret\n|kept|root:/);
  });

  it.each([...outside, ...hidden])('by writing %s', async path => {
    expect([400, 404]).toContain((await put(path, 'stolen\n')).status);
    expect(await readFile(join(bench.gateway.workspace, '../secret.txt'), 'utf8')).toBe('secret\n');
    expect(await readFile(inside('.neta/results/ses_1/call.txt'), 'utf8')).toBe('kept\n');
  });

  it.each([...outside, ...hidden])('by deleting %s', async path => {
    expect([400, 404]).toContain((await get(path, {}, 'DELETE')).status);
    expect(await readFile(join(bench.gateway.workspace, '../secret.txt'), 'utf8')).toBe('secret\n');
  });

  it.each(keys)('for the key file %s', async path => {
    expect((await put(path, 'x')).status).toBe(403);
    expect([403, 404]).toContain((await get(path)).status);
    expect([403, 404]).toContain((await get(path, {}, 'DELETE')).status);
    expect(await readFile(inside('.env'), 'utf8')).toBe('KEY=1\n');
  });

  it('for what git would execute', async () => {
    expect(await problem(await put('/.git/hooks/pre-commit', '#!/bin/sh\n'))).toEqual([403, 'forbidden']);
    expect(await problem(await put('/.git/config', ''))).toEqual([403, 'forbidden']);
  });

  it('through a pipe, a directory, or a name that is too long', async () => {
    expect(await problem(await get('/pipe'))).toEqual([400, 'invalid_request']);
    expect(await problem(await put('/pipe', 'x'))).toEqual([400, 'invalid_request']);
    expect(await problem(await get('/notes'))).toEqual([400, 'invalid_request']);
    expect(await problem(await put('/notes', 'x'))).toEqual([400, 'invalid_request']);
    expect(await problem(await put(`/${'n'.repeat(300)}`, 'x'))).toEqual([400, 'invalid_request']);
    expect(await problem(await put('/a%0Ab', 'x'))).toEqual([400, 'invalid_request']);
    expect(await problem(await get('?path=..'))).toEqual([400, 'invalid_request']);
    expect(await problem(await get('?path=.neta'))).toEqual([404, 'not_found']);
  });

  it('though a hard link is a file like any other', async () => {
    await link(inside('notes/a.txt'), inside('linked.txt'));
    expect(await (await get('/linked.txt')).text()).toBe('alpha\n');
    await rm(inside('linked.txt'));
  });
});
