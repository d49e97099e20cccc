import { cachedPercent, sumUsage } from '../../../web/src/state/usage';

const usage = { inputTokens: 1000, outputTokens: 50 };

describe('the usage of a chat', () => {
  it('has a cost as long as the price of each answer is known', () => {
    const priced = { usage: { ...usage, costUsd: 0.25 } };
    expect(sumUsage([priced, priced, {}])).toEqual({ tokens: 2100, costUsd: 0.5 });
    expect(sumUsage([priced, { usage }])).toEqual({ tokens: 2100, costUsd: undefined });
    expect(sumUsage([])).toEqual({ tokens: 0, costUsd: undefined });
  });

  it('says which part of the input was cached', () => {
    expect(cachedPercent({ ...usage, cachedTokens: 618 })).toBe(62);
    expect(cachedPercent({ inputTokens: 0, outputTokens: 0 })).toBe(0);
  });
});
