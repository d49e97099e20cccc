import { createObserver } from '../../../../src/adapter/local/node/observer';
import type { EndedWork, ObserverListener, Work } from '../../../../src/port/observer';
import { createManualClock } from '../../../support/manual_clock';

const call = { server: 'files', method: 'tools/call' };

describe('the observer', () => {
  const failures: unknown[] = [];
  const onError = (_message: string, error: unknown) => void failures.push(error);
  beforeEach(() => void failures.splice(0));

  it('tells every listener when work begins, reaches a mark and ends, with the time since it began', () => {
    const clock = createManualClock();
    const observer = createObserver({ clock, onError });
    const told: unknown[] = [];
    const listener: ObserverListener = {
      workBegun: work => told.push(['begun', work.kind, work.begun]),
      workMarked: (work, mark, sinceMs) => told.push(['marked', work.id, mark.type, sinceMs]),
      workEnded: (work, durationMs) => told.push(['ended', work.id, work.ended, durationMs]),
    };
    observer.listen(listener);
    const work = observer.begin('mcp_request', call);
    clock.advance(20);
    work.mark({ type: 'retry', error: 'lost' });
    clock.advance(30);
    work.end({ error: 'timeout' });
    expect(told).toEqual([
      ['begun', 'mcp_request', call],
      ['marked', work.id, 'retry', 20],
      ['ended', work.id, { error: 'timeout' }, 50],
    ]);
  });

  it('counts only the first end, and no mark after it', () => {
    const observer = createObserver({ clock: createManualClock(), onError });
    const ends: EndedWork[] = [];
    const marks: Work[] = [];
    observer.listen({ workEnded: work => ends.push(work), workMarked: work => marks.push(work) });
    const work = observer.begin('mcp_request', call);
    work.end({});
    work.end({ error: 'lost' });
    work.mark({ type: 'first_chunk' });
    expect(ends.map(({ ended }) => ended)).toEqual([{}]);
    expect(marks).toEqual([]);
  });

  it('goes on when a listener throws, tells the others, and logs at most ten failures', () => {
    const observer = createObserver({ clock: createManualClock(), onError });
    const facts: string[] = [];
    observer.listen({
      factNoted() {
        throw new Error('broken listener');
      },
    });
    observer.listen({ factNoted: fact => facts.push(fact.type) });
    for (let i = 0; i < 20; i++) observer.note({ type: 'late_answer', kind: 'approval', door: 'rest' });
    expect(facts).toHaveLength(20);
    expect(failures).toHaveLength(10);
  });

  it('gives each outgoing request the trace of the listener that has one, else that of the caller with a span of its own', () => {
    const observer = createObserver({ clock: createManualClock(), onError });
    expect(observer.begin('mcp_request', call).trace).toBeUndefined();
    const given = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), isSampled: true, state: 'x=1' };
    const work = observer.begin('mcp_request', { ...call, trace: given });
    expect(work.trace).toEqual({ ...given, spanId: expect.stringMatching(/^[0-9a-f]{16}$/) });
    expect(work.trace?.spanId).not.toBe(given.spanId);
    observer.listen({});
    const own = { ...given, spanId: 'c'.repeat(16) };
    const remove = observer.listen({ traceOf: ({ id }) => (id === work.id ? own : undefined) });
    expect(work.trace).toBe(own);
    remove();
    expect(work.trace?.spanId).not.toBe(own.spanId);
  });
});
