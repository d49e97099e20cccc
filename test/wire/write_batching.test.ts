import { PROGRESS_WAIT_MS, WriteBatching } from '../../src/wire/write_batching';

beforeEach(() => void jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] }));
afterEach(() => void jest.useRealTimers());

const nextTurn = () => new Promise(resolve => setImmediate(resolve));

/** Collects what is written in one piece, as a connection does. */
function connect() {
  const writes: string[] = [];
  let waiting: string[] = [];
  const batching = new WriteBatching(() => {
    batching.noteWritten();
    if (waiting.length > 0) writes.push(waiting.join(' '));
    waiting = [];
  });
  const add = (...types: string[]) => {
    for (const type of types) {
      waiting.push(type);
      batching.noteEvent(type);
    }
  };
  return { add, writes };
}

it('holds the progress of a run until the text behind it, and then writes all of it at once', async () => {
  const { add, writes } = connect();
  add('run_start', 'message_end', 'usage', 'tool_call_start');
  await nextTurn();
  add('tool_call_end');
  await nextTurn();
  expect(writes).toEqual([]);
  add('text_delta', 'message_end');
  await nextTurn();
  expect(writes).toEqual(['run_start message_end usage tool_call_start tool_call_end text_delta message_end']);
  jest.advanceTimersByTime(PROGRESS_WAIT_MS);
  expect(writes).toHaveLength(1);
});

it('writes progress alone after its wait, which later progress does not prolong', async () => {
  const { add, writes } = connect();
  add('tool_call_start');
  jest.advanceTimersByTime(PROGRESS_WAIT_MS - 1);
  add('tool_call_end');
  expect(writes).toEqual([]);
  jest.advanceTimersByTime(1);
  expect(writes).toEqual(['tool_call_start tool_call_end']);
  add('usage');
  jest.advanceTimersByTime(PROGRESS_WAIT_MS);
  expect(writes).toEqual(['tool_call_start tool_call_end', 'usage']);
});

it.each(['text_delta', 'reasoning_delta', 'clarify_request', 'approval_request', 'replay_reset', 'run_end', 'a_later_type'])(
  'writes %s in the turn of the event loop in which it came',
  async type => {
    const { add, writes } = connect();
    add(type);
    await nextTurn();
    expect(writes).toEqual([type]);
  },
);
