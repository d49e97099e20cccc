import { type OverviewLimitsDeps, OverviewLimitsReader } from '../../../../src/feature/ops/views/overview_limits';
import { type JudgedFacts, reasonsOf } from '../../../../src/feature/ops/views/overview_state';

test('budgets of all keys are counted, and the used-up ones before the list of them is cut', async () => {
  const scopes = Array.from({ length: 230 }, (_, i) => ({
    id: `acme/key-${i}`,
    scope: 'key',
    tenantId: 'acme',
    keyName: `key-${i}`,
    limits: { tokensPerDay: 100, ...(i === 229 && { costPerDayUsd: 1 }) },
  }));
  let reads = 0;
  const reader = new OverviewLimitsReader({
    keyRing: { listKeys: () => [] },
    rules: { scopesOfAll: () => scopes },
    // The last 25 keys have used what they may.
    dayBudgets: {
      amountsOf: async ({ id }: { id: string }) => {
        reads += 1;
        return { tokens: Number(id.split('-')[1]) >= 205 ? 100 : 99, nanoDollars: 1e9 };
      },
    },
    switches: { raiseOf: () => 0 },
    refusals: { list: () => [] },
    // Only what reading needs.
  } as unknown as OverviewLimitsDeps);
  const limits = await reader.read({}, 0);
  // The stream reads again after two seconds: so many budgets are read once for about five.
  await reader.read({}, 2_000);
  await reader.read({}, 4_000);
  expect(reads).toBe(230);
  await reader.read({}, 6_000);
  expect(reads).toBe(460);
  expect(limits).toMatchObject({
    budgets: { tokensPerDay: 230, costPerDayUsd: 1 },
    usedUpBudgets: { tokensPerDay: 25, costPerDayUsd: 1 },
  });
  expect(limits.usedUp).toHaveLength(20);
  const facts = {
    live: { running: 0, waiting: 0, queued: 0, stuck: 0, replays: 0 },
    traffic: { runsPerMinute: 0, windowMinutes: 5 },
    limits,
    people: { questions: 0, approvals: 0 },
    process: {},
    warnings: [],
    accepting: { accepting: true },
    isDraining: false,
    now: 0,
  } as unknown as JudgedFacts;
  expect(reasonsOf(facts).find(({ code }) => code === 'budgets_used_up')?.message).toContain('26 budgets of today are used up');
});
