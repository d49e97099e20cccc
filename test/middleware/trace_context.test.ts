import { readTraceparent } from '../../src/middleware/trace_context';

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT_ID = '00f067aa0ba902b7';

it.each([
  [`00-${TRACE_ID}-${PARENT_ID}-01`, true],
  [`00-${TRACE_ID}-${PARENT_ID}-00`, false],
  [` 00-${TRACE_ID}-${PARENT_ID}-03 `, true],
  [`cc-${TRACE_ID}-${PARENT_ID}-01-what-the-future-will-be-like`, true],
])('reads %s', (traceparent, isSampled) => {
  expect(readTraceparent({ traceparent })).toEqual({ traceId: TRACE_ID, parentId: PARENT_ID, isSampled });
});

it.each([
  undefined,
  '',
  `00-${'0'.repeat(32)}-${PARENT_ID}-01`,
  `00-${TRACE_ID}-${'0'.repeat(16)}-01`,
  `ff-${TRACE_ID}-${PARENT_ID}-01`,
  `00-${TRACE_ID.toUpperCase()}-${PARENT_ID}-01`,
  `00-${TRACE_ID}-${PARENT_ID}-01-more`,
  `00-${TRACE_ID}-${PARENT_ID}`,
  `00-${TRACE_ID}-${PARENT_ID}-01, 00-${TRACE_ID}-${PARENT_ID}-01`,
])('ignores %s', traceparent => {
  expect(readTraceparent(traceparent === undefined ? {} : { traceparent })).toBeUndefined();
});
