import { fileReadTool } from '../../../src/tools/builtin/file_read';
import { openToolBench, type ToolBench } from '../../support/tool_context';

let bench: ToolBench;
beforeEach(async () => {
  bench = await openToolBench();
});
afterEach(() => bench.close());

describe('file_read (nanoclaw.file)', () => {
  it('gives plain text, and the rest of a long file page by page', async () => {
    await bench.put('r.txt', 'one\r\ntwo');
    expect((await bench.call(fileReadTool, { path: 'r.txt' })).content).toBe('one\r\ntwo');
    expect((await bench.call(fileReadTool, { path: 'r.txt', offset: 2 })).content).toBe('two');
    expect((await bench.call(fileReadTool, { path: 'r.txt', offset: 3 })).ok).toBe(false);
    const lines = Array.from({ length: 30_000 }, (_, line) => `line ${line}\n`).join('');
    await bench.put('long.txt', lines);
    let whole = '';
    for (let offset: unknown = 1; offset !== undefined; ) {
      const { content, details } = await bench.call(fileReadTool, { path: 'long.txt', offset });
      whole += content.replace(/\n\[The file goes on[^\n]*$/, '');
      offset = details?.nextOffset;
    }
    expect(whole).toBe(lines);
    await bench.put('gb.txt', Buffer.from('c4e3bac3cac0bde7a3acd5e2cac7d6d0cec4a1a30a', 'hex'));
    expect((await bench.call(fileReadTool, { path: 'gb.txt' })).details).toMatchObject({ encoding: 'GB18030' });
  });

  it('decodes a file as the encoding that the call names', async () => {
    await bench.put('latin.txt', Buffer.from([0x63, 0x61, 0x66, 0xe9]));
    const { content, details } = await bench.call(fileReadTool, { path: 'latin.txt', encoding: 'latin1' });
    expect([content, details?.encoding]).toEqual(['café', 'latin1']);
    // A character of two bytes on the border of a slice.
    await bench.put('long_gb.txt', Buffer.concat([Buffer.alloc(64 * 1024 - 1, 'a'), Buffer.from('c4e3bac3', 'hex')]));
    const long = await bench.call(fileReadTool, { path: 'long_gb.txt', encoding: 'gbk' });
    expect(long.content).toMatch(/^a+你好$/);
  });
});
