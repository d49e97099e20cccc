import type { Viewer } from '../../../src/port/store/session_access';
import { TENANT_VIEWER as viewer } from '../../../src/service/access/owned_things';
import { aMemory, aSession, readAll, TENANT } from '../../support/store_records';
import type { CurrentStore } from '../store_contract';

const OTHER = 'globex';

export function describeMemories(store: CurrentStore): void {
  const insert = (...memories: ReturnType<typeof aMemory>[]) =>
    store().transaction('none', async tx => {
      for (const memory of memories) await tx.memories.insert(memory);
    });
  const rank = async (query: string, limit = 10) =>
    (await store().read.memories.rank(TENANT, { query, viewer }, limit)).map(({ id }) => id);
  const find = async (query: string, fields: { kind?: 'fact' | 'project' } = {}) =>
    (await store().read.memories.list(TENANT, { query, ...fields }, { limit: 10 })).data.map(({ id }) => id);

  test('reads a memory as it was stored, with and without a source and a last use', async () => {
    const plain = aMemory();
    const full = aMemory({
      id: 'mem_2',
      text: '用户喜欢绿茶',
      kind: 'preference',
      source: { by: 'agent', sessionId: 'ses_1', runId: 'run_1', tainted: true },
      lastUsedAt: 9_000,
    });
    await insert(plain, full);
    expect(await store().read.memories.get(TENANT, 'mem_1')).toEqual(plain);
    expect(await store().read.memories.get(TENANT, 'mem_2')).toEqual(full);
    expect(await store().read.memories.get(TENANT, 'mem_3')).toBeUndefined();
    await expect(insert(plain)).rejects.toMatchObject({ code: 'internal' });
    expect(await store().read.memories.count(TENANT)).toBe(2);
  });

  test('changes the fields of a patch, and finds the memory by its new words alone', async () => {
    await insert(aMemory({ text: 'Drinks black tea' }));
    const patch = { text: 'Drinks coffee', kind: undefined, updatedAt: 5_000 };
    expect(await store().transaction('none', tx => tx.memories.update(TENANT, 'mem_1', patch))).toBe(true);
    expect(await store().transaction('none', tx => tx.memories.update(TENANT, 'mem_2', patch))).toBe(false);
    expect(await store().read.memories.get(TENANT, 'mem_1')).toEqual(aMemory({ text: 'Drinks coffee', updatedAt: 5_000 }));
    expect([await rank('coffee'), await rank('tea')]).toEqual([['mem_1'], []]);
  });

  test('deletes a memory with its place in the search index', async () => {
    await insert(aMemory({ text: 'Drinks tea' }), aMemory({ id: 'mem_2', text: 'Drinks water' }));
    expect(await store().transaction('none', tx => tx.memories.delete(TENANT, 'mem_1'))).toBe(true);
    expect(await store().transaction('none', tx => tx.memories.delete(TENANT, 'mem_1'))).toBe(false);
    expect([await rank('drinks'), await rank('tea')]).toEqual([['mem_2'], []]);
  });

  test('lists the most recently changed first, page by page, filtered by kind and by words', async () => {
    await insert(
      aMemory({ id: 'mem_1', text: 'The deploy script is deploy.sh', kind: 'project', updatedAt: 1 }),
      aMemory({ id: 'mem_2', text: '部署脚本是 deploy.sh', updatedAt: 3 }),
      aMemory({ id: 'mem_3', text: 'Nothing else', updatedAt: 3 }),
      aMemory({ id: 'mem_4', text: 'Deploys on Fridays', updatedAt: 2 }),
    );
    const all = await readAll(page => store().read.memories.list(TENANT, {}, page));
    expect(all.map(({ id }) => id)).toEqual(['mem_3', 'mem_2', 'mem_4', 'mem_1']);
    const found = await readAll(page => store().read.memories.list(TENANT, { query: 'depl' }, page));
    expect(found.map(({ id }) => id)).toEqual(['mem_2', 'mem_4', 'mem_1']);
    expect(await find('deploy', { kind: 'project' })).toEqual(['mem_1']);
    expect(await find('deploy script')).toEqual(['mem_1']);
    expect(await find('脚本')).toEqual(['mem_2']);
    expect(await find('"*')).toEqual([]);
  });

  test('ranks by the words that match, Chinese words of two characters too', async () => {
    await insert(
      aMemory({ id: 'mem_1', text: 'Prefers green tea over coffee' }),
      aMemory({ id: 'mem_2', text: 'Has a cat named Miso' }),
      aMemory({ id: 'mem_3', text: '用户喜欢喝绿茶' }),
      aMemory({ id: 'mem_4', text: 'Grows tea in the garden, and drinks it every day of the week' }),
    );
    expect(await rank('which green teas are there?')).toEqual(['mem_1', 'mem_4']);
    expect(await rank('绿茶')).toEqual(['mem_3']);
    expect(await rank('cats OR tea', 1)).toHaveLength(1);
    expect(await rank('?')).toEqual([]);
  });

  test('reads of a viewer have the memories of the viewer, of the tenant, and those that are shared with it', async () => {
    const text = 'Drinks tea';
    await insert(
      aMemory({ id: 'mem_1', text }),
      aMemory({ id: 'mem_2', text, owner: '@anna', visibility: 'private' }),
      aMemory({ id: 'mem_3', text, owner: '@anna', visibility: 'shared', sharedWith: ['@ben', 'role:admin'] }),
      aMemory({ id: 'mem_4', text, owner: '@anna', visibility: 'tenant' }),
    );
    await store().transaction('none', async tx => {
      await tx.sessions.insert(aSession());
      await tx.memoryBlocks.insert({ tenantId: TENANT, sessionId: 'ses_1', memoryIds: ['mem_1', 'mem_2', 'mem_3'], createdAt: 1 });
    });
    const { memories, memoryBlocks } = store().read;
    const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => id).sort();
    const seenBy = async (seer: Viewer) => {
      const filter = { query: 'tea', viewer: seer };
      const all = [
        ids((await memories.list(TENANT, { viewer: seer }, { limit: 10 })).data),
        ids((await memories.list(TENANT, filter, { limit: 10 })).data),
        ids(await memories.rank(TENANT, filter, 10)),
        (await memories.rankIds(TENANT, filter, 'all', 10)).sort(),
        ids(await memories.listTimes(TENANT, seer)),
        ids(await memories.listTexts(TENANT, filter, '', 10)),
      ];
      for (const found of all) expect(found).toEqual(all[0]);
      expect(ids(await memoryBlocks.ofSession(TENANT, 'ses_1', seer))).toEqual(all[0]?.filter(id => id !== 'mem_4'));
      return all[0];
    };
    expect(await seenBy({ handle: '@anna', names: ['@anna'] })).toEqual(['mem_1', 'mem_2', 'mem_3', 'mem_4']);
    expect(await seenBy({ handle: '@ben', names: ['@ben'] })).toEqual(['mem_1', 'mem_3', 'mem_4']);
    expect(await seenBy({ handle: '@carl', names: ['@carl', 'role:admin'] })).toEqual(['mem_1', 'mem_3', 'mem_4']);
    expect(await seenBy({ handle: '@carl', names: ['@carl', 'role:member'] })).toEqual(['mem_1', 'mem_4']);
    expect(await seenBy(viewer)).toEqual(['mem_1', 'mem_4']);
    await store().transaction('none', tx => tx.memories.update(TENANT, 'mem_3', { visibility: 'private', sharedWith: [] }));
    expect(await seenBy({ handle: '@ben', names: ['@ben'] })).toEqual(['mem_1', 'mem_4']);
    expect(ids((await memories.list(TENANT, {}, { limit: 10 })).data)).toHaveLength(4);
    expect([await memories.count(TENANT, '@anna'), await memories.count(TENANT)]).toEqual([3, 1]);
    expect((await memories.findSame(TENANT, text, '@anna'))?.owner).toBe('@anna');
    expect((await memories.findSame(TENANT, text, '@ben'))?.id).toBe('mem_1');
  });

  test('lists the ids of all memories with the words, best first, of one kind where it is asked for', async () => {
    await insert(
      aMemory({ id: 'mem_1', text: 'Deploys in the evening, on Mondays, after the deploy meeting', kind: 'project' }),
      aMemory({ id: 'mem_2', text: 'Deploy on Mondays' }),
      aMemory({ id: 'mem_3', text: 'Rests on Mondays' }),
    );
    const ids = (query: string, mode: 'all' | 'any', kind?: 'project') =>
      store().read.memories.rankIds(TENANT, { query, viewer, ...(kind && { kind }) }, mode, 10);
    expect(await ids('deploy mon', 'all')).toEqual(['mem_2', 'mem_1']);
    expect(await ids('deploy rests', 'any')).toHaveLength(3);
    expect(await ids('deploy mon', 'all', 'project')).toEqual(['mem_1']);
    expect(await ids('"*', 'all')).toEqual([]);
  });

  test('counts the changes of memories, and lists when each one changed', async () => {
    const { read } = store();
    expect(await read.memories.countChanges(TENANT)).toBe(0);
    await insert(aMemory(), aMemory({ id: 'mem_2', text: 'Second' }));
    await store().transaction('none', async tx => {
      await tx.memories.update(TENANT, 'mem_2', { text: 'Other', updatedAt: 5_000 });
      await tx.memories.update(TENANT, 'mem_9', { text: 'Nobody' });
      await tx.memories.delete(TENANT, 'mem_9');
      await tx.memories.markUsed(TENANT, ['mem_1'], 9_000);
    });
    expect(await read.memories.countChanges(TENANT)).toBe(3);
    const times = (await read.memories.listTimes(TENANT, viewer)).map(({ id, updatedAt }) => [id, updatedAt]);
    expect(times.toSorted()).toEqual([
      ['mem_1', aMemory().updatedAt],
      ['mem_2', 5_000],
    ]);
    await store().transaction('none', tx => tx.memories.delete(TENANT, 'mem_1'));
    expect(await read.memories.countChanges(TENANT)).toBe(4);
    expect([await read.memories.countChanges(OTHER), await read.memories.listTimes(OTHER, viewer)]).toEqual([0, []]);
  });

  test('reads memories by their ids, and all texts in the order of the ids', async () => {
    await insert(aMemory(), aMemory({ id: 'mem_3', text: 'Third', kind: 'project' }), aMemory({ id: 'mem_2', text: 'Second' }));
    const found = await store().read.memories.readAll(TENANT, ['mem_3', 'mem_9', 'mem_1']);
    expect(found.map(({ id }) => id).toSorted()).toEqual(['mem_1', 'mem_3']);
    expect(found).toContainEqual(aMemory());
    const texts = async (after: string, kind?: 'project') =>
      (await store().read.memories.listTexts(TENANT, kind ? { kind, viewer } : { viewer }, after, 2)).map(({ id }) => id);
    expect([await texts(''), await texts('mem_2'), await texts('', 'project')]).toEqual([['mem_1', 'mem_2'], ['mem_3'], ['mem_3']]);
    expect(await store().read.memories.readAll(OTHER, ['mem_1'])).toEqual([]);
    expect(await store().read.memories.listTexts(OTHER, { viewer }, '', 2)).toEqual([]);
  });

  test('finds the memory with the same words, whatever their case and punctuation', async () => {
    await insert(aMemory({ text: 'Likes green tea' }), aMemory({ id: 'mem_2', text: '🍵' }));
    expect(await store().read.memories.findSame(TENANT, ' likes GREEN tea. ')).toMatchObject({ id: 'mem_1' });
    expect(await store().read.memories.findSame(TENANT, '🍵')).toMatchObject({ id: 'mem_2' });
    expect(await store().read.memories.findSame(TENANT, 'Likes tea green')).toBeUndefined();
    expect(await store().read.memories.findSame(TENANT, '🍰')).toBeUndefined();
  });

  test.each([
    ['Prefers C++', 'Prefers C#'],
    ['Keeps the lab at 5 °C', 'Keeps the lab at -5 °C'],
    ['Loves 🍕', 'Loves 🍣'],
    ['Returns when a == b', 'Returns when a != b'],
    ['Has a cat', 'Has a càt'],
    ['喜欢 C++', '喜欢 C'],
  ])('does not find %j for %j', async (text, other) => {
    await insert(aMemory({ text }));
    expect(await store().read.memories.findSame(TENANT, other)).toBeUndefined();
  });

  test('finds the memory with the same Chinese text, whatever its punctuation', async () => {
    await insert(aMemory({ text: '用户喜欢绿茶，不喜欢咖啡。' }));
    expect(await store().read.memories.findSame(TENANT, '用户喜欢绿茶， 不喜欢咖啡')).toMatchObject({ id: 'mem_1' });
  });

  test('marks the use of memories, for this tenant only', async () => {
    await insert(aMemory(), aMemory({ tenantId: OTHER }));
    await store().transaction('none', tx => tx.memories.markUsed(TENANT, ['mem_1', 'mem_9'], 7_000));
    expect(await store().read.memories.get(TENANT, 'mem_1')).toEqual(aMemory({ lastUsedAt: 7_000 }));
    expect(await store().read.memories.get(OTHER, 'mem_1')).toEqual(aMemory({ tenantId: OTHER }));
  });

  test('keeps the block of a session in its order, without deleted memories, until the session is deleted', async () => {
    await store().transaction('none', tx => tx.sessions.insert(aSession()));
    await insert(aMemory(), aMemory({ id: 'mem_2', text: 'Second' }), aMemory({ id: 'mem_3', text: 'Third' }));
    const block = { tenantId: TENANT, sessionId: 'ses_1', memoryIds: ['mem_3', 'mem_1', 'mem_2'], createdAt: 1 };
    const ofSession = async () => (await store().read.memoryBlocks.ofSession(TENANT, 'ses_1')).map(({ id, text }) => `${id} ${text}`);
    expect(await ofSession()).toEqual([]);
    await store().transaction('none', tx => tx.memoryBlocks.insert(block));
    await store().transaction('none', tx => tx.memoryBlocks.insert({ ...block, memoryIds: [] }));
    expect(await ofSession()).toEqual(['mem_3 Third', `mem_1 ${aMemory().text}`, 'mem_2 Second']);
    await store().transaction('none', tx => tx.memories.delete(TENANT, 'mem_1'));
    expect(await ofSession()).toEqual(['mem_3 Third', 'mem_2 Second']);
    await store().transaction('none', tx => tx.sessions.delete(TENANT, 'ses_1'));
    expect(await ofSession()).toEqual([]);
    expect(await store().read.memories.count(TENANT)).toBe(2);
    await expect(store().transaction('none', tx => tx.memoryBlocks.insert(block))).rejects.toMatchObject({ code: 'internal' });
  });

  test('hides the memories of a tenant from others', async () => {
    await insert(aMemory({ text: 'Drinks tea' }), aMemory({ tenantId: 'acme-2', text: 'Drinks tea' }));
    const { read } = store();
    expect(await read.memories.get(OTHER, 'mem_1')).toBeUndefined();
    expect(await read.memories.rank(OTHER, { query: 'tea', viewer }, 10)).toEqual([]);
    expect(await read.memories.findSame(OTHER, 'Drinks tea')).toBeUndefined();
    expect((await read.memories.list(OTHER, { query: 'tea' }, { limit: 10 })).data).toEqual([]);
    expect(await read.memories.count(OTHER)).toBe(0);
    expect(await read.memories.rank(TENANT, { query: 'tea', viewer }, 10)).toHaveLength(1);
    const changes = store().transaction('none', async tx => [
      await tx.memories.update(OTHER, 'mem_1', { text: 'mine' }),
      await tx.memories.delete(OTHER, 'mem_1'),
    ]);
    expect(await changes).toEqual([false, false]);
    expect(await rank('tea')).toEqual(['mem_1']);
  });

  test('ranks the memories of a tenant alike when another tenant saves hundreds with the same words', async () => {
    await insert(
      aMemory({ id: 'mem_1', text: 'Drinks green tea with honey, and tea with milk' }),
      aMemory({ id: 'mem_2', text: 'Honey comes from the market' }),
      aMemory({ id: 'mem_3', text: '喜欢喝绿茶 tea' }),
      aMemory({ id: 'mem_4', text: 'Tea' }),
    );
    const ranked = async () => {
      const { read } = store();
      const queries = ['tea', 'green tea honey market', '绿茶', 'hon', '茶'];
      const all = queries.flatMap(query => [
        rank(query),
        read.memories.rankIds(TENANT, { query, viewer }, 'all', 10),
        read.memories.rankIds(TENANT, { query, viewer }, 'any', 10),
        find(query),
      ]);
      return Promise.all(all);
    };
    const before = await ranked();
    expect(before[0]).toHaveLength(3);
    const theirs = Array.from({ length: 400 }, (_, i) =>
      aMemory({ tenantId: OTHER, id: `mem_${i}`, text: i % 2 ? `Honey in the market ${i}` : `Tea 绿茶 honestly ${i}` }),
    );
    await insert(...theirs);
    expect(await ranked()).toEqual(before);
  });
}
