import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FileLedgers } from '../../../src/service/tool/file_ledgers';
import { fileDeleteTool } from '../../../src/tools/builtin/file_delete';
import { fileWriteTool } from '../../../src/tools/builtin/file_write';
import { openToolBench, type ToolBench } from '../../support/tool_context';

let bench: ToolBench;
beforeEach(async () => {
  bench = await openToolBench();
});
afterEach(() => bench.close());

const text = (path: string) => readFile(join(bench.root, path), 'utf8');

describe('file_write (nanoclaw.file)', () => {
  it('creates, replaces and appends', async () => {
    const write = (args: object) => bench.call(fileWriteTool, { path: 'a/b.txt', ...args });
    expect((await write({ content: 'one\n', mode: 'append' })).details).toMatchObject({ created: true, bytes: 4 });
    expect((await write({ content: '二\n', mode: 'append' })).content).toBe('Appended to a/b.txt: 4 bytes, 8 in all.');
    expect(await text('a/b.txt')).toBe('one\n二\n');
    await write({ content: 'new' });
    expect(await text('a/b.txt')).toBe('new');
  });

  it('appends in the encoding of the file, and refuses to append to a binary file', async () => {
    const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('ab\n', 'utf16le')]);
    await bench.put('u16.txt', utf16);
    await bench.call(fileWriteTool, { path: 'u16.txt', content: 'ü', mode: 'append' });
    expect(await readFile(join(bench.root, 'u16.txt'))).toEqual(Buffer.concat([utf16, Buffer.from('ü', 'utf16le')]));
    await bench.put('binary', Buffer.from([0, 1, 2]));
    expect(await bench.call(fileWriteTool, { path: 'binary', content: 'x', mode: 'append' })).toMatchObject({ ok: false });
  });

  it('says before the call how it would change the file, and changes nothing', async () => {
    await bench.put('plan.txt', 'one\r\n');
    const plan = (args: object) => fileWriteTool.planDiff?.({ path: 'plan.txt', ...args }, bench.ctx);
    expect(await plan({ content: 'two\n', mode: 'append' })).toContain('\n one\n+two');
    expect(await plan({ content: 'two\n' })).toContain('\n-one\n+two');
    expect(await fileDeleteTool.planDiff?.({ path: 'plan.txt' }, bench.ctx)).toContain('\n-one');
    expect(await text('plan.txt')).toBe('one\r\n');
  });

  it('does not replace a file that another writer changed, even after it appended to the file', async () => {
    const ctx = { fileLedger: new FileLedgers().ledgerFor('default', 'ses_1') };
    await bench.call(fileWriteTool, { path: 's.txt', content: 'mine\n' }, ctx);
    await bench.put('s.txt', 'theirs\n');
    const stale = { ok: false, details: { code: 'stale' } };
    expect(await bench.call(fileWriteTool, { path: 's.txt', content: 'x' }, ctx)).toMatchObject(stale);
    expect((await bench.call(fileWriteTool, { path: 's.txt', content: 'more\n', mode: 'append' }, ctx)).ok).toBe(true);
    expect(await bench.call(fileWriteTool, { path: 's.txt', content: 'x' }, ctx)).toMatchObject(stale);
    expect(await text('s.txt')).toBe('theirs\nmore\n');
  });

  it('keeps the previous content for undo', async () => {
    const kept: unknown[] = [];
    const changes = {
      keep: async (change: { before?: Uint8Array }) => kept.push(change.before && Buffer.from(change.before).toString()) > 0,
    };
    await bench.call(fileWriteTool, { path: 'k.txt', content: 'a' }, { changes });
    const { details } = await bench.call(fileWriteTool, { path: 'k.txt', content: 'b', mode: 'append' }, { changes });
    expect(kept).toEqual([undefined, 'a']);
    expect(details).toMatchObject({ undoable: true });
  });

  it('refuses to write the hooks of git', async () => {
    expect(await bench.call(fileWriteTool, { path: '.git/hooks/x', content: 'x' })).toMatchObject({ details: { code: 'protected' } });
  });
});
