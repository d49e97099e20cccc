import { aMessage, aQuestion, aToolExecution, numbered, RUN, seed, TENANT, textDelta } from '../../support/store_records';
import type { CurrentStore } from '../store_contract';

const OTHER = 'globex';

export function describeTenants(store: CurrentStore): void {
  beforeEach(() =>
    seed(store(), async tx => {
      await tx.messages.insert([aMessage()]);
      await tx.events.append(RUN, numbered([textDelta('a')]));
      await tx.questions.insert(aQuestion());
      await tx.toolExecutions.insert(aToolExecution());
      await tx.todos.put({ tenantId: TENANT, sessionId: 'ses_1', todos: [], updatedAt: 1 });
      await tx.idempotencyKeys.put({ tenantId: TENANT, key: 'k', fingerprint: 'f', runId: 'run_1', createdAt: 1 });
    }),
  );

  test('hides the rows of a tenant from others', async () => {
    const { read } = store();
    const page = { limit: 10 };
    const found = [
      await read.sessions.get(OTHER, 'ses_1'),
      await read.runs.get(OTHER, 'run_1'),
      await read.runs.active(OTHER, 'ses_1'),
      await read.runs.nextQueued(OTHER, 'ses_1'),
      await read.questions.get(OTHER, 'question-1'),
      await read.todos.get(OTHER, 'ses_1'),
      await read.toolExecutions.get(OTHER, 'exe_1'),
      await read.idempotencyKeys.get(OTHER, 'k'),
    ];
    expect(found.filter(record => record !== undefined)).toEqual([]);
    expect(await read.runs.after(OTHER, 'ses_1', 0)).toEqual([]);
    expect(await read.runs.countQueued(OTHER, 'ses_1')).toBe(0);
    expect(await read.messages.history(OTHER, 'ses_1')).toEqual([]);
    expect(await read.events.list(OTHER, 'run_1', 0, 10)).toEqual([]);
    for (const list of [
      read.sessions.list(OTHER, page),
      read.runs.list(OTHER, { sessionId: 'ses_1' }, page),
      read.messages.list(OTHER, 'ses_1', page),
      read.questions.list(OTHER, { sessionId: 'ses_1' }, page),
      read.toolExecutions.list(OTHER, { sessionId: 'ses_1' }, page),
    ]) {
      expect((await list).data).toEqual([]);
    }
  });

  test('prevents a tenant from changing the rows of another', async () => {
    await store().transaction('none', async tx => {
      expect(await tx.sessions.update(OTHER, 'ses_1', { title: 'mine' })).toBe(false);
      expect(await tx.sessions.delete(OTHER, 'ses_1')).toBe(false);
      expect(await tx.runs.update(OTHER, 'run_1', { from: ['running'] }, { status: 'failed' })).toBe(false);
      expect(await tx.questions.close(OTHER, 'question-1', { status: 'cancelled', closedAt: 1 })).toBe(false);
      expect(await tx.questions.extend(OTHER, 'question-1', 1)).toBe(false);
      expect(await tx.toolExecutions.finish(OTHER, 'exe_1', { status: 'error' })).toBe(false);
    });
    const append = store().transaction('none', tx => tx.events.append({ ...RUN, tenantId: OTHER }, numbered([textDelta('b')], 2)));
    await expect(append).rejects.toMatchObject({ name: 'FencedError' });
    expect(await store().read.events.list(TENANT, 'run_1', 0, 10)).toHaveLength(1);
  });

  test('lets two tenants use the same ids and keys', async () => {
    await store().transaction('none', async tx => {
      const session = await tx.sessions.get(TENANT, 'ses_1');
      const run = await tx.runs.get(TENANT, 'run_1');
      await tx.sessions.insert({ ...session!, tenantId: OTHER });
      await tx.runs.insert({ ...run!, tenantId: OTHER });
      await tx.messages.insert([aMessage({ tenantId: OTHER })]);
      await tx.questions.insert(aQuestion({ tenantId: OTHER }));
      await tx.toolExecutions.insert(aToolExecution({ tenantId: OTHER }));
      await tx.idempotencyKeys.put({ tenantId: OTHER, key: 'k', fingerprint: 'g', runId: 'run_1', createdAt: 1 });
    });
    expect((await store().read.idempotencyKeys.get(TENANT, 'k'))?.fingerprint).toBe('f');
    expect(await store().transaction('none', tx => tx.sessions.delete(OTHER, 'ses_1'))).toBe(true);
    expect(await store().read.idempotencyKeys.get(TENANT, 'k')).toBeDefined();
    expect(await store().read.messages.history(TENANT, 'ses_1')).toHaveLength(1);
  });
}
