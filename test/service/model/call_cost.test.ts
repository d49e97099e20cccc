import fc from 'fast-check';
import { costOf, tierCostOf } from '../../../src/service/model/call_cost';
import { addDollars, toNanoDollars } from '../../../src/utils/dollars';

it('prices input, cached input and output, each at its own price', () => {
  const price = { input: 0.25, cachedInput: 0.025, output: 2 };
  expect(costOf(price, { inputTokens: 1_000_000, cachedTokens: 400_000, outputTokens: 500_000 })).toBe(1.16);
  expect(costOf({ input: 3, output: 15 }, { inputTokens: 1_000, cachedTokens: 1_000, outputTokens: 0 })).toBe(0.003);
});

it('prices the service tier that answered, at its factor', () => {
  const price = { input: 2, cachedInput: 0.2, output: 8, tiers: { flex: 0.5, priority: 1.75 } };
  const usage = { inputTokens: 1_000_000, cachedTokens: 500_000, outputTokens: 1_000_000 };
  const costs = [undefined, 'default', 'flex', 'priority', 'constructor'].map(serviceTier => costOf(price, { ...usage, serviceTier }));
  expect(costs).toEqual([9.1, 9.1, 4.55, 15.925, 9.1]);
});

it('halves a listed price for the tiers flex and batch', () => {
  const usage = { inputTokens: 1, outputTokens: 1 };
  expect(['flex', 'batch', 'standard', undefined].map(serviceTier => tierCostOf(3, { ...usage, serviceTier }))).toEqual([1.5, 1.5, 3, 3]);
});

it('costs nothing for a free model', () => {
  expect(costOf({ input: 0, output: 0 }, { inputTokens: 1_000, outputTokens: 1_000 })).toBe(0);
});

it('rounds a call to whole nano-dollars', () => {
  expect(costOf({ input: 0.0001, output: 0 }, { inputTokens: 3, outputTokens: 0 })).toBe(0);
  expect(costOf({ input: 0.0001, output: 0 }, { inputTokens: 5, outputTokens: 0 })).toBe(0.000000001);
});

it('adds any calls to exactly the sum of their nano-dollars', () => {
  const price = { input: 0.1, output: 0.7, cachedInput: 0.013 };
  const call = fc.record({ inputTokens: fc.nat(1_000_000), cachedTokens: fc.nat(1_000_000), outputTokens: fc.nat(100_000) });
  fc.assert(
    fc.property(fc.array(call, { maxLength: 200 }), calls => {
      const costs = calls.map(usage => costOf(price, usage));
      const nanos = costs.reduce((sum, cost) => sum + BigInt(toNanoDollars(cost)), 0n);
      expect(BigInt(toNanoDollars(costs.reduce(addDollars, 0)))).toBe(nanos);
      for (const cost of costs) expect(toNanoDollars(cost) / 1e9).toBe(cost);
    }),
  );
});
