import fc from 'fast-check';
import { ResponseStream } from 'openai/lib/responses/ResponseStream';
import { outputOfMessages } from '../../../../src/feature/openai_door/responses/response_items';
import { FIXED_FIELDS, type ResponseObject } from '../../../../src/feature/openai_door/responses/response_object';
import { ResponseProjection } from '../../../../src/feature/openai_door/responses/response_projection';
import type { ResponseStreamEvent } from '../../../../src/feature/openai_door/responses/response_stream_event';
import type { ChatMessage } from '../../../../src/port/llm';
import type { RunEvent, RunEventBody } from '../../../../src/port/run_event';
import { numbered } from '../../../support/store_records';

const RUN = { id: 'run_1', sessionId: 'ses_1' };
const RESPONSE: ResponseObject = {
  id: 'resp_run_1',
  object: 'response',
  created_at: 1,
  ...FIXED_FIELDS,
  status: 'in_progress',
  background: false,
  completed_at: null,
  conversation: null,
  error: null,
  incomplete_details: null,
  instructions: null,
  max_output_tokens: null,
  max_tool_calls: null,
  metadata: {},
  model: 'default',
  output: [],
  parallel_tool_calls: true,
  previous_response_id: null,
  reasoning: { effort: null, summary: null },
  store: true,
  temperature: 1,
  text: { format: { type: 'text' } },
  tool_choice: 'auto',
  tools: [],
  top_p: 1,
  truncation: 'disabled',
  usage: null,
  user: null,
};

const textDelta = (text: string): RunEventBody => ({ type: 'text_delta', data: { text } });
const reasoningDelta = (text: string): RunEventBody => ({ type: 'reasoning_delta', data: { text } });
const call = (toolCallId: string, name: string) => ({ toolCallId, name, arguments: '{"a":1}' });

/** The text of one answer, cut into deltas, with reasoning before it and calls after it. */
const answer = fc.record({
  reasoning: fc.array(fc.string({ minLength: 1 }), { maxLength: 3 }),
  pieces: fc.array(fc.string({ minLength: 1 }), { maxLength: 5 }),
  calls: fc.array(fc.constantFrom('read_file', 'list_dir'), { maxLength: 3 }),
  isSteered: fc.boolean(),
  /** Deltas of a model call that a crash interrupted. */
  lost: fc.array(fc.string({ minLength: 1 }), { maxLength: 2 }),
});

/** The events of a whole run, and the messages that it stores. */
const recordedRun = fc
  .record({
    answers: fc.array(answer, { maxLength: 4 }),
    callerCalls: fc.array(
      fc.record({ toolCallId: fc.uuid(), name: fc.constant('get_weather'), arguments: fc.constantFrom('{"a":1}', '') }),
      { maxLength: 3 },
    ),
    status: fc.constantFrom('completed' as const, 'incomplete' as const, 'failed' as const, 'cancelled' as const),
  })
  .map(({ answers, callerCalls, status }) => {
    const bodies: RunEventBody[] = [
      { type: 'run_start', data: { door: 'openai', agent: 'default', model: 'mock', tools: ['list_dir'], input: 'hi' } },
    ];
    const messages: ChatMessage[] = [{ role: 'user', content: 'hi' }];
    for (const [i, { reasoning, pieces, calls, isSteered, lost }] of answers.entries()) {
      if (isSteered) bodies.push({ type: 'message_end', data: { role: 'user', content: 'go on' } });
      bodies.push(...lost.map(textDelta), ...reasoning.map(reasoningDelta), ...pieces.map(textDelta));
      const content = pieces.join('');
      const toolCalls = calls.map((name, k) => call(`call_${i}_${k}`, name));
      bodies.push({ type: 'message_end', data: { role: 'assistant', content, ...(calls.length > 0 && { toolCalls }) } });
      bodies.push({ type: 'usage', data: { inputTokens: 3, outputTokens: 2 } });
      const tool_calls = toolCalls.map(({ toolCallId: id, name, arguments: text }) => ({
        id,
        type: 'function' as const,
        function: { name, arguments: text },
      }));
      messages.push({ role: 'assistant', content: content || null, ...(calls.length > 0 && { tool_calls }) });
    }
    const error = { code: 'internal', message: 'It broke.', retryable: false };
    const usage = { inputTokens: 3, outputTokens: 2 };
    const reason = status === 'incomplete' ? { reason: 'timeout' as const } : {};
    bodies.push({ type: 'run_end', data: { status, text: '', usage, callerCalls, ...reason, ...(status === 'failed' && { error }) } });
    return { events: numbered(bodies, 1, RUN), messages, callerCalls };
  });

