import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openUndoFiles } from '../../../../src/adapter/local/workspace/undo_files';

describe('undo files', () => {
  let directory: string;
  const key = (toolCallId: string) => ({ tenantId: 'default', runId: 'run_1', toolCallId });
  const change = { path: 'src/a.txt', before: Buffer.from('one\n\0two'), afterHash: 'abc' };

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'neta-undo-'));
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));

  it('returns the exact bytes, also after a restart', async () => {
    expect(await (await openUndoFiles({ directory })).keep(key('call_1'), change)).toBe(true);
    const kept = await (await openUndoFiles({ directory })).find(key('call_1'));
    expect(kept).toEqual({ status: 'kept', change });
  });

  it('distinguishes a new file from an empty one', async () => {
    const undo = await openUndoFiles({ directory });
    await undo.keep(key('made'), { path: 'a', afterHash: 'x' });
    await undo.keep(key('filled'), { path: 'a', before: Buffer.alloc(0), afterHash: 'x' });
    expect(await undo.find(key('made'))).toEqual({ status: 'kept', change: { path: 'a', afterHash: 'x' } });
    expect(await undo.find(key('filled'))).toEqual({ status: 'kept', change: { path: 'a', before: Buffer.alloc(0), afterHash: 'x' } });
  });

  it('keeps calls with the same id apart by tenant and run', async () => {
    const undo = await openUndoFiles({ directory });
    await undo.keep(key('call_1'), change);
    expect(await undo.find({ ...key('call_1'), tenantId: 'other' })).toBeUndefined();
    expect(await undo.find({ ...key('call_1'), runId: 'run_2' })).toBeUndefined();
    expect(await undo.find({ tenantId: 'default', toolCallId: 'call_1' })).toBeUndefined();
  });

  it('says whether a change can be undone, also of a large file and after a restart', async () => {
    const undo = await openUndoFiles({ directory });
    await undo.keep(key('large'), { path: 'a', before: Buffer.alloc(200_000, 'x'), afterHash: 'x' });
    await undo.keep(key('undone'), change);
    await undo.markUndone(key('undone'));
    const again = await openUndoFiles({ directory });
    expect(await Promise.all(['large', 'undone', 'unknown'].map(id => again.stateOf(key(id))))).toEqual(['possible', 'undone', 'gone']);
  });

  it('records that a change was undone, without its bytes', async () => {
    const undo = await openUndoFiles({ directory });
    await undo.keep(key('call_1'), change);
    await undo.markUndone(key('call_1'));
    expect(await (await openUndoFiles({ directory })).find(key('call_1'))).toEqual({ status: 'undone', path: 'src/a.txt' });
  });

  it('keeps what a redo writes after an undo, unless it is too large', async () => {
    const undo = await openUndoFiles({ directory, maxFileBytes: 100 });
    const redo = { path: 'src/a.txt', before: Buffer.from('new\n'), afterHash: 'old' };
    for (const id of ['written', 'removed', 'large']) await undo.keep(key(id), change);
    await undo.markUndone(key('written'), redo);
    await undo.markUndone(key('removed'), { path: 'src/a.txt', afterHash: 'old' });
    await undo.markUndone(key('large'), { ...redo, before: Buffer.alloc(101) });
    const again = await openUndoFiles({ directory });
    expect(await again.find(key('written'))).toEqual({ status: 'undone', path: 'src/a.txt', redo });
    expect(await again.find(key('removed'))).toEqual({
      status: 'undone',
      path: 'src/a.txt',
      redo: { path: 'src/a.txt', afterHash: 'old' },
    });
    expect(await again.find(key('large'))).toEqual({ status: 'undone', path: 'src/a.txt' });
    expect(await Promise.all(['written', 'removed', 'large'].map(id => again.stateOf(key(id))))).toEqual([
      'redoable',
      'redoable',
      'undone',
    ]);
  });

  it('drops the oldest changes when there are too many', async () => {
    const undo = await openUndoFiles({ directory, maxChanges: 3 });
    for (const name of ['a', 'b', 'c', 'd', 'e']) await undo.keep(key(name), change);
    const found = await Promise.all(['a', 'b', 'c', 'd', 'e'].map(name => undo.find(key(name))));
    expect(found.map(kept => kept?.status)).toEqual([undefined, undefined, 'kept', 'kept', 'kept']);
    expect(await readdir(directory)).toHaveLength(3);
  });

  it('drops the oldest changes when they hold too many bytes, and does not keep a file that is too large', async () => {
    const undo = await openUndoFiles({ directory, maxFileBytes: 1_000, maxTotalBytes: 2_500 });
    const large = { ...change, before: Buffer.alloc(1_000) };
    for (const name of ['a', 'b', 'c']) expect(await undo.keep(key(name), large)).toBe(true);
    expect(await undo.find(key('a'))).toBeUndefined();
    expect(await undo.find(key('c'))).toBeDefined();
    expect(await undo.keep(key('d'), { ...change, before: Buffer.alloc(1_001) })).toBe(false);
  });

  it('removes files that a crash left half-written', async () => {
    await writeFile(join(directory, 'abc.tmp'), 'half');
    const longAgo = new Date(Date.now() - 120_000);
    await utimes(join(directory, 'abc.tmp'), longAgo, longAgo);
    // Another gateway on the same disk may still be writing this one.
    await writeFile(join(directory, 'new.tmp'), 'half');
    await openUndoFiles({ directory });
    expect(await readdir(directory)).toEqual(['new.tmp']);
  });
});
