/** Whatever a run logs, its projection is a stream that the official client of AG-UI accepts. */
import { verifyEvents } from '@ag-ui/client';
import type { BaseEvent } from '@ag-ui/core';
import { EventSchema } from '@ag-ui/core/schemas';
import fc from 'fast-check';
import { from, lastValueFrom, toArray } from 'rxjs';
import type { AguiEvent } from '../../../src/feature/agui_door/agui_event';
import { AguiProjection, type AguiRunFacts } from '../../../src/feature/agui_door/agui_projection';
import type { RunEvent, RunEventBody, RunEventData } from '../../../src/port/run_event';
import type { ReplayReset } from '../../../src/service/run_log/event_sink';
import { numbered } from '../../support/store_records';

const RUN = { id: 'run_1', sessionId: 'ses_1' };
const FACTS: AguiRunFacts = {
  threadId: 'thread',
  clientRunId: 'mine',
  runId: RUN.id,
  sessionId: RUN.sessionId,
  protocolVersion: '1.0',
  clientTools: new Set(['get_price', 'clarify']),
  state: { page: 'home' },
  takesInterrupts: false,
};
const USAGE = { inputTokens: 3, outputTokens: 2 };

const id = fc.constantFrom('call_a', 'call_b', 'call_c');
const name = fc.constantFrom('read_file', 'get_price', 'clarify');
const text = fc.constantFrom('', 'a', 'two words', '中文');
const callerCall = fc.record({ toolCallId: id, name, arguments: fc.constantFrom('{"a":1}', '', 'broken {') });
const question = { requestId: 'q1', question: 'Green or black?', choices: ['green'], expiresAt: '2026-01-01T00:00:00.000Z' };
const todo = (content: string) => ({ id: '1', content, status: 'pending' as const });

const runEnd = fc.record(
  {
    status: fc.constantFrom('completed', 'incomplete', 'failed', 'cancelled'),
    reason: fc.constantFrom('timeout', 'budget'),
    text,
    usage: fc.constant(USAGE),
    error: fc.constant({ code: 'model_unavailable', message: 'no model', retryable: true }),
    clarification: fc.constant(question),
    callerCalls: fc.array(callerCall, { maxLength: 3 }),
  },
  { requiredKeys: ['status', 'text', 'usage'] },
) as fc.Arbitrary<RunEventData<'run_end'>>;

const delegation = fc.record({ childRunId: fc.constantFrom('run_c1', 'run_c2'), member: fc.constant('anna'), toolCallId: id });

const body: fc.Arbitrary<RunEventBody> = fc.oneof(
  ...(
    [
      ['text_delta', fc.record({ text })],
      ['reasoning_delta', fc.record({ text })],
      [
        'message_end',
        fc.record(
          { role: fc.constantFrom('assistant', 'user'), content: text, toolCalls: fc.array(callerCall, { maxLength: 3 }) },
          { requiredKeys: ['role', 'content'] },
        ),
      ],
      ['tool_call_start', fc.record({ toolCallId: id, name, label: name, args: fc.constantFrom({ a: 1 }, {}, undefined) })],
      ['tool_call_delta', fc.record({ toolCallId: id, name, output: text })],
      ['tool_call_end', fc.record({ toolCallId: id, name, label: name, ok: fc.boolean(), result: text, durationMs: fc.constant(1) })],
      ['delegate_start', delegation.map(data => ({ ...data, childSessionId: 'ses_c', task: 'look' }))],
      [
        'delegate_end',
        fc
          .tuple(delegation, fc.constantFrom('completed', 'failed'))
          .map(([data, status]) => ({ ...data, status, summary: 'done', usage: USAGE, durationMs: 1 })),
      ],
      ['todo_update', text.map(content => ({ todos: [todo(content)], summary: {} }))],
      ['approval_request', fc.constant({ requestId: 'p1' })],
      ['usage', fc.constant(USAGE)],
      ['run_start', fc.constant({ door: 'agui' })],
      ['run_end', runEnd],
    ] as [RunEventBody['type'], fc.Arbitrary<unknown>][]
  ).map(([type, data]) => data.map(value => ({ type, data: value }) as RunEventBody)),
);