interface Options {
  after?: number;
  showsReasoning?: boolean;
  /** Sizes of the batches, repeated. */
  batches?: readonly number[];
  response?: ResponseObject;
}

function project(
  events: readonly RunEvent[],
  { after, showsReasoning = true, batches = [events.length + 1], response = RESPONSE }: Options = {},
) {
  const projection = new ResponseProjection({
    runId: RUN.id,
    response,
    showsReasoning,
    ...(after !== undefined && { after }),
  });
  const made: ResponseStreamEvent[] = [];
  for (let from = 0, i = 0; from <= events.length; i++) {
    const size = batches[i % batches.length] ?? 1;
    made.push(...projection.project(events.slice(from, from + size)));
    from += size;
  }
  return { made, projection };
}

const end = (made: readonly ResponseStreamEvent[]): ResponseObject => {
  const last = made.at(-1);
  if (!last || !('response' in last)) throw new Error('the stream has no end');
  return last.response;
};

test('numbers the events of any run from 0 without a gap, and the same way in batches of any size', () => {
  fc.assert(
    fc.property(recordedRun, fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1 }), ({ events }, batches) => {
      const { made } = project(events);
      expect(made.map(event => event.sequence_number)).toStrictEqual(made.map((_, i) => i));
      expect(project(events, { batches }).made).toStrictEqual(made);
    }),
  );
});

test('a resume after every number gives exactly the rest of the stream', () => {
  fc.assert(
    fc.property(recordedRun, fc.boolean(), ({ events }, showsReasoning) => {
      const { made } = project(events, { showsReasoning });
      for (const after of made.keys()) {
        expect(project(events, { after, showsReasoning }).made).toStrictEqual(made.slice(after + 1));
      }
    }),
    { numRuns: 50 },
  );
});

test('every item begins once, ends once, and its pieces are inside', () => {
  fc.assert(
    fc.property(recordedRun, ({ events }) => {
      const open = new Set<number>();
      let added = 0;
      for (const event of project(events).made) {
        if (event.type === 'response.output_item.added') {
          expect(event.output_index).toBe(added++);
          open.add(event.output_index);
        } else if (event.type === 'response.output_item.done') {
          expect(open.delete(event.output_index)).toBe(true);
        } else if ('output_index' in event) {
          expect(open.has(event.output_index)).toBe(true);
        }
      }
      expect(open.size).toBe(0);
    }),
  );
});

test("the official client's accumulator reads every stream, and ends with our response", async () => {
  await fc.assert(
    fc.asyncProperty(recordedRun, async ({ events }) => {
      const { made } = project(events);
      const lines = made.map(event => `${JSON.stringify(event)}\n`).join('');
      const stream = ResponseStream.fromReadableStream(new Blob([lines]).stream());
      const { output, status } = await stream.finalResponse();
      const ended = end(made);
      expect(status).toBe(ended.status);
      expect(output).toMatchObject(ended.output);
    }),
  );
});

test('the messages of a run give the same output as its log', () => {
  fc.assert(
    fc.property(recordedRun, ({ events, messages, callerCalls }) => {
      const ended = end(project(events, { showsReasoning: false }).made);
      const { output } = ended;
      expect(outputOfMessages(RUN.id, messages, { callerCalls, isCut: false, isQuestionCall: false })).toStrictEqual(output);
    }),
  );
});

test('reasoning appears only when it is asked for, and never in a message', () => {
  const events = numbered(
    [
      reasoningDelta('think '),
      reasoningDelta('hard'),
      textDelta('Hel'),
      textDelta('lo'),
      { type: 'message_end', data: { role: 'assistant', content: 'Hello' } },
      { type: 'run_end', data: { status: 'completed', text: 'Hello', usage: { inputTokens: 1, outputTokens: 1 } } },
    ],
    1,
    RUN,
  );
  expect(JSON.stringify(project(events, { showsReasoning: false }).made)).not.toContain('think');
  const { output } = end(project(events).made);
  expect(output).toMatchObject([
    { type: 'reasoning', summary: [{ type: 'summary_text', text: 'think hard' }] },
    { type: 'message', status: 'completed', content: [{ type: 'output_text', text: 'Hello' }] },
  ]);
});

