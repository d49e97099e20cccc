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
    expect(toModelMessages(history, 'en')).toEqual([
      asks('count'),
      calls('<tool_call>\n\nI try again.\n\nNow:', '{}'),
      result,
      says('Seven.'),
    ]);
  });

  it('joins an answer with a call that has no text', () => {
    expect(toModelMessages([says('First.'), calls(null, '{}'), result], 'en')).toEqual([calls('First.', '{}'), result]);
  });

  it('returns the same objects each time, and when the history grows', () => {
    const history = [asks('count'), says('One.'), says('Two.'), says('Three.'), calls(null, 'broken'), result];
    const first = toModelMessages(history, 'en');
    expect(first[1]).toMatchObject({ content: 'One.\n\nTwo.\n\nThree.' });
    const later = toModelMessages([...history, says('Seven.'), asks('and now?')], 'en');
    expect(first.every((message, index) => message === later[index])).toBe(true);
  });

  it('leaves other messages as they are', () => {
    const history = [asks('a'), calls('x', '{"n":1}'), result, says('Seven.')];
    const sent = toModelMessages(history, 'en');
    expect(sent.every((message, index) => message === history[index])).toBe(true);
  });

  it.each([
    ['en', '[The message above got no answer.]'],
    ['zh-CN', '[上面这条消息没有得到回答。]'],
  ] as const)('puts an answer between two messages of a person, because some servers demand alternating roles: %s', (locale, text) => {
    const history = [asks('look'), asks('and now?'), asks('quick'), says('Yes.')];
    expect(toModelMessages(history, locale)).toEqual([asks('look'), says(text), asks('and now?'), says(text), asks('quick'), says('Yes.')]);
  });

  it('puts the time of a message before its text, in the same object each time', () => {
    const image = { id: 'a', mediaType: 'image/png' as const, bytes: 1 };
    const history = [{ ...asks('look'), time: '[Sent: noon]', images: [image] } as ChatMessage, says('Yes.')];
    const sent = toModelMessages(history, 'en');
    expect(sent).toEqual([{ role: 'user', content: '[Sent: noon]\nlook', images: [image] }, says('Yes.')]);
    expect(toModelMessages(history, 'en')[0]).toBe(sent[0]);
  });
});
