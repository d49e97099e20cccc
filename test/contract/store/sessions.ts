import type { SessionPatch } from '../../../src/port/store/sessions';
import { aMessage, aQuestion, aRun, aSession, aToolExecution, numbered, RUN, seed, TENANT, textDelta } from '../../support/store_records';
import type { CurrentStore } from '../store_contract';

export function describeSessions(store: CurrentStore): void {
  test('reads a session as it was stored, with and without metadata', async () => {
    const plain = aSession();
    const tagged = aSession({
      id: 'ses_2',
      title: '花园',
      locale: 'zh-CN',
      thinkingLevel: 'high',
      metadata: { nested: { list: [1, null] } },
    });
    await store().transaction('none', async tx => {
      await tx.sessions.insert(plain);
      await tx.sessions.insert(tagged);
    });
    expect(await store().read.sessions.get(TENANT, 'ses_1')).toEqual(plain);
    expect(await store().read.sessions.get(TENANT, 'ses_2')).toEqual(tagged);
    expect(await store().read.sessions.get(TENANT, 'ses_3')).toBeUndefined();
  });

  test('keeps what made a session, and lists sessions of child runs only for their parent run', async () => {
    const child = aSession({ id: 'ses_child', parentSessionId: 'ses_1', parentRunId: 'run_1' });
    const ofJob = aSession({ id: 'ses_job', origin: { jobId: 'job_1' } });
    await store().transaction('none', async tx => {
      for (const session of [aSession(), child, ofJob]) await tx.sessions.insert(session);
      const parent = { runId: 'run_1', sessionId: 'ses_1', toolCallId: 'call_1', index: 0 };
      await tx.runs.insert(aRun({ id: 'run_child', sessionId: 'ses_child', parent }));
    });
    const { read } = store();
    expect(await read.sessions.get(TENANT, 'ses_child')).toEqual(child);
    expect((await read.sessions.list(TENANT, { limit: 10 })).data).toEqual([ofJob, aSession()]);
    expect((await read.sessions.list(TENANT, { limit: 10 }, { parentRunId: 'run_1' })).data).toEqual([child]);
    expect(await read.sessions.childIds(TENANT, 'ses_1')).toEqual(['ses_child']);
  });

  test('lists sessions of a door only when they are asked for, page by page', async () => {
    const ofDoor = (id: string, updatedAt: number) => aSession({ id, updatedAt, origin: { door: 'openai' } });
    const sessions = [ofDoor('ses_a', 3_000), aSession(), ofDoor('ses_b', 4_000)];
    await store().transaction('none', async tx => {
      for (const session of sessions) await tx.sessions.insert(session);
    });
    const { read } = store();
    expect((await read.sessions.list(TENANT, { limit: 10 })).data).toEqual([aSession()]);
    const first = await read.sessions.list(TENANT, { limit: 1 }, { originDoor: 'openai' });
    expect(first.data).toEqual([ofDoor('ses_b', 4_000)]);
    const second = await read.sessions.list(TENANT, { limit: 1, cursor: first.nextCursor ?? '' }, { originDoor: 'openai' });
    expect(second.data).toEqual([ofDoor('ses_a', 3_000)]);
  });

  test('deletes the sessions of child runs with their parent session', async () => {
    await store().transaction('none', async tx => {
      await tx.sessions.insert(aSession());
      await tx.sessions.insert(aSession({ id: 'ses_child', parentSessionId: 'ses_1', parentRunId: 'run_1' }));
      await tx.sessions.insert(aSession({ id: 'ses_2' }));
    });
    expect(await store().transaction('none', tx => tx.sessions.delete(TENANT, 'ses_1'))).toBe(true);
    expect(await store().read.sessions.get(TENANT, 'ses_child')).toBeUndefined();
    expect(await store().read.sessions.get(TENANT, 'ses_2')).toBeDefined();
  });

  test('changes the fields of a patch and leaves absent and undefined ones', async () => {
    await store().transaction('none', tx => tx.sessions.insert(aSession({ metadata: { a: 1 } })));
    const patch = { title: 'Winter', locale: 'zh-CN', metadata: undefined, updatedAt: 5_000 } as const;
    expect(await store().transaction('none', tx => tx.sessions.update(TENANT, 'ses_1', patch))).toBe(true);
    expect(await store().read.sessions.get(TENANT, 'ses_1')).toEqual(
      aSession({ title: 'Winter', locale: 'zh-CN', metadata: { a: 1 }, updatedAt: 5_000 }),
    );
    expect(await store().transaction('none', tx => tx.sessions.update(TENANT, 'ses_2', { title: 'None' }))).toBe(false);
  });

  test('keeps a chosen model and parameters until null removes them', async () => {
    const chosen = { model: 'main', parameters: { temperature: 0.5, stop: ['END'] } };
    const change = (patch: SessionPatch) => store().transaction('none', tx => tx.sessions.update(TENANT, 'ses_1', patch));
    await store().transaction('none', async tx => {
      await tx.sessions.insert(aSession(chosen));
      await tx.runs.insert(aRun(chosen));
    });
    expect(await store().read.sessions.get(TENANT, 'ses_1')).toEqual(aSession(chosen));
    expect(await store().read.runs.get(TENANT, 'run_1')).toMatchObject(chosen);
    await change({ title: 'Winter' });
    expect(await store().read.sessions.get(TENANT, 'ses_1')).toEqual(aSession({ ...chosen, title: 'Winter' }));
    await change({ model: null, parameters: null });
    expect(await store().read.sessions.get(TENANT, 'ses_1')).toEqual(aSession({ title: 'Winter' }));
    await change({ model: 'other' });
    expect(await store().read.sessions.get(TENANT, 'ses_1')).toEqual(aSession({ title: 'Winter', model: 'other' }));
  });

  test('touches a session: sets the time of its last change and returns it', async () => {
    await store().transaction('none', tx => tx.sessions.insert(aSession({ metadata: { a: 1 } })));
    const touched = aSession({ metadata: { a: 1 }, updatedAt: 5_000 });
    expect(await store().transaction('none', tx => tx.sessions.touch(TENANT, 'ses_1', 5_000))).toEqual({
      session: touched,
      lastOrdinal: 0,
    });
    expect(await store().read.sessions.get(TENANT, 'ses_1')).toEqual(touched);
    expect(await store().transaction('none', tx => tx.sessions.touch('other', 'ses_1', 9_000))).toBeUndefined();
    expect(await store().read.sessions.get(TENANT, 'ses_1')).toEqual(touched);
  });

  test('touches a session: its last ordinal is that of its last run, or of messages that were added behind it', async () => {
    const touch = async () => (await store().transaction('none', tx => tx.sessions.touch(TENANT, 'ses_1', 5_000)))?.lastOrdinal;
    await seed(store(), tx => tx.messages.insert([aMessage()]));
    expect(await touch()).toBe(1);
    await store().transaction('none', tx => tx.messages.insert([aMessage({ runId: 'imp_1', runOrdinal: 2 })]));
    expect(await touch()).toBe(2);
  });

  test('deletes what belongs to a session in parts: at most as many events, messages or tool calls as the part may have', async () => {
    const body = { type: 'message_end' as const, data: { role: 'user' as const, content: 'x' } };
    await seed(store(), async tx => {
      await tx.events.append(RUN, numbered(Array.from({ length: 1_500 }, () => body)));
      await tx.runs.update(TENANT, 'run_1', { from: ['running'] }, { status: 'completed', endedAt: 2_000 });
      const active = await tx.runs.insert(aRun({ id: 'run_2' }));
      await tx.events.append(active, numbered([body], 1, active));
      await tx.messages.insert(Array.from({ length: 1_500 }, (_, position) => aMessage({ position })));
      await tx.toolExecutions.insert(aToolExecution());
      await tx.sessions.insert(aSession({ id: 'ses_2' }));
      await tx.messages.insert([aMessage({ sessionId: 'ses_2', id: 'msg_other' })]);
    });
    const deletePart = () => store().transaction('none', tx => tx.sessions.deletePart(TENANT, 'ses_1', 1_000));
    const results: boolean[] = [];
    for (let i = 0; i < 6; i++) results.push(await deletePart());
    expect(results).toEqual([true, true, true, true, true, false]);
    const { read } = store();
    expect(await read.events.list(TENANT, 'run_1', 0, 10)).toEqual([]);
    expect(await read.events.list(TENANT, 'run_2', 0, 10)).toHaveLength(1);
    expect(await read.messages.history(TENANT, 'ses_1')).toEqual([]);
    expect((await read.toolExecutions.list(TENANT, {}, { limit: 10 })).data).toEqual([]);
    expect(await read.messages.history(TENANT, 'ses_2')).toHaveLength(1);
    expect(await read.sessions.get(TENANT, 'ses_1')).toBeDefined();
  });

  test('deletes a session with everything that belongs to it and nothing else', async () => {
    const other = { sessionId: 'ses_2', runId: 'run_2' };
    await seed(store(), async tx => {
      await tx.sessions.insert(aSession({ id: 'ses_2' }));
      await tx.runs.insert(aRun({ id: 'run_2', sessionId: 'ses_2' }));
      await tx.messages.insert([aMessage(), aMessage({ ...other, id: 'msg_other' })]);
      await tx.events.append(RUN, numbered([textDelta('a')]));
      await tx.events.append(
        { ...RUN, id: 'run_2', sessionId: 'ses_2' },
        numbered([textDelta('b')], 1, { id: 'run_2', sessionId: 'ses_2' }),
      );
      await tx.questions.insert(aQuestion());
      await tx.toolExecutions.insert(aToolExecution());
      await tx.todos.put({ tenantId: TENANT, sessionId: 'ses_1', todos: [], updatedAt: 1 });
      await tx.idempotencyKeys.put({ tenantId: TENANT, key: 'k1', fingerprint: 'f', runId: 'run_1', createdAt: 1 });
      await tx.idempotencyKeys.put({ tenantId: TENANT, key: 'k2', fingerprint: 'f', runId: 'run_2', createdAt: 1 });
    });
    expect(await store().transaction('none', tx => tx.sessions.delete(TENANT, 'ses_1'))).toBe(true);
    expect(await store().transaction('none', tx => tx.sessions.delete(TENANT, 'ses_1'))).toBe(false);
    const { read } = store();
    const page = { limit: 10 };
    expect(await read.sessions.get(TENANT, 'ses_1')).toBeUndefined();
    expect(await read.runs.get(TENANT, 'run_1')).toBeUndefined();
    expect(await read.messages.history(TENANT, 'ses_1')).toEqual([]);
    expect(await read.events.list(TENANT, 'run_1', 0, 10)).toEqual([]);
    expect(await read.questions.get(TENANT, 'question-1')).toBeUndefined();
    expect((await read.toolExecutions.list(TENANT, {}, page)).data).toEqual([]);
    expect(await read.todos.get(TENANT, 'ses_1')).toBeUndefined();
    expect(await read.idempotencyKeys.get(TENANT, 'k1')).toBeUndefined();

    expect(await read.runs.get(TENANT, 'run_2')).toBeDefined();
    expect(await read.messages.history(TENANT, 'ses_2')).toHaveLength(1);
    expect(await read.events.list(TENANT, 'run_2', 0, 10)).toHaveLength(1);
    expect(await read.idempotencyKeys.get(TENANT, 'k2')).toBeDefined();
  });

  test('refuses rows for a deleted session, so that a deletion leaves nothing behind', async () => {
    await expect(store().transaction('none', tx => tx.messages.insert([aMessage()]))).rejects.toMatchObject({ code: 'internal' });
  });
}
