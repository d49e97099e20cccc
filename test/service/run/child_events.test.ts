import type { RunEvent } from '../../../src/port/run_event';
import { ChildWaits } from '../../../src/service/run/child_events';

const at = (second: number) => new Date(second * 1_000).toISOString();
const asked = (requestId: string, second: number, child: object = { childRunId: 'run_child' }) =>
  ({ type: 'approval_request', ts: at(second), data: { requestId, ...child } }) as unknown as RunEvent;
const ended = (requestId: string, second: number) => ({ type: 'approval_end', ts: at(second), data: { requestId } }) as unknown as RunEvent;

it('counts waits of child runs that overlap once, an open one until now, and no wait of the run itself', () => {
  const waits = new ChildWaits();
  for (const event of [asked('a', 10), asked('b', 12), ended('a', 15), ended('b', 20), asked('own', 30, {}), ended('own', 40)])
    waits.addEvent(event);
  expect(waits.totalMs(50_000)).toBe(10_000);
  waits.addEvent(asked('c', 45));
  expect(waits.totalMs(50_000)).toBe(15_000);
});
