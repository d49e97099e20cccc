/** The lines that the gateway writes to stderr about its own faults. */
import { type AgentBench, startBench } from '../support/agent_bench';

let bench: AgentBench;
afterEach(() => bench.stop());

it('a log line about a run names the run and its session', async () => {
  bench = await startBench({ env: { NETA_DEBUG_POINTS: 'run_end=fail' } });
  bench.model.onTurn('hello', 'hello too');
  const { body } = await bench.rest.run({ input: 'hello' });
  expect(body.text).toBe('hello too');
  const lines = bench.gateway.output().split('\n');
  expect(lines.filter(line => line.startsWith('{')).map(line => JSON.parse(line))).toEqual([
    {
      level: 'error',
      time: expect.stringMatching(/^\d{4}-/),
      message: 'the end of a run is written anew',
      runId: body.runId,
      sessionId: body.sessionId,
      error: expect.stringMatching(/^\w*Error: .*\n\s+at /),
    },
  ]);
});
