import { durationOf, memberStateOf, progressOf, tokensOf } from '../../../../web/src/feature/crew/member_work';
import { buildTurn, createTurn } from '../../../../web/src/state/turn_reducer';
import type { DelegateItem, Turn } from '../../../../web/src/state/view_types';
import { approval, delegateEnd, delegateStart, end, start, text, toolEnd, toolStart, writeRun } from '../../state/run_events';

type Bodies = Parameters<ReturnType<typeof writeRun>['all']>;

const child = (...bodies: Bodies): Turn => buildTurn(createTurn('run_child', ''), writeRun('run_child').all(...bodies));

/** The task in the turn of the parent. */
function task(...bodies: Bodies): DelegateItem {
  const turn = buildTurn(createTurn('run_1', ''), writeRun('run_1').all(start('x'), delegateStart('run_child'), ...bodies));
  const item = turn.items.find(({ kind }) => kind === 'delegate');
  if (item?.kind !== 'delegate') throw new Error('no task');
  return item;
}

describe('the state of a crew member', () => {
  it.each([
    ['waiting', undefined],
    ['waiting', createTurn('run_child', '')],
    ['running', child(start('t'), text('a'))],
    ['running', child(start('t'), approval('q1'))],
    ['completed', child(start('t'), end())],
  ] as const)('is %s from its own run while the task is open', (state, turn) => expect(memberStateOf(task(), turn, false)).toBe(state));

  it('is asking while the chat of the parent has an open approval of it', () => {
    expect(memberStateOf(task(), child(start('t')), true)).toBe('asking');
    expect(memberStateOf(task(delegateEnd('run_child', 'cancelled')), undefined, true)).toBe('cancelled');
  });

  it.each(['completed', 'incomplete', 'failed', 'cancelled'] as const)('is %s when the task ended so, whatever its run shows', status => {
    expect(memberStateOf(task(delegateEnd('run_child', status)), child(start('t'), text('a')), false)).toBe(status);
  });

  it('is cancelled when the run of the parent ended first', () => {
    expect(memberStateOf(task(end('cancelled')), undefined, false)).toBe('cancelled');
  });
});

describe('the progress of a crew member', () => {
  it('shows the latest calls, counts those before, and ends with the last line of text', () => {
    const calls = ['a', 'b', 'c', 'd'].flatMap(id => [toolStart(id), toolEnd(id)]);
    const progress = progressOf(child(start('t'), ...calls, text('# Found\n\n**two** of three')), 3);
    expect(progress).toMatchObject({ earlier: 1, text: 'two of three' });
    expect(progress.tools.map(({ toolCallId }) => toolCallId)).toEqual(['b', 'c', 'd']);
  });

  it('has nothing to show before the run starts', () => {
    expect(progressOf(child(start('t'), text('Look:\n~~~text\na/\n~~~')), 3).text).toBe('a/');
    expect(progressOf(undefined, 3)).toEqual({ tools: [], earlier: 0, text: '' });
  });

  it('takes its time from the end of the task, and from the clock until then', () => {
    const open = task();
    expect(durationOf(open, Date.parse(open.startedAt) + 1_500)).toBe(1_500);
    expect(durationOf(task(delegateEnd('run_child', 'completed')), 0)).toBe(1_200);
  });

  it('counts the tokens of the task, else those of its run', () => {
    expect(tokensOf(task(), undefined)).toBeUndefined();
    expect(tokensOf(task(), child(start('t'), end()))).toBe(7);
    expect(tokensOf(task(delegateEnd('run_child', 'completed')), undefined)).toBe(15);
  });
});
