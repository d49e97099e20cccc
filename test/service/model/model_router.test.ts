/** The order of models, their cool-down and their probes, with a clock that only the test advances. */
import { createObserver } from '../../../src/adapter/local/node/observer';
import { AppError } from '../../../src/errors';
import type { LlmRequest, ModelChange } from '../../../src/port/llm';
import type { ModelClient } from '../../../src/port/model_client';
import { ModelCatalog } from '../../../src/service/model/model_catalog';
import { ModelRouter } from '../../../src/service/model/model_router';
import { createManualClock } from '../../support/manual_clock';

const MINUTE_MS = 60_000;
const overloaded = () => new AppError('model_overloaded', { message: 'busy', messageZh: '忙' });

/** Models by id; each answers with its id, or throws what `failing` holds for it. */
function createRouter(ids: readonly string[], fallback: readonly string[] = ids) {
  const clock = createManualClock();
  const calls: string[] = [];
  const spans: (string | undefined)[] = [];
  const failing = new Map<string, unknown>();
  /** Calls of these models wait until their promise resolves. */
  const held = new Map<string, Promise<void>>();
  /** Calls of these models wait in the middle of their answer. */
  const paused = new Map<string, Promise<void>>();
  const openClient = ({ model }: { model: string }): ModelClient => ({
    info: { provider: 'test', model, demo: false },
    async stream({ trace }, sink) {
      calls.push(model);
      spans.push(trace?.spanId);
      await held.get(model);
      const error = failing.get(model);
      if (error) throw error;
      sink.onText(model);
      await paused.get(model);
      return { message: { role: 'assistant', content: model }, reasoning: '', finishReason: 'stop' };
    },
    probe: async () => undefined,
    listModels: async () => [],
    close: () => {},
  });
  const models = ids.map(id => ({ id, model: id, parameters: {}, reasoning: {} }));
  const deps = { clients: { openClient, demo: openClient({ model: 'demo' }) }, readSecret: () => undefined, contextTokens: 1_000 };
  const catalog = new ModelCatalog(deps, { models, fallback, source: 'test' });
  const observer = createObserver({ clock, onError: () => {} });
  const told: string[] = [];
  observer.listen({
    traceOf: ({ id }) => ({ traceId: 'trace', spanId: `span-${id}`, isSampled: true }),
    workMarked: (work, mark) => void (work.kind === 'model_call' && told.push(`${work.begun.model} ${mark.type}`)),
    workEnded: work => void (work.kind === 'model_call' && told.push(`${work.begun.model} ${work.ended.error ?? work.ended.finishReason}`)),
  });
  const heard: string[] = [];
  const order: string[] = [];
  const steps = { nextStep: () => void order.push('step') as undefined };
  const failpoints = { reach: (point: string) => void order.push(point) as undefined };
  const priceList = { findCost: () => undefined, describe: () => undefined };
  const router = new ModelRouter({ catalog, clock, priceList, observer, steps, failpoints, onError: () => {} });
  const ask = async (fields: Partial<LlmRequest> = {}) => {
    const changes: ModelChange[] = [];
    const request = { messages: [], tools: [], thinkingLevel: 'off' as const, signal: new AbortController().signal, ...fields };
    const sink = {
      onText: (text: string) => void heard.push(text),
      onReasoning: () => {},
      onFallback: (change: ModelChange) => void changes.push(change),
    };
    const answer = await router.stream(request, sink);
    return { text: answer.message.content, answeredBy: answer.answeredBy, changes: changes.map(({ from, to }) => `${from}>${to}`) };
  };
  return { ask, heard, order, calls, failing, held, paused, clock, told, spans };
}

it('asks the models in their order, and goes back to the first after the cool-down', async () => {
  const { ask, calls, failing, clock } = createRouter(['a', 'b', 'c']);
  failing.set('a', overloaded()).set('b', overloaded());
  expect(await ask()).toEqual({ text: 'c', answeredBy: 'c', changes: ['a>b', 'b>c'] });
  failing.clear();
  clock.advance(MINUTE_MS - 1);
  expect(await ask()).toEqual({ text: 'c', answeredBy: 'c', changes: ['a>c'] });
  clock.advance(1);
  expect(await ask()).toEqual({ text: 'a', answeredBy: undefined, changes: [] });
  expect(calls).toEqual(['a', 'b', 'c', 'c', 'a']);
});

