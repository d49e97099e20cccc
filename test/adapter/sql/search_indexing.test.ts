import { DatabaseSync } from 'node:sqlite';
import { aMessage, seed, TENANT } from '../../support/store_records';
import { openTemporaryStore } from '../../support/temporary_store';

it('starts again when the rows were moved, and indexes each message once', async () => {
  const { store, path, release } = await openTemporaryStore();
  const messages = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, i) => aMessage({ position: from + i, message: { role: 'user', content: `beans ${from + i}` } }));
  const indexAll = async () => {
    while (await store.transaction(tx => tx.indexMessages()));
  };
  await seed(store, tx => tx.insertMessages(messages(0, 60)));
  await indexAll();
  const database = new DatabaseSync(path);
  // As after `vacuum`, which gives rows new places.
  database.exec('update messages set rowid = rowid + 1000; update messages set rowid = rowid - 1005');
  database.close();
  await store.transaction(tx => tx.insertMessages(messages(60, 70)));
  expect(await store.read.hasUnindexedMessages()).toBe(true);
  await indexAll();
  const { data } = await store.read.searchMessages(TENANT, { query: 'beans', now: 0 }, { limit: 100 });
  expect(data.map(hit => hit.text).sort()).toEqual([...messages(0, 70)].map(({ message }) => message.content).sort());
  await release();
});
