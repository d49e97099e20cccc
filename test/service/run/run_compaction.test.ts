import { RunCompaction, type RunCompactionDeps } from '../../../src/service/run/run_compaction';
import type { RunTurn } from '../../../src/service/run/run_turn';
import { createManualClock } from '../../support/manual_clock';

const MINUTE = 60_000;

describe('a session whose summary failed', () => {
  it('tries again after 1, 2, 4 minutes and so on, at most an hour, and at once with another model', () => {
    const clock = createManualClock();
    const deps = { clock, llm: { info: { model: 'small' } }, onError() {}, compactAt: 0.75 } as unknown as RunCompactionDeps;
    const runs = new RunCompaction(deps);
    const turnWith = (model?: string) =>
      ({ run: { id: 'r1', sessionId: 's1', tenantId: 'default', ordinal: 1 }, messages: [], model }) as unknown as RunTurn;
    const compactionOf = (model?: string) => {
      const { compaction } = runs.paramsFor(turnWith(model), []);
      if (!compaction) throw new Error('no compaction');
      return compaction;
    };
    for (const minutes of [1, 2, 4, 8, 16, 32, 60, 60]) {
      expect(compactionOf().hasFailed).toBe(false);
      compactionOf().onSummaryFailed(new Error('no'));
      clock.advance(minutes * MINUTE - 1);
      expect(compactionOf().hasFailed).toBe(true);
      expect(compactionOf('large').hasFailed).toBe(false);
      clock.advance(1);
    }
    compactionOf().onCountFailed(new Error('no tokenizer'));
    expect(compactionOf().hasFailed).toBe(false);
  });
});
