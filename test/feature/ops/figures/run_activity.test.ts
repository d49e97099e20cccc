import { RunActivity } from '../../../../src/feature/ops/figures/run_activity';
import type { RunEvent } from '../../../../src/port/run_event';
import type { RunRecord } from '../../../../src/port/store/runs';
import { createManualClock } from '../../../support/manual_clock';
import { aRun } from '../../../support/store_records';

test('the cost of a live run is unknown once a model without a price has answered', () => {
  const activity = new RunActivity({ clock: createManualClock(), modelOf: () => 'mock-1' });
  const run: RunRecord = { ...aRun(), ordinal: 1 };
  const use = (costUsd?: number) => {
    const data = { inputTokens: 10, outputTokens: 5, costUsd };
    activity.noteEvents(run, [{ event: { type: 'usage', data } as RunEvent }], 1_000);
    return activity.progressOf(run.id);
  };
  expect(use(0.25)).toMatchObject({ tokens: 15, costUsd: 0.25 });
  expect(use(0)).toMatchObject({ tokens: 30, costUsd: 0.25 });
  expect(use()?.costUsd).toBeUndefined();
  expect(use(0.25)).toMatchObject({ tokens: 60, costUsd: undefined });
});
