import type { ChatMessage } from '../../../src/port/llm';
import type { MessageSearch } from '../../../src/port/store/search';
import type { Store, StoreTransaction } from '../../../src/port/store/store';
import { aMessage, aSession, readAll, seed, TENANT } from '../../support/store_records';
import type { CurrentStore } from '../store_contract';

const NOW = 1_760_000_000_000;

let messages = 0;
const says = (role: 'user' | 'assistant', content: string, fields: Parameters<typeof aMessage>[0] = {}) => {
  messages += 1;
  const message: ChatMessage = { role, content };
  return aMessage({ id: `msg_${String(messages).padStart(6, '0')}`, position: messages, message, createdAt: NOW, ...fields });
};

async function indexAll(store: Store): Promise<number> {
  let calls = 1;
  while (await store.transaction({ leader: 'search' }, tx => tx.searchIndex.indexNext())) calls += 1;
  return calls;
}

export function describeSearch(store: CurrentStore, openAnother: () => Promise<Store>): void {
  const add = async (...rows: ReturnType<typeof says>[]) => {
    await store().transaction('none', tx => tx.messages.insert(rows));
    await indexAll(store());
  };
  const find = async (query: string, more: Partial<MessageSearch> = {}, tenant = TENANT) =>
    (await store().read.search.find(tenant, { query, now: NOW, ...more }, { limit: 50 })).data;
  const texts = async (query: string, more: Partial<MessageSearch> = {}) => (await find(query, more)).map(hit => hit.text);

  beforeEach(() => seed(store()));

  test('finds messages of people and agents, with session, run, role and time, and no tool results', async () => {
    const tool: ChatMessage = { role: 'tool', tool_call_id: 'call_1', content: 'beans from a tool' };
    const call = { id: 'call_1', type: 'function' as const, function: { name: 'beans', arguments: '{}' } };
    await add(
      says('user', 'Plant beans in bed four', { createdAt: NOW - 2_000 }),
      aMessage({ id: 'msg_call', position: 900, message: { role: 'assistant', content: null, tool_calls: [call] } }),
      aMessage({ id: 'msg_tool', position: 901, message: tool }),
      says('assistant', 'The beans are planted.', { createdAt: NOW - 1_000 }),
    );
    expect(await find('beans')).toEqual([
      {
        sessionId: 'ses_1',
        title: 'Garden plan',
        runId: 'run_1',
        messageId: expect.any(String),
        role: 'assistant',
        text: 'The beans are planted.',
        createdAt: NOW - 1_000,
        score: expect.any(Number),
      },
      expect.objectContaining({ role: 'user', text: 'Plant beans in bed four' }),
    ]);
  });

  test('finds messages before a time, and in chats of an agent, a project or the archive', async () => {
    const chat = { id: 'ses_shed', agent: 'builder', project: 'Shed', archived: true };
    await store().transaction('none', tx => tx.sessions.insert(aSession(chat)));
    const createdAt = NOW - 1_000;
    await add(says('user', 'Beans at the shed', { sessionId: 'ses_shed', createdAt }), says('user', 'Beans in bed four', { createdAt }));
    const [shed, bed] = [['Beans at the shed'], ['Beans in bed four']];
    for (const more of [{ agent: 'builder' }, { project: 'Shed' }, { archived: true }, { agent: 'builder', archived: true }])
      expect([more, await texts('beans', more)]).toEqual([more, shed]);
    expect(await texts('beans', { archived: false })).toEqual(bed);
    expect([await texts('beans', { until: createdAt }), await texts('beans', { agent: 'nobody' })]).toEqual([[], []]);
    expect(await texts('beans', { until: createdAt + 1 })).toHaveLength(2);
  });

  test('leaves out the sessions of a door unless one of them is named', async () => {
    await store().transaction('none', tx => tx.sessions.insert(aSession({ id: 'ses_door', origin: { door: 'openai' } })));
    await add(says('user', 'Count the peas', { sessionId: 'ses_door' }), says('user', 'How many peas?'));
    expect(await find('peas')).toMatchObject([{ sessionId: 'ses_1' }]);
    expect(await find('peas', { sessionId: 'ses_door' })).toMatchObject([{ sessionId: 'ses_door' }]);
  });

  test('leaves out the sessions of child runs unless one of them is named, also after the index was filled', async () => {
    await store().transaction('none', tx =>
      tx.sessions.insert(aSession({ id: 'ses_child', parentRunId: 'run_1', parentSessionId: 'ses_1' })),
    );
    await add(says('user', 'Count the beans', { sessionId: 'ses_child' }), says('user', 'How many beans?'));
    expect(await texts('beans')).toEqual(['How many beans?']);
    expect(await texts('beans', { exceptSessionId: 'ses_1' })).toEqual([]);
    expect(await find('beans', { sessionId: 'ses_child' })).toMatchObject([
      { sessionId: 'ses_child', parentSessionId: 'ses_1', role: 'user', text: 'Count the beans' },
    ]);
  });

  test('finds Chinese words of two characters and of one, English words by their beginning, and both in one text', async () => {
    await add(says('user', '我想去上海看天气预报'), says('user', '今天天下雨'), says('assistant', 'The deployment of 北京 failed'));
    expect(await texts('天气')).toEqual(['我想去上海看天气预报']);
    expect(await texts('上海 预报')).toEqual(['我想去上海看天气预报']);
    expect(await texts('雨')).toEqual(['今天天下雨']);
    expect(await texts('deploy')).toEqual(['The deployment of 北京 failed']);
    expect(await texts('北京 DEPLOYMENTS')).toEqual(['The deployment of 北京 failed']);
    expect(await texts('京上')).toEqual([]);
  });

  test('takes the syntax of the search engine for plain text', async () => {
    await add(says('user', 'near and not or'), says('user', 'a plain text'));
    for (const query of ['"near', 'tokens : near', 'scope:near', 'near*', '(near', 'NEAR(near not)', '-near', '^near', "near'"]) {
      expect([query, (await texts(query)).includes('near and not or')]).toEqual([query, true]);
    }
    for (const query of ['"', '*', '()', '-', ' ', '::']) expect(await texts(query)).toEqual([]);
  });

  test('ranks a better match higher, and the newer one of two that match alike', async () => {
    await add(
      says('user', 'Tomatoes need sun', { createdAt: NOW - 40 * 24 * 3_600_000 }),
      says('user', `Tomatoes are one of very many things that ${'grow here and there '.repeat(20)}`),
      says('user', 'Tomatoes need sun', { createdAt: NOW - 1_000, id: 'msg_newer' }),
    );
    const hits = await find('tomatoes');
    expect(hits.map(hit => hit.messageId)[0]).toBe('msg_newer');
    expect(hits.map(hit => hit.text.length > 100)).toEqual([false, false, true]);
    const scores = hits.map(hit => hit.score);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    expect(scores.at(-1)).toBeGreaterThan(0);
  });

  test('finds some words of the query when no message holds all of them, the rare ones first', async () => {
    await add(...Array.from({ length: 30 }, (_, i) => says('user', `the weather of day ${i}`)), says('user', 'the compost heap'));
    expect((await texts('what about the compost of uncle Vanya'))[0]).toBe('the compost heap');
    expect(await texts('compost heap')).toEqual(['the compost heap']);
    expect(await texts('uncle Vanya')).toEqual([]);
  });

  test('narrows the search to a session, to all but one, to a role and to a time', async () => {
    await store().transaction('none', tx => tx.sessions.insert(aSession({ id: 'ses_2', title: 'Second' })));
    await add(
      says('user', 'beans one', { createdAt: NOW - 5_000 }),
      says('assistant', 'beans two', { createdAt: NOW - 3_000 }),
      says('user', 'beans three', { sessionId: 'ses_2', createdAt: NOW - 1_000 }),
    );
    expect((await texts('beans')).sort()).toEqual(['beans one', 'beans three', 'beans two']);
    expect(await texts('beans', { sessionId: 'ses_2' })).toEqual(['beans three']);
    expect((await texts('beans', { exceptSessionId: 'ses_2' })).sort()).toEqual(['beans one', 'beans two']);
    expect(await texts('beans', { role: 'assistant' })).toEqual(['beans two']);
    expect((await texts('beans', { since: NOW - 3_000 })).sort()).toEqual(['beans three', 'beans two']);
    expect(await texts('beans', { since: NOW })).toEqual([]);
    expect(await texts('beans', { sessionId: 'ses_3' })).toEqual([]);
  });

  test('shows a tenant nothing of another one', async () => {
    await store().transaction('none', tx => tx.sessions.insert(aSession({ tenantId: 'other' })));
    await add(says('user', 'our beans'), says('user', 'their beans', { tenantId: 'other' }));
    expect(await texts('beans')).toEqual(['our beans']);
    expect((await find('beans', {}, 'other')).map(hit => hit.text)).toEqual(['their beans']);
    expect(await find('beans', {}, 'third')).toEqual([]);
  });

  test('gives every match once over the pages, also when messages arrive in between, and refuses a foreign cursor', async () => {
    await add(...Array.from({ length: 9 }, (_, i) => says('user', `beans ${'and peas '.repeat(i)}`)));
    let pages = 0;
    const all = await readAll(async page => {
      pages += 1;
      if (pages === 2) await add(says('user', 'late beans'));
      const found = await store().read.search.find(TENANT, { query: 'beans', now: NOW + pages }, page);
      expect(found.data.length).toBeLessThanOrEqual(2);
      return found;
    });
    const ids = all.map(hit => hit.messageId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(all.filter(hit => hit.text !== 'late beans')).toHaveLength(9);
    const { nextCursor: foreign = '' } = await store().read.messages.list(TENANT, 'ses_1', { limit: 1 });
    const bad = [foreign, 'x', Buffer.from('["search","all",1,2,3,-1]').toString('base64url')];
    for (const cursor of bad) {
      const search = store().read.search.find(TENANT, { query: 'beans', now: NOW }, { limit: 1, cursor });
      await expect(search).rejects.toMatchObject({ code: 'invalid_request', param: '/cursor' });
    }
  });

  test('finds every message with a common word once, when all words are common and no message holds them all', async () => {
    const count = 3_700;
    const text = (i: number) => `${i % 9 ? 'beans' : ''} ${i % 10 ? 'peas' : ''} ${i}`;
    await add(...Array.from({ length: count }, (_, i) => says('user', text(i))));
    const seen: string[] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const page = { limit: 1_000, ...(cursor && { cursor }) };
      const found = await store().read.search.find(TENANT, { query: 'beans peas uncle Vanya', now: NOW }, page);
      seen.push(...found.data.map(hit => hit.text));
      cursor = found.nextCursor;
    }
    const expected = Array.from({ length: count }, (_, i) => text(i)).filter(one => /[a-z]/.test(one));
    expect(seen.slice(0, 3_000).sort()).toEqual(expected.slice(-3_000).sort());
    expect(seen.slice(3_000).sort()).toEqual(expected.slice(0, -3_000).sort());
  });

  test('indexes in small parts, each message once, also with two processes', async () => {
    const other = await openAnother();
    await store().transaction('none', tx => tx.messages.insert(Array.from({ length: 100 }, (_, i) => says('user', `beans ${i}`))));
    expect(await store().read.searchIndex.hasMore()).toBe(true);
    const calls = await Promise.all([indexAll(store()), indexAll(other)]);
    expect(calls[0] + calls[1]).toBeGreaterThanOrEqual(3);
    expect(await store().read.searchIndex.hasMore()).toBe(false);
    const hits = (await store().read.search.find(TENANT, { query: 'beans', now: NOW }, { limit: 500 })).data;
    expect(new Set(hits.map(hit => hit.text)).size).toBe(100);
    expect(hits).toHaveLength(100);
  });

  test('indexes the start of a very long message, alone', async () => {
    await store().transaction('none', tx =>
      tx.messages.insert([says('user', `start ${'x '.repeat(50_000)} finish`), says('user', 'a short start')]),
    );
    expect(await store().transaction({ leader: 'search' }, tx => tx.searchIndex.indexNext())).toBe(true);
    await indexAll(store());
    expect((await texts('start')).map(text => text.length).sort((a, b) => a - b)).toEqual([13, 32_000]);
    expect(await find('finish')).toEqual([]);
  });

  test('forgets a deleted session, and indexes what is stored after it', async () => {
    await store().transaction('none', tx => tx.sessions.insert(aSession({ id: 'ses_2' })));
    await add(says('user', 'beans stay'), ...Array.from({ length: 5 }, (_, i) => says('user', `beans go ${i}`, { sessionId: 'ses_2' })));
    const remove = async (tx: StoreTransaction) => void (await tx.sessions.delete(TENANT, 'ses_2'));
    await store().transaction('none', remove);
    expect(await texts('beans')).toEqual(['beans stay']);
    await add(says('user', 'beans come'), says('user', 'more beans come'));
    expect((await texts('beans')).sort()).toEqual(['beans come', 'beans stay', 'more beans come']);
  });

  test('deletes the index of a session in parts, of messages that are not indexed too', async () => {
    await store().transaction('none', tx => tx.sessions.insert(aSession({ id: 'ses_2' })));
    await add(...Array.from({ length: 350 }, (_, i) => says('user', `beans ${i}`, { sessionId: 'ses_2' })));
    await store().transaction('none', tx => tx.messages.insert([says('user', 'beans unread', { sessionId: 'ses_2' })]));
    let parts = 0;
    while (await store().transaction('none', tx => tx.sessions.deletePart(TENANT, 'ses_2', 1_000))) parts += 1;
    expect(parts).toBe(3);
    await add(says('user', 'beans come'));
    expect(await texts('beans')).toEqual(['beans come']);
  });

  /** What a tenant can see of searches: scores, order, page cursors. */
  const walk = async (queries: readonly string[], tenant: string) => {
    const pages: unknown[] = [];
    for (const query of queries) {
      for (let cursor: string | undefined = ''; cursor !== undefined; ) {
        const page = { limit: 2, ...(cursor && { cursor }) };
        const found = await store().read.search.find(tenant, { query, now: NOW }, page);
        pages.push(found);
        cursor = found.nextCursor;
      }
    }
    return pages;
  };

  test('scores, order and cursors of a tenant stay byte for byte when another tenant writes 3,100 messages with the same words', async () => {
    await store().transaction('none', tx => tx.sessions.insert(aSession({ tenantId: 'other' })));
    await add(
      says('user', 'beans, beans and more beans', { createdAt: NOW - 5_000 }),
      says('assistant', 'Beans need water. 今天天气很好'),
      says('user', `water the beans ${'and the peas '.repeat(9)}`, { createdAt: NOW - 9_000 }),
      says('assistant', 'Water is short.'),
    );
    const queries = ['beans', 'water beans', 'bea', '天气', '天', 'w', 'beans or else water', '"need water"'];
    const before = JSON.stringify(await walk(queries, TENANT));
    const theirs = { tenantId: 'other' };
    const text = (i: number) => (i % 2 ? `water beans beans ${i}` : `beans need water 天气 beanstalk ${'peas '.repeat(i % 7)}`);
    await add(...Array.from({ length: 3_100 }, (_, i) => says(i % 3 ? 'user' : 'assistant', text(i), theirs)));
    expect(JSON.stringify(await walk(queries, TENANT))).toBe(before);
    expect(await find('beans', {}, 'other')).toHaveLength(50);
  });

  test('indexes the messages of one tenant without those of others, the older ones first', async () => {
    await store().transaction('none', tx => tx.sessions.insert(aSession({ tenantId: 'other' })));
    const theirs = Array.from({ length: 100 }, (_, i) => says('user', `beans ${i}`, { tenantId: 'other', id: `msg_a${100 + i}` }));
    const ours = Array.from({ length: 30 }, (_, i) => says('user', `beans ${i}`, { id: `msg_b${100 + i}` }));
    await store().transaction('none', tx => tx.messages.insert([...theirs, ...ours]));
    const { read } = store();
    expect(await read.searchIndex.hasUnindexed(TENANT)).toBe(true);
    const counts: number[] = [];
    for (let isMore = true; isMore; ) {
      isMore = await store().transaction({ leader: 'search' }, tx => tx.searchIndex.indexNextOf(TENANT));
      counts.push((await find('beans')).length);
    }
    expect(counts).toEqual([20, 30]);
    expect([await read.searchIndex.hasUnindexed(TENANT), await read.searchIndex.hasUnindexed('third')]).toEqual([false, false]);
    expect([await read.searchIndex.hasUnindexed('other'), await find('beans', {}, 'other')]).toEqual([true, []]);
    await indexAll(store());
    expect([(await find('beans')).length, (await find('beans', {}, 'other')).length]).toEqual([30, 50]);
    // The id of a message that is stored late may sort before messages that are indexed.
    await store().transaction('none', tx =>
      tx.messages.insert([says('user', 'late beans', { id: 'msg_b100x' }), says('user', 'x', { id: 'msg_b999' })]),
    );
    while (await store().transaction({ leader: 'search' }, tx => tx.searchIndex.indexNextOf(TENANT)));
    expect(await texts('late')).toEqual(['late beans']);
    expect(await read.searchIndex.hasUnindexed(TENANT)).toBe(false);
  });

  test('ranks by how often a word stands in a message, and a rare word above a common one', async () => {
    const filler = Array.from({ length: 40 }, (_, i) => says('user', `note ${i} about the garden`));
    await add(
      ...filler,
      says('user', 'garden compost garden weather garden', { id: 'msg_common' }),
      says('user', 'garden compost compost weather compost', { id: 'msg_rare' }),
      says('user', 'garden compost weather sun rain', { id: 'msg_once' }),
    );
    expect((await find('garden compost')).map(hit => hit.messageId)).toEqual(['msg_rare', 'msg_common', 'msg_once']);
  });
}