test('the stored message wins over the deltas of an interrupted model call', () => {
  const events = numbered(
    [
      textDelta('Hel'),
      textDelta('Hello world'),
      { type: 'message_end', data: { role: 'assistant', content: 'Hello world' } },
      { type: 'run_end', data: { status: 'completed', text: 'Hello world', usage: { inputTokens: 1, outputTokens: 1 } } },
    ],
    1,
    RUN,
  );
  const { made } = project(events);
  expect(made.find(event => event.type === 'response.output_text.done')).toMatchObject({ text: 'Hello world' });
  expect(end(made).output).toMatchObject([{ content: [{ text: 'Hello world' }] }]);
});

test.each([
  ['incomplete', 'output_limit', 'response.incomplete', { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }],
  ['incomplete', 'content_filter', 'response.incomplete', { status: 'incomplete', incomplete_details: { reason: 'content_filter' } }],
  ['incomplete', 'budget', 'response.incomplete', { status: 'incomplete', incomplete_details: { reason: 'budget' } }],
  ['incomplete', 'timeout', 'response.incomplete', { status: 'incomplete', incomplete_details: { reason: 'timeout' } }],
  ['incomplete', 'max_iterations', 'response.incomplete', { status: 'incomplete', incomplete_details: { reason: 'max_iterations' } }],
  ['cancelled', undefined, 'response.incomplete', { status: 'cancelled', incomplete_details: null }],
  ['failed', undefined, 'response.failed', { status: 'failed', error: { code: 'model_unreachable', message: 'No model.' } }],
] as const)('a run that ends %s (%s) ends the stream with %s', (status, reason, type, fields) => {
  const error = { code: 'model_unreachable', message: 'No model.', retryable: true };
  const data = { status, text: '', usage: { inputTokens: 5, outputTokens: 4, cachedTokens: 2, reasoningTokens: 1 } };
  const events = numbered(
    [{ type: 'run_end', data: { ...data, ...(reason && { reason }), ...(status === 'failed' && { error }) } }],
    1,
    RUN,
  );
  const { made } = project(events);
  expect(made.at(-1)?.type).toBe(type);
  expect(end(made)).toMatchObject({
    ...fields,
    usage: {
      input_tokens: 5,
      input_tokens_details: { cached_tokens: 2 },
      output_tokens: 4,
      output_tokens_details: { reasoning_tokens: 1 },
      total_tokens: 9,
    },
  });
});

test('a question that goes to the caller as a call is no text', () => {
  const clarification = { requestId: 'q1', question: 'Which bed?', expiresAt: '2026-01-01T00:00:00.000Z' };
  const callerCalls = [{ toolCallId: 'call_1', name: 'clarify', arguments: '{"question":"Which bed?"}' }];
  const end_ = { status: 'completed' as const, text: 'Which bed?', usage: { inputTokens: 1, outputTokens: 1 }, clarification };
  const asked: RunEventBody = { type: 'message_end', data: { role: 'assistant', content: 'Which bed?' } };
  const handedBack = numbered([asked, { type: 'run_end', data: { ...end_, callerCalls } }], 1, RUN);
  expect(end(project(handedBack).made).output).toMatchObject([{ type: 'function_call', call_id: 'call_1', name: 'clarify' }]);
  const asText = numbered([asked, { type: 'run_end', data: end_ }], 1, RUN);
  expect(end(project(asText).made).output).toMatchObject([{ type: 'message', content: [{ text: 'Which bed?' }] }]);
  const messages: ChatMessage[] = [{ role: 'assistant', content: 'Which bed?' }];
  expect(outputOfMessages(RUN.id, messages, { callerCalls, isCut: false, isQuestionCall: true })).toStrictEqual(
    end(project(handedBack).made).output,
  );
});

test('a background response begins queued', () => {
  const background = { ...RESPONSE, background: true, status: 'queued' as const };
  const events = numbered(
    [
      { type: 'run_start', data: { door: 'openai', agent: 'default', model: 'mock', tools: [], input: 'hi' } },
      { type: 'run_end', data: { status: 'completed', text: '', usage: { inputTokens: 1, outputTokens: 1 } } },
    ],
    1,
    RUN,
  );
  expect(
    project(events, { response: background }).made.map(event => [event.type, 'response' in event && event.response.status]),
  ).toStrictEqual([
    ['response.created', 'queued'],
    ['response.queued', 'queued'],
    ['response.in_progress', 'in_progress'],
    ['response.completed', 'completed'],
  ]);
});
