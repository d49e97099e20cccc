import { chmod, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { encode } from 'iconv-lite';
import type { PatchRequest } from '../../../src/port/patch_engine';
import { FileLedgers } from '../../../src/service/tool/file_ledgers';
import { patchTool } from '../../../src/tools/builtin/patch';
import { readFileTool } from '../../../src/tools/builtin/read_file';
import { patchBytes } from '../../../src/tools/patch_bytes';
import { openToolBench, type ToolBench } from '../../support/tool_context';

const BLOCK = `function total(items) {
  let sum = 0;
  for (const item of items) {
    sum += item.price * item.count;
  }
  return sum;
}
`;

/** Level, file, quotation and what the warning says. */
const WARNED = [
  ['whitespace_normalized', 'if (a) {\n  b( 1,  2 );\n}\n', 'b(1, 2);', 'white space or line breaks differ'],
  ['indent_flexible', '  let sum = 0;\n    add(item);\n', 'sum = 0;\nadd(item);', 'indentation differs'],
  ['escape_normalized', 'let sum = 0;\nadd(item);\n', 'let sum = 0;\\nadd(item);', 'it was escaped differently'],
  ['trimmed_boundary', 'one;\n  let sum = 0;\n  add(item);\n', '\n\n\n  let sum = 0;\n  add(item);', 'line breaks at its edges'],
  ['unicode_normalized', 'say(“hello”);\n', 'say("hello");', 'typographic characters differ'],
  ['block_anchor', BLOCK, BLOCK.replace('  for (const item of items) {\n', ''), 'lines between its first and its last line differ'],
  ['context_aware', BLOCK, '  sum += item.prize * item.count;\n  }\n  return sum;', 'some of its lines differ'],
];

/** Four English words that follow each other; quoted texts and names in them are left out first. */
const ENGLISH = /[A-Za-z]+(?: [A-Za-z]+){3}/;
const withoutQuotes = (text: string): string => text.replace(/"(?:[^"\\]|\\.)*"/g, '');

