import { aMessage, aQuestion, aToolExecution, numbered, RUN, seed, TENANT, textDelta } from '../../support/store_records';
import type { CurrentStore } from '../store_contract';

const OTHER = 'globex';

export function describeTenants(store: CurrentStore): void {
  beforeEach(() =>
    seed(store(), async tx => {
      await tx.insertMessages([aMessage()]);
      await tx.appendEvents(RUN, numbered([textDelta('a')]));
      await tx.insertQuestion(aQuestion());
      await tx.insertToolExecution(aToolExecution());
      await tx.putTodos({ tenantId: TENANT, sessionId: 'ses_1', todos: [], updatedAt: 1 });
      await tx.putIdempotencyKey({ tenantId: TENANT, key: 'k', fingerprint: 'f', runId: 'run_1', createdAt: 1 });
    }),
  );

  test('hides the rows of a tenant from others', async () => {
    const { read } = store();
    const page = { limit: 10 };
    const found = [
      await read.getSession(OTHER, 'ses_1'),
      await read.getRun(OTHER, 'run_1'),
      await read.activeRun(OTHER, 'ses_1'),
      await read.nextQueuedRun(OTHER, 'ses_1'),
      await read.getQuestion(OTHER, 'question-1'),
      await read.getTodos(OTHER, 'ses_1'),
      await read.getToolExecution(OTHER, 'exe_1'),
      await read.getIdempotencyKey(OTHER, 'k'),
    ];
    expect(found.filter(record => record !== undefined)).toEqual([]);
    expect(await read.runsAfter(OTHER, 'ses_1', 0)).toEqual([]);
    expect(await read.countQueuedRuns(OTHER, 'ses_1')).toBe(0);
    expect(await read.history(OTHER, 'ses_1')).toEqual([]);
    expect(await read.listEvents(OTHER, 'run_1', 0, 10)).toEqual([]);
    for (const list of [
      read.listSessions(OTHER, page),
      read.listRuns(OTHER, { sessionId: 'ses_1' }, page),
      read.listMessages(OTHER, 'ses_1', page),
      read.listQuestions(OTHER, { sessionId: 'ses_1' }, page),
      read.listToolExecutions(OTHER, { sessionId: 'ses_1' }, page),
    ]) {
      expect((await list).data).toEqual([]);
    }
  });

  test('prevents a tenant from changing the rows of another', async () => {
    await store().transaction(async tx => {
      expect(await tx.updateSession(OTHER, 'ses_1', { title: 'mine' })).toBe(false);
      expect(await tx.deleteSession(OTHER, 'ses_1')).toBe(false);
      expect(await tx.updateRun(OTHER, 'run_1', { from: ['running'] }, { status: 'failed' })).toBe(false);
      expect(await tx.closeQuestion(OTHER, 'question-1', { status: 'cancelled', closedAt: 1 })).toBe(false);
      expect(await tx.extendQuestion(OTHER, 'question-1', 1)).toBe(false);
      expect(await tx.finishToolExecution(OTHER, 'exe_1', { status: 'error' })).toBe(false);
    });
    const append = store().transaction(tx => tx.appendEvents({ ...RUN, tenantId: OTHER }, numbered([textDelta('b')], 2)));
    await expect(append).rejects.toMatchObject({ name: 'FencedError' });
    expect(await store().read.listEvents(TENANT, 'run_1', 0, 10)).toHaveLength(1);
  });

  test('lets two tenants use the same ids and keys', async () => {
    await store().transaction(async tx => {
      const session = await tx.getSession(TENANT, 'ses_1');
      const run = await tx.getRun(TENANT, 'run_1');
      await tx.insertSession({ ...session!, tenantId: OTHER });
      await tx.insertRun({ ...run!, tenantId: OTHER });
      await tx.insertMessages([aMessage({ tenantId: OTHER })]);
      await tx.insertQuestion(aQuestion({ tenantId: OTHER }));
      await tx.insertToolExecution(aToolExecution({ tenantId: OTHER }));
      await tx.putIdempotencyKey({ tenantId: OTHER, key: 'k', fingerprint: 'g', runId: 'run_1', createdAt: 1 });
    });
    expect((await store().read.getIdempotencyKey(TENANT, 'k'))?.fingerprint).toBe('f');
    expect(await store().transaction(tx => tx.deleteSession(OTHER, 'ses_1'))).toBe(true);
    expect(await store().read.getIdempotencyKey(TENANT, 'k')).toBeDefined();
    expect(await store().read.history(TENANT, 'ses_1')).toHaveLength(1);
  });
}
