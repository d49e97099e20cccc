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
      await tx.insertQuestion(aQuestion());
      await tx.insertQuestion(FULL);
    });
    expect(await store().read.getQuestion(TENANT, 'question-1')).toEqual(aQuestion());
    expect(await store().read.getQuestion(TENANT, 'question-full')).toEqual(FULL);
    expect(await store().read.getQuestion(TENANT, 'question-none')).toBeUndefined();
  });

  test('lists the questions of child runs by the session that delegated', async () => {
    const ofChild = aQuestion({ id: 'question-child', sessionId: 'ses_child', parentSessionId: 'ses_1', createdAt: 2_000 });
    await seed(store(), async tx => {
      await tx.insertSession(aSession({ id: 'ses_child', parentSessionId: 'ses_1', parentRunId: 'run_1' }));
      await tx.insertQuestion(aQuestion());
      await tx.insertQuestion(ofChild);
    });
    const page = await store().read.listQuestions(TENANT, { parentSessionId: 'ses_1' }, { limit: 10 });
    expect(page.data).toEqual([ofChild]);
    expect(await store().read.getQuestion(TENANT, 'question-child')).toEqual(ofChild);
  });

  test('lets exactly one of several concurrent answers close a question', async () => {
    await seed(store(), tx => tx.insertQuestion(aQuestion()));
    const answers = Array.from({ length: 8 }, (_, i) => `answer ${i}`);
    const results = await Promise.all(
      answers.map(answer =>
        store().transaction(tx => tx.closeQuestion(TENANT, 'question-1', { status: 'answered', answer, closedAt: 2_000 })),
      ),
    );
    expect(results.filter(Boolean)).toHaveLength(1);
    const stored = await store().read.getQuestion(TENANT, 'question-1');
    expect(stored).toEqual(aQuestion({ status: 'answered', answer: answers[results.indexOf(true)]!, closedAt: 2_000 }));
  });

  test('extends a question only while it is pending', async () => {
    await seed(store(), tx => tx.insertQuestion(aQuestion()));
    const extend = (expiresAt: number) => store().transaction(tx => tx.extendQuestion(TENANT, 'question-1', expiresAt));
    expect(await extend(50_000)).toBe(true);
    await store().transaction(tx => tx.closeQuestion(TENANT, 'question-1', { status: 'expired', closedAt: 50_000 }));
    expect(await extend(90_000)).toBe(false);
    expect(await store().read.getQuestion(TENANT, 'question-1')).toEqual(
      aQuestion({ status: 'expired', expiresAt: 50_000, closedAt: 50_000 }),
    );
  });

  test('finds the clarifications that were asked as text and are open', async () => {
    const asText = { mode: 'text', expiresAt: 5_000 } as const;
    await seed(store(), async tx => {
      await tx.insertSession(aSession({ id: 'ses_2' }));
      await tx.insertQuestion(aQuestion({ ...asText, id: 'newer', createdAt: 2_000 }));
      await tx.insertQuestion(aQuestion({ ...asText, id: 'older' }));
      await tx.insertQuestion(aQuestion({ ...asText, id: 'overdue', expiresAt: 4_000 }));
      await tx.insertQuestion(aQuestion({ ...asText, id: 'answered', status: 'answered' }));
      await tx.insertQuestion(aQuestion({ ...asText, id: 'approval', kind: 'approval' }));
      await tx.insertQuestion(aQuestion({ ...asText, id: 'elsewhere', sessionId: 'ses_2' }));
      await tx.insertQuestion(aQuestion({ id: 'waiting', mode: 'wait', expiresAt: 5_000 }));
    });
    expect(await store().read.openTextQuestions(TENANT, 'ses_1', 4_000)).toEqual(['older', 'newer']);
    expect(await store().read.openTextQuestions('other', 'ses_1', 4_000)).toEqual([]);
  });

  test('lists by session, run and status, oldest first', async () => {
    await seed(store(), async tx => {
      await tx.insertSession(aSession({ id: 'ses_2' }));
      await tx.insertQuestion(FULL);
      await tx.insertQuestion(aQuestion());
      await tx.insertQuestion(aQuestion({ id: 'question-2', sessionId: 'ses_2', runId: 'run_2', createdAt: 1_500 }));
    });
    const ids = async (filter: Parameters<ReturnType<CurrentStore>['read']['listQuestions']>[1]) =>
      (await store().read.listQuestions(TENANT, filter, { limit: 10 })).data.map(clarification => clarification.id);
    expect(await ids({})).toEqual(['question-1', 'question-2', 'question-full']);
    expect(await ids({ sessionId: 'ses_1' })).toEqual(['question-1', 'question-full']);
    expect(await ids({ sessionId: 'ses_1', status: 'pending' })).toEqual(['question-1']);
    expect(await ids({ runId: 'run_2' })).toEqual(['question-2']);
    expect(await ids({ status: 'answered' })).toEqual(['question-full']);
  });
}
