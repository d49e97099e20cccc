import type { RunEventBody } from '../../../src/port/run_event';
import { applyEvent, buildTurn, createTurn, MAX_LIVE_OUTPUT } from '../../../web/src/state/turn_reducer';
import type { Turn } from '../../../web/src/state/view_types';
import { end, message, question, questionEnd, reasoning, start, text, toolEnd, toolOutput, toolStart, writeRun } from './run_events';

const play = (...bodies: RunEventBody[]): Turn => buildTurn(createTurn('run_1', ''), writeRun('run_1').all(...bodies));

describe('the turn of a run', () => {
  it('shows the growing text after the reasoning', () => {
    const turn = play(start('hello'), reasoning('Hm, '), reasoning('hello.'), text('Good '), text('day'));
    expect(turn).toMatchObject({ input: 'hello', state: 'running', lastSeq: 5 });
    expect(turn.items).toEqual([
      { kind: 'reasoning', id: 'reasoning0', text: 'Hm, hello.', done: true, startedAt: expect.any(String), endedAt: expect.any(String) },
      { kind: 'text', id: 'text1', text: 'Good day', done: false },
    ]);
  });

  it('keeps the objects of items that an event does not change', () => {
    const before = play(start('x'), text('one'), message('one'), toolStart('c1'), text('two'));
    const after = applyEvent(before, { v: 1, sessionId: 's', runId: 'run_1', seq: 6, ts: '', ...text(' more') });
    expect(after.items[0]).toBe(before.items[0]);
    expect(after.items[1]).toBe(before.items[1]);
    expect(after.items[2]).not.toBe(before.items[2]);
  });

  it('replaces the text of the deltas with the whole text of the message', () => {
    const kept = play(start('x'), text('first'), message('first'), text('half of'), message('the whole second'));
    expect(kept.items.map(item => item.kind === 'text' && [item.text, item.done])).toEqual([
      ['first', true],
      ['the whole second', true],
    ]);
  });

  it('shows a steering message between the texts of the agent', () => {
    const said: RunEventBody = { type: 'message_end', data: { role: 'user', content: 'only the first' } };
    const turn = play(start('x'), text('Working'), said, text('Then'), message('Then only the first.'));
    expect(turn.items.map(item => 'text' in item && [item.kind, item.text])).toEqual([
      ['text', 'Working'],
      ['said', 'only the first'],
      ['text', 'Then only the first.'],
    ]);
  });

  it.each([
    [{ status: 'cancelled' }, 'stopped'],
    [{ status: 'unknown' }, 'unknown'],
    [{ details: { approval: 'denied' } }, 'denied'],
    [{ details: { exitCode: 1 } }, 'failed'],
  ] as const)('tells a call that ended with %j as %s', (more, state) => {
    const data = { toolCallId: 'c1', name: 'bash', label: 'Run command', ok: false, result: 'no', durationMs: 1, ...more };
    expect(play(start('x'), toolStart('c1'), { type: 'tool_call_end', data }).items).toMatchObject([{ state }]);
  });

  it('shows a tool call from its start and live output to its result', () => {
    const running = play(start('x'), toolStart('c1', { command: 'ls' }), toolOutput('c1', 'a\n'), toolOutput('c1', 'b\n'));
    expect(running.items).toEqual([expect.objectContaining({ state: 'running', output: 'a\nb\n', args: { command: 'ls' } })]);
    const ended = play(start('x'), toolStart('c1'), toolOutput('c1', 'a'), toolEnd('c1', 'broken', false));
    expect(ended.items).toEqual([expect.objectContaining({ state: 'failed', output: '', result: 'broken', durationMs: 12 })]);
  });

  it('names all models that failed before one has answered in one line', () => {
    const change = (from: string, to: string): RunEventBody => ({ type: 'model_fallback', data: { from, to, reason: `${from} is away` } });
    expect(play(start('x'), change('a', 'b'), change('b', 'c'), text('on'), change('c', 'a')).items).toMatchObject([
      { kind: 'fallback', to: 'c', failed: [{ model: 'a' }, { model: 'b', reason: 'b is away' }] },
      { kind: 'text', done: true },
      { kind: 'fallback', to: 'a', failed: [{ model: 'c' }] },
    ]);
  });

  it('says where the earlier text of a file is that another session wrote', () => {
    const conflict: RunEventBody = { type: 'workspace_conflict', data: { path: 'a.md', keptAs: 'a.conflict-1.md' } };
    expect(play(start('x'), text('on'), conflict).items).toMatchObject([
      { kind: 'text', done: true },
      { kind: 'file_notice', path: 'a.md', keptAs: 'a.conflict-1.md' },
    ]);
  });

  it('keeps two calls with the same call id apart', () => {
    const turn = play(start('x'), toolStart('c'), toolEnd('c', 'one'), toolStart('c'), toolOutput('c', 'live'));
    expect(turn.items).toMatchObject([
      { state: 'ok', result: 'one' },
      { state: 'running', output: 'live' },
    ]);
    expect(new Set(turn.items.map(item => item.id)).size).toBe(2);
  });

  it('keeps only the end of very long live output', () => {
    const turn = play(start('x'), toolStart('c'), toolOutput('c', 'x'.repeat(MAX_LIVE_OUTPUT)), toolOutput('c', 'end'));
    const [tool] = turn.items;
    expect(tool?.kind === 'tool' && tool.output).toHaveLength(MAX_LIVE_OUTPUT);
    expect(tool?.kind === 'tool' && tool.output.endsWith('end')).toBe(true);
  });

  it('waits while a question is open and continues with its answer', () => {
    expect(play(start('x'), question('q1'))).toMatchObject({ state: 'waiting', items: [{ status: 'pending', choices: ['a', 'b'] }] });
    const answered = play(start('x'), question('q1'), questionEnd('q1', 'b'));
    expect(answered).toMatchObject({ state: 'running', items: [{ status: 'answered', answer: 'b' }] });
  });

  it('closes every call and question when the run ends', () => {
    const turn = play(start('x'), text('half'), toolStart('c1'), question('q1'), end('cancelled'));
    expect(turn).toMatchObject({
      state: 'cancelled',
      items: [{ done: true }, { state: 'stopped' }, { status: 'cancelled' }],
      usage: { inputTokens: 3, outputTokens: 4 },
    });
  });

  it('shows the final text of a run without deltas', () => {
    expect(play(start('x'), end('completed', 'all at once')).items).toMatchObject([{ kind: 'text', text: 'all at once', done: true }]);
  });

  it('ignores unknown event types and advances the cursor', () => {
    // A later version of the protocol may add types.
    const unknown = { type: 'of_tomorrow', data: {} } as unknown as RunEventBody;
    expect(play(start('x'), unknown, text('on'))).toMatchObject({ lastSeq: 3, items: [{ text: 'on' }] });
  });
});

