import type { Store } from '../../../src/port/store/store';
import { aRun, seed, TENANT } from '../../support/store_records';
import type { CurrentStore } from '../store_contract';

const DAY = Date.parse('2026-03-01T10:00:00.000Z');

export function describeUsageAndRates(store: CurrentStore, openAnother: () => Promise<Store>): void {
  const take = (wanted: number, now: number, from = store()) =>
    from.transaction(tx => tx.takePoints({ id: 'key:a', wanted, limit: 5, windowMs: 1_000, now }));

  test('gives out the points of a window, to all processes together, and begins a new window when it has ended', async () => {
    const other = await openAnother();
    expect(await take(3, 100)).toEqual({ taken: 3, points: 3, expiresAt: 1_100 });
    expect(await take(3, 200, other)).toEqual({ taken: 2, points: 5, expiresAt: 1_100 });
    expect(await take(1, 300)).toEqual({ taken: 0, points: 5, expiresAt: 1_100 });
    await store().transaction(tx => tx.returnPoints('key:a', 2, 1_100));
    await store().transaction(tx => tx.returnPoints('key:a', 2, 999));
    expect(await take(1, 400, other)).toEqual({ taken: 1, points: 4, expiresAt: 1_100 });
    expect(await take(1, 1_100)).toEqual({ taken: 1, points: 1, expiresAt: 2_100 });
  });

  /** Ends a run with this usage. */
  async function endRun(id: string, keyName: string, endedAt: number, usageByModel: Record<string, object>): Promise<void> {
    await store().transaction(async tx => {
      await tx.insertRun(aRun({ id, keyName, startedAt: endedAt - 500 }));
      const patch = { status: 'completed' as const, endedAt, usageByModel: usageByModel as never };
      await tx.updateRun(TENANT, id, { from: ['queued', 'running'] }, patch);
    });
  }

  test('adds ended runs to their day once, and keeps the sums when the session is deleted', async () => {
    await seed(store());
    const used = { inputTokens: 100, cachedTokens: 40, outputTokens: 10, reasoningTokens: 5, costUsd: 0.000000003 };
    await endRun('run_a', 'ci', DAY, { m1: used, m2: { inputTokens: 1, outputTokens: 1 } });
    await endRun('run_b', 'ci', DAY + 1, { m1: used });
    await endRun('run_c', 'bot', DAY + 86_400_000, { m1: used });
    const today = () => store().read.dayAmounts(TENANT, '2026-03-01', 'ci');
    expect(await today()).toEqual({ tokens: 222, nanoDollars: 6 });
    expect(await store().transaction(tx => tx.rollUpUsage())).toBeGreaterThanOrEqual(3);
    expect(await store().transaction(tx => tx.rollUpUsage())).toBe(0);
    expect(await today()).toEqual({ tokens: 222, nanoDollars: 6 });
    await endRun('run_d', 'ci', DAY + 2, { m1: used });
    expect(await today()).toEqual({ tokens: 332, nanoDollars: 9 });
    await store().transaction(tx => tx.deleteSession(TENANT, 'ses_1'));
    expect(await today()).toEqual({ tokens: 332, nanoDollars: 9 });
    expect(await store().read.dayAmounts(TENANT, '2026-03-01')).toEqual({ tokens: 332, nanoDollars: 9 });
    expect(await store().read.dayAmounts('rival', '2026-03-01')).toEqual({ tokens: 0, nanoDollars: 0 });
    expect(await store().read.listDayUsage({ tenantId: 'rival', from: '2026-01-01', to: '2026-12-31' })).toEqual([]);
    const rows = await store().read.listDayUsage({ tenantId: TENANT, from: '2026-03-01', to: '2026-03-01' });
    expect(rows).toMatchObject([
      {
        model: 'm1',
        runs: 3,
        inputTokens: 300,
        cachedTokens: 120,
        reasoningTokens: 15,
        nanoDollars: 9,
        unpricedRuns: 0,
        durationMs: 1_500,
      },
      { model: 'm2', runs: 0, inputTokens: 1, outputTokens: 1, nanoDollars: 0, unpricedRuns: 1 },
    ]);
  });

  test('counts the unfinished runs of a key and of its tenant', async () => {
    await seed(store());
    const insert = (id: string, keyName: string, status: 'queued' | 'running') =>
      store().transaction(tx => tx.insertRun(aRun({ id, keyName, status })));
    const before = await store().read.countUnfinishedRuns(TENANT);
    await insert('run_a', 'ci', 'running');
    await insert('run_b', 'ci', 'queued');
    await insert('run_c', 'bot', 'queued');
    expect(await store().read.countUnfinishedRuns(TENANT, 'ci')).toEqual({ active: 1, queued: 1 });
    const { active, queued } = await store().read.countUnfinishedRuns(TENANT);
    expect([active - before.active, queued - before.queued]).toEqual([1, 2]);
    expect(await store().read.countUnfinishedRuns('rival')).toEqual({ active: 0, queued: 0 });
  });
}
