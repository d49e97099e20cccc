/** A rewrite of a file changes its text alone, whatever its bytes are. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { decode, encode } from 'iconv-lite';
import { fileWriteTool } from '../../src/tools/builtin/file_write';
import { writeFileTool } from '../../src/tools/builtin/write_file';
import { openToolBench, type ToolBench } from '../support/tool_context';

let bench: ToolBench;

beforeAll(async () => {
  bench = await openToolBench();
});
afterAll(() => bench.close());

const CHINESE = '第一行 中文内容测试\r\n第二行 更多的中文\r\n';
const JAPANESE = '一行目 テスト\n二行目 日本語の文章です\n';
const TOOLS = [writeFileTool, fileWriteTool];

describe.each(TOOLS)('$name', tool => {
  it.each([
    ['GB18030', encode(CHINESE, 'gbk'), '新的一行\n再一行\n', 'gbk', '新的一行\r\n再一行\r\n', 'GB18030, CRLF line ends'],
    ['Shift_JIS', encode(JAPANESE, 'shift_jis'), 'にぎょうめ\n', 'shift_jis', 'にぎょうめ\n', 'Shift_JIS'],
    ['UTF-16LE', encode(`\ufeff${CHINESE}`, 'utf16le'), 'a\n', 'utf16le', '\ufeffa\r\n', 'UTF-16LE with BOM, CRLF line ends'],
    ['UTF-16BE', encode('\ufeffx\n', 'utf16be'), '\ufeffy 你\n', 'utf16be', '\ufeffy 你\n', 'UTF-16BE with BOM'],
    ['UTF-8 with BOM', Buffer.from('\ufeffx\n'), 'y\n', 'utf8', '\ufeffy\n', 'UTF-8 with BOM'],
    ['UTF-8 with CRLF', Buffer.from('x\r\ny\r\n'), 'z\n', 'utf8', 'z\r\n', 'CRLF line ends'],
  ])('keeps %s and says so', async (_, old, content, encoding, expected, said) => {
    const file = join(bench.root, 'old.txt');
    await writeFile(file, old);
    const result = await bench.call(tool, { path: 'old.txt', content });
    expect(result.content).toContain(`The file stays ${said}, as it was.`);
    expect(decode(await readFile(file), encoding, { stripBOM: false })).toBe(expected);
  });

  it.each([
    ['line ends that are mixed', Buffer.from('x\r\ny\n'), 'z\n', ''],
    ['line ends that the text has itself', Buffer.from('x\n'), 'z\r\n', ''],
    ['an empty file', Buffer.alloc(0), '你\n', ''],
    ['an encoding that nobody can tell', encode('Überschrift: größer süß\n', 'latin1'), 'ü\n', 'it is UTF-8 now'],
  ])('writes UTF-8 as given over %s', async (_, old, content, said) => {
    const file = join(bench.root, 'old.txt');
    await writeFile(file, old);
    expect((await bench.call(tool, { path: 'old.txt', content })).content).toContain(said);
    expect(await readFile(file, 'utf8')).toBe(content);
  });

  it('refuses a character that the encoding of the file cannot hold', async () => {
    const file = join(bench.root, 'old.txt');
    const old = encode(JAPANESE, 'shift_jis');
    await writeFile(file, old);
    const result = await bench.call(tool, { path: 'old.txt', content: '😀' });
    expect(result).toMatchObject({
      ok: false,
      content: expect.stringContaining('Shift_JIS text, which cannot hold "😀"; nothing was written'),
    });
    expect(await readFile(file)).toEqual(old);
  });
});

it('appends with the line ends of the file', async () => {
  await writeFile(join(bench.root, 'log.txt'), 'x\r\n');
  await bench.call(fileWriteTool, { path: 'log.txt', content: 'y\n', mode: 'append' });
  expect(await readFile(join(bench.root, 'log.txt'), 'utf8')).toBe('x\r\ny\r\n');
});
