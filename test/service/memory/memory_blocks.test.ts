import type { RunRecord } from '../../../src/port/store/runs';
import { MAX_BLOCK_UNITS, MemoryBlocks } from '../../../src/service/memory/memory_blocks';
import { aMemory, aRun, aSession, TENANT } from '../../support/store_records';
import { openTemporaryStore } from '../../support/temporary_store';

type Temporary = Awaited<ReturnType<typeof openTemporaryStore>>;

let temporary: Temporary;
let blocks: MemoryBlocks;
const clock = { now: () => 1_000, monotonic: () => 0, after: () => () => {} };
const onError = (message: string) => {
  throw new Error(message);
};
const newBlocks = () => new MemoryBlocks({ store: temporary.store, clock, onError });
const run = (fields: Partial<RunRecord> = {}): RunRecord => ({ ...aRun(), ordinal: 1, ...fields });
const textsFor = async (fields: Partial<RunRecord> = {}, from = blocks) => (await from.blockFor(run(fields), ''))?.texts;

beforeEach(async () => {
  temporary = await openTemporaryStore();
  await temporary.store.transaction(tx => tx.insertSession(aSession()));
  blocks = newBlocks();
});
afterEach(() => temporary.release());

/** Inserts memories, the later ones newer. */
const insert = (texts: readonly string[]) =>
  temporary.store.transaction(async tx => {
    for (const [i, text] of texts.entries()) await tx.insertMemory(aMemory({ id: `mem_${i}`, text, updatedAt: i }));
  });

it('takes all memories, newest first, when they fit', async () => {
  const texts = Array.from({ length: 300 }, (_, i) => `fact no ${i}`);
  await insert(texts);
  expect(await textsFor()).toEqual(texts.toReversed());
});

it('takes the most relevant to the first message, then the newest, up to 6,000 characters', async () => {
  const filler = 'lorem ipsum dolor '.repeat(10);
  await insert([
    'The deploy cluster is called krakatau',
    '部署脚本在 tools 目录',
    ...Array.from({ length: 150 }, (_, i) => `${i} ${filler}`),
  ]);
  const texts = (await textsFor({ input: 'How do I deploy to krakatau? 部署' })) ?? [];
  expect(texts.slice(0, 2).toSorted()).toEqual(['The deploy cluster is called krakatau', '部署脚本在 tools 目录']);
  expect(texts[2]).toMatch(/^149 /);
  const units = texts.join('\n').length;
  expect(units).toBeGreaterThan(MAX_BLOCK_UNITS - 300);
  expect(units).toBeLessThanOrEqual(MAX_BLOCK_UNITS);
});

it('returns the same object to later runs while the texts are the same, and reads the stored block in a new process', async () => {
  await insert(['one', 'two']);
  const first = await blocks.blockFor(run(), '');
  await insert([]);
  expect(await blocks.blockFor(run({ ordinal: 2 }), '')).toBe(first);
  expect(await textsFor({ ordinal: 2 }, newBlocks())).toEqual(['two', 'one']);
  expect(await textsFor({ epoch: 2 }, newBlocks())).toEqual(['two', 'one']);
  await temporary.store.transaction(tx => tx.deleteMemory(TENANT, 'mem_0'));
  expect(await textsFor({ ordinal: 3 })).toEqual(['two']);
  await temporary.store.transaction(tx => tx.deleteMemory(TENANT, 'mem_1'));
  expect(await textsFor({ ordinal: 4 })).toBeUndefined();
});

it('chooses the block again when the first message of a session could not be stored', async () => {
  await insert(['one']);
  const { read } = temporary.store;
  let isAway = true;
  const store = {
    ...temporary.store,
    read,
    transaction: ((work: never) =>
      isAway ? Promise.reject(new Error('away')) : temporary.store.transaction(work)) as typeof temporary.store.transaction,
  };
  const mine = new MemoryBlocks({ store, clock, onError: () => {} });
  expect(await textsFor({}, mine)).toEqual(['one']);
  isAway = false;
  expect(await textsFor({ id: 'run_2' }, mine)).toEqual(['one']);
  // The block is stored behind the run; this commit comes after it.
  await insert([]);
  expect(await textsFor({ id: 'run_3', ordinal: 2 }, newBlocks())).toEqual(['one']);
});

it('gives a session that began without memories none later', async () => {
  expect(await textsFor()).toBeUndefined();
  await insert(['one']);
  expect(await textsFor({ ordinal: 2 })).toBeUndefined();
  expect(await textsFor({ ordinal: 2 }, newBlocks())).toBeUndefined();
});