const facts = fc.record({
  protocolVersion: fc.constantFrom('1.0', undefined),
  state: fc.constantFrom({ page: 'home' }, undefined, {}),
  takesInterrupts: fc.boolean(),
  clientTools: fc.constantFrom(new Set(['get_price', 'clarify']), new Set<string>()),
});

const resetTo = (events: readonly RunEvent[]): ReplayReset => ({
  v: 1,
  type: 'replay_reset',
  sessionId: RUN.sessionId,
  runId: RUN.id,
  ts: '2026-01-01T00:00:00.000Z',
  data: { runId: RUN.id, lastSeq: events.length, snapshot: { events: [...events] } },
});

/** Projects a log as the door does: what cannot be projected, and a log without an end, end the stream with an error. */
function project(events: readonly (RunEvent | ReplayReset)[], more: Partial<AguiRunFacts> = {}): AguiEvent[] {
  const projection = new AguiProjection({ ...FACTS, ...more });
  const sent = projection.begin();
  try {
    for (const event of events) sent.push(...projection.project(event));
    if (!projection.hasEnded) sent.push(...projection.fail('The gateway stops.', 'draining'));
  } catch {
    sent.push(...projection.fail('Events are gone.', 'interrupted'));
  }
  return sent;
}

const verify = (events: readonly AguiEvent[]): Promise<BaseEvent[]> =>
  lastValueFrom(from(events.map(event => EventSchema.parse(event) as BaseEvent)).pipe(verifyEvents(), toArray()));

const types = (events: readonly AguiEvent[]) => events.map(({ type }) => type);
const logOf = (...bodies: RunEventBody[]) => numbered(bodies, 1, RUN);
const end = (data: Partial<RunEventData<'run_end'>> = {}): RunEventBody => ({
  type: 'run_end',
  data: { status: 'completed', text: '', usage: USAGE, ...data },
});

it('projects any log to a stream that verifyEvents accepts, with one end', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(body, { maxLength: 30 }), fc.nat(30), facts, async (bodies, cut, chosen) => {
      const log = numbered(bodies, 1, RUN);
      const events = project(cut < log.length ? [...log.slice(0, cut), resetTo(log)] : log, chosen);
      expect(await verify(events)).toHaveLength(events.length);
      const ends = types(events).filter(type => type === 'RUN_FINISHED' || type === 'RUN_ERROR');
      expect(ends).toHaveLength(1);
      expect(ends[0]).toBe(events.at(-1)?.type);
    }),
    { numRuns: 1_000 },
  );
});

it('keeps reasoning apart from content, whatever their order', () => {
  const deltas = fc.array(fc.record({ type: fc.constantFrom('text_delta', 'reasoning_delta'), data: fc.record({ text }) }), {
    minLength: 1,
  });
  fc.assert(
    fc.property(deltas, bodies => {
      const events = project(logOf(...(bodies as RunEventBody[]), end()));
      const said = (type: AguiEvent['type']) => events.map(event => (event.type === type && 'delta' in event ? event.delta : '')).join('');
      const logged = (type: string) => bodies.map(({ type: of, data }) => (of === type ? data.text : '')).join('');
      expect(said('TEXT_MESSAGE_CONTENT')).toBe(logged('text_delta'));
      expect(said('REASONING_MESSAGE_CONTENT')).toBe(logged('reasoning_delta'));
    }),
  );
});

const answered = (content: string, toolCalls: { toolCallId: string; name: string; arguments: string }[] = []): RunEventBody => ({
  type: 'message_end',
  data: { role: 'assistant', content, ...(toolCalls.length > 0 && { toolCalls }) },
});
const readCall = { toolCallId: 'call_a', name: 'read_file', arguments: '{"path":"a.txt"}' };
const result: RunEventBody = {
  type: 'tool_call_end',
  data: { toolCallId: 'call_a', name: 'read_file', label: 'Read', ok: true, result: 'alpha', durationMs: 1 },
};

