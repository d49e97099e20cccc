import type { Store } from '../../../src/port/store/store';
import { aMessage, aQuestion, aRun, aSession, readAll, seed, TENANT } from '../../support/store_records';
import type { CurrentStore } from '../store_contract';

const RIVAL = 'rival';

export function describeOps(store: CurrentStore, openAnother: () => Promise<Store>): void {
  /** Ends runs of both tenants, one a second, in turn. */
  async function seedRuns(): Promise<void> {
    await seed(store(), async tx => {
      await tx.sessions.insert(aSession({ tenantId: RIVAL }));
      for (let i = 0; i < 6; i += 1) {
        const tenantId = i % 2 === 0 ? TENANT : RIVAL;
        const id = `run_ops_${i}`;
        const agent = i < 3 ? 'gardener' : 'default';
        await tx.runs.insert(aRun({ tenantId, id, status: 'queued', agent, keyName: 'ci', createdAt: 10_000 + i * 1_000 }));
        const status = i === 5 ? ('incomplete' as const) : ('completed' as const);
        const outcome = { text: 'secret', usage: { inputTokens: 0, outputTokens: 0 }, ...(i === 5 && { reason: 'timeout' as const }) };
        const usageByModel = {
          m1: { inputTokens: 10, outputTokens: 2, costUsd: 0.5 },
          m2: { inputTokens: 1, outputTokens: 1, costUsd: 0.25 },
        };
        await tx.runs.update(tenantId, id, { from: ['queued'] }, { status, outcome, endedAt: 20_000 + i, usageByModel });
      }
    });
  }

  const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);
  const ended = (rows: readonly { id: string }[]) => ids(rows).filter(id => id.startsWith('run_ops'));

  test('lists the runs of one tenant or of all, newest first, by page', async () => {
    await seedRuns();
    const { read } = store();
    const all = await readAll(page => read.opsRuns.list({}, {}, page));
    expect(ended(all)).toEqual([5, 4, 3, 2, 1, 0].map(i => `run_ops_${i}`));
    expect(ended(await readAll(page => read.opsRuns.list({ tenantId: RIVAL }, {}, page)))).toEqual(['run_ops_5', 'run_ops_3', 'run_ops_1']);
    expect(all[0]).toMatchObject({ tenantId: RIVAL, reason: 'timeout', usage: { inputTokens: 11, outputTokens: 3, costUsd: 0.75 } });
    expect(JSON.stringify(all)).not.toContain('secret');
  });

  test('filters runs by agent, key, status, reason, time and id', async () => {
    await seedRuns();
    const listed = async (filter: object, scope = {}) => ended(await readAll(page => store().read.opsRuns.list(scope, filter, page)));
    expect(await listed({ agent: 'gardener' })).toEqual(['run_ops_2', 'run_ops_1', 'run_ops_0']);
    expect(await listed({ keyName: 'other' })).toEqual([]);
    expect(await listed({ status: 'incomplete' })).toEqual(['run_ops_5']);
    expect(await listed({ reason: 'timeout' })).toEqual(['run_ops_5']);
    expect(await listed({ reason: 'budget' })).toEqual([]);
    expect(await listed({ since: 14_000 })).toEqual(['run_ops_5', 'run_ops_4']);
    expect(await listed({ since: 13_000, until: 15_000 })).toEqual(['run_ops_4', 'run_ops_3']);
    expect(await listed({ id: 'run_ops_1', until: 11_000 })).toEqual([]);
    expect(await listed({ id: 'run_ops_1' })).toEqual(['run_ops_1']);
    expect(await listed({ id: 'run_ops_1' }, { tenantId: TENANT })).toEqual([]);
    expect(await listed({ id: 'ses_1' }, { tenantId: TENANT })).toEqual(['run_ops_4', 'run_ops_2', 'run_ops_0']);
    expect(await store().read.opsSessions.tenantOf('run', 'run_ops_1')).toBe(RIVAL);
    expect(await store().read.opsSessions.tenantOf('run', 'run_none')).toBeUndefined();
  });

  test('lists the sessions of one tenant or of all by their last change, and counts what one holds', async () => {
    await seed(store(), async tx => {
      for (const [i, tenantId] of [TENANT, RIVAL, TENANT, RIVAL].entries()) {
        await tx.sessions.insert(aSession({ tenantId, id: `ses_ops_${i}`, updatedAt: 10_000 + i }));
      }
      await tx.sessions.insert(aSession({ id: 'ses_ops_single', updatedAt: 10_002, origin: { door: 'openai' } }));
      await tx.runs.insert(aRun({ id: 'run_first', sessionId: 'ses_ops_2', status: 'completed', lastSeq: 7 }));
      await tx.runs.insert(aRun({ id: 'run_last', sessionId: 'ses_ops_2', lastSeq: 5 }));
      const texts = ['你好', 'hello'].map((content, position) => ({ position, message: { role: 'user' as const, content } }));
      await tx.messages.insert(texts.map(text => aMessage({ ...text, runId: 'run_last', sessionId: 'ses_ops_2', runOrdinal: 2 })));
    });
    const { read } = store();
    const listed = async (scope: object, filter = {}) =>
      ids(await readAll(page => read.opsSessions.list(scope, filter, page))).filter(id => id.startsWith('ses_ops'));
    expect(await listed({})).toEqual(['ses_ops_3', 'ses_ops_2', 'ses_ops_1', 'ses_ops_0']);
    expect(await listed({ tenantId: RIVAL })).toEqual(['ses_ops_3', 'ses_ops_1']);
    expect(await listed({}, { since: 10_002 })).toEqual(['ses_ops_3', 'ses_ops_2']);
    expect(await listed({}, { originDoor: 'openai' })).toEqual(['ses_ops_single']);
    const size = await read.opsSessions.size(TENANT, 'ses_ops_2');
    expect(size).toMatchObject({ messages: 2, runs: 2, events: 12, isMore: false, lastRun: { id: 'run_last', status: 'running' } });
    expect(size.messageBytes).toBeGreaterThan(Buffer.byteLength('你好hello'));
    expect(await read.opsSessions.size(RIVAL, 'ses_ops_2')).toEqual({ messages: 0, messageBytes: 0, runs: 0, events: 0, isMore: false });
    expect(await read.opsSessions.tenantOf('session', 'ses_ops_1')).toBe(RIVAL);
    expect(await read.opsSessions.tenantOf('question', 'none')).toBeUndefined();
  });

  test('counts and lists questions that are open, of one tenant or of all', async () => {
    await seed(store(), async tx => {
      await tx.questions.insert(aQuestion());
      await tx.questions.insert(aQuestion({ id: 'question-2', createdAt: 900 }));
      await tx.questions.insert(aQuestion({ id: 'question-3', expiresAt: 1_500 }));
      await tx.questions.insert(aQuestion({ id: 'question-4' }));
      await tx.questions.close(TENANT, 'question-4', { status: 'answered', answer: 'yes', closedAt: 1_001 });
    });
    const { read } = store();
    expect(await read.ops.countOpenQuestions({ tenantId: TENANT }, 2_000)).toEqual([{ kind: 'clarification', count: 2, oldestAt: 900 }]);
    expect(await read.ops.countOpenQuestions({ tenantId: RIVAL }, 2_000)).toEqual([]);
    expect(ids(await read.ops.listOpenQuestions({}, 2_000, 10))).toEqual(['question-2', 'question-1']);
    expect(await read.ops.listOpenQuestions({ tenantId: RIVAL }, 2_000, 10)).toEqual([]);
    expect(ids(await read.ops.listOpenQuestions({}, 2_000, 1))).toEqual(['question-2']);
  });

  test('lists when questions of a span waited for a person, of one tenant or of all', async () => {
    const day = 86_400_000;
    await seed(store(), async tx => {
      await tx.sessions.insert(aSession({ tenantId: RIVAL, id: 'ses_period' }));
      await tx.questions.insert(aQuestion({ id: 'period-1', createdAt: day + 1_000, expiresAt: day + 9_000 }));
      await tx.questions.close(TENANT, 'period-1', { status: 'answered', answer: 'yes', closedAt: day + 3_000 });
      await tx.questions.insert(aQuestion({ id: 'period-2', createdAt: day + 2_000, expiresAt: day + 9_000 }));
      await tx.questions.insert(
        aQuestion({ tenantId: RIVAL, id: 'period-3', sessionId: 'ses_period', createdAt: day + 2_500, expiresAt: day + 9_000 }),
      );
    });
    const listed = (scope: object, from: number, to: number, limit = 10) =>
      store().read.ops.listQuestionPeriods(scope, { from: day + from, to: day + to }, limit);
    const [answered, open, other] = [
      { createdAt: day + 1_000, endsAt: day + 3_000 },
      { createdAt: day + 2_000, endsAt: day + 9_000 },
      { createdAt: day + 2_500, endsAt: day + 9_000 },
    ];
    expect(await listed({}, 2_900, 5_000)).toEqual([other, open, answered]);
    expect(await listed({}, 2_900, 5_000, 1)).toEqual([other]);
    expect(await listed({ tenantId: TENANT }, 3_000, 5_000)).toEqual([open]);
    expect(await listed({ tenantId: TENANT }, 900, 1_500)).toEqual([answered]);
    expect(await listed({ tenantId: TENANT }, 86_402_001, 86_403_000)).toEqual([]);
  });

  test('keeps switches for all processes until they are taken back', async () => {
    const other = await openAnother();
    const entry = { tenantId: TENANT, name: 'tool:bash', reason: 'leaks', changedBy: 'root', changedAt: 5 };
    await store().transaction('none', tx => tx.switches.put({ ...entry, reason: 'old' }));
    await store().transaction('none', tx => tx.switches.put(entry));
    expect(await other.read.switches.list()).toEqual([entry]);
    expect(await other.transaction('none', tx => tx.switches.delete(RIVAL, 'tool:bash'))).toBe(false);
    expect(await other.transaction('none', tx => tx.switches.delete(TENANT, 'tool:bash'))).toBe(true);
    expect(await store().read.switches.list()).toEqual([]);
  });

  test('keeps the newest figures of each gateway and forgets gateways that are gone', async () => {
    const other = await openAnother();
    const node = (id: string, seenAt: number, wantedUntil = 0) => ({ id, seenAt, wantedUntil, figures: { seenAt } });
    await store().transaction('none', tx => tx.ops.putNode(node('a', 10, 50), 0));
    await other.transaction('none', tx => tx.ops.putNode(node('b', 20), 0));
    await other.transaction('none', tx => tx.ops.putNode(node('b', 30), 0));
    expect(await store().read.ops.listNodes(10)).toEqual([node('a', 10, 50), node('b', 30)]);
    expect([await store().read.ops.figuresWantedUntil('a'), await store().read.ops.figuresWantedUntil('b')]).toEqual([0, 50]);
    await store().transaction('none', tx => tx.ops.putNode(node('b', 60), 40));
    expect(await other.read.ops.listNodes(0)).toEqual([node('b', 60)]);
  });
}
