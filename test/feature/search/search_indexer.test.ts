import { SearchIndexer } from '../../../src/feature/search/search_indexer';
import type { Lock } from '../../../src/port/store/lock';
import type { StoreTransaction } from '../../../src/port/store/store';
import { createManualClock } from '../../support/manual_clock';
import { aMessage, seed, TENANT } from '../../support/store_records';
import { openTemporaryStore, type TemporaryStore } from '../../support/temporary_store';

let temporary: TemporaryStore;
beforeEach(async () => {
  temporary = await openTemporaryStore();
  const messages = Array.from({ length: 100 }, (_, position) =>
    aMessage({ position, message: { role: 'user', content: `beans ${position}` } }),
  );
  await seed(temporary.store, tx => tx.messages.insert(messages));
});
afterEach(() => temporary.release());

/** A clock that counts its timers. */
function countingClock() {
  const clock = createManualClock();
  let timers = 0;
  const after = (milliseconds: number, callback: () => void) => {
    timers += 1;
    return clock.after(milliseconds, callback);
  };
  return { ...clock, after, timers: () => timers };
}

/** Indexes the first messages. */
async function seedIndex(): Promise<void> {
  while (await temporary.store.transaction('none', tx => tx.searchIndex.indexNext()));
}

let added = 0;
const add = (content: string) => {
  added += 1;
  const message = aMessage({ id: `msg_added_${added}`, position: 1_000 + added, message: { role: 'user', content } });
  return temporary.store.transaction('none', tx => tx.messages.insert([message]));
};

const found = async () => (await temporary.store.read.search.find(TENANT, { query: 'beans', now: 0 }, { limit: 500 })).data.length;

it('indexes in the background in parts, and sets no timer once nothing is left', async () => {
  const clock = countingClock();
  const indexer = new SearchIndexer({ store: temporary.store, clock, isBusy: () => false, onError: fail });
  indexer.scheduleIndexing();
  indexer.scheduleIndexing();
  expect(clock.timers()).toBe(1);
  for (let waited = 0; clock.timers() < 5 && waited < 100; waited++) {
    clock.advance(2_000);
    // A part is one commit of the store.
    await temporary.store.check();
  }
  await temporary.store.check();
  clock.advance(60_000);
  await temporary.store.check();
  expect(await found()).toBe(100);
  clock.advance(60_000);
  expect(clock.timers()).toBe(5);
});

it('indexes a message that is stored while a part is under way', async () => {
  const clock = createManualClock();
  const { store } = temporary;
  await seedIndex();
  let atPart = () => {};
  const slow = {
    ...store,
    read: store.read,
    transaction: async <T>(lock: Lock, work: (tx: StoreTransaction) => Promise<T>) => {
      const done = await store.transaction(lock, work);
      atPart();
      return done;
    },
  };
  const indexer = new SearchIndexer({ store: slow, clock, isBusy: () => false, onError: fail });
  await add('beans while nothing runs');
  const part = new Promise<void>(resolve => {
    atPart = () => {
      atPart = () => {};
      void add('beans during the part').then(() => {
        indexer.scheduleIndexing();
        resolve();
      });
    };
  });
  indexer.scheduleIndexing();
  clock.advance(2_000);
  await part;
  for (let waited = 0; (await found()) < 102 && waited < 100; waited++) {
    await store.check();
    clock.advance(2_000);
  }
  expect(await found()).toBe(102);
  indexer.stop();
});

it('waits until no run has ended for 2 s, for 30 s at most', async () => {
  const clock = createManualClock();
  const indexer = new SearchIndexer({ store: temporary.store, clock, isBusy: () => false, onError: fail });
  for (let second = 0; second < 29; second++) {
    indexer.scheduleIndexing();
    clock.advance(1_000);
  }
  await temporary.store.check();
  expect(await found()).toBe(0);
  indexer.scheduleIndexing();
  clock.advance(1_000);
  // The part is a commit of its own, which begins after a read.
  for (let waited = 0; (await found()) === 0 && waited < 100; waited++) await temporary.store.check();
  expect(await found()).toBeGreaterThan(0);
  indexer.stop();
});

it('waits while a run is executing, and for 2 s after its end', async () => {
  const clock = createManualClock();
  let isBusy = true;
  const indexer = new SearchIndexer({ store: temporary.store, clock, isBusy: () => isBusy, onError: fail });
  indexer.scheduleIndexing();
  clock.advance(9_000);
  isBusy = false;
  indexer.scheduleIndexing();
  clock.advance(1_999);
  for (let waited = 0; waited < 5; waited++) await temporary.store.check();
  expect(await found()).toBe(0);
  clock.advance(1);
  for (let waited = 0; (await found()) === 0 && waited < 100; waited++) await temporary.store.check();
  expect(await found()).toBeGreaterThan(0);
  indexer.stop();
});

it('waits 30 s at most while runs are executing', async () => {
  const clock = createManualClock();
  const indexer = new SearchIndexer({ store: temporary.store, clock, isBusy: () => true, onError: fail });
  indexer.scheduleIndexing();
  for (let second = 0; second < 29; second++) clock.advance(1_000);
  await temporary.store.check();
  expect(await found()).toBe(0);
  clock.advance(1_000);
  for (let waited = 0; (await found()) === 0 && waited < 100; waited++) await temporary.store.check();
  expect(await found()).toBeGreaterThan(0);
  indexer.stop();
});

it('indexes before a search for a limited time, and the rest in the background', async () => {
  const clock = countingClock();
  const indexer = new SearchIndexer({
    store: temporary.store,
    clock: { ...clock, monotonic: ticking(10) },
    isBusy: () => false,
    onError: fail,
  });
  await indexer.catchUp(TENANT, 25);
  expect(await found()).toBeLessThan(100);
  expect(clock.timers()).toBe(1);
  await indexer.catchUp(TENANT, 1_000);
  expect(await found()).toBe(100);
});

it('lets a search go on when the store cannot be written', async () => {
  const { store } = temporary;
  const full = { ...store, read: store.read, transaction: () => Promise.reject(new Error('disk full')) };
  const indexer = new SearchIndexer({ store: full, clock: createManualClock(), isBusy: () => false, onError: fail });
  await expect(indexer.catchUp(TENANT, 100)).resolves.toBeUndefined();
  indexer.stop();
});

/** A clock that advances by so many milliseconds each time it is read. */
function ticking(step: number): () => number {
  let time = 0;
  return () => {
    time += step;
    return time;
  };
}

function fail(message: string, error: unknown): never {
  throw new Error(message, { cause: error });
}