describe('patch', () => {
  let bench: ToolBench;
  const put = (name: string, data: string | Buffer) => writeFile(join(bench.root, name), data);
  const textOf = (name: string) => readFile(join(bench.root, name), 'utf8');
  const patch = (args: unknown, overrides = {}) => bench.call(patchTool, args, overrides);

  beforeAll(async () => {
    bench = await openToolBench();
  });
  afterAll(() => bench.close());

  it('neta.patch.params takes an absolute path, old_string, new_string and replace_all', async () => {
    await put('a.txt', 'x y x\n');
    const result = await patch({ path: join(bench.root, 'a.txt'), old_string: 'x', new_string: 'z', replace_all: true });
    expect(result).toMatchObject({ ok: true, details: { strategy: 'exact', count: 2 } });
    expect(await textOf('a.txt')).toBe('z y z\n');
  });

  const CODE = `${BLOCK}const limit = 30;\nconst same = 1;\nconst text = 'a\\nb\\tc';\nconst same = 1;\n`;

  it.each([
    ['no_match', { old_string: 'const limt = 31;\nconst  other = 2;', new_string: 'y' }, '最接近的位置'],
    ['no_match', { old_string: 'nothing of the kind stands here', new_string: 'y' }, '请重新读取文件'],
    ['identical', { old_string: 'x', new_string: 'x' }, '请写明'],
    ['empty_old', { old_string: '', new_string: 'y' }, '请引用'],
    ['ambiguous', { old_string: 'const same = 1;', new_string: 'y' }, '匹配 2 处'],
    ['already_applied', { old_string: 'sum += item.price', new_string: 'sum += item.price * item.count' }, '请勿重复'],
    ['not_text', { old_string: 'const limit', new_string: '\ud800' }, '半个字符'],
    [
      'conflict',
      { old_string: BLOCK.replace('item.price', 'item.prices'), new_string: BLOCK.replace('item.price', 'item.cost') },
      '要改的行与文件不同',
    ],
    [
      'conflict',
      {
        old_string: BLOCK.replace('  let sum = 0;\n', ''),
        new_string: BLOCK.replace('  let sum = 0;\n', '').replace('function total', 'function add'),
      },
      '没有引用的行',
    ],
    [
      'conflict',
      {
        old_string: BLOCK.replace('  return sum;', '  check(sum);\n  return sum;'),
        new_string: BLOCK.replace('  return sum;', '  verify(sum);\n  return sum;'),
      },
      '没有的行',
    ],
    [
      'conflict',
      { old_string: `function total(items) {\n  // ...\n  return sum;\n}`, new_string: `function total(items) {\n  return sum;\n}` },
      '省略的行',
    ],
  ])('refuses in Chinese alone in a Chinese run, with one advice: %s %#', async (code, texts, words) => {
    await put('zh.txt', CODE);
    const { content, details } = await patch({ path: 'zh.txt', ...texts }, { locale: 'zh-CN' });
    expect(details).toMatchObject({ code });
    expect(content).toContain('zh.txt 未修改（');
    expect(content).toContain(words);
    expect(withoutQuotes(content)).not.toMatch(ENGLISH);
    expect(content.match(/请(?!勿)/g)?.length ?? 0).toBeLessThanOrEqual(1);
    const { content: english } = await patch({ path: 'zh.txt', ...texts });
    expect(english.match(/Read |Compare |Add lines|Quote |Say what/g)?.length ?? 0).toBeLessThanOrEqual(1);
    expect(await textOf('zh.txt')).toBe(CODE);
  });

  it.each(WARNED)('warns in Chinese alone in a Chinese run: %s', async (_, text, old_string) => {
    await put('zh.txt', text);
    const result = await patch({ path: 'zh.txt', old_string, new_string: `${old_string} // seen` }, { locale: 'zh-CN' });
    expect(result.content).toContain('没有找到与 old_string 完全相同的文本：');
    expect(result.content.slice(0, result.content.indexOf('文件中为：'))).not.toMatch(ENGLISH);
  });

  it('neta.patch.result shows a short diff with the lines of the file', async () => {
    await put('b.txt', Array.from({ length: 40 }, (_, i) => `line ${i + 1}`).join('\n'));
    const result = await patch({ path: 'b.txt', old_string: 'line 20\nline 21', new_string: 'line twenty\nmore\nline 21' });
    expect(result.content.split('\n')).toEqual([
      'Changed b.txt in 1 place, lines 20-21 (match: exact).',
      '--- a/b.txt',
      '+++ b/b.txt',
      '@@ -17,7 +17,8 @@',
      ' line 17',
      ' line 18',
      ' line 19',
      '-line 20',
      '+line twenty',
      '+more',
      ' line 21',
      ' line 22',
      ' line 23',
    ]);
    expect(result.details).toMatchObject({ lines: [20, 21], diff: expect.stringContaining('+more') });
  });

  it.each(WARNED)(
    'neta.patch.result says what differed at level %s, and what the file has',
    async (strategy, text, old_string, difference) => {
      await put('differs.txt', text);
      const result = await patch({ path: 'differs.txt', old_string, new_string: `${old_string} // seen` });
      expect(result).toMatchObject({ ok: true, details: { strategy } });
      expect(result.content).toMatch(/old_string was not found as given: .*\. The file has:\n/);
      expect(result.content).toContain(difference);
    },
  );

  it('neta.patch.result has no warning when old_string is exact or only its edges were trimmed', async () => {
    for (const old_string of ['  return sum;', 'return sum;  \n}']) {
      await put('same.txt', BLOCK);
      expect((await patch({ path: 'same.txt', old_string, new_string: 'return 0;' })).content).not.toContain('not found as given');
    }
  });

  it('neta.patch.result refuses several matches with their number, and no match with a hint, and writes nothing', async () => {
    await put('c.txt', 'same\nsame\n');
    const several = await patch({ path: 'c.txt', old_string: 'same', new_string: 'other' });
    expect(several).toMatchObject({ ok: false, details: { code: 'ambiguous' } });
    expect(several.content).toContain('2');
    expect(several.content).toContain('set replace_all');
    const none = await patch({ path: 'c.txt', old_string: 'nothing like it', new_string: 'other' });
    expect(none).toMatchObject({ ok: false, details: { code: 'no_match' } });
    expect(none.content).toContain('Read the file again');
    expect(await textOf('c.txt')).toBe('same\nsame\n');
  });

  it.each([
    ['identical', { old_string: 'a', new_string: 'a' }],
    ['empty_old', { old_string: '', new_string: 'a' }],
  ])('refuses %s', async (code, strings) => {
    await put('d.txt', 'a\n');
    expect(await patch({ path: 'd.txt', ...strings })).toMatchObject({ ok: false, details: { code } });
  });

  it('keeps the byte order mark and the line ends', async () => {
    await put('e.txt', '\uFEFFone\r\ntwo\r\nthree\r\n');
    expect((await patch({ path: 'e.txt', old_string: 'one\ntwo', new_string: 'one\n2' })).ok).toBe(true);
    expect(await textOf('e.txt')).toBe('\uFEFFone\r\n2\r\nthree\r\n');
  });

  it('runs several patches of one file one after another, however its path is spelled', async () => {
    await put('f.txt', Array.from({ length: 20 }, (_, i) => `<${i}>`).join('\n'));
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        patch({ path: i % 2 ? './f.txt' : join(bench.root, 'f.txt'), old_string: `<${i}>`, new_string: `(${i})` }),
      ),
    );
    expect(results.every(result => result.ok)).toBe(true);
    expect(await textOf('f.txt')).toBe(Array.from({ length: 20 }, (_, i) => `(${i})`).join('\n'));
  });

  it('refuses binary files and files whose bad bytes an edit would lose', async () => {
    await put('g.bin', Buffer.from('a\0b'));
    expect(await patch({ path: 'g.bin', old_string: 'a', new_string: 'b' })).toMatchObject({ ok: false });
    const bytes = Buffer.concat([Buffer.from(`${'x'.repeat(200)} a `), Buffer.from([0xff])]);
    await put('h.txt', bytes);
    expect(await patch({ path: 'h.txt', old_string: 'a', new_string: 'b' })).toMatchObject({ ok: false });
    expect(await readFile(join(bench.root, 'h.txt'))).toEqual(bytes);
  });

  it('truncates a long diff and writes the whole change', async () => {
    const old = Array.from({ length: 2_000 }, (_, i) => `old line number ${i}`).join('\n');
    await put('i.txt', old);
    const result = await patch({ path: 'i.txt', old_string: 'old', new_string: 'new', replace_all: true });
    expect(Buffer.byteLength(String(result.details?.diff))).toBeLessThan(9 * 1024);
    expect(result.content).toContain('more changes follow');
    expect(await textOf('i.txt')).toBe(old.replaceAll('old', 'new'));
  });

  it('refuses missing files, paths outside and directories', async () => {
    const strings = { old_string: 'a', new_string: 'b' };
    expect(await patch({ path: 'missing.txt', ...strings })).toMatchObject({ ok: false, details: { code: 'not_found' } });
    expect(await patch({ path: '/etc/hosts', ...strings })).toMatchObject({ ok: false, details: { code: 'outside' } });
    expect(await patch({ path: '.', ...strings })).toMatchObject({ ok: false, content: expect.stringContaining('List it') });
  });

  it('writes nothing for a call that was cancelled', async () => {
    await put('j.txt', 'a');
    await expect(patch({ path: 'j.txt', old_string: 'a', new_string: 'b' }, { signal: AbortSignal.abort() })).rejects.toThrow();
    expect(await textOf('j.txt')).toBe('a');
  });

  it.each([
    ['GB18030', 'gb18030', false],
    ['Shift_JIS', 'shift_jis', false],
    ['UTF-16LE', 'utf-16le', true],
    ['UTF-16BE', 'utf-16be', true],
    ['UTF-8 with a byte order mark', 'utf-8', true],
  ])('edits %s in its own encoding, with its mode', async (_, encoding, addBOM) => {
    const before = encoding === 'shift_jis' ? 'これは設定ファイルです。\r\n値 = 一\r\n' : '这是配置文件,请修改。\r\n数值 = 一\r\n';
    await put('enc.txt', encode(before, encoding, { addBOM }));
    await chmod(join(bench.root, 'enc.txt'), 0o640);
    expect(await patch({ path: 'enc.txt', old_string: ' = 一\n', new_string: ' = 二三\n' })).toMatchObject({ ok: true });
    const bytes = await readFile(join(bench.root, 'enc.txt'));
    expect(bytes).toEqual(encode(before.replace('一', '二三'), encoding, { addBOM }));
    expect((await stat(join(bench.root, 'enc.txt'))).mode & 0o777).toBe(0o640);
  });

  it('refuses a character that the encoding of the file cannot hold', async () => {
    const bytes = encode('これは設定ファイルです。\n値 = 一\n', 'shift_jis');
    await put('sjis.txt', bytes);
    const refused = await patch({ path: 'sjis.txt', old_string: '一', new_string: '😀' });
    expect(refused).toMatchObject({ ok: false, content: expect.stringContaining('Shift_JIS, which cannot hold "😀"') });
    expect(await readFile(join(bench.root, 'sjis.txt'))).toEqual(bytes);
  });

  it('refuses to edit a file that another writer changed since this session last read or wrote it', async () => {
    const ctx = { fileLedger: new FileLedgers().ledgerFor('default', 'ses_1') };
    const edit = { path: 'shared.txt', old_string: 'a = 1', new_string: 'a = 2' };
    await put('shared.txt', 'a = 1\n');
    await bench.call(readFileTool, { path: 'shared.txt' }, ctx);
    await put('shared.txt', 'a = 1\nb = 1\n');
    const refused = await patch(edit, ctx);
    expect(refused).toMatchObject({ ok: false, details: { code: 'stale' }, content: expect.stringContaining('read it again') });
    expect(await textOf('shared.txt')).toBe('a = 1\nb = 1\n');
    await bench.call(readFileTool, { path: join(bench.root, 'shared.txt') }, ctx);
    expect((await patch(edit, ctx)).ok).toBe(true);
    expect((await patch({ path: 'shared.txt', old_string: 'b = 1', new_string: 'b = 2' }, ctx)).ok).toBe(true);
    expect(await textOf('shared.txt')).toBe('a = 2\nb = 2\n');
  });

  it('edits a file that this session never read, because the quoted text must match', async () => {
    await put('unread.txt', 'a = 1\n');
    const ctx = { fileLedger: new FileLedgers().ledgerFor('default', 'ses_1') };
    expect((await patch({ path: 'unread.txt', old_string: 'a = 1', new_string: 'a = 2' }, ctx)).ok).toBe(true);
  });

  it('says that repeating a refused call cannot help, until the file changes', async () => {
    const ctx = { fileLedger: new FileLedgers().ledgerFor('default', 'ses_1') };
    const edit = { path: 'again.txt', old_string: 'nothing of the kind', new_string: 'x' };
    await put('again.txt', 'a = 1\n');
    expect((await patch(edit, ctx)).content).not.toContain('cannot help');
    const second = await patch(edit, ctx);
    expect(second).toMatchObject({ ok: false, details: { code: 'no_match', repeated: true } });
    expect(second.content).toMatch(/repeating it cannot help\. When/);
    await put('again.txt', 'a = 2\n');
    expect((await patch(edit, ctx)).content).not.toContain('cannot help');
  });

  it('keeps the previous bytes for undo before it writes', async () => {
    await put('kept.txt', 'a = 1\n');
    const kept: unknown[] = [];
    const changes = {
      keep: async (change: { path: string; before?: Uint8Array; after: Uint8Array; toolCallId: string }) => {
        const { path, toolCallId, before, after } = change;
        kept.push({ path, toolCallId, before: String(before), after: String(after), onDisk: await textOf('kept.txt') });
        return true;
      },
    };
    const result = await patch({ path: 'kept.txt', old_string: '1', new_string: '2' }, { changes });
    expect(result.details).toMatchObject({ undoable: true });
    expect(kept).toEqual([{ path: 'kept.txt', toolCallId: 'call_1', before: 'a = 1\n', after: 'a = 2\n', onDisk: 'a = 1\n' }]);
  });

  it('patches only large files in the patch engine', async () => {
    const asked: number[] = [];
    const patchEngine = {
      patch: async (bytes: Uint8Array, request: PatchRequest) => {
        asked.push(bytes.length);
        return patchBytes(bytes, request);
      },
      close: async () => {},
    };
    await put('small.txt', 'a = 1\n');
    await put('large.txt', `${'x\n'.repeat(200_000)}a = 1\n`);
    for (const path of ['small.txt', 'large.txt']) {
      expect((await patch({ path, old_string: 'a = 1', new_string: 'a = 2' }, { patchEngine })).ok).toBe(true);
    }
    expect(asked).toEqual([400_006]);
  });

  it('reports the differences from the quotation after an inexact match', async () => {
    await put('lenient.txt', 'if (a  &&  b) {\n  run();\n}\n');
    const result = await patch({ path: 'lenient.txt', old_string: 'if (a && b) {\n  run();', new_string: 'if (a && b) {\n  walk();' });
    expect(result).toMatchObject({ ok: true, details: { strategy: 'whitespace_normalized' } });
    expect(result.content).toContain('if (a  &&  b) {');
    expect(await textOf('lenient.txt')).toBe('if (a  &&  b) {\n  walk();\n}\n');
  });
});
