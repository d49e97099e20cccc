import type { FileSearch } from '../../../src/port/file_search';
import { searchTool } from '../../../src/tools/builtin/search';
import { searchTree } from '../../../src/tools/files/search_tree';
import { cpuTime } from '../../support/cpu_time';
import { openToolBench, type ToolBench } from '../../support/tool_context';

let bench: ToolBench;
beforeEach(async () => {
  bench = await openToolBench();
});
afterEach(() => bench.close());

describe('search (nanoclaw.file)', () => {
  beforeEach(async () => {
    await bench.put('a.ts', 'const x = 1;\r\n// TODO: fix\nlast todo');
    await bench.put('src/b.md', 'nothing\nTODO (later)\n');
    await bench.put('node_modules/c.ts', 'TODO\n');
    await bench.put('binary', Buffer.from('TODO\0'));
    await bench.put('large', 'TODO\n'.repeat(900_000));
  });
  const search = async (args: object) => (await bench.call(searchTool, args)).content;

  it('shows path, line and text, and skips binary files, large files and node_modules', async () => {
    const { content, details } = await bench.call(searchTool, { pattern: 'TODO' });
    expect(content).toBe('a.ts:2:// TODO: fix\nsrc/b.md:2:TODO (later)');
    expect(details).toEqual({ matches: 2, filesSearched: 2, filesSkipped: 2 });
  });

  it('skips files that may hold keys and names them, unless path names one', async () => {
    await bench.put('.env', 'TODO=secret\n');
    await bench.put('.env.example', 'TODO=\n');
    await bench.put('certs/server.pem', 'TODO\n');
    const { content, details } = await bench.call(searchTool, { pattern: 'TODO=' });
    expect(content).toContain('.env.example:1:TODO=');
    expect(content).not.toContain('secret');
    expect(content).toMatch(/Not searched.*keys.*\.env, certs\/server\.pem/);
    expect(details).toMatchObject({ matches: 1, keyFiles: ['.env', 'certs/server.pem'] });
    expect(await search({ pattern: 'TODO', path: '.env' })).toBe('.env:1:TODO=secret');
  });

  it('narrows by path, name and literal text, and includes ignored directories on request', async () => {
    expect(await search({ pattern: 'todo$', ignore_case: true, path: 'a.ts' })).toBe('a.ts:3:last todo');
    expect(await search({ pattern: 'TODO (', literal: true })).toBe('src/b.md:2:TODO (later)');
    expect(await search({ pattern: 'TODO', include: '*.md' })).toBe('src/b.md:2:TODO (later)');
    expect(await search({ pattern: 'TODO', include: 'src/*.ts' })).toContain('No line matches');
    expect(await search({ pattern: '^TODO$', include_ignored: true })).toBe('node_modules/c.ts:1:TODO');
    expect(await search({ pattern: '.', max_results: 1 })).toMatch(/^a\.ts:1:const x = 1;\n\[There are more/);
  });

  it('returns the matches found so far at its limit of entries, and says so', async () => {
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

  it('truncates long lines around the match', async () => {
    await bench.put('min.js', `${'x'.repeat(50_000)}needle${'y'.repeat(50_000)}`);
    const line = await search({ pattern: 'needle', path: 'min.js' });
    expect(line).toContain('needle');
    expect(line.length).toBeLessThan(330);
  });

  it.each(['(', '(?=x)', '(a)\\1', '[', '((a{1000}){1000}){1000}'])('refuses the pattern %s with a reason', async pattern => {
    expect(await bench.call(searchTool, { pattern })).toMatchObject({ ok: false, content: expect.stringContaining('cannot be used') });
  });

  it('searches a pattern made for backtracking in under two seconds', async () => {
    await bench.put('bomb.txt', `${'a'.repeat(5_000)}!`);
    const startedAt = cpuTime();
    expect(await search({ pattern: '^(a+)+$', path: 'bomb.txt' })).toContain('No line');
    expect(cpuTime() - startedAt).toBeLessThan(2_000);
  });
});
