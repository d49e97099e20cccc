import fc from 'fast-check';
import type { ChatMessage } from '../../src/port/llm';
import { outcomeUnknown, repairHistory, trimHistory } from '../../src/runtime/history';

const callIds = fc.constantFrom('a', 'b', 'c', 'd');
const call = (id: string) => ({ id, type: 'function' as const, function: { name: 'bash', arguments: '{}' } });
const text = fc.constantFrom('', 'words');

/** Generates histories as a crash, an abort or a bug could leave them. */
const anyMessage: fc.Arbitrary<ChatMessage> = fc.oneof(
  text.map(content => ({ role: 'user' as const, content })),
  fc.record({ role: fc.constant('assistant' as const), content: fc.option(text) }),
  fc.record({
    role: fc.constant('assistant' as const),
    content: fc.option(text),
    tool_calls: fc.uniqueArray(callIds, { maxLength: 4 }).map(ids => ids.map(call)),
  }),
  fc.record({ role: fc.constant('tool' as const), tool_call_id: callIds, content: text }),
);
const anyHistory = fc.array(anyMessage, { maxLength: 30 });

/** Returns one line about the first rule that the messages break. */
function problemOf(messages: readonly ChatMessage[]): string | undefined {
  let open: string[] = [];
  for (const message of messages) {
    if (message.role === 'tool') {
      if (message.tool_call_id !== open.shift()) return `the result ${message.tool_call_id} is out of place`;
      continue;
    }
    if (open.length > 0) return `the calls ${open} have no result`;
    if (message.role !== 'assistant') continue;
    open = message.tool_calls?.map(({ id }) => id) ?? [];
    if (open.length === 0 && !message.content) return 'an assistant message is empty';
  }
  return open.length > 0 ? `the calls ${open} have no result` : undefined;
}

describe('repairHistory', () => {
  it('returns a history in which each call has exactly one result, in order, and each result has a call', () => {
    fc.assert(fc.property(anyHistory, history => expect(problemOf(repairHistory(history))).toBeUndefined()));
  });

  it('returns a valid history unchanged, with the same message objects', () => {
    fc.assert(
      fc.property(anyHistory, history => {
        const valid = repairHistory(history);
        const again = repairHistory(valid);
        expect(again).toHaveLength(valid.length);
        for (const [i, message] of again.entries()) expect(message).toBe(valid[i]);
      }),
    );
  });

  it('keeps every user message, every call and every result of a call', () => {
    fc.assert(
      fc.property(anyHistory, history => {
        const kept = new Set(repairHistory(history));
        const mustStay = history.filter(message => message.role === 'user' || (message.role === 'assistant' && message.tool_calls?.length));
        for (const message of mustStay) expect(kept.has(message)).toBe(true);
      }),
    );
  });

  it('replaces a lost result by an unknown outcome, and orders late results by their calls', () => {
    const asked: ChatMessage = { role: 'assistant', content: null, tool_calls: [call('a'), call('b'), call('c')] };
    const history: ChatMessage[] = [
      { role: 'user', content: 'go' },
      asked,
      { role: 'tool', tool_call_id: 'c', content: 'third' },
      { role: 'tool', tool_call_id: 'a', content: 'first' },
      { role: 'tool', tool_call_id: 'a', content: 'first again' },
    ];
    const resultsIn = (locale: 'en' | 'zh-CN') =>
      repairHistory(history, { locale })
        .slice(2)
        .map(message => message.content);
    expect(resultsIn('en')).toEqual(['first', outcomeUnknown('en'), 'third']);
    expect(resultsIn('zh-CN')).toEqual(['first', expect.stringMatching(/^这次调用的结果未知/), 'third']);
  });
});

describe('trimHistory (beaver.limits)', () => {
  const startsOfTurns = (messages: readonly ChatMessage[]) => messages.flatMap(({ role }, i) => (role === 'user' ? [i] : []));

  it('starts with a user message, so a valid history stays valid', () => {
    fc.assert(
      fc.property(anyHistory, fc.integer({ min: 1, max: 40 }), (history, limit) => {
        const valid = repairHistory(history);
        const trimmed = trimHistory(valid, limit);
        const cut = valid.length - trimmed.length;
        expect(trimmed).toEqual(valid.slice(cut));
        expect(problemOf(trimmed)).toBeUndefined();
        if (cut > 0) expect(trimmed[0]?.role).toBe('user');
      }),
    );
  });

  it('keeps as many whole turns as fit, and always the last one', () => {
    fc.assert(
      fc.property(anyHistory, fc.integer({ min: 1, max: 40 }), (history, limit) => {
        const valid = repairHistory(history);
        const starts = startsOfTurns(valid);
        const trimmed = trimHistory(valid, limit);
        if (valid.length <= limit || starts.length === 0) return expect(trimmed).toHaveLength(valid.length);
        const fitting = starts.filter(start => valid.length - start <= limit);
        return expect(trimmed).toHaveLength(valid.length - (fitting[0] ?? (starts.at(-1) as number)));
      }),
    );
  });
});
