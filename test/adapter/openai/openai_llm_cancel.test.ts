import { createOpenAiLlm } from '../../../src/adapter/openai/openai_llm';
import type { ModelClient } from '../../../src/port/model_client';
import { type BrokenModel, startBrokenModel, startSilentTls } from '../../support/broken_model';
import { type MockModel, startMockModel } from '../../support/mock_model';
import { ask, recordingSink } from './ask';

let broken: BrokenModel;
let model: MockModel;
const opened: ModelClient[] = [];
beforeAll(async () => {
  broken = await startBrokenModel();
  model = await startMockModel();
});
afterAll(async () => {
  for (const llm of opened) llm.close();
  await Promise.all([broken.stop(), model.stop()]);
});

afterEach(() => jest.restoreAllMocks());

function connect(baseUrl: string): ModelClient {
  const llm = createOpenAiLlm({ apiKey: 'k', baseUrl, model: 'm' });
  opened.push(llm);
  return llm;
}

/** A busy machine needs more than the usual few milliseconds; what the call waits for comes later than this, or never. */
const AT_ONCE_MS = 1_000;
const STOP = { why: 'the user pressed stop' };

/** Cancels once `ready` resolves; resolves the time of the cancel. */
async function cancelWhen(baseUrl: string, ready: Promise<unknown>): Promise<number> {
  const controller = new AbortController();
  const sink = recordingSink();
  const asked = connect(baseUrl).stream(ask('hi', { signal: controller.signal }), sink);
  asked.catch(() => {});
  await ready;
  const cancelled = performance.now();
  controller.abort(STOP);
  await expect(asked).rejects.toBe(STOP);
  expect(performance.now() - cancelled).toBeLessThan(AT_ONCE_MS);
  return cancelled;
}

describe('a cancelled call', () => {
  test.each(['stalls_before_headers', 'stalls_after_headers', 'stalls_in_the_middle', 'drips_comments'] as const)(
    'closes its connection at once while the server %s',
    async way => {
      const baseUrl = broken.baseUrl(way);
      const cancelled = await cancelWhen(baseUrl, broken.arrived(baseUrl));
      expect((await broken.closed(baseUrl)) - cancelled).toBeLessThan(AT_ONCE_MS);
    },
  );

  test('closes its connection in the middle of a streamed answer, and delivers nothing more', async () => {
    model.onTurn('long story', { text: 'x'.repeat(4000), chunkSize: 10, pauseAfter: 5 });
    const controller = new AbortController();
    const shown: string[] = [];
    const asked = connect(model.baseUrl).stream(ask('long story', { signal: controller.signal }), {
      onText: text => {
        shown.push(text);
        if (shown.length === 5) controller.abort(STOP);
      },
      onReasoning: () => {},
    });
    await expect(asked).rejects.toBe(STOP);
    expect(await (await model.waitFor('long story')).ended).toBe('hung_up');
    expect(shown.length).toBe(5);
  });

  test('ends at once while it is connecting', async () => {
    const silent = await startSilentTls();
    await cancelWhen(silent.baseUrl, silent.connected);
    await silent.closed;
    silent.stop();
  });

  test('ends at once while it waits for a retry', async () => {
    const baseUrl = broken.serve(({ response }) => response.writeHead(429, { 'retry-after': '30' }).end());
    await cancelWhen(baseUrl, broken.arrived(baseUrl));
    expect(broken.requests(baseUrl)).toBe(1);
  });

  test('sends nothing when it was cancelled before', async () => {
    const baseUrl = broken.serve(() => {});
    await expect(connect(baseUrl).stream(ask('hi', { signal: AbortSignal.abort(STOP) }), recordingSink())).rejects.toBe(STOP);
    expect(broken.requests(baseUrl)).toBe(0);
  });
});

describe('a finished call', () => {
  test('leaves no timer and no listener behind, however it ended', async () => {
    const pending = watchTimers();
    const { signal } = new AbortController();
    const added = jest.spyOn(signal, 'addEventListener');
    const removed = jest.spyOn(signal, 'removeEventListener');
    model.onTurn('short', 'ok');
    await connect(model.baseUrl).stream(ask('short', { signal }), recordingSink());
    for (const way of ['sends_an_empty_answer', 'resets_in_the_middle', 'refuses_the_key', 'fails_once'] as const) {
      await connect(broken.baseUrl(way))
        .stream(ask('hi', { signal }), recordingSink())
        .catch(() => {});
    }
    expect([pending.started() > 10, pending.left()]).toEqual([true, 0]);
    expect([added.mock.calls.length, removed.mock.calls.length]).toEqual([5, 5]);
  });
});

/** Counts the timers started from here on, and those that neither fired nor were cleared. The timer of a kept connection does not count. */
function watchTimers(): { started(): number; left(): number } {
  const running = new Set<NodeJS.Timeout>();
  let started = 0;
  const { setTimeout: start, clearTimeout: clear } = globalThis;
  jest.spyOn(globalThis, 'setTimeout').mockImplementation(((callback: () => void, delayMs?: number) => {
    const timer = start(() => {
      running.delete(timer);
      callback();
    }, delayMs);
    running.add(timer);
    started++;
    return timer;
  }) as typeof setTimeout);
  jest.spyOn(globalThis, 'clearTimeout').mockImplementation(timer => {
    running.delete(timer as NodeJS.Timeout);
    clear(timer as NodeJS.Timeout);
  });
  return { started: () => started, left: () => [...running].filter(timer => timer.hasRef()).length };
}
