import type { CopyProgress } from '../../../src/port/store/session_copies';
import { aMessage, aRun, aSession, readAll, TENANT } from '../../support/store_records';
import type { CurrentStore } from '../store_contract';

const PAGE = { limit: 50 };
/** One run of two messages for each of these statuses, in order. */
const RUNS = ['completed', 'cancelled', 'completed', 'running', 'queued'] as const;

export function describeSessionCopies(store: CurrentStore): void {
  let ids = 0;
  const write = <T>(work: Parameters<ReturnType<CurrentStore>['transaction']>[1]) => store().transaction('none', work) as Promise<T>;
  const begin = (through?: number) =>
    write(async tx => {
      await tx.sessions.insert(aSession({ id: 'ses_copy', updatedAt: 2_000 }));
      await tx.sessionCopies.begin({ tenantId: TENANT, sessionId: 'ses_copy', sourceId: 'ses_1', through, now: 2_000 });
    });
  const copyPart = (size = 100) =>
    write<CopyProgress>(tx =>
      tx.sessionCopies.copyPart(TENANT, 'ses_copy', { size, now: 3_000, nextId: () => `msg_copy_${String(ids++).padStart(5, '0')}` }),
    );
  const addImages = () =>
    write(async tx => {
      for (const id of ['img_1', 'img_2', 'img_3'])
        await tx.images.insert({
          tenantId: TENANT,
          sessionId: 'ses_1',
          id,
          mediaType: 'image/png',
          bytes: new Uint8Array([1]),
          createdAt: 1,
        });
    });
  const textsOf = async (sessionId: string) =>
    (await store().read.messages.history(TENANT, sessionId)).map(({ message, runOrdinal, position }) => [
      runOrdinal,
      position,
      message.content,
    ]);
  const search = async () => {
    while (await write<boolean>(tx => tx.searchIndex.indexNext()));
    return new Set((await store().read.search.find(TENANT, { query: 'beans', now: 9_000 }, PAGE)).data.map(hit => hit.sessionId));
  };

  beforeEach(async () => {
    ids = 0;
    await write(async tx => {
      await tx.sessions.insert(aSession());
      for (const [i, status] of RUNS.entries()) {
        const run = { id: `run_${i + 1}`, startedAt: status === 'completed' || status === 'running' ? 1_000 : undefined };
        const { ordinal } = await tx.runs.insert(aRun({ ...run, status }));
        const messages = [0, 1].map(position =>
          aMessage({ runId: run.id, runOrdinal: ordinal, position, message: { role: 'user', content: `beans ${ordinal}.${position}` } }),
        );
        await tx.messages.insert(messages);
      }
    });
  });

  test('copies the messages of ended runs in order, a part at a time, and shows the session with the last part', async () => {
    await begin();
    expect(await copyPart(3)).toBe('more');
    expect(await store().read.sessions.get(TENANT, 'ses_copy')).toBeUndefined();
    expect((await store().read.sessions.list(TENANT, PAGE)).data.map(({ id }) => id)).toEqual(['ses_1']);
    expect((await store().read.opsSessions.list({}, {}, PAGE)).data.map(({ id }) => id)).toEqual(['ses_1']);
    expect(await write(tx => tx.sessions.touch(TENANT, 'ses_copy', 9_000))).toBeUndefined();
    expect(await write(tx => tx.sessions.update(TENANT, 'ses_copy', { title: 'Half' }))).toBe(false);
    expect(await search()).toEqual(new Set(['ses_1']));

    expect(await copyPart(3)).toBe('complete');
    expect(await textsOf('ses_copy')).toEqual([
      [0, 0, 'beans 1.0'],
      [0, 1, 'beans 1.1'],
      [0, 2, 'beans 3.0'],
      [0, 3, 'beans 3.1'],
    ]);
    expect((await store().read.sessions.list(TENANT, PAGE)).data.map(({ id }) => id)).toEqual(['ses_copy', 'ses_1']);
    expect((await store().read.opsSessions.list({}, {}, PAGE)).data.map(({ id }) => id)).toEqual(['ses_copy', 'ses_1']);
    expect(await search()).toEqual(new Set(['ses_1', 'ses_copy']));
    expect(await copyPart()).toBe('complete');
  });

  test('copies what was complete at its beginning, although the source goes on', async () => {
    await begin();
    await write(async tx => {
      await tx.runs.update(TENANT, 'run_4', { from: ['running'] }, { status: 'completed', endedAt: 2_500 });
      await tx.messages.insert([aMessage({ id: 'msg_late', runId: 'run_4', runOrdinal: 4, position: 2 })]);
      await tx.summaries.put({ tenantId: TENANT, sessionId: 'ses_1', runOrdinal: 4, position: 2, text: 'All', createdAt: 2_500 });
    });
    expect(await copyPart()).toBe('complete');
    expect(await textsOf('ses_copy')).toHaveLength(4);
    expect(await store().read.summaries.get(TENANT, 'ses_copy')).toBeUndefined();
  });

  test('copies messages that were added behind the last run', async () => {
    await write(async tx => {
      for (const id of ['run_4', 'run_5']) await tx.runs.update(TENANT, id, { from: ['running', 'queued'] }, { status: 'completed' });
      await tx.messages.insert([aMessage({ runId: 'imp_1', runOrdinal: 6, message: { role: 'user', content: 'beans 6.0' } })]);
    });
    await begin();
    await copyPart();
    expect((await textsOf('ses_copy')).at(-1)).toEqual([0, 8, 'beans 6.0']);
  });

  test('copies messages that were copied before, through a run that the caller names', async () => {
    await begin(1);
    expect(await copyPart()).toBe('complete');
    await write(async tx => {
      await tx.sessions.insert(aSession({ id: 'ses_second' }));
      await tx.sessionCopies.begin({ tenantId: TENANT, sessionId: 'ses_second', sourceId: 'ses_copy', now: 4_000 });
      await tx.sessionCopies.copyPart(TENANT, 'ses_second', { size: 9, now: 4_000, nextId: () => `msg_second_${ids++}` });
    });
    expect(await textsOf('ses_second')).toEqual([
      [0, 0, 'beans 1.0'],
      [0, 1, 'beans 1.1'],
    ]);
  });

  test('copies the plan, the images and a summary of ended runs', async () => {
    const todos = [{ id: '1', content: 'Water', status: 'pending' as const }];
    await write(async tx => {
      await tx.todos.put({ tenantId: TENANT, sessionId: 'ses_1', todos, updatedAt: 1 } as never);
      await tx.summaries.put({ tenantId: TENANT, sessionId: 'ses_1', runOrdinal: 3, position: 0, text: 'Beans', createdAt: 1_500 });
    });
    await addImages();
    await begin();
    expect(await copyPart(100)).toBe('more');
    while ((await copyPart(100)) === 'more');
    expect(await store().read.todos.get(TENANT, 'ses_copy')).toMatchObject({ todos, updatedAt: 2_000 });
    expect(await store().read.summaries.get(TENANT, 'ses_copy')).toMatchObject({ runOrdinal: 0, position: 2, text: 'Beans' });
    for (const id of ['img_1', 'img_2', 'img_3']) expect(await store().read.images.get(TENANT, 'ses_copy', id)).toBeDefined();
  });

  test('ends a branch before a message, also within what was copied before, without a later plan', async () => {
    const todos = [{ id: '1', content: 'Water', status: 'pending' as const }];
    await write(tx => tx.todos.put({ tenantId: TENANT, sessionId: 'ses_1', todos, updatedAt: 9_000 } as never));
    await begin();
    expect(await copyPart()).toBe('complete');
    const before = await store().read.messages.beginningOf(TENANT, 'ses_copy', 'run_3');
    expect(before).toMatchObject({ runOrdinal: 0, position: 2 });
    await write(async tx => {
      await tx.sessionBranches.beginChat(TENANT, 'ses_copy');
      await tx.sessions.insert(
        aSession({ id: 'ses_second', rootSessionId: 'ses_copy', beforeRunId: 'run_3', beforeSessionId: 'ses_copy', updatedAt: 1_999 }),
      );
      await tx.sessionCopies.begin({ tenantId: TENANT, sessionId: 'ses_second', sourceId: 'ses_copy', before, now: 4_000 });
      await tx.sessionCopies.copyPart(TENANT, 'ses_second', { size: 9, now: 4_000, nextId: () => `msg_second_${ids++}` });
    });
    expect(await textsOf('ses_second')).toEqual([
      [0, 0, 'beans 1.0'],
      [0, 1, 'beans 1.1'],
    ]);
    expect(await store().read.todos.get(TENANT, 'ses_second')).toBeUndefined();
    const { sessions, sessionBranches } = store().read;
    const listed = async () => (await sessions.list(TENANT, PAGE)).data.map(({ id }) => id);
    expect(await listed()).toEqual(['ses_copy', 'ses_1']);
    expect(await sessionBranches.list(TENANT, 'ses_copy')).toEqual([]);
    await write(async tx => {
      await tx.sessions.touch(TENANT, 'ses_second', 5_000);
      await tx.runs.insert(aRun({ id: 'run_second', sessionId: 'ses_second', status: 'completed' }));
      await tx.sessionBranches.changeChat(TENANT, 'ses_copy', { title: 'Renamed', instructions: 'Be brief.' });
    });
    expect(await sessions.get(TENANT, 'ses_second')).toMatchObject({ instructions: 'Be brief.' });
    await write(tx => tx.sessionBranches.changeChat(TENANT, 'ses_copy', { instructions: null }));
    expect((await sessions.get(TENANT, 'ses_second'))?.instructions).toBeUndefined();
    expect(await listed()).toEqual(['ses_second', 'ses_1']);
    expect((await sessions.list(TENANT, PAGE, { withHidden: true })).data.map(({ title }) => title)).toEqual([
      'Renamed',
      'Renamed',
      'Garden plan',
    ]);
    expect(await sessionBranches.list(TENANT, 'ses_copy')).toEqual([
      { sessionId: 'ses_second', beforeRunId: 'run_3', beforeSessionId: 'ses_copy', firstRunId: 'run_second' },
    ]);
    expect((await sessionBranches.sessionIds(TENANT, 'ses_copy')).toSorted()).toEqual(['ses_copy', 'ses_second']);
    const parent = (await store().read.messages.ofRun(TENANT, 'ses_copy', 0))[1];
    const chatOf = async (id: string) => readAll(page => sessionBranches.sessions(TENANT, id, page));
    const row = { title: 'Renamed', createdAt: 1_000 };
    const [first, second] = [
      { ...row, id: 'ses_copy', messages: 4 },
      { ...row, id: 'ses_second', messages: 2, parentMessageId: parent?.id },
    ];
    expect(await chatOf('ses_copy')).toEqual([
      { ...first, isActive: false },
      { ...second, isActive: true },
    ]);
    // The clock of this gateway is behind that of the gateway that used the other branch.
    expect(await write<boolean>(tx => tx.sessionBranches.activate(TENANT, 'ses_copy', 'ses_copy', 4_000))).toBe(true);
    expect(await chatOf('ses_copy')).toEqual([
      { ...first, isActive: true },
      { ...second, isActive: false },
    ]);
    expect(await sessions.get(TENANT, 'ses_copy')).toMatchObject({ updatedAt: 5_001 });
    expect(await write<boolean>(tx => tx.sessionBranches.activate(TENANT, 'ses_copy', 'ses_1', 9_000))).toBe(false);
    expect(await chatOf('ses_1')).toMatchObject([{ id: 'ses_1', isActive: true }]);
  });

  test('begins no branch after a run that has not ended', async () => {
    const beginBefore = (id: string, runId: string) =>
      write<boolean>(async tx => {
        const before = await tx.messages.beginningOf(TENANT, 'ses_1', runId);
        await tx.sessions.insert(aSession({ id }));
        return tx.sessionCopies.begin({ tenantId: TENANT, sessionId: id, sourceId: 'ses_1', before, now: 2_000 });
      });
    expect(await beginBefore('ses_copy', 'run_4')).toBe(true);
    expect(await beginBefore('ses_second', 'run_5')).toBe(false);
  });

  test('does not show a copy whose source was deleted before all was copied', async () => {
    await begin();
    expect(await copyPart(1)).toBe('more');
    while (await write<boolean>(tx => tx.sessions.deletePart(TENANT, 'ses_1', 1_000)));
    expect(await copyPart()).toBe('source_lost');
    expect(await store().read.sessions.get(TENANT, 'ses_copy')).toBeUndefined();
  });

  test('does not show a copy whose source lost an image before all images were copied', async () => {
    await addImages();
    await begin();
    expect(await copyPart(100)).toBe('more');
    expect(await textsOf('ses_copy')).toHaveLength(4);
    expect(await write(tx => tx.sessions.deletePart(TENANT, 'ses_1', 100))).toBe(true);
    expect(await copyPart()).toBe('source_lost');
    expect(await store().read.sessions.get(TENANT, 'ses_copy')).toBeUndefined();
  });

  test('copies nothing of a session of which a part was deleted, which stays listed until it is gone', async () => {
    await addImages();
    await write(tx => tx.sessions.deletePart(TENANT, 'ses_1', 100));
    await begin();
    expect(await copyPart()).toBe('source_lost');
    expect((await store().read.sessions.list(TENANT, PAGE)).data.map(({ id }) => id)).toEqual(['ses_1']);
    expect(await store().read.sessionCopies.abandoned(9_000, 10)).toEqual([{ tenantId: TENANT, id: 'ses_copy' }]);
  });

  test('finds a copy that no gateway continues, and refuses to continue one that was given up', async () => {
    await begin();
    await copyPart(1);
    const { sessionCopies } = store().read;
    expect(await sessionCopies.abandoned(3_000, 10)).toEqual([]);
    expect(await write(tx => tx.sessionCopies.giveUp(TENANT, 'ses_copy', 3_000))).toBe(false);
    expect(await sessionCopies.abandoned(3_001, 10)).toEqual([{ tenantId: TENANT, id: 'ses_copy' }]);
    expect(await write(tx => tx.sessionCopies.giveUp(TENANT, 'ses_copy', 3_001))).toBe(true);
    expect(await copyPart()).toBe('source_lost');
    expect(await sessionCopies.abandoned(1, 10)).toEqual([{ tenantId: TENANT, id: 'ses_copy' }]);
    await write(tx => tx.sessions.delete(TENANT, 'ses_copy'));
    expect(await sessionCopies.abandoned(9_000, 10)).toEqual([]);
  });
}
