import { CrewDelegate, type CrewDelegateDeps } from '../../../src/feature/crew/crew_delegate';
import { RunSpending } from '../../../src/runtime/run_spending';
import { RunCapacity } from '../../../src/service/run/run_capacity';
import type { RunTurn } from '../../../src/service/run/run_turn';

it('frees the slot of a child run whose transaction was rolled back', async () => {
  const capacity = new RunCapacity({ concurrentRuns: 1, queuedRuns: 1 });
  const deps = {
    capacity,
    ids: { next: (prefix: string) => `${prefix}_1` },
    agents: { agentFor: () => ({ profile: {} }) },
    admission: { acceptChild: async () => ({ run: {}, event: {} }) },
  } as unknown as CrewDelegateDeps;
  const turn = {
    run: { tenantId: 'default', id: 'run_parent', sessionId: 'ses_parent', locale: 'en', interaction: {}, limits: {} },
    deadline: { leftMs: 60_000 },
    children: { started: new Set() },
    spending: new RunSpending({ budget: {} }),
    writer: {
      record: async (_event: unknown, _message: unknown, also: (tx: unknown) => Promise<void>) => {
        await also({});
        throw new Error('The commit failed.');
      },
    },
  } as unknown as RunTurn;
  const assignment = { task: 'look', member: 'scout', toolCallId: 'call_1', index: 0, sharers: 1, signal: new AbortController().signal };
  await expect(new CrewDelegate(deps).runTask(turn, assignment)).rejects.toThrow('The commit failed.');
  expect(capacity.takeSlot()).toBe(true);
});
