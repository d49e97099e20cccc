import type { ChatMessage } from '../../../src/port/llm';
import type { MessagePlace, MessageRecord } from '../../../src/port/store/messages';
import { aMessage, aRun, aSession, readAll, seed, TENANT } from '../../support/store_records';
import type { CurrentStore } from '../store_contract';

export function describeMessages(store: CurrentStore): void {
  test('reads messages as they were stored, in the order of the history', async () => {
    const messages: ChatMessage[] = [
      { role: 'user', content: 'Größe? 🌱 "quoted"\n' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'bash', arguments: '{"broken' } }],
      },
      { role: 'tool', tool_call_id: 'call_1', content: '' },
    ];
    const records = messages.map((message, position) => aMessage({ position, message }));
    const later = aMessage({ runId: 'run_2', runOrdinal: 2 });
    await seed(store(), tx => tx.messages.insert([later, ...[...records].reverse()]));
    expect(await store().read.messages.history(TENANT, 'ses_1')).toEqual([...records, later]);
    expect(await store().read.messages.get(TENANT, later.id)).toEqual(later);
    expect(await readAll(page => store().read.messages.list(TENANT, 'ses_1', page))).toEqual([...records, later]);
    const newestFirst = await readAll(page => store().read.messages.list(TENANT, 'ses_1', page, 'desc'));
    expect(newestFirst).toEqual([...records, later].reverse());
    expect(await store().read.messages.history(TENANT, 'ses_1', { runOrdinal: 2, position: 0 })).toEqual([later]);
    expect(await store().read.messages.history(TENANT, 'ses_1', { runOrdinal: 1, position: 1 })).toEqual([...records.slice(1), later]);
    expect(await store().read.messages.history(TENANT, 'ses_1', { runOrdinal: 3, position: 0 })).toEqual([]);
    const sizes = await store().read.messages.sizes(TENANT, 'ses_1', 2, 2);
    const bytesOf = ({ message }: MessageRecord) => Buffer.byteLength(JSON.stringify(message));
    expect(sizes).toEqual(
      [later, records.at(-1)!].map(row => ({ runOrdinal: row.runOrdinal, position: row.position, bytes: bytesOf(row) })),
    );
    expect(await store().read.messages.sizes(TENANT, 'ses_1', 1, 100)).toHaveLength(records.length);
    expect(await store().read.messages.history(TENANT, 'ses_2')).toEqual([]);
  });

  test('stores hundreds of messages at once, and accepts an empty list', async () => {
    const records = Array.from({ length: 333 }, (_, position) => aMessage({ position }));
    await seed(store(), tx => tx.messages.insert(records));
    await store().transaction('none', tx => tx.messages.insert([]));
    expect(await store().read.messages.history(TENANT, 'ses_1')).toEqual(records);
  });

  test('leaves out the messages of a run that was cancelled before it started, also when it is the first of the range', async () => {
    await store().transaction('none', async tx => {
      await tx.sessions.insert(aSession());
      for (const [i, started] of [{ startedAt: 1_000 }, {}, {}].entries()) {
        const runId = `run_${i + 1}`;
        await tx.runs.insert(aRun({ id: runId, status: i === 2 ? 'queued' : 'cancelled', ...started }));
        await tx.messages.insert([aMessage({ runId, runOrdinal: i + 1 })]);
      }
    });
    const idsFrom = async (from?: MessagePlace) => (await store().read.messages.history(TENANT, 'ses_1', from)).map(row => row.runId);
    expect(await idsFrom()).toEqual(['run_1', 'run_3']);
    expect(await idsFrom({ runOrdinal: 2, position: 0 })).toEqual(['run_3']);
  });

  test('refuses a second message in the same place', async () => {
    await seed(store(), tx => tx.messages.insert([aMessage()]));
    const second = store().transaction('none', tx => tx.messages.insert([aMessage({ id: 'msg_other' })]));
    await expect(second).rejects.toMatchObject({ code: 'internal' });
    expect(await store().read.messages.history(TENANT, 'ses_1')).toHaveLength(1);
  });

  test('lists the messages behind a message, in both orders', async () => {
    const records = [0, 1, 2].map(position => aMessage({ position }));
    await seed(store(), tx => tx.messages.insert(records));
    const placesOf = async (order: 'asc' | 'desc') =>
      (await store().read.messages.list(TENANT, 'ses_1', { limit: 10, after: records[1] }, order)).data.map(({ position }) => position);
    expect([await placesOf('asc'), await placesOf('desc')]).toEqual([[2], [0]]);
  });

  test('changes and deletes a message: the history version rises, and summary and search forget it', async () => {
    const message = { role: 'user' as const, content: 'Plant peas' };
    await seed(store(), async tx => {
      await tx.messages.insert([aMessage(), aMessage({ position: 1 }), aMessage({ position: 2 })]);
      await tx.summaries.put({ tenantId: TENANT, sessionId: 'ses_1', runOrdinal: 1, position: 1, text: 'beans', createdAt: 1 });
    });
    const index = () => store().transaction('none', tx => tx.searchIndex.indexNext());
    const found = async (query: string) => {
      while (await index());
      return (await store().read.search.find(TENANT, { query, now: 9_000 }, { limit: 10 })).data.map(({ messageId }) => messageId);
    };
    const change = (id: string, changed?: ChatMessage) => store().transaction('none', tx => tx.messages.change(TENANT, id, changed));
    const version = async () => (await store().read.sessions.get(TENANT, 'ses_1'))?.historyVersion;
    expect(await found('beans')).toHaveLength(3);
    expect(await version()).toBeUndefined();
    expect(await change('msg_1_2', message)).toBe(true);
    expect(await version()).toBe(1);
    expect(await store().read.summaries.get(TENANT, 'ses_1')).toBeDefined();
    expect([await found('peas'), (await found('beans')).sort()]).toEqual([['msg_1_2'], ['msg_1_0', 'msg_1_1']]);
    expect(await change('msg_1_0')).toBe(true);
    expect(await version()).toBe(2);
    expect(await store().read.summaries.get(TENANT, 'ses_1')).toBeUndefined();
    expect(await found('beans')).toEqual(['msg_1_1']);
    expect((await store().read.messages.history(TENANT, 'ses_1')).map(row => row.position)).toEqual([1, 2]);
    expect(await change('msg_unknown')).toBe(false);
    expect(await version()).toBe(2);
  });
}
