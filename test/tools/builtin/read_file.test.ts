import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { encode } from 'iconv-lite';
import { readFileTool } from '../../../src/tools/builtin/read_file';
import { openToolBench, type ToolBench } from '../../support/tool_context';

describe('read_file', () => {
  let bench: ToolBench;
  const put = (name: string, data: string | Buffer) => writeFile(join(bench.root, name), data);
  const read = (args: unknown, overrides = {}) => bench.call(readFileTool, args, overrides);

  beforeAll(async () => {
    bench = await openToolBench();
  });
  afterAll(() => bench.close());

  it('shows the lines with their numbers and keeps their indentation', async () => {
    await put('a.txt', 'one\n  two\n\nfour\n');
    const result = await read({ path: 'a.txt' });
    expect(result).toMatchObject({ ok: true, details: { path: 'a.txt', firstLine: 1, lastLine: 4, totalLines: 4 } });
    expect(result.content).toBe('a.txt, lines 1-4 of 4.\n1|one\n2|  two\n3|\n4|four');
  });

  it('reads a page and says how to read on', async () => {
    await put('b.txt', Array.from({ length: 10 }, (_, i) => `line ${i + 1}`).join('\n'));
    const result = await read({ path: join(bench.root, 'b.txt'), offset: 4, limit: 2 });
    expect(result.content).toBe('b.txt, lines 4-5 of 10. Read on with offset=6. The last line has no line end.\n4|line 4\n5|line 5');
    expect(await read({ path: 'b.txt', offset: 11 })).toMatchObject({ ok: false, content: expect.stringContaining('only 10 lines') });
  });

  it('shows 2000 lines and 96 KiB at most', async () => {
    await put('long.txt', 'x\n'.repeat(5_000));
    expect((await read({ path: 'long.txt' })).details).toMatchObject({ lastLine: 2_000, totalLines: 5_000 });
    await put('wide.txt', `${'w'.repeat(1_000)}\n`.repeat(1_500));
    const wide = await read({ path: 'wide.txt' });
    expect(Buffer.byteLength(wide.content)).toBeLessThan(257 * 1024);
    expect(wide.content).toContain('Read on with offset=');
  });

  it('truncates long lines without splitting a character', async () => {
    await put('line.txt', `${'a'.repeat(1_999)}\u{1F600}${'b'.repeat(100)}`);
    const { content } = await read({ path: 'line.txt' });
    expect(content).toContain(`${'a'.repeat(1_999)} [... 102 more characters in this line]`);
  });

  it('drops a byte order mark, names CRLF line ends and does not show them', async () => {
    await put('c.txt', '\uFEFFone\r\ntwo\r\n');
    expect((await read({ path: 'c.txt' })).content).toBe('c.txt, lines 1-2 of 2. Line ends are CRLF.\n1|one\n2|two');
  });

  it.each([
    ['UTF-16LE', encode('你好\n', 'utf-16le', { addBOM: true })],
    ['UTF-16BE', encode('你好\n', 'utf-16be', { addBOM: true })],
    ['GB18030', encode('你好\n', 'gb18030')],
  ])('reads %s and says so', async (name, bytes) => {
    await put('wide.txt', bytes);
    expect((await read({ path: 'wide.txt' })).content).toBe(`wide.txt, lines 1-1 of 1. Encoding ${name}; patch keeps it.\n1|你好`);
  });

  it('says that an empty file is empty', async () => {
    await put('empty.txt', '');
    expect(await read({ path: 'empty.txt' })).toMatchObject({ ok: true, content: 'empty.txt is empty.' });
  });

  it.each([
    ['a NUL byte', Buffer.from('PK\x03\x04\0\0'), 'binary'],
    ['half a UTF-16 character', Buffer.from([0xff, 0xfe, 0x41]), 'UTF-16LE'],
    ['Big5', encode('你好世界。這是設定檔,請不要修改。', 'big5'), 'iconv -f Big5'],
    ['Latin-1', encode('Voilà, café fermé à été', 'latin1'), 'iconv'],
  ])('refuses %s and says what to do', async (_, bytes, hint) => {
    await put('odd.bin', bytes);
    expect(await read({ path: 'odd.bin' })).toMatchObject({ ok: false, content: expect.stringContaining(hint) });
  });

  it('shows text with a stray bad byte and says so', async () => {
    await put('stray.txt', Buffer.concat([Buffer.from('x'.repeat(200)), Buffer.from([0xff]), Buffer.from('\n')]));
    expect(await read({ path: 'stray.txt' })).toMatchObject({ ok: true, content: expect.stringContaining('not valid UTF-8') });
  });

  it('says that a directory has to be listed', async () => {
    await mkdir(join(bench.root, 'src'));
    expect(await read({ path: 'src' })).toMatchObject({ ok: false, content: expect.stringContaining('List it') });
  });

  it('suggests similar files for a missing one', async () => {
    await mkdir(join(bench.root, 'docs'));
    await put('docs/README.md', 'x');
    await put('docs/report.txt', 'x');
    expect((await read({ path: 'docs/readme.md' })).content).toBe('There is no docs/readme.md. Similar names: docs/README.md');
    expect((await read({ path: 'docs/report' })).content).toContain('docs/report.txt');
    expect((await read({ path: 'docs/zzzzzzzz.png' })).content).toContain('List the directory');
    expect((await read({ path: 'nowhere/at/all' })).ok).toBe(false);
  });

  it('refuses paths outside the workspace, also through a symlink', async () => {
    await symlink('/etc/hostname', join(bench.root, 'leak'));
    for (const path of ['../x', '/etc/hostname', 'leak', 'a\0b']) {
      expect(await read({ path })).toMatchObject({ ok: false, details: { code: 'outside' } });
    }
  });

  it('refuses a file over 10 MiB', async () => {
    await put('big.txt', Buffer.alloc(10 * 1024 * 1024 + 1, 'a'));
    expect(await read({ path: 'big.txt' })).toMatchObject({ ok: false, content: expect.stringContaining('10 MiB') });
  });

  it('reports in Chinese in a Chinese session', async () => {
    await put('a.txt', 'one\n');
    expect((await read({ path: 'a.txt' }, { locale: 'zh-CN' })).content).toBe('a.txt，第 1-1 行，共 1 行。\n1|one');
  });
});
