import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileSearch } from '../../../src/port/file_search';
import { FileLedgers } from '../../../src/service/tool/file_ledgers';
import { fileDeleteTool } from '../../../src/tools/builtin/file_delete';
import { fileExistsTool } from '../../../src/tools/builtin/file_exists';
import { fileListTool } from '../../../src/tools/builtin/file_list';
import { fileMkdirTool } from '../../../src/tools/builtin/file_mkdir';
import { fileReadTool } from '../../../src/tools/builtin/file_read';
import { fileWriteTool } from '../../../src/tools/builtin/file_write';
import { searchTool } from '../../../src/tools/builtin/search';
import { searchTree } from '../../../src/tools/files/search_tree';
import { openToolBench, type ToolBench } from '../../support/tool_context';

let bench: ToolBench;
const put = async (path: string, content: string | Buffer) => {
  await mkdir(join(bench.root, path, '..'), { recursive: true });
  await writeFile(join(bench.root, path), content);
};
const text = (path: string) => readFile(join(bench.root, path), 'utf8');

beforeEach(async () => {
  bench = await openToolBench();
});
afterEach(() => bench.close());

describe('nanoclaw.file', () => {
  it('file_write makes, replaces and appends', async () => {
    const write = (args: object) => bench.call(fileWriteTool, { path: 'a/b.txt', ...args });
    expect((await write({ content: 'one\n', mode: 'append' })).details).toMatchObject({ created: true, bytes: 4 });
    expect((await write({ content: '二\n', mode: 'append' })).content).toBe('Appended to a/b.txt: 4 bytes, 8 in all.');
    expect(await text('a/b.txt')).toBe('one\n二\n');
    await write({ content: 'new' });
    expect(await text('a/b.txt')).toBe('new');
  });

  it('file_write appends in the encoding of the file, and refuses what that cannot hold', async () => {
    const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('ab\n', 'utf16le')]);
    await put('u16.txt', utf16);
    await bench.call(fileWriteTool, { path: 'u16.txt', content: 'ü', mode: 'append' });
    expect(await readFile(join(bench.root, 'u16.txt'))).toEqual(Buffer.concat([utf16, Buffer.from('ü', 'utf16le')]));
    await put('binary', Buffer.from([0, 1, 2]));
    expect(await bench.call(fileWriteTool, { path: 'binary', content: 'x', mode: 'append' })).toMatchObject({ ok: false });
  });

  it('file_write and file_delete leave alone what somebody else changed; appending does not hide it', async () => {
    const ctx = { fileLedger: new FileLedgers().of('default', 'ses_1') };
    await bench.call(fileWriteTool, { path: 's.txt', content: 'mine\n' }, ctx);
    await put('s.txt', 'theirs\n');
    const stale = { ok: false, details: { code: 'stale' } };
    expect(await bench.call(fileWriteTool, { path: 's.txt', content: 'x' }, ctx)).toMatchObject(stale);
    expect(await bench.call(fileDeleteTool, { path: 's.txt' }, ctx)).toMatchObject(stale);
    expect((await bench.call(fileWriteTool, { path: 's.txt', content: 'more\n', mode: 'append' }, ctx)).ok).toBe(true);
    expect(await bench.call(fileWriteTool, { path: 's.txt', content: 'x' }, ctx)).toMatchObject(stale);
    expect(await text('s.txt')).toBe('theirs\nmore\n');
    await bench.call(fileReadTool, { path: 's.txt' }, ctx);
    expect((await bench.call(fileDeleteTool, { path: 's.txt' }, ctx)).content).toBe('Deleted s.txt.');
  });

  it('file_write keeps what was there for undo', async () => {
    const kept: unknown[] = [];
    const changes = {
      keep: async (change: { before?: Uint8Array }) => kept.push(change.before && Buffer.from(change.before).toString()) > 0,
    };
    await bench.call(fileWriteTool, { path: 'k.txt', content: 'a' }, { changes });
    const { details } = await bench.call(fileWriteTool, { path: 'k.txt', content: 'b', mode: 'append' }, { changes });
    expect(kept).toEqual([undefined, 'a']);
    expect(details).toMatchObject({ undoable: true });
  });

  it('file_read gives plain text, and the rest of a long file page by page', async () => {
    await put('r.txt', 'one\r\ntwo');
    expect((await bench.call(fileReadTool, { path: 'r.txt' })).content).toBe('one\r\ntwo');
    expect((await bench.call(fileReadTool, { path: 'r.txt', offset: 2 })).content).toBe('two');
    expect((await bench.call(fileReadTool, { path: 'r.txt', offset: 3 })).ok).toBe(false);
    const lines = Array.from({ length: 30_000 }, (_, line) => `line ${line}\n`).join('');
    await put('long.txt', lines);
    let whole = '';
    for (let offset: unknown = 1; offset !== undefined; ) {
      const { content, details } = await bench.call(fileReadTool, { path: 'long.txt', offset });
      whole += content.replace(/\n\[The file goes on[^\n]*$/, '');
      offset = details?.nextOffset;
    }
    expect(whole).toBe(lines);
    await put('gb.txt', Buffer.from('c4e3bac3cac0bde7a3acd5e2cac7d6d0cec4a1a30a', 'hex'));
    expect((await bench.call(fileReadTool, { path: 'gb.txt' })).details).toMatchObject({ encoding: 'GB18030' });
  });

  it('file_exists, file_mkdir and file_delete say what is so', async () => {
    expect((await bench.call(fileExistsTool, { path: 'x/y' })).details).toEqual({ path: 'x/y', exists: false });
    expect((await bench.call(fileMkdirTool, { path: 'x/y' })).details).toEqual({ path: 'x/y', created: true });
    expect((await bench.call(fileMkdirTool, { path: 'x/y' })).details).toEqual({ path: 'x/y', created: false });
    expect((await bench.call(fileExistsTool, { path: 'x/y' })).details).toMatchObject({ exists: true, kind: 'directory' });
    await put('x/f', '1');
    expect(await bench.call(fileMkdirTool, { path: 'x/f' })).toMatchObject({ ok: false });
    expect((await bench.call(fileExistsTool, { path: 'x/f/deeper' })).details).toMatchObject({ exists: false });
    expect(await bench.call(fileDeleteTool, { path: 'x' })).toMatchObject({ ok: false });
    expect(await bench.call(fileDeleteTool, { path: 'x/none' })).toMatchObject({ ok: false, details: { code: 'not_found' } });
    expect((await bench.call(fileDeleteTool, { path: 'x/f' })).ok).toBe(true);
  });

  it.each(['../out', '/etc/passwd', 'a/../../out', 'nul\0byte', 'leak/passwd'])(
    'no file tool follows %j out of the workspace',
    async path => {
      await symlink('/etc', join(bench.root, 'leak'));
      const outside = { ok: false, details: { code: 'outside' } };
      expect(await bench.call(fileReadTool, { path })).toMatchObject(outside);
      expect(await bench.call(fileWriteTool, { path, content: 'x', mode: 'append' })).toMatchObject(outside);
      expect(await bench.call(fileDeleteTool, { path })).toMatchObject(outside);
      expect(await bench.call(fileExistsTool, { path })).toMatchObject(outside);
      expect(await bench.call(fileMkdirTool, { path })).toMatchObject(outside);
      expect(await bench.call(fileListTool, { path })).toMatchObject(outside);
      expect(await bench.call(searchTool, { path, pattern: 'root' })).toMatchObject(outside);
    },
  );

  it('protects what git runs', async () => {
    expect(await bench.call(fileWriteTool, { path: '.git/hooks/x', content: 'x' })).toMatchObject({ details: { code: 'protected' } });
    expect(await bench.call(fileMkdirTool, { path: '.git/hooks' })).toMatchObject({ details: { code: 'protected' } });
  });
});

