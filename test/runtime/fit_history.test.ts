import fc from 'fast-check';
import type { ChatMessage } from '../../src/port/llm';
import { cutNotice, estimateMessages, fitHistory } from '../../src/runtime/fit_history';
import { historyProblem } from '../../src/runtime/history';
import { cpuTime } from '../support/cpu_time';

const user = (content: string): ChatMessage => ({ role: 'user', content });
const says = (content: string): ChatMessage => ({ role: 'assistant', content });
const step = (id: string, result: string): ChatMessage[] => [
  { role: 'assistant', content: null, tool_calls: [{ id, type: 'function', function: { name: 'read_file', arguments: '{"path":"a"}' } }] },
  { role: 'tool', tool_call_id: id, content: result },
];

const words = fc.integer({ min: 1, max: 400 }).map(length => 'word '.repeat(length));
const aTurn = fc
  .tuple(words, fc.array(words, { maxLength: 5 }), words)
  .map(([asked, results, answer]) => [user(asked), ...results.flatMap((result, i) => step(`call_${i}`, result)), says(answer)]);
/** Generates complete turns and one that is still running. */
const aHistory = fc
  .tuple(fc.array(aTurn, { maxLength: 6 }), words, fc.array(words, { maxLength: 5 }))
  .map(([turns, asked, results]) => [...turns.flat(), user(asked), ...results.flatMap((result, i) => step(`last_${i}`, result))]);

it('counts an image as 1,000 tokens', () => {
  const image = { id: 'img_1', mediaType: 'image/png' as const, bytes: 5_000_000 };
  const seen: ChatMessage = { role: 'user', content: 'look', images: [image, image] };
  expect(estimateMessages([seen]) - estimateMessages([user('look')])).toBe(2_000);
});

describe('fitHistory', () => {
  it('returns a valid end of the history that begins with a request and keeps the newest message', () => {
    fc.assert(
      fc.property(aHistory, fc.integer({ min: 100, max: 4_000 }), (history, maxTokens) => {
        const { messages, isCut } = fitHistory(history, maxTokens);
        expect(historyProblem(messages)).toBeUndefined();
        expect(messages[0]?.role).toBe('user');
        const isSame = messages.length === history.length && messages.every((message, i) => message === history[i]);
        expect(isCut).toBe(!isSame);
        if (estimateMessages(history) <= maxTokens) expect(isSame).toBe(true);
        expect(messages).toContain(history.findLast(message => message.role === 'user'));
        const newest = messages.at(-1)?.content ?? '';
        expect(history.at(-1)?.content?.slice(0, 100)).toBe(newest.slice(0, 100));
      }),
    );
  });

  it('stays within the limit unless the last request alone is longer', () => {
    fc.assert(
      fc.property(aHistory, fc.integer({ min: 1_500, max: 4_000 }), (history, maxTokens) => {
        expect(estimateMessages(fitHistory(history, maxTokens).messages)).toBeLessThanOrEqual(maxTokens);
      }),
    );
  });

  it('says that nothing is left out when the only message is too long', () => {
    const history = [user('x'.repeat(30_000))];
    expect(fitHistory(history, 1_000)).toEqual({ messages: history, isCut: false });
  });

  it('rarely moves the start while a history grows, so that prompt caches hit', () => {
    const history: ChatMessage[] = [];
    const beginnings = new Set<ChatMessage | undefined>();
    for (let i = 0; i < 200; i++) {
      history.push(user(`request ${i} ${'word '.repeat(30)}`), says('done'));
      beginnings.add(fitHistory(history, 2_000).messages[0]);
    }
    expect(beginnings.size).toBeLessThan(30);
    expect(beginnings.size).toBeGreaterThan(5);
  });

  it('keeps the request of a turn that is too long, and truncates the last result when that alone is too long', () => {
    const request = user('read them all');
    const long = 'x'.repeat(30_000);
    const kept = fitHistory([user('hi'), says('hello'), request, ...step('a', long), ...step('b', long)], 3_000).messages;
    expect(kept.map(message => message.role)).toEqual(['user', 'assistant', 'tool']);
    expect(kept[0]).toBe(request);
    expect(kept[2]).toMatchObject({ tool_call_id: 'b', content: expect.stringMatching(/bytes left out/) });
  });

  it('keeps the newest request when earlier runs failed without an answer', () => {
    const long = 'x'.repeat(30_000);
    const newest = user('and now something short');
    const failed = [user(long), user('too many'), ...step('a', long)];
    expect(fitHistory([user('hi'), says('hello'), ...failed, newest], 3_000).messages).toContain(newest);
    const working = fitHistory([user(long), user('too many'), newest, ...step('b', long)], 3_000).messages;
    expect(working.map(message => message.role)).toEqual(['user', 'assistant', 'tool']);
    expect(working[0]).toBe(newest);
  });

  it('keeps the request of a turn and the newest steering message', () => {
    const request = user('read them all');
    const sent = user('only the short ones');
    const history = [user('hi'), says('hello'), request, ...step('a', 'x'.repeat(30_000)), sent, ...step('b', 'y'.repeat(3_000))];
    expect(fitHistory(history, 3_000).messages.slice(0, 2)).toEqual([request, sent]);
  });

  it('estimates Chinese text by its bytes', () => {
    expect(estimateMessages([user('中文'.repeat(100))])).toBeGreaterThanOrEqual(200);
  });

  it('takes time linear in the history', () => {
    const history = Array.from({ length: 20_000 }, (_, i) => user(`message ${i}`)).flatMap(message => [message, says('yes')]);
    fitHistory(history, 10_000);
    const startedAt = cpuTime();
    for (let i = 0; i < 20; i++) fitHistory(history, 10_000);
    expect(cpuTime() - startedAt).toBeLessThan(2_000);
  });
});

describe('a truncated result', () => {
  const file = '[The whole result, 30000 characters, is in .neta/results/ses_1/call_1.txt: read it in parts.]';
  const shorten = (locale: 'en' | 'zh-CN') =>
    fitHistory([user('read it'), ...step('a', `${'x'.repeat(30_000)}\n${file}`)], 1_000, locale).messages.at(-1)?.content ?? '';

  it('says that it is shortened, what to do, and in which file the rest is', () => {
    expect(shorten('en')).toContain(`${file}\n[This result is shortened here`);
    expect(shorten('zh-CN')).toContain(`${file}\n[此结果放不进上下文`);
    expect(estimateMessages([{ role: 'tool', tool_call_id: 'a', content: shorten('en') }])).toBeLessThan(1_000);
  });
});

describe('the notice about left-out messages', () => {
  it('quotes the first message unless it is still sent', () => {
    const history = [user('Build me a shop.'), says('ok'), user('And now?')];
    expect(cutNotice(history, history.slice(2), 'en')).toMatch(/left out.*\nBuild me a shop\.$/s);
    expect(cutNotice(history, history, 'zh-CN')).not.toContain('Build me');
  });
});