it('lets one call try a model after the cool-down, not a herd', async () => {
  const { ask, calls, failing, held, clock } = createRouter(['a', 'b']);
  failing.set('a', overloaded());
  await ask();
  clock.advance(MINUTE_MS);
  const { promise, resolve } = Promise.withResolvers<void>();
  held.set('a', promise);
  const [probe, ...others] = [ask(), ask(), ask()];
  expect((await Promise.all(others)).map(({ text }) => text)).toEqual(['b', 'b']);
  resolve();
  expect((await probe)?.text).toBe('b');
  expect(calls).toEqual(['a', 'b', 'a', 'b', 'b', 'b']);
  expect((await ask()).changes).toEqual(['a>b']);
  expect(calls).toHaveLength(7);
});

it('a cancelled probe leaves the model to the next call', async () => {
  const { ask, failing, held, clock } = createRouter(['a', 'b']);
  failing.set('a', overloaded());
  await ask();
  clock.advance(MINUTE_MS);
  const { promise, reject } = Promise.withResolvers<void>();
  held.set('a', promise);
  const controller = new AbortController();
  const cancelled = ask({ signal: controller.signal });
  controller.abort(new Error('cancelled'));
  reject(controller.signal.reason);
  await expect(cancelled).rejects.toThrow('cancelled');
  held.clear();
  failing.clear();
  expect(await ask()).toMatchObject({ text: 'a', changes: [] });
});

it('asks a model that cools down when no other answers', async () => {
  const { ask, failing } = createRouter(['a', 'b']);
  failing.set('a', overloaded());
  await ask();
  failing.clear();
  failing.set('b', overloaded());
  expect(await ask()).toEqual({ text: 'a', answeredBy: undefined, changes: ['a>b', 'b>a'] });
});

it('a chosen model comes first; one outside the order has no stand-in', async () => {
  const { ask, calls, failing } = createRouter(['a', 'b', 'private'], ['a', 'b']);
  failing.set('b', overloaded());
  expect(await ask({ model: 'b' })).toEqual({ text: 'a', answeredBy: 'a', changes: ['b>a'] });
  failing.set('private', overloaded());
  await expect(ask({ model: 'private' })).rejects.toMatchObject({ code: 'model_overloaded', message: 'busy' });
  await expect(ask({ model: 'private' })).rejects.toMatchObject({ code: 'model_overloaded' });
  expect(calls).toEqual(['b', 'a', 'private', 'private']);
});

it.each([
  ['too long', new AppError('model_refused', { details: { status: 400, reason: 'context_length' } })],
  ['wrong in itself', new AppError('model_refused', { details: { status: 400 } })],
  ['answered with too much', new AppError('model_too_large')],
])('a request that is %s goes to no other model, and its model stays in use', async (_case, error) => {
  const { ask, calls, failing } = createRouter(['a', 'b']);
  failing.set('a', error);
  await expect(ask()).rejects.toBe(error);
  failing.clear();
  expect(await ask()).toMatchObject({ text: 'a' });
  expect(calls).toEqual(['a', 'a']);
});

it('a name that the first server does not know leaves its model in use for the others', async () => {
  const { ask, calls, failing } = createRouter(['a', 'b']);
  failing.set('a', new AppError('model_refused', { details: { status: 404, fault: 'endpoint' } }));
  expect(await ask({ model: 'misspelled' })).toMatchObject({ text: 'b' });
  failing.clear();
  expect(await ask()).toEqual({ text: 'a', answeredBy: undefined, changes: [] });
  expect(calls).toEqual(['a', 'b', 'a']);
});

