import type { RunEventBody } from '../../src/port/run_event';
import { numberEvent } from '../../src/service/run_log/run_entry';
import { LARGE_ENCODING, memoEncoding, type SentEvent } from '../../src/wire/memo_encoding';

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
