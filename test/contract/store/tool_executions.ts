import { aMessage, aRun, aSession, aToolExecution, seed, TENANT } from '../../support/store_records';
import type { CurrentStore } from '../store_contract';

const END = {
  status: 'success',
  result: 'beans',
  durationMs: 12.75,
  cached: false,
  duplicate: true,
  details: { lines: 3 },
  endedAt: 2_000,
} as const;

export function describeToolExecutions(store: CurrentStore): void {
  test('ends an execution once, with every field of its end', async () => {
    await seed(store(), tx => tx.toolExecutions.insert(aToolExecution({ toolCallId: 'call_1' })));
    const finish = () => store().transaction('none', tx => tx.toolExecutions.finish(TENANT, 'exe_1', END));
    expect([await finish(), await finish()]).toEqual([true, false]);
    const { data } = await store().read.toolExecutions.list(TENANT, {}, { limit: 10 });
    expect(data).toEqual([aToolExecution({ toolCallId: 'call_1', ...END })]);
    expect(await store().read.toolExecutions.get(TENANT, 'exe_1')).toEqual(data[0]);
    expect(await store().read.toolExecutions.get(TENANT, 'exe_2')).toBeUndefined();
  });

  test('stores a direct call, which has no session', async () => {
    const caller = { command: 'read_file', user: 'Ann', agent: 'gardener' };
    const { sessionId, runId, ...direct } = aToolExecution({ status: 'error', error: 'no such file', ...caller });
    await store().transaction('none', tx => tx.toolExecutions.insert(direct));
    const { data } = await store().read.toolExecutions.list(TENANT, {}, { limit: 10 });
    expect([sessionId, runId]).toEqual(['ses_1', 'run_1']);
    expect(data).toEqual([direct]);
  });

  test('finds the running direct calls of all tenants, with the process that executes them', async () => {
    const { sessionId: _session, runId: _run, ...direct } = aToolExecution({ id: 'exe_direct', owner: 'host.1.2' });
    await seed(store(), async tx => {
      await tx.toolExecutions.insert(aToolExecution());
      await tx.toolExecutions.insert(direct);
      await tx.toolExecutions.insert({ ...direct, tenantId: 'rival', createdAt: 500 });
      await tx.toolExecutions.insert({ ...direct, id: 'exe_over', status: 'success' });
    });
    expect(await store().read.toolExecutions.runningDirectCalls()).toEqual([{ ...direct, tenantId: 'rival', createdAt: 500 }, direct]);
  });

  test('lists what the turns of a session show: its calls, those of copied turns and of crew members, and no others', async () => {
    const parent = { parentRunId: 'run_1', parentSessionId: 'ses_1' };
    await seed(store(), async tx => {
      await tx.sessions.insert(aSession({ id: 'ses_copy' }));
      await tx.sessions.insert(aSession({ id: 'ses_crew', ...parent }));
      await tx.runs.insert(aRun({ id: 'run_copy', sessionId: 'ses_copy' }));
      await tx.runs.insert(
        aRun({ id: 'run_crew', sessionId: 'ses_crew', parent: { runId: 'run_1', sessionId: 'ses_1', toolCallId: 'c', index: 0 } }),
      );
      await tx.messages.insert([aMessage({ id: 'msg_copy', sessionId: 'ses_copy', runOrdinal: 0 })]);
      await tx.toolExecutions.insert(aToolExecution({ id: 'exe_1' }));
      await tx.toolExecutions.insert(aToolExecution({ id: 'exe_copy', sessionId: 'ses_copy', runId: 'run_copy' }));
      await tx.toolExecutions.insert(aToolExecution({ id: 'exe_crew', sessionId: 'ses_crew', runId: 'run_crew' }));
    });
    const shownIn = async (sessionId: string, tenantId = TENANT) =>
      (await store().read.toolExecutions.list(tenantId, { shownIn: sessionId }, { limit: 10 })).data.map(({ id }) => id);
    expect(await shownIn('ses_1')).toEqual(['exe_crew', 'exe_1']);
    expect(await shownIn('ses_copy')).toEqual(['exe_crew', 'exe_copy', 'exe_1']);
    expect([await shownIn('ses_crew'), await shownIn('ses_1', 'rival')]).toEqual([['exe_crew'], []]);
  });

  test('names the tools of a session, each once, and lists the calls of some tools', async () => {
    await seed(store(), async tx => {
      for (const [id, tool] of [
        ['exe_1', 'water'],
        ['exe_2', 'dig'],
        ['exe_3', 'water'],
      ] as const)
        await tx.toolExecutions.insert(aToolExecution({ id, tool }));
    });
    const { read } = store();
    const water = await read.toolExecutions.list(TENANT, { sessionId: 'ses_1', tools: ['water', 'weed'] }, { limit: 10 });
    expect(water.data.map(({ id }) => id)).toEqual(['exe_3', 'exe_1']);
    expect(await read.toolExecutions.toolsOfSession(TENANT, 'ses_1')).toEqual(['dig', 'water']);
    expect([await read.toolExecutions.toolsOfSession('rival', 'ses_1'), await read.toolExecutions.toolsOfSession(TENANT, 'ses_2')]).toEqual(
      [[], []],
    );
  });

  test('keeps the whole answer of a call apart from its row', async () => {
    const { sessionId: _session, runId: _run, ...direct } = aToolExecution();
    const answer = { status: 'success', result: [1, { two: '二' }] };
    await store().transaction('none', async tx => {
      await tx.toolExecutions.insert(direct);
      await tx.toolExecutions.putAnswer(TENANT, 'exe_1', answer);
    });
    const { read } = store();
    expect(await read.toolExecutions.getAnswer(TENANT, 'exe_1')).toEqual(answer);
    expect([await read.toolExecutions.getAnswer('rival', 'exe_1'), await read.toolExecutions.getAnswer(TENANT, 'exe_2')]).toEqual([
      undefined,
      undefined,
    ]);
    expect(await read.toolExecutions.get(TENANT, 'exe_1')).toEqual(direct);
  });

  test('lists by manifest, command, user and agent', async () => {
    await seed(store(), async tx => {
      await tx.toolExecutions.insert(aToolExecution({ tool: 'shed', user: 'Ann' }));
      await tx.toolExecutions.insert(
        aToolExecution({ id: 'exe_2', tool: 'shed__open', command: 'open', agent: 'gardener', createdAt: 2_000 }),
      );
      await tx.toolExecutions.insert(aToolExecution({ id: 'exe_3', tool: 'shed__close', command: 'close', createdAt: 3_000 }));
      await tx.toolExecutions.insert(aToolExecution({ id: 'exe_4', tool: 'shed__x', createdAt: 4_000 }));
    });
    const ids = async (filter: Parameters<ReturnType<CurrentStore>['read']['toolExecutions']['list']>[1]) =>
      (await store().read.toolExecutions.list(TENANT, filter, { limit: 10 })).data.map(execution => execution.id);
    expect(await ids({ toolOrManifest: 'shed' })).toEqual(['exe_3', 'exe_2', 'exe_1']);
    expect(await ids({ toolOrManifest: 'shed__open' })).toEqual(['exe_2']);
    expect(await ids({ toolOrManifest: 'shed', command: 'close' })).toEqual(['exe_3']);
    expect(await ids({ user: 'Ann' })).toEqual(['exe_1']);
    expect(await ids({ agent: 'gardener' })).toEqual(['exe_2']);
  });

  test('lists by tool, status, session, run and time, newest first', async () => {
    await seed(store(), async tx => {
      await tx.sessions.insert(aSession({ id: 'ses_2' }));
      await tx.toolExecutions.insert(aToolExecution());
      await tx.toolExecutions.insert(aToolExecution({ id: 'exe_2', tool: 'bash', status: 'error', createdAt: 2_000 }));
      await tx.toolExecutions.insert(aToolExecution({ id: 'exe_3', sessionId: 'ses_2', runId: 'run_2', createdAt: 3_000 }));
    });
    const ids = async (filter: Parameters<ReturnType<CurrentStore>['read']['toolExecutions']['list']>[1]) =>
      (await store().read.toolExecutions.list(TENANT, filter, { limit: 10 })).data.map(execution => execution.id);
    expect(await ids({})).toEqual(['exe_3', 'exe_2', 'exe_1']);
    expect(await ids({ tool: 'bash' })).toEqual(['exe_2']);
    expect(await ids({ status: 'running' })).toEqual(['exe_3', 'exe_1']);
    expect(await ids({ sessionId: 'ses_1' })).toEqual(['exe_2', 'exe_1']);
    expect(await ids({ runId: 'run_2', tool: 'read_file' })).toEqual(['exe_3']);
    expect(await ids({ since: 2_000 })).toEqual(['exe_3', 'exe_2']);
  });

  test('finds the newest call of a session that used a file', async () => {
    const path = 'notes/"a"%.md';
    await seed(store(), async tx => {
      await tx.sessions.insert(aSession({ id: 'ses_2' }));
      for (const [i, details] of [{ path, version: '1' }, { path, version: '2' }, { path: 'b.md', version: '3' }, { path }].entries())
        await tx.toolExecutions.insert(aToolExecution({ id: `exe_${i}`, createdAt: i, details }));
      await tx.toolExecutions.insert(
        aToolExecution({ id: 'exe_9', sessionId: 'ses_2', runId: 'run_2', createdAt: 9, details: { path, version: '9' } }),
      );
    });
    const { toolExecutions } = store().read;
    expect(await toolExecutions.lastFileUse(TENANT, 'ses_1', path)).toEqual({ version: '2', runId: 'run_1' });
    expect(await toolExecutions.lastFileUse(TENANT, 'ses_1', 'NOTES/"a"%.md')).toBeUndefined();
    await store().transaction('none', async tx => {
      for (let i = 0; i < 500; i++) await tx.toolExecutions.insert(aToolExecution({ id: `later_${i}`, createdAt: 1_000_000 }));
    });
    expect(await toolExecutions.lastFileUse(TENANT, 'ses_1', path)).toBeUndefined();
  });
}
