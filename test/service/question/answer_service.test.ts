import { createIdSource } from '../../../src/adapter/local/node/ids';
import { clarifyResolvers } from '../../../src/gateway/clarify_resolvers';
import { NO_OTHER_NODES } from '../../../src/port/node_bus';
import { AnswerService } from '../../../src/service/question/answer_service';
import { QuestionService } from '../../../src/service/question/question_service';
import { RunHooks } from '../../../src/service/run_log/run_hooks';
import { createManualClock } from '../../support/manual_clock';
import { NO_AUDIT } from '../../support/no_audit';
import { NO_OBSERVER } from '../../support/no_observer';
import { openQuestions } from '../../support/open_questions';
import { aQuestion, seed, TENANT } from '../../support/store_records';
import { openTemporaryStore, type TemporaryStore } from '../../support/temporary_store';
import { watchReads } from '../../support/watched_reads';

let temporary: TemporaryStore;

beforeAll(async () => {
  temporary = await openTemporaryStore();
  await seed(temporary.store);
});

afterAll(() => temporary.release());

/** An AnswerService without runs, and the names of the reads that it makes. */
function setUp() {
  const { store } = temporary;
  const reads: string[] = [];
  const read = watchReads(store.read, name => void reads.push(name));
  const clock = createManualClock(2_000);
  const counting: typeof store = { ...store, read, transaction: (lock, work) => store.transaction(lock, work) };
  const ports = { store: counting, clock, ids: createIdSource(clock), failpoints: { reach: () => undefined } };
  const questionService = new QuestionService(
    { ...ports, observer: NO_OBSERVER, hooks: new RunHooks(), auditLog: NO_AUDIT, nodeBus: NO_OTHER_NODES },
    clarifyResolvers,
  );
  const answers = new AnswerService({
    questionService,
    questionAccess: openQuestions(),
    executor: {} as never,
    runs: {} as never,
    steering: {} as never,
  });
  const interaction = { clarify: 'wait' as const, clarifyTimeoutMs: 1_000 };
  const answer = (requestId: string, text: string) =>
    answers.answerClarification({ tenantId: TENANT, requestId, answer: text, keyName: 'local', door: 'rest', interaction });
  return { answer, reads };
}

it('reads a waiting question once, stores the answer once and wakes the run with it', async () => {
  await temporary.store.transaction('none', tx => tx.questions.insert(aQuestion({ id: 'one-read' })));
  const { answer, reads } = setUp();
  const woken = clarifyResolvers.wait('one-read', { tenantId: TENANT, sessionId: 'ses_1' });
  expect(await answer('one-read', 'left')).toBeUndefined();
  expect(reads).toEqual(['questions.get']);
  expect(await woken).toEqual({ answer: 'left' });
  expect(await temporary.store.read.questions.get(TENANT, 'one-read')).toMatchObject({ status: 'answered', answer: 'left' });
});

it('tells the loser of two answers at the same time which one won', async () => {
  await temporary.store.transaction('none', tx => tx.questions.insert(aQuestion({ id: 'two-answers' })));
  const { answer } = setUp();
  const results = await Promise.allSettled([answer('two-answers', 'left'), answer('two-answers', 'right')]);
  const { answer: winner } = (await temporary.store.read.questions.get(TENANT, 'two-answers')) ?? {};
  const refused = results.flatMap(result => (result.status === 'rejected' ? [result.reason] : []));
  expect(refused).toMatchObject([{ code: 'clarification_closed', details: { status: 'answered', answer: winner } }]);
});
