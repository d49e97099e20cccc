/** The stream of a message, read by the official client: whatever the log holds, it says the same as the whole answer. */
import Anthropic from '@anthropic-ai/sdk';
import fc from 'fast-check';
import { MessageEvents } from '../../../src/feature/anthropic_door/message_events';
import type { RunEvent, RunEventBody, RunEventData } from '../../../src/port/run_event';
import type { ReplayReset } from '../../../src/service/run_log/event_sink';
import { numbered } from '../../support/store_records';

const RUN = { id: 'run_1', sessionId: 'ses_1' };
const USAGE = { inputTokens: 9, outputTokens: 2, cachedTokens: 4, reasoningTokens: 1 };

const createEvents = (showsThinking = true) =>
  new MessageEvents({ runId: RUN.id, model: 'default', showsThinking, requestId: 'req-1', locale: 'en' });

const end = (data: Partial<RunEventData<'run_end'>> = {}): RunEventBody => ({
  type: 'run_end',
  data: { status: 'completed', text: 'The end.', usage: USAGE, ...data },
});

const resetTo = (events: readonly RunEvent[]): ReplayReset => ({
  v: 1,
  type: 'replay_reset',
  sessionId: RUN.sessionId,
  runId: RUN.id,
  ts: '2026-01-01T00:00:00.000Z',
  data: { runId: RUN.id, lastSeq: events.length, snapshot: { events: [...events] } },
});

/** Reads a stream as a client of Anthropic does. */
async function read(sse: string): Promise<Anthropic.Message> {
  const fetch = async () => new Response(sse, { headers: { 'content-type': 'text/event-stream' } });
  const client = new Anthropic({ apiKey: 'none', maxRetries: 0, fetch });
  return client.messages.stream({ model: 'default', max_tokens: 1, messages: [{ role: 'user', content: 'x' }] }).finalMessage();
}

const text = fc.constantFrom('', 'One', ' two\n', '中文', '"}', '\u{1f600}');
const call = fc.record({
  toolCallId: fc.constantFrom('call_1', 'call_2'),
  name: fc.constantFrom('get_price', 'look'),
  arguments: fc.constantFrom('{}', '{"a":{"b":[1]}}', '{"a": ', '', '[1]', 'null'),
});
const body: fc.Arbitrary<RunEventBody> = fc.oneof(
  text.map(value => ({ type: 'text_delta' as const, data: { text: value } })),
  text.map(value => ({ type: 'reasoning_delta' as const, data: { text: value } })),
  text.map(content => ({ type: 'message_end' as const, data: { role: 'assistant' as const, content } })),
  text.map(output => ({ type: 'tool_call_delta' as const, data: { toolCallId: 'c', name: 'shell', output } })),
);

it('says in a stream what the whole answer says, for any log and any grouping of its events', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(body, { maxLength: 15 }),
      fc.array(call, { maxLength: 3 }),
      fc.nat(4),
      fc.boolean(),
      async (bodies, calls, size, shows) => {
        const log = numbered([...bodies, end({ callerCalls: calls.length > 0 ? calls : undefined })], 1, RUN);
        const events = createEvents(shows);
        let sse = events.begin();
        for (let at = 0; at < log.length; at += size + 1) sse += events.add(log.slice(at, at + size + 1));
        const streamed = await read(sse + events.finish());
        const whole = events.toMessage();
        expect(streamed).toMatchObject(JSON.parse(JSON.stringify(whole)));
        expect(streamed.content).toHaveLength(whole.content.length);
        expect(whole.content.every(block => block.type !== 'text' || block.text !== '')).toBe(true);
        expect(whole.stop_reason).toBe(calls.length > 0 ? 'tool_use' : 'end_turn');
      },
    ),
    { numRuns: 200 },
  );
});

it('counts cached input apart from other input', () => {
  const events = createEvents();
  events.add(numbered([end()], 1, RUN));
  expect(events.toMessage()).toMatchObject({
    content: [{ text: 'The end.' }],
    usage: { input_tokens: 5, cache_read_input_tokens: 4, output_tokens: 2, output_tokens_details: { thinking_tokens: 1 } },
  });
});

it('begins again after lost events when nothing was said, and otherwise fails', () => {
  const log = numbered([{ type: 'text_delta', data: { text: 'One' } }, end()], 1, RUN);
  const fresh = createEvents();
  fresh.add([resetTo(log)]);
  expect(fresh.toMessage().content).toMatchObject([{ text: 'One' }]);
  const said = createEvents();
  said.add(log.slice(0, 1));
  expect(() => said.add([resetTo(log)])).toThrow(expect.objectContaining({ code: 'interrupted' }));
});

it('takes the answer from the record of a run whose log has expired', async () => {
  const events = createEvents();
  const sse = events.begin() + events.end({ status: 'completed', text: 'From the record.', usage: USAGE }) + events.finish();
  expect(await read(sse)).toMatchObject({ content: [{ text: 'From the record.' }], stop_reason: 'end_turn' });
});
