import type { RunEvent, RunEventBody } from '../../../src/port/run_event';
import {
  acknowledge,
  addPending,
  addSteering,
  applyEvents,
  countSteering,
  enrichRun,
  markCancelled,
  markUnsent,
  mergeHistory,
  prependHistory,
  resetRun,
  updateQuestion,
} from '../../../web/src/state/session_reducer';
import { createTurn } from '../../../web/src/state/turn_reducer';
import { EMPTY_VIEW, findActiveTurn, findCursor, findPlan, type SessionView } from '../../../web/src/state/view_types';
import { end, message, question, start, text, writeRun } from './run_events';

const apply = (view: SessionView, events: RunEvent[]): SessionView => applyEvents(view, events).view;
const said = (content: string): RunEventBody => ({ type: 'message_end', data: { role: 'user', content } });
const texts = (view: SessionView): string[] => view.turns.map(turn => turn.items.map(item => ('text' in item ? item.text : '')).join(''));

describe('the view of a session', () => {
  it('keeps earlier turns above the stored ones when the session is loaded again', () => {
    const ids = (view: SessionView) => view.turns.map(turn => turn.runId);
    const turns = (...runIds: string[]) => runIds.map(runId => createTurn(runId, 'hi'));
    const latest = mergeHistory(EMPTY_VIEW, turns('run_3', 'run_4'));
    const all = prependHistory(latest, turns('run_1', 'run_2'));
    expect(ids(all)).toEqual(['run_1', 'run_2', 'run_3', 'run_4']);
    expect(ids(mergeHistory(all, turns('run_3', 'run_4', 'run_5')))).toEqual(['run_1', 'run_2', 'run_3', 'run_4', 'run_5']);
  });

  it('shows each of two steering messages with the same text until the agent has read it', () => {
    const events = writeRun('run_1').all(start('hi'), said('continue'), said('continue'));
    const running = apply(EMPTY_VIEW, events.slice(0, 1));
    const waiting = (view: SessionView) => view.turns[0]?.steering ?? [];
    const steer = (view: SessionView, before: number) => addSteering(view, { runId: 'run_1', text: 'continue', before });
    const once = steer(running, 0);
    expect(waiting(once)).toEqual(['continue']);
    const read = apply(once, events.slice(0, 2));
    expect(waiting(read)).toEqual([]);
    const twice = steer(read, countSteering(read, 'continue'));
    expect(waiting(twice)).toEqual(['continue']);
    expect(waiting(apply(twice, events))).toEqual([]);
    // The agent reads the message before the acknowledgement arrives.
    expect(waiting(steer(apply(read, events), countSteering(read, 'continue')))).toEqual([]);
  });

  it('skips duplicate events', () => {
    const events = writeRun('run_1').all(start('hi'), text('a'), text('b'), message('ab'), end());
    const once = apply(EMPTY_VIEW, events);
    const twice = apply(apply(EMPTY_VIEW, events.slice(0, 3)), events);
    expect(twice).toEqual(once);
    expect(texts(once)).toEqual(['ab']);
  });

  it('stops at a gap, reports it, and is complete after the replay', () => {
    const events = writeRun('run_1').all(start('hi'), text('a'), text('b'), text('c'));
    const { view, gap } = applyEvents(EMPTY_VIEW, [events[0]!, events[1]!, events[3]!]);
    expect(gap).toEqual({ runId: 'run_1', seq: 2 });
    expect(texts(view)).toEqual(['a']);
    expect(texts(apply(view, events))).toEqual(['abc']);
  });

  it('asks for all events of a run when the first one that arrives is a later one', () => {
    const events = writeRun('run_1').all(start('hi'), text('a'));
    expect(applyEvents(EMPTY_VIEW, [events[1]!]).gap).toEqual({ runId: 'run_1', seq: 0 });
  });

  it('shows the message of another tab with the run it started', () => {
    expect(apply(EMPTY_VIEW, writeRun('run_1').all(start('from over there'))).turns).toMatchObject([{ input: 'from over there' }]);
  });

  it.each(['acknowledgement', 'run_start'] as const)('shows a sent message once when the %s comes first', first => {
    const events = writeRun('run_1').all(start('hi'), text('a'));
    const sent = addPending(EMPTY_VIEW, 'cm-1', 'hi');
    const view =
      first === 'run_start' ? acknowledge(apply(sent, events), 'cm-1', 'run_1') : apply(acknowledge(sent, 'cm-1', 'run_1'), events);
    expect(view.turns).toHaveLength(1);
    expect(view.turns[0]).toMatchObject({ key: 'cm-1', runId: 'run_1', input: 'hi', state: 'running' });
  });

  it('keeps two equal unacknowledged messages apart', () => {
    const sent = addPending(addPending(EMPTY_VIEW, 'cm-1', 'hi'), 'cm-2', 'hi');
    const view = apply(sent, [
      ...writeRun('run_1').all(start('hi'), text('one'), end()),
      ...writeRun('run_2').all(start('hi'), text('two')),
    ]);
    expect(view.turns.map(turn => [turn.key, turn.runId])).toEqual([
      ['cm-1', 'run_1'],
      ['cm-2', 'run_2'],
    ]);
    expect(texts(acknowledge(acknowledge(view, 'cm-1', 'run_1'), 'cm-2', 'run_2'))).toEqual(['one', 'two']);
  });

  it('shows one turn when a message that was sent again already has a run', () => {
    const replayed = apply(addPending(EMPTY_VIEW, 'cm-1', 'hi'), []);
    const other = { ...replayed, turns: [...apply(EMPTY_VIEW, writeRun('run_1').all(start('hi '))).turns, ...replayed.turns] };
    expect(acknowledge(other, 'cm-1', 'run_1').turns).toMatchObject([{ runId: 'run_1', state: 'running' }]);
  });

  it('marks a refused message and sends it again', () => {
    const sent = addPending(EMPTY_VIEW, 'cm-1', 'hi');
    const refused = markUnsent(sent, 'cm-1', { code: 'rate_limited', message: 'Too many requests.', retryable: true });
    expect(refused.turns).toMatchObject([{ state: 'unsent', error: { code: 'rate_limited' } }]);
    expect(markUnsent(refused, 'cm-1', undefined).turns).toMatchObject([{ state: 'sending' }]);
  });

  it('removes a queued message, but not a run that has started', () => {
    const waiting = acknowledge(addPending(EMPTY_VIEW, 'cm-1', 'hi'), 'cm-1', 'run_1');
    expect(markCancelled(waiting, 'run_1').turns).toMatchObject([{ state: 'cancelled' }]);
    const begun = apply(waiting, writeRun('run_1').all(start('hi')));
    expect(markCancelled(begun, 'run_1')).toEqual(begun);
  });

  it('replaces a run with its snapshot', () => {
    const wrong = apply(EMPTY_VIEW, writeRun('run_1').all(start('hi'), text('lost'), text(' words')));
    const snapshot = writeRun('run_1').all(start('hi'), text('kept'));
    const view = resetRun(wrong, 'run_1', snapshot, 2);
    expect(texts(view)).toEqual(['kept']);
    expect(findCursor(view)).toEqual({ runId: 'run_1', seq: 2 });
  });

  it('puts stored turns first and keeps the live events of a run that is in both', () => {
    const live = apply(EMPTY_VIEW, writeRun('run_2').all(start('now'), text('live')));
    const stored = [
      { ...createTurn('run_1', 'before'), state: 'completed' as const },
      { ...createTurn('run_2', 'now'), state: 'running' as const },
    ];
    const view = mergeHistory(addPending(live, 'cm-9', 'later'), stored);
    expect(view.turns.map(turn => turn.input)).toEqual(['before', 'now', 'later']);
    expect(view.turns[1]).toBe(live.turns[0]);
  });

  it('takes the images of a live message from the stored one, since no event names them', () => {
    const live = apply(EMPTY_VIEW, writeRun('run_1').all(start('look'), text('live')));
    const stored = { ...createTurn('run_1', 'look'), state: 'running' as const, images: ['/image'] };
    const [turn] = mergeHistory(live, [stored]).turns;
    expect(turn).toMatchObject({ images: ['/image'], lastSeq: 2 });
    expect(apply(mergeHistory(EMPTY_VIEW, [stored]), writeRun('run_1').all(start('look'), text('live'))).turns[0]).toMatchObject(
      turn ?? {},
    );
  });

  it('rebuilds a stored turn when its run is replayed from the first event', () => {
    const stored = mergeHistory(EMPTY_VIEW, [
      { ...createTurn('run_1', 'hi'), state: 'running', items: [{ kind: 'text', id: 'text0', text: 'a', done: true }] },
    ]);
    expect(texts(apply(stored, writeRun('run_1').all(start('hi'), text('a'), text('b'))))).toEqual(['ab']);
  });

  it('adds details only to complete runs without live events', () => {
    const stored = mergeHistory(EMPTY_VIEW, [{ ...createTurn('run_1', 'hi'), state: 'completed' }]);
    const events = writeRun('run_1').all(start('hi'), text('a'), end());
    expect(enrichRun(stored, 'run_1', events.slice(0, 2))).toBe(stored);
    expect(enrichRun(stored, 'run_1', events.slice(1))).toBe(stored);
    const rich = enrichRun(stored, 'run_1', events);
    expect(texts(rich)).toEqual(['a']);
    expect(enrichRun(rich, 'run_1', events)).toBe(rich);
  });

  it('finds the active run, its cursor and the latest plan', () => {
    const todos = [{ id: '1', content: 'look', status: 'pending' as const }];
    const summary = { total: 1, pending: 1, in_progress: 0, completed: 0, cancelled: 0 };
    const first = writeRun('run_1').all(start('plan'), { type: 'todo_update', data: { todos, summary } }, end());
    const view = apply(EMPTY_VIEW, [...first, ...writeRun('run_2').all(start('ask'), question('q1'))]);
    expect(findActiveTurn(view)?.runId).toBe('run_2');
    expect(findCursor(view)).toEqual({ runId: 'run_2', seq: 2 });
    expect(findPlan(view)).toEqual(todos);
  });

  it('changes the deadline of a question', () => {
    const view = apply(EMPTY_VIEW, writeRun('run_1').all(start('ask'), question('q1')));
    expect(updateQuestion(view, 'q1', { expiresAt: 'later' }).turns[0]?.items).toMatchObject([{ expiresAt: 'later', status: 'pending' }]);
  });
});
