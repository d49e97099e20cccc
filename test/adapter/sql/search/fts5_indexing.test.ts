import { DatabaseSync } from 'node:sqlite';
import { tenantPrefix } from '../../../../src/adapter/sql/search/tenant_tokens';
import { TENANT_VIEWER } from '../../../../src/service/access/owned_things';
import { aMemory, aMessage, aSession, seed, TENANT } from '../../../support/store_records';
import { openTemporaryStore } from '../../../support/temporary_store';

it('indexes each message once, also when another program moves the rows', async () => {
  const { store, path, release } = await openTemporaryStore();
  const messages = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, i) => aMessage({ position: from + i, message: { role: 'user', content: `beans ${from + i}` } }));
  const indexAll = async () => {
    while (await store.transaction('none', tx => tx.searchIndex.indexNext()));
  };
  await seed(store, tx => tx.messages.insert(messages(0, 60)));
  await indexAll();
  const database = new DatabaseSync(path);
  // As after `vacuum`, which gives rows new places.
  database.exec('update messages set rowid = rowid + 1000; update messages set rowid = rowid - 1005');
  database.close();
  await store.transaction('none', tx => tx.messages.insert(messages(60, 70)));
  expect(await store.read.searchIndex.hasMore()).toBe(true);
  await indexAll();
  const { data } = await store.read.search.find(TENANT, { query: 'beans', now: 0 }, { limit: 100 });
  expect(data.map(hit => hit.text).sort()).toEqual([...messages(0, 70)].map(({ message }) => message.content).sort());
  await release();
});

it('a purge removes the words of deleted and changed memories from their index, and leaves those of others', async () => {
  const { store, path, release } = await openTemporaryStore();
  await store.transaction('none', async tx => {
    await tx.memories.insert(aMemory({ id: 'mem_1', text: 'the heliotrope is secret' }));
    await tx.memories.insert(aMemory({ id: 'mem_2', text: 'the begonia is secret' }));
    await tx.memories.insert(aMemory({ id: 'mem_3', text: 'the crocus stays' }));
  });
  await store.transaction('none', tx => tx.memories.delete(TENANT, 'mem_1'));
  expect(await store.read.retention.pendingPurge()).toBe('1');
  await store.transaction('none', tx => tx.memories.update(TENANT, 'mem_2', { text: 'nothing', updatedAt: 2 }));
  expect(await store.read.retention.pendingPurge()).toBe('2');
  const purge = (isFirst: boolean) => store.transaction('none', tx => tx.retention.purgeSearchIndex(isFirst));
  for (let isMore = await purge(true); isMore; ) isMore = await purge(false);
  const database = new DatabaseSync(path);
  database.exec('create virtual table temp.terms using fts5vocab(main, memory_search, row)');
  const terms = database.prepare('select term from temp.terms').all() as { term: string }[];
  expect(terms.map(({ term }) => term.slice(13))).toEqual(['crocus', 'nothing', 'stay', 'the']);
  database.close();
  expect(
    (await store.read.memories.rank(TENANT, { query: 'crocus nothing', viewer: TENANT_VIEWER }, 5)).map(({ id }) => id).sort(),
  ).toEqual(['mem_2', 'mem_3']);
  await release();
});

it('keeps the posting lists, the words and the rows of tenants apart', async () => {
  const { store, path, release } = await openTemporaryStore();
  const OTHER = 'other';
  const says = (tenantId: string, from: number, to: number) =>
    Array.from({ length: to - from }, (_, i) =>
      aMessage({ tenantId, id: `msg_${from + i}`, position: from + i, message: { role: 'user', content: `beans ${from + i}` } }),
    );
  const memory = (tenantId: string) => aMemory({ tenantId, text: 'beans for all' });
  const indexAll = async () => {
    while (await store.transaction('none', tx => tx.searchIndex.indexNext()));
  };
  await seed(store, async tx => {
    await tx.sessions.insert(aSession({ tenantId: OTHER }));
    for (const tenantId of [OTHER, TENANT]) {
      await tx.messages.insert(says(tenantId, 0, tenantId === OTHER ? 70 : 5));
      await tx.memories.insert(memory(tenantId));
    }
  });
  await indexAll();
  const database = new DatabaseSync(path);
  for (const index of ['search_index', 'memory_search']) {
    database.exec(`create virtual table temp.${index}_terms using fts5vocab(main, ${index}, row)`);
    const terms = database.prepare(`select term, doc from temp.${index}_terms`).all() as { term: string; doc: number }[];
    expect(terms.length).toBeGreaterThan(4);
    for (const { term } of terms) expect([TENANT, OTHER].map(tenantPrefix)).toContain(term.slice(0, 13));
    const documents = (tenantId: string, word: string) => terms.find(({ term }) => term === tenantPrefix(tenantId) + word)?.doc;
    expect([documents(TENANT, 'bean'), documents(OTHER, 'bean')]).toEqual(index === 'search_index' ? [5, 70] : [1, 1]);
  }
  const ranges = database
    .prepare('select tenant_id, min(id) as low, max(id) as high from search_documents group by tenant_id order by low')
    .all() as { low: number; high: number }[];
  expect(ranges.map(({ low, high }) => high - low)).toEqual([4, 69]);
  expect((ranges[1]?.low ?? 0) - (ranges[0]?.low ?? 0)).toBe(2 ** 32);
  database.close();
  await release();
});