it('projects an attempt as a step, and its tool call with arguments and result', () => {
  const delta: RunEventBody = { type: 'text_delta', data: { text: 'I look.' } };
  const events = project(logOf(delta, answered('I look.', [readCall]), result, { type: 'text_delta', data: { text: 'Done.' } }, end()));
  expect(types(events)).toEqual([
    'RUN_STARTED',
    'STEP_STARTED',
    'TEXT_MESSAGE_START',
    'TEXT_MESSAGE_CONTENT',
    'TEXT_MESSAGE_END',
    'TOOL_CALL_START',
    'TOOL_CALL_ARGS',
    'TOOL_CALL_END',
    'TOOL_CALL_RESULT',
    'STEP_FINISHED',
    'STEP_STARTED',
    'TEXT_MESSAGE_START',
    'TEXT_MESSAGE_CONTENT',
    'TEXT_MESSAGE_END',
    'STEP_FINISHED',
    'RUN_FINISHED',
  ]);
  expect(events.find(({ type }) => type === 'TOOL_CALL_ARGS')).toMatchObject({ toolCallId: 'call_a', delta: readCall.arguments });
  expect(events.find(({ type }) => type === 'TOOL_CALL_RESULT')).toMatchObject({ toolCallId: 'call_a', content: 'alpha' });
});

it('begins again when events were lost before it sent any, and fails when a text or a call was sent', () => {
  const said: RunEventBody = { type: 'text_delta', data: { text: 'Done.' } };
  const whole = logOf(said, answered('Done.'), end({ text: 'Done.' }));
  expect(types(project([resetTo(whole)])).at(-1)).toBe('RUN_FINISHED');
  for (const sent of [said, answered('', [readCall])]) {
    expect(project([...logOf(sent), resetTo(whole)]).at(-1)).toMatchObject({ type: 'RUN_ERROR', code: 'interrupted' });
  }
});

it('sends the calls of the client with the end, and never the question that one of them carries', () => {
  const asks = { toolCallId: 'call_q', name: 'clarify', arguments: '{"question":"Green?"}' };
  const handed = { toolCallId: 'call_x', name: 'clarify', arguments: '{"question":"Green?"}' };
  const events = project(
    logOf(answered('', [asks]), answered('Green?'), end({ text: 'Green?', clarification: question, callerCalls: [handed] })),
  );
  expect(events.filter(({ type }) => type === 'TOOL_CALL_START')).toMatchObject([{ toolCallId: 'call_x', toolCallName: 'clarify' }]);
  expect(types(events)).not.toContain('TEXT_MESSAGE_CONTENT');
  expect(events.at(-1)).toMatchObject({ outcome: { type: 'success', pendingToolCallIds: ['call_x'] } });
});

it('says the question as text, or asks it as an interrupt of a client that takes one', () => {
  const log = logOf(answered('Green or black?'), end({ text: 'Green or black?', clarification: question }));
  expect(types(project(log))).toContain('TEXT_MESSAGE_CONTENT');
  expect(project(log).at(-1)).toMatchObject({ outcome: { type: 'success' } });
  const interrupted = project(log, { takesInterrupts: true });
  expect(types(interrupted)).not.toContain('TEXT_MESSAGE_CONTENT');
  expect(interrupted.at(-1)).toMatchObject({
    outcome: { type: 'interrupt', interrupts: [{ id: 'q1', message: 'Green or black?', expiresAt: question.expiresAt }] },
  });
});

it('adds the plan to the state of the client, whose own fields stay', () => {
  const plan = (content: string) => ({ type: 'todo_update', data: { todos: [todo(content)], summary: {} } }) as unknown as RunEventBody;
  const [, first, second] = project(logOf(plan('one'), plan('two'), end()));
  expect(first).toMatchObject({ type: 'STATE_SNAPSHOT', snapshot: { page: 'home', agentPlan: { todos: [{ content: 'one' }] } } });
  expect(second).toMatchObject({ type: 'STATE_DELTA', delta: [{ path: '/agentPlan', value: { todos: [{ content: 'two' }] } }] });
});

it.each([
  ['1.0', 'RUN_FINISHED'],
  [undefined, 'RUN_ERROR'],
])('ends a cancelled run for a client of the version %s with %s', (protocolVersion, type) => {
  const events = project(logOf(end({ status: 'cancelled' })), { protocolVersion });
  expect(events.at(-1)).toMatchObject(type === 'RUN_ERROR' ? { type, code: 'run_cancelled' } : { type, outcome: { type: 'cancelled' } });
});
