import { Refusals } from '../../../src/service/ops/refusals';
import { createManualClock } from '../../support/manual_clock';

it('keeps the last 100 of each tenant, and lists the last 100 of all, the newest first', () => {
  const clock = createManualClock(0);
  const refusals = new Refusals(clock);
  const refuse = (tenantId: string, message: string) => {
    clock.advance(1);
    refusals.note({ tenantId, keyName: 'bot' }, { code: 'rate_limited', message });
  };
  refuse('acme', 'first');
  for (let i = 0; i < 150; i += 1) refuse('globex', `${i}`);
  refuse('acme', 'last');
  const messages = (tenantId?: string) => refusals.list(tenantId).map(({ message }) => message);
  expect(messages('acme')).toEqual(['last', 'first']);
  expect(messages('globex')).toEqual(Array.from({ length: 100 }, (_, i) => `${149 - i}`));
  expect(messages()).toEqual(['last', ...Array.from({ length: 99 }, (_, i) => `${149 - i}`)]);
  expect(messages('initech')).toEqual([]);
});
