/** A zone that Node cannot name: the gateway says which one it takes, and takes that one everywhere. */
import { type AgentBench, startBench } from '../support/agent_bench';

let bench: AgentBench;

beforeAll(async () => {
  bench = await startBench({ env: { TZ: 'UTC+8' } });
});

afterAll(() => bench?.stop());

it('runs, makes jobs and warns with the zone that TZ means', async () => {
  bench.model.onTurn('hello', 'Hello!');
  const run = await bench.rest.request('POST', '/runs', { input: 'hello' });
  expect(run.body).toMatchObject({ status: 'completed' });
  expect(JSON.stringify(bench.model.requests())).toContain('Etc/GMT+8 (UTC-08:00)');
  const job = await bench.rest.request('POST', '/jobs', { name: 'Water', input: 'hello', schedule: { cron: '0 8 * * *' } });
  expect(job).toMatchObject({ status: 201, body: { schedule: { timeZone: 'Etc/GMT+8' }, nextRunAt: expect.stringContaining('T16:00') } });
  const ready = (await (await fetch(`${bench.gateway.url}/readyz`)).json()) as { warnings: string[] };
  expect(ready.warnings).toEqual([expect.stringMatching(/^TZ=UTC\+8 .*Set TZ to a name such as Asia\/Shanghai\.$/)]);
  expect(bench.gateway.output()).toContain('TZ=UTC+8 is no name of a time zone');
});
