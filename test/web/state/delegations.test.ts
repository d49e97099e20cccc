import { addTasks, approvalsOfMembers, countWaitingTasks, isOnTaskCard, toTask } from '../../../web/src/state/delegations';
import { buildTurn, createTurn } from '../../../web/src/state/turn_reducer';
import { approval, approvalEnd, delegateEnd, delegateStart, end, start, text, toolEnd, toolStart, writeRun } from './run_events';

const play = (...bodies: Parameters<ReturnType<typeof writeRun>['all']>) =>
  buildTurn(createTurn('run_1', ''), writeRun('run_1').all(...bodies)).items;

describe('delegated tasks in a turn', () => {
  it('stand after the text that led to them, open until each one ends', () => {
    const items = play(start('x'), text('I ask two.'), delegateStart('a'), delegateStart('b'), delegateEnd('b', 'completed'));
    expect(items).toMatchObject([
      { kind: 'text', done: true },
      { kind: 'delegate', childRunId: 'a', childSessionId: 'ses_a', member: 'researcher', task: 'Find it.', state: 'open' },
      { kind: 'delegate', childRunId: 'b', state: 'completed', summary: 'Found it.', durationMs: 1_200 },
    ]);
  });

  it('appear once when their start is reported again after a restart', () => {
    expect(play(start('x'), delegateStart('a'), delegateEnd('a', 'completed'), delegateStart('a'))).toMatchObject([{ state: 'completed' }]);
  });

  it('are cancelled with a run that ends before them', () => {
    expect(play(start('x'), delegateStart('a'), end('cancelled'))).toMatchObject([{ kind: 'delegate', state: 'cancelled' }]);
  });

  it('keep their place between tool calls, and ignore an end without a start', () => {
    const items = play(start('x'), toolStart('c1'), delegateStart('a'), toolEnd('c1'), delegateEnd('lost', 'failed'), text('Done.'));
    expect(items.map(({ kind }) => kind)).toEqual(['tool', 'delegate', 'text']);
    expect(items).toMatchObject([{ state: 'ok' }, { state: 'open' }, {}]);
  });

  it('show the call that delegated them and the approvals of their members on their own cards', () => {
    const items = play(start('x'), toolStart('c1'), delegateStart('a'), approval('q1', 'a'), approval('q2'), approval('q3', 'lost'));
    expect(items.filter(item => isOnTaskCard(item, items)).map(({ id }) => id)).toEqual(['c1#0', 'q1']);
    expect(approvalsOfMembers(items)).toMatchObject([{ requestId: 'q1', status: 'pending' }]);
  });

  it('wait for a person until the last approval is decided', () => {
    const stateAfter = (...bodies: Parameters<typeof play>) =>
      buildTurn(createTurn('run_1', ''), writeRun('run_1').all(start('x'), delegateStart('a'), delegateStart('b'), ...bodies)).state;
    const asked = [approval('q1', 'a'), approval('q2', 'b')];
    expect(stateAfter(...asked)).toBe('waiting');
    expect(stateAfter(...asked, approvalEnd('q1'))).toBe('waiting');
    expect(stateAfter(...asked, approvalEnd('q1'), approvalEnd('q2'))).toBe('running');
  });

  it('that no member has begun are counted while their call runs', () => {
    const call = toolStart('c1', { tasks: [{ task: 'a' }, { task: 'b' }, { task: 'c' }] });
    expect(countWaitingTasks(play(start('x'), call, delegateStart('a')))).toBe(2);
    expect(countWaitingTasks(play(start('x'), call, delegateStart('a'), toolEnd('c1')))).toBe(0);
    expect(countWaitingTasks(play(start('x'), toolStart('c1', { tasks: 'many' }), delegateStart('a')))).toBe(0);
  });

  it('come back from the runs of the members when the events are gone', () => {
    const call = play(
      start('x'),
      { type: 'tool_call_start', data: { toolCallId: 'c1', name: 'delegate_task', label: '', args: {} } },
      text('Done.'),
    );
    const times = { createdAt: '2026-01-02T03:04:05.000Z', startedAt: '2026-01-02T03:04:06.000Z', endedAt: '2026-01-02T03:04:09.000Z' };
    const run = { runId: 'a', sessionId: 'ses_a', agent: 'researcher', status: 'completed', input: 'Find it.', text: 'Found it.' } as const;
    const items = addTasks(call, [toTask({ ...run, ...times })]);
    expect(items.map(({ kind }) => kind)).toEqual(['tool', 'delegate', 'text']);
    expect(items[1]).toMatchObject({ childRunId: 'a', member: 'researcher', state: 'completed', summary: 'Found it.', durationMs: 3_000 });
    expect(addTasks(items, [toTask({ ...run, ...times })])).toEqual(items);
  });
});
