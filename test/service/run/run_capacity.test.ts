/** Refusals of a full gateway. */
import { messageIn, toAppError } from '../../../src/errors';
import { RunCapacity } from '../../../src/service/run/run_capacity';
import { ReaderLimits } from '../../../src/service/run_log/reader_limits';

const full = new RunCapacity({ concurrentRuns: 1, queuedRuns: 0 });
const noReaders = new ReaderLimits(0);

it.each([
  ['queued runs', () => full.assertRoomInQueue({ tenantId: 'acme' })],
  ['readers', () => noReaders.assertRoom('ses_1')],
])('says in Chinese that there is no room for %s', (_, refuse) => {
  let thrown: unknown;
  try {
    refuse();
  } catch (refusal) {
    thrown = refusal;
  }
  expect(messageIn(toAppError(thrown), 'zh-CN')).toMatch(/最多可以有 0 个/);
});
