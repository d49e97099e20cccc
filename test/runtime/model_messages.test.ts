import type { AssistantMessage, ChatMessage } from '../../src/port/llm';
import { toModelMessages } from '../../src/runtime/model_messages';

const says = (content: string): AssistantMessage => ({ role: 'assistant', content });
const asks = (content: string): ChatMessage => ({ role: 'user', content });
const calls = (content: string | null, args: string): AssistantMessage => ({
  role: 'assistant',
  content,
  tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'tally', arguments: args } }],
});
const result: ChatMessage = { role: 'tool', tool_call_id: 'call_1', content: '7' };

describe('toModelMessages', () => {
  it('joins answers that follow each other, because some servers demand alternating roles', () => {
    const history = [asks('count'), says('<tool_call>'), says('I try again.'), calls('Now:', '{}'), result, says('Seven.')];
    expect(toModelMessages(history)).toEqual([asks('count'), calls('<tool_call>\n\nI try again.\n\nNow:', '{}'), result, says('Seven.')]);
  });

  it('joins an answer with a call that has no text', () => {
    expect(toModelMessages([says('First.'), calls(null, '{}'), result])).toEqual([calls('First.', '{}'), result]);
  });

  it('returns the same objects each time, and when the history grows', () => {
    const history = [asks('count'), says('One.'), says('Two.'), says('Three.'), calls(null, 'broken'), result];
    const first = toModelMessages(history);
    expect(first[1]).toMatchObject({ content: 'One.\n\nTwo.\n\nThree.' });
    const later = toModelMessages([...history, says('Seven.'), asks('and now?')]);
    expect(first.every((message, index) => message === later[index])).toBe(true);
  });

  it('leaves other messages as they are', () => {
    const history = [asks('a'), asks('b'), calls('x', '{"n":1}'), result, says('Seven.')];
    const sent = toModelMessages(history);
    expect(sent.every((message, index) => message === history[index])).toBe(true);
  });
});
