import type { RunEventBody } from '../../src/port/run_event';
import { numberEvent } from '../../src/service/run_log/run_entry';
import { LARGE_ENCODING, memoEncoding, PROGRESS_WAIT_MS, type SentEvent, WriteBatching } from '../../src/wire/sent_events';

describe('encoded events', () => {
  const eventOf = (seq: number, body: RunEventBody): SentEvent => numberEvent({ id: 'run_1', sessionId: 'ses_1' }, seq, 0, body);
  const delta = (seq: number, text = 'word '): SentEvent => eventOf(seq, { type: 'text_delta', data: { text } });

  /** More than are kept. */
  const MANY_DELTAS = 10_000;

  it('encodes a delta once for readers that get it at about the same time', () => {
    const encode = jest.fn((event: SentEvent) => JSON.stringify(event));
    const encoded = memoEncoding(encode);
    const events = Array.from({ length: 500 }, (_, i) => delta(i + 1));
    for (let reader = 0; reader < 3; reader += 1) events.forEach(encoded);
    expect(encode).toHaveBeenCalledTimes(events.length);
  });

  it('keeps small deltas until newer ones replace them, and a large delta and other events as long as the event lives', () => {
    const encode = jest.fn((event: SentEvent) => JSON.stringify(event));
    const encoded = memoEncoding(encode);
    const small = delta(1);
    const large = delta(2, '很'.repeat(LARGE_ENCODING / 3));
    const whole = eventOf(3, { type: 'message_end', data: { role: 'assistant', content: 'word' } });
    [small, large, whole].forEach(encoded);
    for (let seq = 4; seq < MANY_DELTAS; seq += 1) encoded(delta(seq));
    encode.mockClear();
    [small, large, whole].forEach(encoded);
    expect(encode.mock.calls).toEqual([[small]]);
  });
});

describe('the time of a write', () => {
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
});
