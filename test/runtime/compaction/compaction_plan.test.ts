import fc from 'fast-check';
import type { ChatMessage } from '../../../src/port/llm';
import { planCompaction } from '../../../src/runtime/compaction/compaction_plan';
import { messagesAfterSummary, toHistorySummary } from '../../../src/runtime/compaction/visible_history';
import { historyProblem } from '../../../src/runtime/history';

const user = (content: string): ChatMessage => ({ role: 'user', content });
const says = (content: string): ChatMessage => ({ role: 'assistant', content });
const step = (ids: readonly string[], result: string): ChatMessage[] => [
  {
    role: 'assistant',
    content: null,
    tool_calls: ids.map(id => ({ id, type: 'function' as const, function: { name: 'read_file', arguments: '{"path":"a"}' } })),
  },
  ...ids.map((id): ChatMessage => ({ role: 'tool', tool_call_id: id, content: result })),
];
/** Ten characters of content are a token. */
const tokensOf = ({ content }: ChatMessage): number => 1 + Math.ceil((content ?? '').length / 10);
const sum = (messages: readonly ChatMessage[]): number => messages.reduce((all, message) => all + tokensOf(message), 0);

const words = fc.integer({ min: 1, max: 200 }).map(length => 'word '.repeat(length));
let calls = 0;
const aStep = fc.tuple(fc.integer({ min: 1, max: 3 }), words).map(([count, result]) =>
  step(
    Array.from({ length: count }, () => `call_${++calls}`),
    result,
  ),
);
/** A steering message may stand between two steps. */
const steps = fc.array(
  fc.oneof(
    aStep,
    fc.tuple(aStep, words).map(([one, text]) => [...one, user(text)]),
  ),
  { maxLength: 5 },
);
const aTurn = fc.tuple(words, steps, words).map(([asked, done, answer]) => [user(asked), ...done.flat(), says(answer)]);
/** Complete turns, and one that is still running. */
const aHistory = fc
  .tuple(fc.array(aTurn, { maxLength: 6 }), words, steps)
  .map(([turns, asked, done]) => ({ history: [...turns.flat(), user(asked), ...done.flat()], turnStart: turns.flat().length }));
const limits = fc.record({ tokens: fc.integer({ min: 5, max: 2_000 }), messages: fc.integer({ min: 1, max: 60 }) });

describe('planCompaction', () => {
  it('never separates calls from results, whatever is compacted and how often (beaver.limits)', () => {
    fc.assert(
      fc.property(aHistory, fc.array(limits, { minLength: 1, maxLength: 4 }), ({ history, turnStart }, compactions) => {
        let from = 0;
        for (const keep of compactions) {
          const upTo = planCompaction({ history, from, turnStart, tokensOf, keep, maxTurnTokens: keep.tokens * 2 });
          if (upTo === undefined) continue;
          expect(upTo).toBeGreaterThan(from);
          expect(upTo).toBeLessThan(history.length + 1);
          from = upTo;
          const summary = toHistorySummary('Beans.', upTo, 'en');
          const visible = messagesAfterSummary({ history, turnStart, summary });
          expect(historyProblem([summary.message, ...visible])).toBeUndefined();
          // Everything that the person said in the running turn stays, and so does the newest message.
          for (const message of history.slice(turnStart)) if (message.role === 'user') expect(visible).toContain(message);
          expect(visible.at(-1)).toBe(history.at(-1));
        }
      }),
      { numRuns: 500 },
    );
  });

  it('keeps the last turns whole, as many as fit', () => {
    const turns = Array.from({ length: 10 }, (_, i) => [user(`turn ${i}`), ...step([`c${i}`], 'x'.repeat(90)), says('done')]);
    const history = [...turns.flat(), user('now')];
    const plan = (tokens: number) =>
      planCompaction({
        history,
        from: 0,
        turnStart: history.length - 1,
        tokensOf,
        keep: { tokens, messages: 100 },
        maxTurnTokens: 1_000,
      });
    const turnTokens = sum(turns[0] ?? []);
    expect(plan(turnTokens * 3 + 10)).toBe(history.length - 1 - 3 * 4);
    expect(plan(turnTokens - 1)).toBe(history.length - 1);
    expect(plan(10_000)).toBe(4);
  });

  it('cuts inside the running turn only when that is too long by itself, and keeps its last step', () => {
    const done = Array.from({ length: 6 }, (_, i) => step([`a${i}`, `b${i}`], 'x'.repeat(90))).flat();
    const history = [user('hi'), says('hello'), user('read all'), ...done];
    const plan = (maxTurnTokens: number, tokens: number) =>
      planCompaction({ history, from: 0, turnStart: 2, tokensOf, keep: { tokens, messages: 100 }, maxTurnTokens });
    expect(plan(1_000, 10)).toBe(2);
    expect(plan(50, sum(history.slice(-6)))).toBe(history.length - 6);
    expect(plan(50, 1)).toBe(history.length - 3);
  });

  it('plans nothing when nothing is left to replace', () => {
    const history = [user('hi'), says('hello'), user('and now')];
    const keep = { tokens: 1, messages: 1 };
    expect(planCompaction({ history, from: 2, turnStart: 2, tokensOf, keep, maxTurnTokens: 100 })).toBeUndefined();
    expect(planCompaction({ history, from: 2, turnStart: 2, tokensOf, keep, maxTurnTokens: 0 })).toBeUndefined();
  });
});
