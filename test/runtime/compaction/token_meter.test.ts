import type { ChatMessage } from '../../../src/port/llm';
import { TokenMeter } from '../../../src/runtime/compaction/token_meter';

const user = (content: string): ChatMessage => ({ role: 'user', content });
const request = (...messages: ChatMessage[]) => ({ messages, tools: [] });
const { signal } = new AbortController();

/** Counts words, and remembers what it counted. */
function wordCounter() {
  const seen: string[] = [];
  const count = async (texts: readonly string[]) => {
    seen.push(...texts);
    return texts.map(text => text.split(' ').length);
  };
  return { seen, count };
}

const LONG = 'word '.repeat(999).trim();

it('never counts a request that is short by any measure', () => {
  const meter = new TokenMeter(async () => {
    throw new Error('must not count');
  });
  expect(meter.mayExceed(request(user(LONG)), 10_000)).toBe(false);
  expect(meter.mayExceed(request(user(LONG)), 2_000)).toBe(true);
});

it('counts an image beside the text of its message', async () => {
  const { count } = wordCounter();
  const seen: ChatMessage = { role: 'user', content: 'two words', images: [{ id: 'img_1', mediaType: 'image/png', bytes: 9 }] };
  const plain = await new TokenMeter(count).countTokens(request(user('two words')), signal);
  expect(await new TokenMeter(count).countTokens(request(seen), signal)).toBe(plain + 1_000);
});

it('counts each message once', async () => {
  const { seen, count } = wordCounter();
  const meter = new TokenMeter(count);
  const first = user(LONG);
  expect(await meter.countTokens(request(first), signal)).toBe(999 + 4);
  expect(await meter.countTokens(request(first, user('one more')), signal)).toBe(999 + 2 + 8);
  expect(seen).toEqual([LONG, 'one more']);
  // Text of other density is then estimated as this session has it.
  expect(meter.scale).toBeCloseTo(1_009 / 1_685, 1);
});

it('is corrected by the tokens that the model reports, within bounds', async () => {
  const { count } = wordCounter();
  const meter = new TokenMeter(count);
  const asked = request(user(LONG));
  await meter.countTokens(asked, signal);
  meter.learn(asked, 1_500);
  expect(await meter.countTokens(asked, signal)).toBeCloseTo(1_500);
  expect(meter.tokensOf(asked.messages)).toBeCloseTo(1_500);
  // A server that leaves out what it had cached, and one that reports nothing.
  meter.learn(asked, 7);
  meter.learn(asked, 0);
  expect(await meter.countTokens(asked, signal)).toBeCloseTo(1_003 * 0.8);
});

it('trusts a reported number more than bytes, so that a dense text is counted in time', () => {
  const meter = new TokenMeter(async () => []);
  const dense = request(user('1 2 3 4 5 6 '.repeat(100)));
  const estimate = meter.estimateTokens(dense);
  expect(meter.mayExceed(dense, estimate * 2.1)).toBe(false);
  meter.learn(dense, estimate * 2);
  expect(meter.estimateTokens(dense)).toBeCloseTo(estimate * 2);
  expect(meter.mayExceed(dense, estimate * 2.1)).toBe(true);
});
