import { packEvents, unpackEvents } from '../../../../src/adapter/sql/runs/event_table';
import type { RunEventBody } from '../../../../src/port/run_event';
import { numbered, textDelta } from '../../../support/store_records';

const output = (toolCallId: string, text: string): RunEventBody => ({
  type: 'tool_call_delta',
  data: { toolCallId, name: 'bash', output: text },
});
const reasoning = (text: string): RunEventBody => ({ type: 'reasoning_delta', data: { text } });

const spans = (bodies: RunEventBody[]) => packEvents('acme', numbered(bodies)).map(row => [row.type, row.first_seq, row.last_seq]);

test('packs adjacent deltas of the same type and tool call into one row', () => {
  const bodies = [
    textDelta('a'),
    textDelta('b'),
    reasoning('c'),
    reasoning('d'),
    output('1', 'e'),
    output('1', 'f'),
    output('2', 'g'),
    textDelta('h'),
  ];
  expect(spans(bodies)).toEqual([
    ['text_delta', 1, 2],
    ['reasoning_delta', 3, 4],
    ['tool_call_delta', 5, 6],
    ['tool_call_delta', 7, 7],
    ['text_delta', 8, 8],
  ]);
});

test('cuts a stretch at 1,000 deltas', () => {
  const bodies = Array.from({ length: 2_001 }, () => textDelta('a'));
  expect(spans(bodies).map(([, first, last]) => [first, last])).toEqual([
    [1, 1_000],
    [1_001, 2_000],
    [2_001, 2_001],
  ]);
});

test('cuts a stretch before it holds more than 256 KiB of text', () => {
  const bodies = Array.from({ length: 6 }, () => textDelta('叶'.repeat(30_000)));
  expect(spans(bodies).map(([, first, last]) => [first, last])).toEqual([
    [1, 2],
    [3, 4],
    [5, 6],
  ]);
});

test('stores a stretch in much less space than its events', () => {
  const events = numbered(Array.from({ length: 500 }, (_, i) => textDelta(`word${i} `)));
  const [row] = packEvents('acme', events);
  expect(row!.data.length).toBeLessThan(JSON.stringify(events).length / 5);
  expect(unpackEvents('run_1', row!, 0, 500)).toEqual(events);
});

test('returns two spellings of the same time as they were', () => {
  const times = ['2026-01-01T00:00:00Z', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.001Z'];
  const events = numbered(times.map(textDelta)).map((event, i) => ({ ...event, ts: times[i] ?? '' }));
  const [row] = packEvents('acme', events);
  expect(row && unpackEvents('run_1', row, 0, 10)).toEqual(events);
});
