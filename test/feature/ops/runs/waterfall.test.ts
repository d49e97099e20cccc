import { Waterfall } from '../../../../src/feature/ops/runs/waterfall';
import type { RunEvent, RunEventBody } from '../../../../src/port/run_event';

/** Adds events, one every 100 ms, and returns kind and name of the rows in order. */
function rowsOf(bodies: readonly RunEventBody[]): string[] {
  const waterfall = new Waterfall(0);
  bodies.forEach((body, index) => {
    const ts = new Date(index * 100).toISOString();
    waterfall.add({ v: 1, sessionId: 's', runId: 'r', seq: index + 1, ts, ...body } as RunEvent);
  });
  return waterfall.rows.map(({ kind, name, durationMs }) => `${kind} ${name} ${durationMs}`);
}

const START: RunEventBody = { type: 'run_start', data: { door: 'rest', agent: 'default', model: 'mock', tools: [], input: 'x' } };
const USAGE = { inputTokens: 1, outputTokens: 1 };
const END: RunEventBody = { type: 'run_end', data: { status: 'completed', text: '', usage: USAGE } };
const answer = (...ids: string[]): RunEventBody => ({
  type: 'message_end',
  data: { role: 'assistant', content: '', toolCalls: ids.map(toolCallId => ({ toolCallId, name: 'bash', arguments: '{}' })) },
});
const call = (toolCallId: string): RunEventBody[] => [
  { type: 'tool_call_start', data: { toolCallId, name: 'bash', label: 'Bash', args: {} } },
  { type: 'tool_call_end', data: { toolCallId, name: 'bash', label: 'Bash', ok: true, result: '', durationMs: 100 } },
];

it('shows no model call between two calls of one answer that run one after the other', () => {
  expect(rowsOf([START, answer('a', 'b'), ...call('a'), ...call('b'), answer(), END])).toEqual([
    'model mock 100',
    'tool bash 100',
    'tool bash 100',
    'model mock 100',
  ]);
});

it('shows the next model call also when a call of the answer has no end', () => {
  expect(rowsOf([START, answer('a', 'denied'), ...call('a'), answer(), END])).toEqual([
    'model mock 100',
    'tool bash 100',
    'model mock 100',
  ]);
});
