import type { RunReader, RunRecord } from '../../../src/port/store/runs';
import { aQuestion, aRun, aSession, numbered, RUN, seed, TENANT, textDelta } from '../../support/store_records';
import type { CurrentStore } from '../store_contract';

const FULL: Omit<RunRecord, 'ordinal'> = aRun({
  keyName: 'ci',
  images: [{ id: 'img_1', mediaType: 'image/png', bytes: 16 }],
  files: [{ id: 'img_2', mediaType: 'application/pdf', bytes: 9, name: 'a.pdf' }],
  id: 'run_full',
  status: 'completed',
  limits: { maxToolIterations: 3, timeoutMs: 1_000 },
  metadata: { source: 'test' },
  caller: {
    tools: [{ name: 'get_price', description: 'Returns a price', parameters: { type: 'object' } }],
    instructions: 'Be brief.',
    modelFields: { tool_choice: 'required' },
  },
  trace: { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7', isSampled: true, state: 'a=1' },
  recoveredAtSeq: 4,
  owner: 'node-1',
  leaseUntil: 16_000,
  recoveries: 2,
  cancelRequested: true,
  cancelledBy: '@ben',
  outcome: {
    text: 'done',
    usage: { inputTokens: 1, outputTokens: 2 },
    error: { code: 'interrupted', message: 'stopped', retryable: true },
    clarification: { requestId: 'q', question: 'Which?', choices: ['a'], expiresAt: '2026-01-01T00:00:00.000Z' },
    callerCalls: [{ toolCallId: 'call_1_0', name: 'get_price', arguments: '{}' }],
  },
  startedAt: 1_001,
  endedAt: 1_002,
  eventsExpired: true,
  parent: { runId: 'run_0', sessionId: 'ses_0', toolCallId: 'call_1', index: 2 },
});

export function describeRuns(store: CurrentStore): void {
  test('reads a run as it was stored, minimal and with every field', async () => {
    await store().transaction('none', tx => tx.sessions.insert(aSession()));
    const bare = await store().transaction('none', tx => tx.runs.insert(aRun()));
    await store().transaction('none', tx => tx.runs.insert(FULL));
    expect(bare).toEqual({ ...aRun(), ordinal: 1 });
    expect(await store().read.runs.get(TENANT, 'run_1')).toEqual(bare);
    expect(await store().read.runs.get(TENANT, 'run_full')).toEqual({ ...FULL, ordinal: 2 });
  });

  test('finds child runs by the call that started them, once for each index', async () => {
    const parent = { runId: 'run_1', sessionId: 'ses_1', toolCallId: 'call_1', index: 0 };
    await store().transaction('none', async tx => {
      await tx.sessions.insert(aSession());
      for (const id of ['ses_a', 'ses_b', 'ses_c']) {
        await tx.sessions.insert(aSession({ id, parentSessionId: 'ses_1', parentRunId: 'run_1' }));
      }
      await tx.runs.insert(aRun());
      await tx.runs.insert(aRun({ id: 'run_a', sessionId: 'ses_a', parent }));
      await tx.runs.insert(aRun({ id: 'run_b', sessionId: 'ses_b', parent: { ...parent, index: 1 }, createdAt: 2_000 }));
    });
    const { read } = store();
    expect(await read.runs.findChild(TENANT, { ...parent, index: 1 })).toMatchObject({ id: 'run_b', parent: { ...parent, index: 1 } });
    expect(await read.runs.findChild(TENANT, { ...parent, toolCallId: 'call_2' })).toBeUndefined();
    expect((await read.runs.children(TENANT, 'run_1')).map(({ id }) => id)).toEqual(['run_a', 'run_b']);
    expect(await read.runs.children('other', 'run_1')).toEqual([]);
    const second = store().transaction('none', tx => tx.runs.insert(aRun({ id: 'run_c', sessionId: 'ses_c', parent })));
    await expect(second).rejects.toMatchObject({ code: 'internal' });
  });

  test('lists child runs only for their parent or their session', async () => {
    const parent = { runId: 'run_1', sessionId: 'ses_1', toolCallId: 'call_1', index: 0 };
    await store().transaction('none', async tx => {
      await tx.sessions.insert(aSession());
      await tx.sessions.insert(aSession({ id: 'ses_child', parentSessionId: 'ses_1', parentRunId: 'run_1' }));
      await tx.runs.insert(aRun());
      await tx.runs.insert(aRun({ id: 'run_a', sessionId: 'ses_child', parent }));
    });
    const idsOf = async (filter: Parameters<RunReader['list']>[1]) =>
      (await store().read.runs.list(TENANT, filter, { limit: 10 })).data.map(({ id }) => id);
    expect(await idsOf({})).toEqual(['run_1']);
    expect(await idsOf({ status: 'running' })).toEqual(['run_1']);
    expect(await idsOf({ parentRunId: 'run_1' })).toEqual(['run_a']);
    expect(await idsOf({ parentRunId: 'run_1', status: 'completed' })).toEqual([]);
    expect(await idsOf({ sessionId: 'ses_child' })).toEqual(['run_a']);
  });

  test('lists and counts the runs that are in one of several states, changed since a time, or ask a question of a kind', async () => {
    await store().transaction('none', async tx => {
      const states = ['completed', 'incomplete', 'failed', 'waiting', 'waiting', 'queued'] as const;
      for (const [i, status] of states.entries()) {
        await tx.sessions.insert(aSession({ id: `ses_${i}` }));
        await tx.runs.insert(
          aRun({ id: `run_${i}`, sessionId: `ses_${i}`, status, createdAt: 1_000 + i, startedAt: i === 0 ? 5_000 : undefined }),
        );
      }
      await tx.questions.insert(aQuestion({ id: 'early', kind: 'approval', sessionId: 'ses_3', runId: 'run_3', createdAt: 1 }));
      await tx.questions.insert(aQuestion({ id: 'late', sessionId: 'ses_3', runId: 'run_3', createdAt: 2 }));
      await tx.sessions.insert(aSession({ id: 'ses_child', parentSessionId: 'ses_4', parentRunId: 'run_4' }));
      const parent = { runId: 'run_4', sessionId: 'ses_4', toolCallId: 'call_1', index: 0 };
      await tx.runs.insert(aRun({ id: 'run_child', sessionId: 'ses_child', status: 'waiting', parent }));
      await tx.questions.insert(aQuestion({ id: 'of_child', sessionId: 'ses_child', parentSessionId: 'ses_4', runId: 'run_child' }));
    });
    const found = async (filter: Parameters<RunReader['list']>[1]) => {
      const { data } = await store().read.runs.list(TENANT, filter, { limit: 10 });
      expect(await store().read.runs.count(TENANT, filter)).toBe(data.length);
      return data.map(({ id }) => id).join(' ');
    };
    expect(await found({ status: ['completed', 'incomplete'] })).toBe('run_1 run_0');
    expect(await found({ status: ['failed', 'incomplete'] })).toBe('run_2 run_1');
    expect(await found({ status: ['queued', 'waiting'] })).toBe('run_5 run_4 run_3');
    expect(await found({ status: ['queued', 'completed'], sessionId: 'ses_0' })).toBe('run_0');
    expect(await found({ status: 'waiting', asks: 'approval' })).toBe('run_3');
    expect(await found({ status: 'waiting', asks: 'clarification' })).toBe('run_4');
    expect(await found({ changedSince: 1_004 })).toBe('run_5 run_4 run_0');
    expect(await store().read.runs.count('other', {})).toBe(0);
  });

  test('numbers the runs of each session from 1, also when many are inserted at once', async () => {
    await store().transaction('none', async tx => {
      await tx.sessions.insert(aSession());
      await tx.sessions.insert(aSession({ id: 'ses_2' }));
    });
    const ids = Array.from({ length: 20 }, (_, i) => `run_${i}`);
    const runs = await Promise.all(
      ids.map(id => store().transaction({ session: RUN }, tx => tx.runs.insert(aRun({ id, status: 'queued' })))),
    );
    const other = await store().transaction('none', tx => tx.runs.insert(aRun({ id: 'run_other', sessionId: 'ses_2' })));
    expect(runs.map(run => run.ordinal).sort((a, b) => a - b)).toEqual(ids.map((_, i) => i + 1));
    expect(other.ordinal).toBe(1);
  });

  test('inserts a run together with its first events', async () => {
    await store().transaction('none', tx => tx.sessions.insert(aSession()));
    const events = numbered([textDelta('a'), textDelta('b')]);
    const run = await store().transaction('none', tx => tx.runs.insert(aRun({ lastSeq: 2 }), events));
    expect(run).toEqual({ ...aRun({ lastSeq: 2 }), ordinal: 1 });
    expect(await store().read.events.list(TENANT, 'run_1', 0, 10)).toEqual(events);
    await store().transaction('none', tx => tx.events.append(RUN, numbered([textDelta('c')], 3)));
    expect((await store().read.runs.get(TENANT, 'run_1'))?.lastSeq).toBe(3);
    const wrong = store().transaction('none', tx => tx.runs.insert(aRun({ id: 'run_2', status: 'queued', lastSeq: 1 }), events));
    await expect(wrong).rejects.toMatchObject({ code: 'internal' });
    expect(await store().read.runs.get(TENANT, 'run_2')).toBeUndefined();
  });

  test('finds the active run, the queue and the runs after one', async () => {
    await store().transaction('none', async tx => {
      await tx.sessions.insert(aSession());
      for (const [i, status] of (['completed', 'waiting', 'queued', 'queued'] as const).entries()) {
        await tx.runs.insert(aRun({ id: `run_${i + 1}`, status }));
      }
    });
    const { read } = store();
    expect((await read.runs.active(TENANT, 'ses_1'))?.id).toBe('run_2');
    expect((await read.runs.nextQueued(TENANT, 'ses_1'))?.id).toBe('run_3');
    expect(await read.runs.countQueued(TENANT, 'ses_1')).toBe(2);
    const unfinished = await read.runs.unfinishedOf(TENANT, 'ses_1');
    expect(unfinished.map(({ id, status }) => `${id} ${status}`).sort()).toEqual(['run_2 waiting', 'run_3 queued', 'run_4 queued']);
    expect(await read.runs.unfinishedOf('other', 'ses_1')).toEqual([]);
    const after = await read.runs.after(TENANT, 'ses_1', 2);
    expect(after.map(run => run.id)).toEqual(['run_3', 'run_4']);
    const states = await read.runs.statesAfter(TENANT, 'ses_1', 2);
    expect(states).toEqual(after.map(({ input, interaction, limits, ...state }) => state));
    expect(await read.runs.getState(TENANT, 'run_3')).toEqual(states[0]);
    expect(await read.runs.getState('other', 'run_3')).toBeUndefined();
    const ids = ['run_1', 'run_2', ...Array.from({ length: 100 }, (_, i) => `none_${i}`), 'run_4'];
    const progress = [...(await read.runs.progress(TENANT, ids))].sort((a, b) => a.id.localeCompare(b.id));
    expect(progress.map(({ id, status, lastSeq }) => [id, status, lastSeq])).toEqual([
      ['run_1', 'completed', 0],
      ['run_2', 'waiting', 0],
      ['run_4', 'queued', 0],
    ]);
    expect(await read.runs.progress(TENANT, [])).toEqual([]);
    expect(await read.runs.progress('other', ids)).toEqual([]);
    expect(await read.runs.active(TENANT, 'ses_2')).toBeUndefined();
    expect(await read.runs.nextQueued(TENANT, 'ses_2')).toBeUndefined();
    expect(await read.runs.countQueued(TENANT, 'ses_2')).toBe(0);
  });

  test('reads the unfinished runs of all tenants or of one, also from a place on', async () => {
    await store().transaction('none', async tx => {
      await tx.sessions.insert(aSession());
      await tx.sessions.insert(aSession({ tenantId: 'globex' }));
      await tx.runs.insert(aRun({ id: 'run_late', status: 'queued', createdAt: 3_000 }));
      await tx.runs.insert(aRun({ id: 'run_over', status: 'failed' }));
      await tx.runs.insert(aRun({ tenantId: 'globex', id: 'run_early', status: 'waiting', createdAt: 2_000 }));
    });
    const unfinished = await store().read.runs.unfinished();
    expect(unfinished.map(run => run.id)).toEqual(['run_late', 'run_early']);
    const [late] = unfinished;
    expect(await store().read.runs.unfinished({ after: late })).toMatchObject([{ id: 'run_early' }]);
    expect(await store().read.runs.unfinished({ tenantId: 'globex' })).toMatchObject([{ id: 'run_early' }]);
    expect(await store().read.runs.unfinished({ tenantId: TENANT, after: late })).toEqual([]);
    // A thousand inputs would hold the event loop.
    expect(unfinished).toEqual(unfinished.map(() => expect.not.objectContaining({ input: expect.anything() })));
  });

  test('counts the queued runs of each key, up to a limit', async () => {
    const queued = (id: string, fields: Partial<RunRecord> = {}) => aRun({ id, status: 'queued', keyName: 'alice', ...fields });
    await store().transaction('none', async tx => {
      await tx.sessions.insert(aSession());
      await tx.sessions.insert(aSession({ tenantId: 'globex' }));
      for (const id of ['run_1', 'run_2']) await tx.runs.insert(queued(id));
      await tx.runs.insert(queued('run_3', { keyName: undefined }));
      await tx.runs.insert(queued('run_4', { tenantId: 'globex' }));
      await tx.runs.insert(queued('run_5', { status: 'running' }));
    });
    const counts = await store().read.runs.countQueuedOfKeys(10);
    expect(counts.sort((a, b) => b.count - a.count || a.tenantId.localeCompare(b.tenantId))).toEqual([
      { tenantId: TENANT, keyName: 'alice', count: 2 },
      { tenantId: TENANT, keyName: undefined, count: 1 },
      { tenantId: 'globex', keyName: 'alice', count: 1 },
    ]);
    expect((await store().read.runs.countQueuedOfKeys(3)).reduce((sum, { count }) => sum + count, 0)).toBe(3);
  });

  test('finds sessions without an active run in the queue of all tenants, a part of the queue at a time', async () => {
    await store().transaction('none', async tx => {
      for (const id of ['ses_busy', 'ses_waiting', 'ses_idle', 'ses_last']) await tx.sessions.insert(aSession({ id }));
      await tx.sessions.insert(aSession({ tenantId: 'globex', id: 'ses_busy' }));
      const insert = (id: string, sessionId: string, createdAt: number, fields: Partial<RunRecord> = {}) =>
        tx.runs.insert(aRun({ id, sessionId, createdAt, status: 'queued', ...fields }));
      await insert('run_active', 'ses_busy', 1, { status: 'running' });
      await insert('run_asking', 'ses_waiting', 1, { status: 'waiting' });
      await insert('run_0', 'ses_waiting', 2);
      for (let i = 1; i < 1_000; i += 1) await insert(`run_${i}`, i === 5 ? 'ses_idle' : 'ses_busy', 10 + i);
      await insert('run_tenant', 'ses_busy', 5_000, { tenantId: 'globex', keyName: 'alice' });
      await insert('run_last', 'ses_last', 6_000);
    });
    const first = await store().read.runs.idleQueued(0);
    expect(first).toEqual({ sessions: [{ tenantId: TENANT, sessionId: 'ses_idle', keyName: undefined }], next: 1_009 });
    expect(await store().read.runs.idleQueued(first.next ?? 0)).toEqual({
      sessions: [
        { tenantId: 'globex', sessionId: 'ses_busy', keyName: 'alice' },
        { tenantId: TENANT, sessionId: 'ses_last', keyName: undefined },
      ],
      next: undefined,
    });
  }, 30_000);

  test('changes a run only from an expected status and epoch', async () => {
    await seed(store());
    const update = (from: RunRecord['status'][], epoch: number | undefined, patch: Partial<RunRecord>) =>
      store().transaction('none', tx => tx.runs.update(TENANT, 'run_1', { from, ...(epoch !== undefined && { epoch }) }, patch));
    expect(await update(['queued', 'waiting'], undefined, { status: 'failed' })).toBe(false);
    expect(await update(['running'], 2, { status: 'failed' })).toBe(false);
    expect(await update([], undefined, { status: 'failed' })).toBe(false);
    expect(await update(['running'], 1, { epoch: 2, owner: 'node-2', leaseUntil: 9_000, recoveredAtSeq: 3 })).toBe(true);
    expect(
      await update(['queued', 'running'], 2, { status: 'waiting', cancelRequested: true, cancelledBy: '@ben', startedAt: 2_000 }),
    ).toBe(true);
    expect(await update(['waiting'], undefined, { status: 'completed', outcome: FULL.outcome, endedAt: 3_000, owner: undefined })).toBe(
      true,
    );
    expect(await store().read.runs.get(TENANT, 'run_1')).toEqual({
      ...aRun({
        status: 'completed',
        epoch: 2,
        owner: 'node-2',
        leaseUntil: 9_000,
        recoveredAtSeq: 3,
        cancelRequested: true,
        cancelledBy: '@ben',
      }),
      ordinal: 1,
      startedAt: 2_000,
      endedAt: 3_000,
      outcome: FULL.outcome,
    });
  });

  test('lets exactly one of several concurrent changes win', async () => {
    await seed(store());
    const claims = Array.from({ length: 8 }, (_, i) =>
      store().transaction('none', tx => tx.runs.update(TENANT, RUN.id, { from: ['running'], epoch: 1 }, { epoch: 2, owner: `node-${i}` })),
    );
    expect((await Promise.all(claims)).filter(Boolean)).toHaveLength(1);
  });
}
