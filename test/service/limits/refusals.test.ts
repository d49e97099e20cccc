import type { Fact, Observer } from '../../../src/port/observer';
import { Refusals } from '../../../src/service/limits/refusals';
import { createManualClock } from '../../support/manual_clock';

it('keeps the last 100 of each tenant, and lists the last 100 of all, the newest first', () => {
  const clock = createManualClock(0);
  const told: Fact[] = [];
  const refusals = new Refusals({ clock, observer: { note: (fact: Fact) => void told.push(fact) } as unknown as Observer, log: () => {} });
  const refuse = (tenantId: string, message: string) => {
    clock.advance(1);
    refusals.note('http', { code: 'rate_limited', message }, { tenantId, keyName: 'bot' });
  };
  refuse('acme', 'first');
  for (let i = 0; i < 150; i += 1) refuse('globex', `${i}`);
  refuse('acme', 'last');
  const messages = (tenantId?: string) => refusals.list(tenantId).map(({ message }) => message);
  expect(messages('acme')).toEqual(['last', 'first']);
  expect(messages('globex')).toEqual(Array.from({ length: 100 }, (_, i) => `${149 - i}`));
  expect(messages()).toEqual(['last', ...Array.from({ length: 99 }, (_, i) => `${149 - i}`)]);
  expect(messages('initech')).toEqual([]);
  expect(told).toHaveLength(152);
});

it('tells of each refusal, and keeps those of a limit with a known caller', () => {
  const told: Fact[] = [];
  const refusals = new Refusals({
    clock: createManualClock(0),
    observer: { note: (fact: Fact) => void told.push(fact) } as unknown as Observer,
    log: () => {},
  });
  const error = { message: 'no', details: { scope: 'key', limit: 'runsPerMinute', retries: 2 } };
  refusals.note('socketio', { ...error, code: 'rate_limited' });
  refusals.note('http', { ...error, code: 'forbidden', details: {} }, { tenantId: 'acme', keyName: 'bot' });
  expect(told).toEqual([
    { type: 'request_refused', door: 'socketio', code: 'rate_limited', scope: 'key', limit: 'runsPerMinute' },
    { type: 'request_refused', door: 'http', code: 'forbidden' },
  ]);
  expect(refusals.list(undefined)).toEqual([]);
});

it('writes one warning in five minutes for each key and limit, with the tenant and the key', () => {
  const clock = createManualClock(0);
  const lines: unknown[] = [];
  const log = (...line: unknown[]) => void lines.push(line);
  const refusals = new Refusals({ clock, observer: { note: () => {} } as unknown as Observer, log });
  const refuse = (keyName: string, code = 'quota_exceeded') =>
    refusals.note('http', { code, message: 'no', details: { scope: 'tenant', limit: 'tokensPerDay' } }, { tenantId: 'acme', keyName });
  for (const key of ['ci', 'ci', 'bot']) refuse(key);
  refuse('ci', 'forbidden');
  const context = { tenant: 'acme', code: 'quota_exceeded', limit: 'tokensPerDay' };
  const lineOf = (key: string) => ['warn', 'requests of a key are refused', { ...context, key }];
  expect(lines).toEqual([lineOf('ci'), lineOf('bot')]);
  clock.advance(300_000);
  refuse('ci');
  expect(lines).toHaveLength(3);
});
