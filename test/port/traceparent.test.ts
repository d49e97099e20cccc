import { readTraceContext, traceHeaders, withNewSpan } from '../../src/port/traceparent';

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN_ID = '00f067aa0ba902b7';
const VALID = `00-${TRACE_ID}-${SPAN_ID}-01`;

it.each([
  [VALID, true],
  [`00-${TRACE_ID}-${SPAN_ID}-00`, false],
  [` 00-${TRACE_ID}-${SPAN_ID}-03 `, true],
  [`cc-${TRACE_ID}-${SPAN_ID}-01-what-the-future-will-be-like`, true],
])('reads %s', (traceparent, isSampled) => {
  expect(readTraceContext({ traceparent })).toEqual({ traceId: TRACE_ID, spanId: SPAN_ID, isSampled });
});

it.each([
  undefined,
  7,
  '',
  `00-${'0'.repeat(32)}-${SPAN_ID}-01`,
  `00-${TRACE_ID}-${'0'.repeat(16)}-01`,
  `ff-${TRACE_ID}-${SPAN_ID}-01`,
  `00-${TRACE_ID.toUpperCase()}-${SPAN_ID}-01`,
  `00-${TRACE_ID}-${SPAN_ID}-01-more`,
  `00-${TRACE_ID}-${SPAN_ID}`,
  `${VALID}, ${VALID}`,
])('ignores the traceparent %s', traceparent => {
  expect(readTraceContext({ traceparent, tracestate: 'a=1' })).toBeUndefined();
});

it.each([
  ['a=1', 'a=1'],
  ['tenant@sys=x y , ,b=2', 'tenant@sys=x y,b=2'],
  ['A=1', undefined],
  ['a', undefined],
  ['a=1\r\nx-evil: 1', undefined],
  ['', undefined],
  [`a=${'x'.repeat(520)}`, undefined],
  [Array.from({ length: 33 }, (_, i) => `k${i}=1`).join(','), undefined],
  [1, undefined],
])('reads the tracestate %j', (tracestate, state) => {
  expect(readTraceContext({ traceparent: VALID, tracestate })?.state).toBe(state);
});

it('writes what it reads', () => {
  const headers = { traceparent: VALID, tracestate: 'a=1,b=2' };
  const trace = readTraceContext(headers);
  expect(trace && traceHeaders(trace)).toEqual(headers);
});

it('gives each request a span of its own in the same trace', () => {
  const trace = { traceId: TRACE_ID, spanId: SPAN_ID, isSampled: false, state: 'a=1' };
  const spans = ['00000000-0000-4000-8000-000000000000', 'ffffffff-ffff-4fff-bfff-ffffffffffff'].map(uuid => withNewSpan(trace, uuid));
  expect(spans).toEqual([
    { ...trace, spanId: '8000000000000000' },
    { ...trace, spanId: 'bfffffffffffffff' },
  ]);
});
