import { MAX_BLOCK_UNITS, MemoryBlocks } from '../../../src/feature/memory/memory_blocks';
import type { RunRecord } from '../../../src/port/store/runs';
import { NO_OWNERS } from '../../support/no_owners';
import { aMemory, aRun, aSession, TENANT } from '../../support/store_records';
import { openTemporaryStore } from '../../support/temporary_store';
import { watchReads } from '../../support/watched_reads';

type Temporary = Awaited<ReturnType<typeof openTemporaryStore>>;

let temporary: Temporary;
let blocks: MemoryBlocks;
const clock = { now: () => 1_000, monotonic: () => 0, after: () => () => {} };
const onError = () => {};
const ownedThings = NO_OWNERS;
const newBlocks = () => new MemoryBlocks({ store: temporary.store, clock, ownedThings, onError });
const run = (fields: Partial<RunRecord> = {}): RunRecord => ({ ...aRun(), ordinal: 1, ...fields });
/** Stores a block like the first events of the run. */
const storeNow: Parameters<MemoryBlocks['blockFor']>[2] = write => void temporary.store.transaction('none', write);
const textsFor = async (fields: Partial<RunRecord> = {}, from = blocks, storeLater = storeNow) =>
  (await from.blockFor(run(fields), { agentText: '', isFirst: (fields.ordinal ?? 1) === 1 }, storeLater))?.memories.map(({ text }) => text);

beforeEach(async () => {
  temporary = await openTemporaryStore();
  await temporary.store.transaction('none', tx => tx.sessions.insert(aSession()));
  blocks = newBlocks();
});
afterEach(() => temporary.release());

/** Inserts memories, the later ones newer. */
const insert = (texts: readonly string[]) =>
  temporary.store.transaction('none', async tx => {
    for (const [i, text] of texts.entries()) await tx.memories.insert(aMemory({ id: `mem_${i}`, text, updatedAt: i }));
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
  const first = await blocks.blockFor(run(), { agentText: '', isFirst: true }, storeNow);
  await insert([]);
  expect(await blocks.blockFor(run({ ordinal: 2 }), { agentText: '', isFirst: false }, storeNow)).toBe(first);
  expect(await textsFor({ ordinal: 2 }, newBlocks())).toEqual(['two', 'one']);
  expect(await textsFor({ epoch: 2 }, newBlocks())).toEqual(['two', 'one']);
  await temporary.store.transaction('none', tx => tx.memories.delete(TENANT, 'mem_0'));
  expect(await textsFor({ ordinal: 3 })).toEqual(['two']);
  await temporary.store.transaction('none', tx => tx.memories.delete(TENANT, 'mem_1'));
  expect(await textsFor({ ordinal: 4 })).toBeUndefined();
});

it('chooses the block again when the first message of a session could not be stored', async () => {
  await insert(['one']);
  const mine = newBlocks();
  expect(await textsFor({}, mine, () => {})).toEqual(['one']);
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

describe('with an index of the words', () => {
  const filler = 'lorem ipsum dolor '.repeat(10);
  const fillers = Array.from({ length: 150 }, (_, i) => `${i} ${filler}`);
  let ranked: number;
  let counting: MemoryBlocks;

  beforeEach(async () => {
    ranked = 0;
    const { store } = temporary;
    const read = watchReads(store.read, name => {
      if (name === 'memories.rank') ranked += 1;
    });
    const counted = { ...store, read, transaction: store.transaction.bind(store) };
    counting = new MemoryBlocks({ store: counted, clock, ownedThings, onError });
    await insert(['The deploy cluster is called krakatau', '部署脚本在 tools 目录', 'Krakatau is slow on Mondays', ...fillers]);
  });

  let sessions = 0;
  /** The block of a new session, which the index chooses once it is built. */
  async function nextBlock(input: string): Promise<readonly string[]> {
    sessions += 1;
    const id = `ses_index_${sessions}`;
    await temporary.store.transaction('none', tx => tx.sessions.insert(aSession({ id })));
    return (await textsFor({ sessionId: id, input }, counting)) ?? [];
  }
  async function untilBuilt(): Promise<void> {
    for (let before = -1; before !== ranked; ) {
      before = ranked;
      await nextBlock('warm up');
      await new Promise(resolve => setTimeout(resolve, 5));
    }
  }

  it('chooses the most relevant, then the newest, without a search in the store', async () => {
    await untilBuilt();
    const texts = await nextBlock('How do I deploy to krakatau? 部署');
    expect(texts.slice(0, 3).toSorted()).toEqual([
      'Krakatau is slow on Mondays',
      'The deploy cluster is called krakatau',
      '部署脚本在 tools 目录',
    ]);
    expect(texts[3]).toMatch(/^149 /);
    expect(texts.join('\n').length).toBeGreaterThan(MAX_BLOCK_UNITS - 300);
    expect(texts.join('\n').length).toBeLessThanOrEqual(MAX_BLOCK_UNITS);
  });

  it('knows what was added, corrected and deleted since, also by another process', async () => {
    await untilBuilt();
    await temporary.store.transaction('none', async tx => {
      await tx.memories.insert(aMemory({ id: 'mem_new', text: 'Krakatau has a new password policy', updatedAt: 1_000 }));
      await tx.memories.update(TENANT, 'mem_0', { text: 'The deploy cluster is called Tambora', updatedAt: 1_001 });
      await tx.memories.delete(TENANT, 'mem_2');
    });
    const texts = await nextBlock('what about krakatau');
    expect(texts[0]).toBe('Krakatau has a new password policy');
    expect(texts.join()).not.toMatch(/slow on Mondays|called krakatau/);
    expect((await nextBlock('what about tambora'))[0]).toBe('The deploy cluster is called Tambora');
  });

  it('shows the memories that are left after most were deleted', async () => {
    await untilBuilt();
    await temporary.store.transaction('none', async tx => {
      for (let i = 3; i < 153; i += 1) await tx.memories.delete(TENANT, `mem_${i}`);
    });
    expect(await nextBlock('anything')).toEqual([
      'Krakatau is slow on Mondays',
      '部署脚本在 tools 目录',
      'The deploy cluster is called krakatau',
    ]);
  });
});