it('64 calls at once after the cool-down: one tries the model, and the rest go back to it at its first text', async () => {
  const { ask, calls, failing, paused, clock } = createRouter(['a', 'b']);
  failing.set('a', overloaded());
  await ask();
  failing.clear();
  clock.advance(MINUTE_MS);
  const { promise, resolve } = Promise.withResolvers<void>();
  // It has shown text, and its answer goes on.
  paused.set('a', promise);
  const probe = ask();
  const texts = (await Promise.all(Array.from({ length: 63 }, () => ask({ model: 'b' })))).map(({ text }) => text);
  expect(new Set(texts)).toEqual(new Set(['b']));
  paused.clear();
  expect((await ask()).text).toBe('a');
  resolve();
  expect((await probe).text).toBe('a');
  expect(calls.filter(id => id === 'a')).toHaveLength(3);
});

it('a cancelled call that was no probe leaves the probe alone', async () => {
  const { ask, calls, failing, held, clock } = createRouter(['a', 'b']);
  failing.set('a', overloaded()).set('b', overloaded());
  await expect(ask()).rejects.toThrow();
  clock.advance(MINUTE_MS);
  const [toProbe, toLast] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  held.set('a', toProbe.promise);
  const probe = ask();
  // No model answers, so a late one is asked all the same.
  held.set('a', toLast.promise);
  const controller = new AbortController();
  const other = ask({ signal: controller.signal });
  await new Promise(setImmediate);
  expect(calls).toEqual(['a', 'b', 'a', 'b', 'a']);
  controller.abort(new Error('cancelled'));
  toLast.reject(controller.signal.reason);
  await expect(other).rejects.toThrow('cancelled');
  failing.delete('b');
  clock.advance(MINUTE_MS);
  expect((await ask()).text).toBe('b');
  failing.clear();
  toProbe.resolve();
  expect((await probe).text).toBe('a');
});

it('an error of the gateway itself says nothing about the model', async () => {
  const { ask, calls, failing, held, clock } = createRouter(['a', 'b']);
  failing.set('a', overloaded());
  await ask();
  clock.advance(MINUTE_MS);
  failing.set('a', new AppError('store_unavailable'));
  await expect(ask()).rejects.toMatchObject({ code: 'store_unavailable' });
  // One call probes it again; the others still go elsewhere.
  failing.clear();
  const { promise, resolve } = Promise.withResolvers<void>();
  held.set('a', promise);
  const probe = ask();
  expect((await ask()).text).toBe('b');
  resolve();
  expect((await probe).text).toBe('a');
  expect(calls).toEqual(['a', 'b', 'a', 'a', 'b']);
});

it('tells the observer of every model that it asks, and sends the trace of each call along', async () => {
  const { ask, failing, told, spans } = createRouter(['a', 'b']);
  failing.set('a', overloaded());
  await ask();
  expect(told).toEqual(['a model_overloaded', 'b first_chunk', 'b stop']);
  expect(spans).toEqual(['span-1', 'span-2']);
});

it('begins a call and handles its answer in steps', async () => {
  const { ask, order } = createRouter(['a']);
  await ask();
  expect(order).toEqual(['step', 'model_called', 'step']);
});

it('holds back what the model says until the run is stored, and keeps its order', async () => {
  const { ask, heard, paused } = createRouter(['a']);
  const { promise: accepted, resolve: accept } = Promise.withResolvers<void>();
  const rest = Promise.withResolvers<void>();
  paused.set('a', rest.promise);
  const answer = ask({ accepted });
  await new Promise(setImmediate);
  expect(heard).toEqual([]);
  accept();
  await new Promise(setImmediate);
  expect(heard).toEqual(['a']);
  rest.resolve();
  expect(await answer).toMatchObject({ text: 'a' });
  expect(heard).toEqual(['a']);
});

it('rejects the call and says nothing when the run is not stored, also when the call failed first', async () => {
  for (const failure of [undefined, new Error('the model is away')]) {
    const { ask, heard, failing } = createRouter(['a']);
    if (failure) failing.set('a', failure);
    const { promise: accepted, reject } = Promise.withResolvers<void>();
    const answer = ask({ accepted });
    await new Promise(setImmediate);
    reject(new Error('not stored'));
    await expect(answer).rejects.toThrow('not stored');
    expect(heard).toEqual([]);
  }
});
