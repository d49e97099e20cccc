/** The short form of the fault suite (`npm run test:fault`): a kill at a random time, and one kill at every failpoint, in chains of three. */
import { FAILPOINTS, type Failpoint } from '../../src/port/failpoints';
import { type FaultBench, startFaultBench } from './fault_bench';
import { createRandom } from './random';
import { pointRound, randomRound } from './rounds';

/** Each process recovers from the crash of the one before it; a run is recovered at most three times. */
const CHAINS: Failpoint[][] = [
  ['message_stored', 'run_claimed', 'clarify_opened'],
  ['before_ack', 'tool_intent', 'clarify_answered'],
  ['model_called', 'tool_effect', 'run_end'],
  ['event_append', 'attempt_stored', 'tool_result_stored'],
  ['active_check', 'run_begun', 'event_published', 'audit_row'],
];
const ROUND_LIMIT_MS = 120_000;

let bench: FaultBench;
const random = createRandom(20_261_121);

beforeAll(async () => {
  bench = await startFaultBench(random);
});

afterAll(() => bench?.stop());

// `npm run test:fault` has many more.
it(
  'keeps every promise when it is killed at a random time',
  async () => {
    expect((await randomRound(bench, 'short', random)).violations).toEqual([]);
  },
  ROUND_LIMIT_MS,
);

it('kills at every failpoint', () => {
  expect(new Set(CHAINS.flat())).toEqual(new Set(FAILPOINTS));
});

it.each(CHAINS)(
  'keeps every promise when it is killed at %s, then at %s, then at %s',
  async (...chain) => {
    const [first, ...others] = chain.map(point => ({ point, hit: 1 }));
    const { kills, violations } = await pointRound(bench, `short${chain.join('').replaceAll('_', '')}`, first!, ...others);
    expect({ kills, violations }).toEqual({ kills: chain.length, violations: [] });
  },
  ROUND_LIMIT_MS,
);
