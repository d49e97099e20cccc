import { AppError } from '../../../../src/errors';
import { OpsStreams } from '../../../../src/feature/ops/views/ops_streams';
import type { Actor } from '../../../../src/port/principal';
import { createManualClock } from '../../../support/manual_clock';

const READ_MS = 2_000;

function startStreams() {
  const clock = createManualClock();
  const state = { reads: 0, value: 1, isBroken: false };
  const streams = new OpsStreams({
    clock,
    async readView() {
      state.reads += 1;
      if (state.isBroken) throw new AppError('store_unavailable');
      return { at: String(state.reads), value: state.value };
    },
    onError: () => {},
  });
  const watch = (tenantId?: string, watcher: Actor = { tenantId: tenantId ?? 'default', keyName: 'root' }) => {
    const seen: unknown[] = [];
    const listener = { send: (json: string) => seen.push(JSON.parse(json).value), fail: (error: AppError) => seen.push(error.code) };
    return { seen, leave: streams.watch({ view: 'limits', scope: tenantId === undefined ? {} : { tenantId }, watcher }, listener) };
  };
  const pass = async () => {
    await new Promise(setImmediate);
    clock.advance(READ_MS);
    await new Promise(setImmediate);
  };
  return { state, watch, pass };
}

it('reads a view once for 100 watchers, sends changes alone, and reads nothing while nobody watches', async () => {
  const { state, watch, pass } = startStreams();
  const watchers = Array.from({ length: 100 }, (_, i) => watch(undefined, { tenantId: 'default', keyName: `key-${i}` }));
  await pass();
  await pass();
  state.value = 2;
  await pass();
  expect(state.reads).toBe(4);
  expect(watchers.every(({ seen }) => seen.join() === '1,2')).toBe(true);
  for (const { leave } of watchers) leave();
  await pass();
  expect(state.reads).toBe(4);
});

it('reads for each tenant apart', async () => {
  const { state, watch, pass } = startStreams();
  watch('acme');
  watch('globex');
  await pass();
  expect(state.reads).toBe(4);
});

it('reads texts of other tenants for each key apart, and texts of one tenant once', async () => {
  const clock = createManualClock();
  const readers: unknown[] = [];
  const streams = new OpsStreams({
    clock,
    async readView(_view, { textReader }) {
      readers.push(textReader?.keyName);
      return {};
    },
    onError: () => {},
  });
  const listener = { send: () => {}, fail: () => {} };
  const watch = (keyName: string, tenantId?: string) => {
    const textReader = { tenantId: 'acme', keyName, scopes: new Set<never>() };
    streams.watch({ view: 'runs', scope: { tenantId, textReader }, watcher: textReader }, listener);
  };
  for (const keyName of ['anna', 'ben', 'anna']) watch(keyName);
  expect(readers).toEqual(['anna', 'ben']);
  for (const keyName of ['carl', 'dora']) watch(keyName, 'acme');
  expect(readers).toEqual(['anna', 'ben', 'carl']);
});

it('tells its watchers that a view cannot be read, and serves those who come after', async () => {
  const { state, watch, pass } = startStreams();
  const { seen, leave } = watch();
  await pass();
  state.isBroken = true;
  await pass();
  await pass();
  expect(seen).toEqual([1, 'store_unavailable']);
  state.isBroken = false;
  const later = watch();
  await pass();
  expect(later.seen).toEqual([1]);
  leave();
  state.value = 3;
  await pass();
  expect(later.seen).toEqual([1, 3]);
});

it('leaves places for other keys and tenants, and gives them back', () => {
  const { watch } = startStreams();
  const open = (tenantId: string, keyName: string) => watch(tenantId, { tenantId, keyName });
  const first = Array.from({ length: 50 }, () => open('acme', 'greedy'));
  expect(() => open('acme', 'greedy')).toThrow('At most 50 pages of this key');
  for (let i = 0; i < 50; i += 1) open('acme', 'other');
  expect(() => open('acme', 'third')).toThrow('At most 100 pages of this tenant');
  open('globex', 'greedy');
  first[0]?.leave();
  first[0]?.leave();
  open('acme', 'greedy');
  expect(() => open('acme', 'greedy')).toThrow('At most 100 pages of this tenant');
});
