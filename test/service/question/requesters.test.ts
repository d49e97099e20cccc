/** Whose words count as the cause of a call: those of all runs of a crew, and of the instructions of the chat. */
import { findRequesters } from '../../../src/service/question/requesters';
import { aQuestion, aRun, aSession, aSteeringMessage, TENANT } from '../../support/store_records';
import { openTemporaryStore, type TemporaryStore } from '../../support/temporary_store';

let temporary: TemporaryStore;
beforeAll(async () => {
  temporary = await openTemporaryStore();
});
afterAll(() => temporary.release());

it('[R] takes the writers of a sibling, the answers to the master and the writer of the instructions for requesters of a member', async () => {
  const { store } = temporary;
  const inCrew = (id: string, index: number) => ({
    ...aRun({
      id,
      sessionId: `ses_${id}`,
      keyName: '@anna',
      parent: { runId: 'run_master', sessionId: 'ses_1', toolCallId: 'call', index },
    }),
    ordinal: 1,
  });
  await store.transaction('none', async tx => {
    await tx.sessions.insert(aSession({ instructionsBy: ['@gina', '@hugo'] }));
    await tx.runs.insert({ ...aRun({ id: 'run_master', keyName: '@anna', writtenBy: '@dora' }), ordinal: 1 });
    for (const [index, id] of ['member', 'sibling'].entries()) {
      await tx.sessions.insert(aSession({ id: `ses_${id}` }));
      await tx.runs.insert(inCrew(id, index));
    }
    await tx.steeringMessages.insert(
      aSteeringMessage({ id: 'said', runId: 'sibling', sessionId: 'ses_sibling', writtenBy: '@ben', takenAt: 2 }),
    );
    await tx.questions.insert(
      aQuestion({ runId: 'run_master', kind: 'clarification', status: 'answered', answer: 'Yes', decidedBy: '@erik' }),
    );
    // A reason of a denial and changed arguments reach the model; a yes or a no alone says nothing.
    const approvals = {
      '@kai': { decision: 'deny', reason: 'Push instead' },
      '@lea': { decision: 'allow_once', args: { command: 'ls' } },
      '@max': { decision: 'deny' },
    };
    for (const [index, [decidedBy, answer]] of Object.entries(approvals).entries()) {
      const decided = {
        ...aQuestion({ runId: 'member', status: 'answered', decidedBy }),
        id: `approval_${index}`,
        toolCallId: `call_${index}`,
      };
      await tx.questions.insert({ ...decided, kind: 'approval', answer: JSON.stringify(answer) });
    }
  });
  const member = await store.read.runs.get(TENANT, 'member');
  const found = member ? await findRequesters(store.read, member) : [];
  expect([...new Set(found)].sort()).toEqual(['@anna', '@ben', '@dora', '@erik', '@gina', '@hugo', '@kai', '@lea']);
});
