import { AppError } from '../../../src/errors';
import type { StoreTransaction } from '../../../src/port/store/store';
import { AgentExecutor, type AgentExecutorDeps } from '../../../src/service/run/agent_executor';

it('discards a run whose beginning took longer than its transaction', async () => {
  const { promise: slow, resolve: proceed } = Promise.withResolvers<void>();
  let working: Promise<unknown> = Promise.resolve();
  let discarded = 0;
  // Only what accepting a run uses.
  const deps = {
    store: {
      // The store does not wait any longer for the work, which goes on.
      transaction: async (_lock: unknown, work: (tx: StoreTransaction) => Promise<unknown>) => {
        working = work({} as StoreTransaction);
        throw new AppError('internal');
      },
    },
    runLimiter: { startLock: () => 'none' },
    capacity: { reserve: () => ({ release: () => {} }) },
    failpoints: { reach: () => undefined },
    admission: { assertAccepting: () => {}, acceptRun: async () => ({ claimed: {} }) },
    supervisor: {
      beginRun: async () => {
        await slow;
        return { discard: () => (discarded += 1) };
      },
      fillSlots: () => {},
    },
  } as unknown as AgentExecutorDeps;
  const executor = new AgentExecutor(deps);
  const accepting = executor.startWithin({ tenantId: 'default' } as never, async (_tx, admit) => admit({} as never));
  await expect(accepting).rejects.toMatchObject({ code: 'internal' });
  expect(discarded).toBe(0);
  proceed();
  await working;
  expect(discarded).toBe(1);
});
