import { buildTurn, createTurn } from '../../../web/src/state/turn_reducer';
import { delegateEnd, delegateStart, end, start, text, toolEnd, toolStart, writeRun } from './run_events';

const play = (...bodies: Parameters<ReturnType<typeof writeRun>['all']>) =>
  buildTurn(createTurn('run_1', ''), writeRun('run_1').all(...bodies)).items;

describe('delegated tasks in a turn', () => {
  it('stand after the text that led to them, open until each one ends', () => {
    const items = play(start('x'), text('I ask two.'), delegateStart('a'), delegateStart('b'), delegateEnd('b', 'completed'));
    expect(items).toMatchObject([
      { kind: 'text', done: true },
      { kind: 'delegate', childRunId: 'a', childSessionId: 'ses_a', member: 'researcher', task: 'Find it.', state: 'open' },
      { kind: 'delegate', childRunId: 'b', state: 'completed', summary: 'Found it.', endedAt: expect.any(String) },
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
});
