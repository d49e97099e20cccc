import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { patchTool } from '../../../src/tools/builtin/patch';
import { openToolBench, type ToolBench } from '../../support/tool_context';

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

  it('neta.patch.result refuses several matches with their number, and no match with a hint, and writes nothing', async () => {
    await put('c.txt', 'same\nsame\n');
    const several = await patch({ path: 'c.txt', old_string: 'same', new_string: 'other' });
    expect(several).toMatchObject({ ok: false, details: { code: 'ambiguous' } });
    expect(several.content).toContain('2');
    expect(several.content).toContain('replace_all=true');
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

  it('clips a long diff and writes the whole change', async () => {
    const old = Array.from({ length: 2_000 }, (_, i) => `old line number ${i}`).join('\n');
    await put('i.txt', old);
    const result = await patch({ path: 'i.txt', old_string: 'old', new_string: 'new', replace_all: true });
    expect(Buffer.byteLength(String(result.details?.diff))).toBeLessThan(9 * 1024);
    expect(result.content).toContain('more changes follow');
    expect(await textOf('i.txt')).toBe(old.replaceAll('old', 'new'));
  });

  it('refuses what is missing, outside or a directory', async () => {
    const strings = { old_string: 'a', new_string: 'b' };
    expect(await patch({ path: 'missing.txt', ...strings })).toMatchObject({ ok: false, details: { code: 'not_found' } });
    expect(await patch({ path: '/etc/hosts', ...strings })).toMatchObject({ ok: false, details: { code: 'outside' } });
    expect(await patch({ path: '.', ...strings })).toMatchObject({ ok: false, content: expect.stringContaining('list_dir') });
  });

  it('writes nothing for a call that is cancelled already', async () => {
    await put('j.txt', 'a');
    await expect(patch({ path: 'j.txt', old_string: 'a', new_string: 'b' }, { signal: AbortSignal.abort() })).rejects.toThrow();
    expect(await textOf('j.txt')).toBe('a');
  });
});
