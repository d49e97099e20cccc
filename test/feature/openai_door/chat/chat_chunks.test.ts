import { ChatProjection } from '../../../../src/feature/openai_door/chat/chat_chunks';
import type { RunEventBody, RunEventData } from '../../../../src/port/run_event';
import { numbered } from '../../../support/store_records';

const RUN = { id: 'run_1', sessionId: 'ses_1' };
const delta = (text: string): RunEventBody => ({ type: 'text_delta', data: { text } });
const answered = (content: string): RunEventBody => ({ type: 'message_end', data: { role: 'assistant', content } });
const end = (data: Partial<RunEventData<'run_end'>> = {}): RunEventBody => ({
  type: 'run_end',
  data: { status: 'completed', text: 'The end.', usage: { inputTokens: 3, outputTokens: 2 }, ...data },
});

/** Returns the texts that the events add, and the projection after them. */
function project(...bodies: RunEventBody[]): { added: string[]; projection: ChatProjection } {
  const projection = new ChatProjection();
  return { added: numbered(bodies, 1, RUN).map(event => projection.add(event)), projection };
}

const CALL = { toolCallId: 'call_1', name: 'get_price', arguments: '{}' };

it.each<[string, RunEventBody[], string[]]>([
  ['the pieces of an answer', [delta('One'), delta(' two.'), answered('One two.'), end()], ['One', ' two.', '', '']],
  ['several messages, with an empty line between them', [delta('A'), answered('A'), delta('B'), end()], ['A', '', '\n\nB', '']],
  ['the text of the end, when no piece came', [answered(''), end()], ['', 'The end.']],
  ['no text of the end beside calls of the caller', [answered(''), end({ callerCalls: [CALL] })], ['', '']],
])('adds %s', (_what, bodies, added) => {
  const result = project(...bodies);
  expect(result.added).toEqual(added);
  expect(result.projection.text).toBe(added.join(''));
});

it.each<[Partial<RunEventData<'run_end'>>, string]>([
  [{}, 'stop'],
  [{ status: 'incomplete', reason: 'budget' }, 'length'],
  [{ status: 'incomplete', reason: 'content_filter' }, 'content_filter'],
  [{ callerCalls: [CALL] }, 'tool_calls'],
])('a run that ends with %j has the finish reason %s', (data, reason) => {
  expect(project(delta('A'), end(data)).projection.finishReason).toBe(reason);
});

it('begins again after lost events, unless text was shown', () => {
  const events = numbered([delta('Whole.'), end()], 1, RUN);
  const reset = {
    v: 1 as const,
    type: 'replay_reset' as const,
    sessionId: RUN.sessionId,
    runId: RUN.id,
    ts: '2026-01-01T00:00:00.000Z',
    data: { runId: RUN.id, lastSeq: 2, snapshot: { events } },
  };
  const fresh = new ChatProjection();
  expect(fresh.add(reset)).toBe('Whole.');
  expect(fresh.hasEnded).toBe(true);
  expect(() => project(delta('Half')).projection.add(reset)).toThrow(expect.objectContaining({ code: 'interrupted' }));
});