describe('file_list (nanoclaw.file)', () => {
  const list = async (args: object) => (await bench.call(fileListTool, args)).content.split('\n').map(line => line.replace(/ \(.*$/, ''));

  beforeEach(async () => {
    for (const path of ['a.ts', 'b.md', 'src/c.ts', 'src/deep/d.tsx', 'node_modules/m/e.ts', '.git/f.ts', 'src/[x].ts'])
      await put(path, 'x');
    await symlink('..', join(bench.root, 'src/loop'));
  });

  it.each([
    [{}, ['.git/', 'a.ts', 'b.md', 'node_modules/', 'src/']],
    [{ pattern: '*.ts' }, ['a.ts']],
    [{ pattern: '**/*.{ts,tsx}' }, ['a.ts', 'src/[x].ts', 'src/c.ts', 'src/deep/d.tsx']],
    [{ pattern: 'src/?.ts' }, ['src/c.ts']],
    [{ path: 'src', pattern: '[a-d]*' }, ['c.ts', 'deep/']],
    [{ pattern: 'node_modules/**' }, ['node_modules/m/', 'node_modules/m/e.ts']],
    [{ pattern: '**/d.tsx' }, ['src/deep/d.tsx']],
  ])('%j finds %j', async (args, found) => {
    expect(await list(args)).toEqual(found);
  });

  it('says when nothing matches, when a pattern is none, and when there is more', async () => {
    expect((await bench.call(fileListTool, { pattern: '*.py' })).content).toContain('Nothing');
    expect(await bench.call(fileListTool, { pattern: '{a' })).toMatchObject({ ok: false });
    expect(await bench.call(fileListTool, { path: 'a.ts' })).toMatchObject({ ok: false });
    await mkdir(join(bench.root, 'many'));
    for (let i = 0; i < 1_001; i += 1) await writeFile(join(bench.root, 'many', String(i)), '');
    expect((await bench.call(fileListTool, { path: 'many' })).details).toMatchObject({ count: 1_000, truncated: true });
  });

  it('takes a pattern made to backtrack in its stride', async () => {
    await put('a'.repeat(200), 'x');
    const startedAt = performance.now();
    await bench.call(fileListTool, { pattern: `${'*a'.repeat(90)}b` });
    expect(performance.now() - startedAt).toBeLessThan(1_000);
  });
});

describe('search', () => {
  beforeEach(async () => {
    await put('a.ts', 'const x = 1;\r\n// TODO: fix\nlast todo');
    await put('src/b.md', 'nothing\nTODO (later)\n');
    await put('node_modules/c.ts', 'TODO\n');
    await put('binary', Buffer.from('TODO\0'));
    await put('large', 'TODO\n'.repeat(900_000));
  });
  const search = async (args: object) => (await bench.call(searchTool, args)).content;

  it('shows path, line and text, and leaves out what is not text, too large or kept by programs', async () => {
    const { content, details } = await bench.call(searchTool, { pattern: 'TODO' });
    expect(content).toBe('a.ts:2:// TODO: fix\nsrc/b.md:2:TODO (later)');
    expect(details).toEqual({ matches: 2, filesSearched: 2, filesSkipped: 2 });
  });

  it('leaves out files that may hold keys and names them, unless path names one', async () => {
    await put('.env', 'TODO=secret\n');
    await put('.env.example', 'TODO=\n');
    await put('certs/server.pem', 'TODO\n');
    const { content, details } = await bench.call(searchTool, { pattern: 'TODO=' });
    expect(content).toContain('.env.example:1:TODO=');
    expect(content).not.toContain('secret');
    expect(content).toMatch(/Not searched.*keys.*\.env, certs\/server\.pem/);
    expect(details).toMatchObject({ matches: 1, keyFiles: ['.env', 'certs/server.pem'] });
    expect(await search({ pattern: 'TODO', path: '.env' })).toBe('.env:1:TODO=secret');
  });

  it('can be narrowed and widened', async () => {
    expect(await search({ pattern: 'todo$', ignore_case: true, path: 'a.ts' })).toBe('a.ts:3:last todo');
    expect(await search({ pattern: 'TODO (', literal: true })).toBe('src/b.md:2:TODO (later)');
    expect(await search({ pattern: 'TODO', include: '*.md' })).toBe('src/b.md:2:TODO (later)');
    expect(await search({ pattern: 'TODO', include: 'src/*.ts' })).toContain('No line matches');
    expect(await search({ pattern: '^TODO$', include_ignored: true })).toBe('node_modules/c.ts:1:TODO');
    expect(await search({ pattern: '.', max_results: 1 })).toMatch(/^a\.ts:1:const x = 1;\n\[There are more/);
  });

  it('stops at its limit of entries with what it has, and says so', async () => {
    const fileSearch: Pick<FileSearch, 'search'> = {
      search: (request, signal) => searchTree(bench.ctx.workspace, request, { signal, isTimeUp: () => false, maxEntries: 2 }),
    };
    const ctx = { fileSearch: fileSearch as FileSearch };
    const { content, details } = await bench.call(searchTool, { pattern: 'TODO' }, ctx);
    expect(content).toBe('a.ts:2:// TODO: fix\n[Too many files to search them all; name a directory.]');
    expect(details).toMatchObject({ stopped: 'files', filesSearched: 1 });
    const whole = await bench.call(searchTool, { pattern: 'TODO', path: 'src' }, ctx);
    expect(whole.content).toBe('src/b.md:2:TODO (later)');
  });

  it('clips long lines around the match', async () => {
    await put('min.js', `${'x'.repeat(50_000)}needle${'y'.repeat(50_000)}`);
    const line = await search({ pattern: 'needle', path: 'min.js' });
    expect(line).toContain('needle');
    expect(line.length).toBeLessThan(330);
  });

  it.each(['(', '(?=x)', '(a)\\1', '[', '((a{1000}){1000}){1000}'])('refuses the pattern %s with a reason', async pattern => {
    expect(await bench.call(searchTool, { pattern })).toMatchObject({ ok: false, content: expect.stringContaining('cannot be used') });
  });

  it('is not held up by a pattern made to backtrack', async () => {
    await put('bomb.txt', `${'a'.repeat(5_000)}!`);
    const startedAt = performance.now();
    expect(await search({ pattern: '^(a+)+$', path: 'bomb.txt' })).toContain('No line');
    expect(performance.now() - startedAt).toBeLessThan(2_000);
  });
});
