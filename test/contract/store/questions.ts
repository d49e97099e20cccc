import type { QuestionFilter } from '../../../src/port/store/questions';
import { aQuestion, aSession, seed, TENANT } from '../../support/store_records';
import type { CurrentStore } from '../store_contract';

const FULL = aQuestion({
  id: 'question-full',
  toolCallId: 'call_1',
  choices: ['left', '右'],
  status: 'answered',
  answer: 'left',
  mode: 'text',
  createdAt: 2_000,
  closedAt: 3_000,
});

export function describeQuestions(store: CurrentStore): void {
  test('reads a question as it was stored, minimal and with every field', async () => {
    await seed(store(), async tx => {
      await tx.questions.insert(aQuestion());
      await tx.questions.insert(FULL);
    });
    expect(await store().read.questions.get(TENANT, 'question-1')).toEqual(aQuestion());
    expect(await store().read.questions.get(TENANT, 'question-full')).toEqual(FULL);
    expect(await store().read.questions.get(TENANT, 'question-none')).toBeUndefined();
  });

  test('lists the questions of child runs by the session that delegated', async () => {
    const ofChild = aQuestion({ id: 'question-child', sessionId: 'ses_child', parentSessionId: 'ses_1', createdAt: 2_000 });
    await seed(store(), async tx => {
      await tx.sessions.insert(aSession({ id: 'ses_child', parentSessionId: 'ses_1', parentRunId: 'run_1' }));
      await tx.questions.insert(aQuestion());
      await tx.questions.insert(ofChild);
    });
    const page = await store().read.questions.list(TENANT, { parentSessionId: 'ses_1' }, { limit: 10 });
    expect(page.data).toEqual([ofChild]);
    expect(await store().read.questions.get(TENANT, 'question-child')).toEqual(ofChild);
  });

  test('lists a question of a session that the caller does not see to those whom it asks, and once it is passed on to the others', async () => {
    const asked = aQuestion({ askedTo: 'role:approver', escalate: { afterMs: 1_000, to: '@erik' }, askedBy: '@anna' });
    await seed(store(), async tx => {
      await tx.sessions.insert(aSession({ id: 'ses_own', owner: '@anna', visibility: 'private', accessId: 'ses_own' }));
      await tx.questions.insert({ ...asked, sessionId: 'ses_own' });
      await tx.questions.insert(aQuestion({ id: 'other', sessionId: 'ses_own' }));
    });
    const listed = async (filter: QuestionFilter) =>
      (await store().read.questions.list(TENANT, filter, { limit: 10 })).data.map(({ id }) => id);
    const filterOf = (handle: string, ...names: string[]) => ({ viewer: { handle, names: [handle] }, names: [handle, ...names] });
    const listedTo = (handle: string, ...names: string[]) => listed(filterOf(handle, ...names));
    expect(await listedTo('@dora', 'role:approver')).toEqual(['question-1']);
    const byChat = async (filter: QuestionFilter) => Promise.all([true, false].map(async chatHidden => listed({ ...filter, chatHidden })));
    expect(await byChat(filterOf('@dora', 'role:approver'))).toEqual([['question-1'], []]);
    expect(await byChat(filterOf('@anna', 'role:approver'))).toEqual([[], ['other', 'question-1']]);
    expect(await byChat({})).toEqual([[], ['other', 'question-1']]);
    expect(await listedTo('@erik')).toEqual([]);
    const passed = { escalatedAt: 2_000, passedTo: '@erik' };
    const passOn = () => store().transaction('none', tx => tx.questions.passOn(TENANT, 'question-1', passed));
    expect([await passOn(), await passOn()]).toEqual([true, false]);
    expect(await listedTo('@erik')).toEqual(['question-1']);
    expect(await store().read.questions.get(TENANT, 'question-1')).toEqual({ ...asked, sessionId: 'ses_own', ...passed });
  });

  test('lets exactly one of several concurrent answers close a question', async () => {
    await seed(store(), tx => tx.questions.insert(aQuestion()));
    const answers = Array.from({ length: 8 }, (_, i) => `answer ${i}`);
    const results = await Promise.all(
      answers.map(answer =>
        store().transaction('none', tx => tx.questions.close(TENANT, 'question-1', { status: 'answered', answer, closedAt: 2_000 })),
      ),
    );
    expect(results.filter(Boolean)).toHaveLength(1);
    const stored = await store().read.questions.get(TENANT, 'question-1');
    expect(stored).toEqual(aQuestion({ status: 'answered', answer: answers[results.indexOf(true)]!, closedAt: 2_000 }));
  });

  test('counts approvals one after the other, and keeps them when the question expires', async () => {
    await seed(store(), tx => tx.questions.insert(aQuestion()));
    const vote = (by: string) => ({ by, at: 1_500, person: `acme/${by}` });
    const set = (before: string[], after: string[]) =>
      store().transaction('none', tx => tx.questions.setApprovals(TENANT, 'question-1', before.map(vote), after.map(vote)));
    // Both have read a question without approvals.
    expect((await Promise.all([set([], ['dora']), set([], ['erik'])])).filter(Boolean)).toHaveLength(1);
    const [first] = (await store().read.questions.get(TENANT, 'question-1'))?.approvals ?? [];
    expect(await set([first?.by ?? ''], [first?.by ?? '', 'fred'])).toBe(true);
    await store().transaction('none', tx => tx.questions.close(TENANT, 'question-1', { status: 'expired', closedAt: 50_000 }));
    expect((await store().read.questions.get(TENANT, 'question-1'))?.approvals).toEqual([first, vote('fred')]);
    expect(await set([first?.by ?? '', 'fred'], [])).toBe(false);
  });

  test('extends a question only while it is pending', async () => {
    await seed(store(), tx => tx.questions.insert(aQuestion()));
    const extend = (expiresAt: number) => store().transaction('none', tx => tx.questions.extend(TENANT, 'question-1', expiresAt));
    expect(await extend(50_000)).toBe(true);
    await store().transaction('none', tx => tx.questions.close(TENANT, 'question-1', { status: 'expired', closedAt: 50_000 }));
    expect(await extend(90_000)).toBe(false);
    expect(await store().read.questions.get(TENANT, 'question-1')).toEqual(
      aQuestion({ status: 'expired', expiresAt: 50_000, closedAt: 50_000 }),
    );
  });

  test('finds the clarifications that were asked as text and are open', async () => {
    const asText = { mode: 'text', expiresAt: 5_000 } as const;
    await seed(store(), async tx => {
      await tx.sessions.insert(aSession({ id: 'ses_2' }));
      await tx.questions.insert(aQuestion({ ...asText, id: 'newer', createdAt: 2_000 }));
      await tx.questions.insert(aQuestion({ ...asText, id: 'older' }));
      await tx.questions.insert(aQuestion({ ...asText, id: 'overdue', expiresAt: 4_000 }));
      await tx.questions.insert(aQuestion({ ...asText, id: 'answered', status: 'answered' }));
      await tx.questions.insert(aQuestion({ ...asText, id: 'approval', kind: 'approval' }));
      await tx.questions.insert(aQuestion({ ...asText, id: 'elsewhere', sessionId: 'ses_2' }));
      await tx.questions.insert(aQuestion({ id: 'waiting', mode: 'wait', expiresAt: 5_000 }));
    });
    expect(await store().read.questions.openText(TENANT, 'ses_1', 4_000)).toEqual(['older', 'newer']);
    expect(await store().read.questions.openText('other', 'ses_1', 4_000)).toEqual([]);
  });

  test('lists by session, run and status, oldest first', async () => {
    await seed(store(), async tx => {
      await tx.sessions.insert(aSession({ id: 'ses_2' }));
      await tx.questions.insert(FULL);
      await tx.questions.insert(aQuestion());
      await tx.questions.insert(aQuestion({ id: 'question-2', sessionId: 'ses_2', runId: 'run_2', createdAt: 1_500 }));
    });
    const ids = async (filter: Parameters<ReturnType<CurrentStore>['read']['questions']['list']>[1]) =>
      (await store().read.questions.list(TENANT, filter, { limit: 10 })).data.map(clarification => clarification.id);
    expect(await ids({})).toEqual(['question-1', 'question-2', 'question-full']);
    expect(await ids({ sessionId: 'ses_1' })).toEqual(['question-1', 'question-full']);
    expect(await ids({ sessionId: 'ses_1', status: 'pending' })).toEqual(['question-1']);
    expect(await ids({ runId: 'run_2' })).toEqual(['question-2']);
    expect(await ids({ status: 'answered' })).toEqual(['question-full']);
  });
}