describe('a tool call that waits for approval', () => {
  const data = {
    toolCallId: 'call_1',
    tool: 'bash',
    label: 'Run command',
    args: { command: 'ls' },
    reason: 'Asked.',
    sessionScope: 'exact' as const,
  };
  const asked: RunEventBody = { type: 'approval_request', data: { requestId: 'a1', ...data, expiresAt: '2026-01-02T03:09:00.000Z' } };

  it('makes the turn wait, then shows the decision and continues', () => {
    const said = { decision: 'deny' as const, reason: 'no' };
    const waiting = play(start('go'), asked);
    expect(waiting).toMatchObject({ state: 'waiting', items: [{ kind: 'approval', requestId: 'a1', status: 'pending', ...data }] });
    const after = play(start('go'), asked, { type: 'approval_end', data: { requestId: 'a1', status: 'answered', ...said } });
    expect(after).toMatchObject({ state: 'running', items: [{ kind: 'approval', status: 'answered', said }] });
    const approvals = [{ by: 'dora', at: '2026-01-02T03:05:00.000Z' }];
    const update: RunEventBody = { type: 'approval_update', data: { requestId: 'a1', needed: 2, approvals, escalatedTo: 'erik' } };
    expect(play(start('go'), asked, update)).toMatchObject({
      state: 'waiting',
      items: [{ status: 'pending', approvals, escalatedTo: 'erik' }],
    });
    const stopped = play(start('go'), asked, end('cancelled'));
    expect(stopped.items).toMatchObject([{ kind: 'approval', status: 'cancelled' }]);
  });
});
