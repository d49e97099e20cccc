/** Threads run compiled code, so these tests use the build. */
import { join } from 'node:path';
import { createTokenCounterWorker } from '../../../../src/adapter/local/tokens/token_counter_worker';
import type { TokenCounter } from '../../../../src/port/token_counter';
import { measureEventLoop } from '../../../support/event_loop';

const ENTRY = join(__dirname, '../../../../dist/src/adapter/local/tokens/token_counter_worker_entry.js');
const NEVER = join(__dirname, '../../../support/endless_thread.cjs');
const { signal } = new AbortController();

describe('token counter', () => {
  let counter: TokenCounter;
  afterEach(() => counter.close());

  it('counts as the tokenizer of the model does, and special tokens as text', async () => {
    counter = createTokenCounterWorker({ entry: ENTRY });
    const texts = ['hello world', '今天天气很好', '', '<|endoftext|>'];
    expect(await counter.countTokens('some-model', texts, signal)).toEqual([2, 4, 0, 7]);
    const [o200k] = await counter.countTokens('gpt-4o', ['今天天气很好'.repeat(10)], signal);
    const [cl100k] = await counter.countTokens('gpt-4-turbo', ['今天天气很好'.repeat(10)], signal);
    expect(cl100k).toBeGreaterThan(o200k ?? 0);
    expect(await counter.countTokens('gpt-4.1-mini', ['今天天气很好'.repeat(10)], signal)).toEqual([o200k]);
  });

  it('counts a megabyte, also without a space, and does not block the event loop', async () => {
    counter = createTokenCounterWorker({ entry: ENTRY });
    const texts = ['The beans grow. '.repeat(65_000), 'a'.repeat(200_000)];
    const { result, busyMs } = await measureEventLoop(() => counter.countTokens('', texts, signal));
    expect(result[0]).toBeGreaterThan(250_000);
    expect(result[0]).toBeLessThan(270_000);
    expect(result[1]).toBeGreaterThan(10_000);
    expect(busyMs).toBeLessThan(250);
  });

  it('rejects a count that takes too long, and one that is cancelled', async () => {
    counter = createTokenCounterWorker({ entry: NEVER, budgetMs: 50 });
    await expect(counter.countTokens('', ['a'], signal)).rejects.toThrow('took more time than is allowed');
    const cancelled = counter.countTokens('', ['a'], AbortSignal.abort(new Error('cancelled')));
    await expect(cancelled).rejects.toThrow('cancelled');
  });
});
