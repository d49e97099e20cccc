import type { Store } from '../../../src/port/store/store';
import type { UsageBy } from '../../../src/port/store/usage';
import { aRun, aToolExecution, insertRun, seed, TENANT } from '../../support/store_records';
import type { CurrentStore } from '../store_contract';

const DAY = Date.parse('2026-03-01T10:00:00.000Z');

export function describeUsageAndRates(store: CurrentStore, openAnother: () => Promise<Store>): void {
  const take = (wanted: number, now: number, from = store()) =>
    from.transaction('none', tx => tx.rateCounters.take({ id: 'key:a', wanted, limit: 5, windowMs: 1_000, now }));

  test('gives out the points of a window, to all processes together, and begins a new window when it has ended', async () => {
    const other = await openAnother();
    expect(await take(3, 100)).toEqual({ taken: 3, points: 3, expiresAt: 1_100 });
    expect(await take(3, 200, other)).toEqual({ taken: 2, points: 5, expiresAt: 1_100 });
    expect(await take(1, 300)).toEqual({ taken: 0, points: 5, expiresAt: 1_100 });
    await store().transaction('none', tx => tx.rateCounters.giveBack('key:a', 2, 1_100));
    await store().transaction('none', tx => tx.rateCounters.giveBack('key:a', 2, 999));
    expect(await take(1, 400, other)).toEqual({ taken: 1, points: 4, expiresAt: 1_100 });
    expect(await take(1, 1_100)).toEqual({ taken: 1, points: 1, expiresAt: 2_100 });
  });

  /** Ends a run with this usage. */
  async function endRun(id: string, keyName: string, endedAt: number, usageByModel: Record<string, object>): Promise<void> {
    await store().transaction('none', async tx => {
      await tx.runs.insert(aRun({ id, status: 'queued', keyName, startedAt: endedAt - 500 }));
      const patch = { status: 'completed' as const, endedAt, usageByModel: usageByModel as never };
      await tx.runs.update(TENANT, id, { from: ['queued', 'running'] }, patch);
    });
  }

  test('adds ended runs to their day once, and keeps the sums when the session is deleted', async () => {
    await seed(store());
    const used = { inputTokens: 100, cachedTokens: 40, outputTokens: 10, reasoningTokens: 5, costUsd: 0.000000003 };
    await endRun('run_a', 'ci', DAY, { m1: used, m2: { inputTokens: 1, outputTokens: 1 } });
    await endRun('run_b', 'ci', DAY + 1, { m1: used });
    await endRun('run_c', 'bot', DAY + 86_400_000, { m1: used });
    const today = () => store().read.usage.dayAmounts(TENANT, '2026-03-01', 'ci');
    expect(await today()).toEqual({ tokens: 222, nanoDollars: 6 });
    expect(await store().transaction('none', tx => tx.usage.rollUp())).toBeGreaterThanOrEqual(3);
    expect(await store().transaction('none', tx => tx.usage.rollUp())).toBe(0);
    expect(await today()).toEqual({ tokens: 222, nanoDollars: 6 });
    await endRun('run_d', 'ci', DAY + 2, { m1: used });
    expect(await today()).toEqual({ tokens: 332, nanoDollars: 9 });
    await store().transaction('none', tx => tx.sessions.delete(TENANT, 'ses_1'));
    expect(await today()).toEqual({ tokens: 332, nanoDollars: 9 });
    expect(await store().read.usage.dayAmounts(TENANT, '2026-03-01')).toEqual({ tokens: 332, nanoDollars: 9 });
    expect(await store().read.usage.dayAmounts('rival', '2026-03-01')).toEqual({ tokens: 0, nanoDollars: 0 });
    expect(await store().read.usage.listDays({ tenantId: 'rival', from: '2026-01-01', to: '2026-12-31' })).toEqual([]);
    const rows = await store().read.usage.listDays({ tenantId: TENANT, from: '2026-03-01', to: '2026-03-01' });
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

  test('adds a model call of no run to its day at once', async () => {
    const call = {
      tenantId: TENANT,
      day: '2026-03-01',
      keyName: 'ci',
      model: 'm1',
      agent: 'default',
      runs: 0,
      unpricedRuns: 0,
      durationMs: 0,
    };
    const used = { inputTokens: 50, cachedTokens: 0, outputTokens: 4, reasoningTokens: 0, nanoDollars: 7 };
    for (let i = 0; i < 2; i++) await store().transaction('none', tx => tx.usage.addCall({ ...call, ...used }));
    expect(await store().read.usage.dayAmounts(TENANT, '2026-03-01', 'ci')).toEqual({ tokens: 108, nanoDollars: 14 });
    expect(await store().read.usage.dayAmounts('rival', '2026-03-01')).toEqual({ tokens: 0, nanoDollars: 0 });
  });

  test('counts what active runs have used so far, until their end says what they used in all', async () => {
    await seed(store());
    const expected = { from: ['running', 'waiting'] as const, epoch: 1 };
    const spend = (id: string, tokens: number, epoch = 1) =>
      store().transaction('none', tx =>
        tx.runs.update(TENANT, id, { ...expected, epoch }, { spentTokens: tokens, spentNanoDollars: tokens * 2 }),
      );
    const amounts = (keyName?: string) => store().read.usage.dayAmounts(TENANT, '2026-03-01', keyName);
    for (const [id, keyName] of [
      ['run_a', 'ci'],
      ['run_b', undefined],
    ] as const) {
      await store().transaction('none', tx => insertRun(tx, { id, keyName }));
      expect(await spend(id, 100)).toBe(true);
    }
    expect(await spend('run_a', 150)).toBe(true);
    // A gateway that has lost the run changes nothing.
    expect(await spend('run_a', 1, 7)).toBe(false);
    expect([await amounts(), await amounts('ci'), await amounts('local')]).toEqual([
      { tokens: 250, nanoDollars: 500 },
      { tokens: 150, nanoDollars: 300 },
      { tokens: 100, nanoDollars: 200 },
    ]);
    const usageByModel = { m1: { inputTokens: 160, outputTokens: 10 } };
    await store().transaction('none', tx => tx.runs.update(TENANT, 'run_a', expected, { status: 'completed', endedAt: DAY, usageByModel }));
    expect(await amounts('ci')).toEqual({ tokens: 170, nanoDollars: 0 });
    while ((await store().transaction('none', tx => tx.usage.rollUp())) > 0);
    expect([await amounts('ci'), await amounts()]).toEqual([
      { tokens: 170, nanoDollars: 0 },
      { tokens: 270, nanoDollars: 200 },
    ]);
    expect(await store().read.usage.dayAmounts('rival', '2026-03-01')).toEqual({ tokens: 0, nanoDollars: 0 });
  });

  test('counts what active runs have reserved beyond what they have used, until they end', async () => {
    await seed(store());
    const amounts = () => store().read.usage.dayAmounts(TENANT, '2026-03-01', 'ci');
    await store().transaction('none', tx => insertRun(tx, { id: 'run_a', keyName: 'ci', reservedTokens: 100, reservedNanoDollars: 900 }));
    expect(await amounts()).toEqual({ tokens: 0, nanoDollars: 0, reserved: { tokens: 100, nanoDollars: 900 } });
    const expected = { from: ['running', 'waiting'] as const, epoch: 1 };
    await store().transaction('none', tx => tx.runs.update(TENANT, 'run_a', expected, { spentTokens: 150, spentNanoDollars: 300 }));
    expect(await amounts()).toEqual({ tokens: 150, nanoDollars: 300, reserved: { tokens: 0, nanoDollars: 600 } });
    const usageByModel = { m1: { inputTokens: 160, outputTokens: 10 } };
    await store().transaction('none', tx => tx.runs.update(TENANT, 'run_a', expected, { status: 'failed', endedAt: DAY, usageByModel }));
    expect(await amounts()).toEqual({ tokens: 170, nanoDollars: 0 });
  });

  test('adds up usage by day, model, agent, key and tool, whether it is rolled up or not', async () => {
    await seed(store());
    const priced = { inputTokens: 100, cachedTokens: 40, outputTokens: 10, reasoningTokens: 5, costUsd: 0.000000003 };
    await endRun('run_a', 'ci', DAY, { m1: priced });
    await endRun('run_b', 'bot', DAY + 86_400_000, { m2: { inputTokens: 7, outputTokens: 1 } });
    await store().transaction('none', async tx => {
      for (const [id, runId, tool, durationMs] of [
        ['exe_a', 'run_a', 'read_file', 30],
        ['exe_b', 'run_a', 'read_file', 20],
        ['exe_c', 'run_b', 'read_file', 5],
        ['exe_d', 'run_b', 'bash', undefined],
      ] as const) {
        await tx.toolExecutions.insert(aToolExecution({ id, runId, tool }));
        await tx.toolExecutions.finish(TENANT, id, { status: 'success', ...(durationMs !== undefined && { durationMs }) });
      }
    });
    const range = { tenantId: TENANT, from: '2026-03-01', to: '2026-03-02' };
    const sums = async (by: UsageBy, fields: object = {}) =>
      (await store().read.usageSums.sum({ ...range, ...fields }, by)).sort((a, b) => (a.key < b.key ? -1 : 1));
    const check = async () => {
      expect(await sums('day')).toEqual([
        {
          key: '2026-03-01',
          runs: 1,
          inputTokens: 100,
          cachedTokens: 40,
          outputTokens: 10,
          reasoningTokens: 5,
          nanoDollars: 3,
          unpricedRuns: 0,
          durationMs: 500,
        },
        {
          key: '2026-03-02',
          runs: 1,
          inputTokens: 7,
          cachedTokens: 0,
          outputTokens: 1,
          reasoningTokens: 0,
          nanoDollars: 0,
          unpricedRuns: 1,
          durationMs: 500,
        },
      ]);
      expect(await sums('model')).toMatchObject([
        { key: 'm1', inputTokens: 100 },
        { key: 'm2', unpricedRuns: 1 },
      ]);
      expect(await sums('agent')).toMatchObject([{ key: 'default', runs: 2, inputTokens: 107, durationMs: 1_000 }]);
      expect(await sums('key')).toMatchObject([
        { key: 'bot', tenantId: TENANT },
        { key: 'ci', tenantId: TENANT },
      ]);
      expect(await sums('tool')).toMatchObject([
        { key: 'bash', runs: 1, calls: 1, durationMs: 0 },
        { key: 'read_file', runs: 2, calls: 3, durationMs: 55, inputTokens: 0 },
      ]);
      expect(await sums('tool', { from: '2026-03-02' })).toMatchObject([{ key: 'bash' }, { key: 'read_file', calls: 1 }]);
      expect(await sums('day', { to: '2026-03-01' })).toHaveLength(1);
      expect(await sums('tool', { tenantId: 'rival' })).toEqual([]);
      expect(await sums('day', { tenantId: 'rival' })).toEqual([]);
    };
    await check();
    while ((await store().transaction('none', tx => tx.usage.rollUp())) > 0);
    await check();
    await store().transaction('none', tx => tx.sessions.delete(TENANT, 'ses_1'));
    await check();
    expect((await store().read.usageSums.sum({ from: '2026-03-01', to: '2026-03-02' }, 'tool')).length).toBe(2);
  });

  test('adds up many ended runs in several steps, each run and each of its calls once', async () => {
    await seed(store());
    while ((await store().transaction('none', tx => tx.usage.rollUp())) > 0);
    const ids = Array.from({ length: 250 }, (_, i) => `run_${String(i).padStart(3, '0')}`);
    for (const id of ids) await endRun(id, 'many', DAY, { m1: { inputTokens: 2, outputTokens: 1 } });
    await store().transaction('none', async tx => {
      for (const id of ids) {
        for (const call of ['a', 'b']) {
          const execution = aToolExecution({ id: `exe_${id}${call}`, runId: id, tool: 'read_file' });
          await tx.toolExecutions.insert(execution);
          await tx.toolExecutions.finish(TENANT, execution.id, { status: 'success', durationMs: 3 });
        }
      }
    });
    const range = { tenantId: TENANT, from: '2026-03-01', to: '2026-03-01' };
    const check = async () => {
      expect(await store().read.usageSums.sum(range, 'key')).toMatchObject([
        { key: 'many', runs: 250, inputTokens: 500, durationMs: 125_000 },
      ]);
      expect(await store().read.usageSums.sum(range, 'tool')).toMatchObject([
        { key: 'read_file', runs: 250, calls: 500, durationMs: 1_500 },
      ]);
    };
    await check();
    expect(await store().transaction('none', tx => tx.usage.rollUp())).toBe(200);
    await check();
    expect(await store().transaction('none', tx => tx.usage.rollUp())).toBe(50);
    await check();
    expect(await store().transaction('none', tx => tx.usage.rollUp())).toBe(0);
  });

  test('two processes that add up at once while runs end count each run once', async () => {
    const other = await openAnother();
    await seed(store());
    const ids = Array.from({ length: 60 }, (_, i) => `run_${String((i * 37) % 60).padStart(2, '0')}`);
    let isOver = false;
    const rolling = [store(), other].map(async from => {
      while (!isOver) await from.transaction({ leader: 'usage' }, tx => tx.usage.rollUp());
    });
    for (const id of ids) await endRun(id, 'many', DAY, { m1: { inputTokens: 2, outputTokens: 1 } });
    isOver = true;
    await Promise.all(rolling);
    await other.transaction({ leader: 'usage' }, tx => tx.usage.rollUp());
    expect(await store().read.usage.listDays({ tenantId: TENANT, from: '2026-03-01', to: '2026-03-01' })).toMatchObject([
      { keyName: 'many', runs: 60, inputTokens: 120, outputTokens: 60 },
    ]);
  });

  test('many requests of two processes at once get no more points than the limit', async () => {
    const other = await openAnother();
    const taken = await Promise.all(Array.from({ length: 40 }, (_, i) => take(1, 100 + i, i % 2 ? other : store())));
    expect(taken.reduce((sum, result) => sum + result.taken, 0)).toBe(5);
  });

  test('counts the unfinished runs of a key and of its tenant', async () => {
    await seed(store());
    const insert = (id: string, keyName: string, status: 'queued' | 'running') =>
      store().transaction('none', tx => insertRun(tx, { id, keyName, status }));
    const before = await store().read.runs.countUnfinished(TENANT);
    await insert('run_a', 'ci', 'running');
    await insert('run_b', 'ci', 'queued');
    await insert('run_c', 'bot', 'queued');
    expect(await store().read.runs.countUnfinished(TENANT, 'ci')).toEqual({ active: 1, queued: 1 });
    const { active, queued } = await store().read.runs.countUnfinished(TENANT);
    expect([active - before.active, queued - before.queued]).toEqual([1, 2]);
    expect(await store().read.runs.countUnfinished('rival')).toEqual({ active: 0, queued: 0 });
  });
}
