import fc from 'fast-check';
import { type ChoiceInput, chooseTools } from '../../../src/feature/tool_choice/choose_tools';

const names = (count: number, from = 0) => Array.from({ length: count }, (_, i) => `t${from + i}`);
const rankedOf = (list: readonly string[]) => list.map((name, i) => ({ name, score: 1 / (i + 1) }));

const choose = (more: Partial<ChoiceInput>) =>
  chooseTools({
    fixed: { tools: 4, tokens: 400 },
    candidates: new Map(names(100).map(name => [name, 100])),
    kept: [],
    hints: [],
    ranked: rankedOf(names(100)),
    budget: { tools: 20, tokens: 100_000 },
    ...more,
  });

describe('the choice of tools (beaver.assembler)', () => {
  it('fills the budget with hints first, then with the best', () => {
    expect(choose({ hints: ['t50'] })).toEqual(['t50', ...names(15)]);
    expect(choose({ budget: { tools: 20, tokens: 1_900 } })).toEqual(names(15));
  });

  it('keeps the old part as a prefix and adds what fits about as well as the best', () => {
    const kept = names(3, 60);
    expect(choose({ kept })).toEqual([...kept, ...names(4)]);
    expect(choose({ kept, ranked: [] })).toEqual(kept);
  });

  it('leaves room for five tools, however many the profile has', () => {
    expect(choose({ fixed: { tools: 40, tokens: 90_000 } })).toHaveLength(5);
  });

  it('keeps the place of a tool whose server is away', () => {
    expect(choose({ kept: ['gone', 't60'], ranked: rankedOf(['t1']) })).toEqual(['gone', 't60', 't1']);
  });

  it('starts afresh past twice the budget', () => {
    expect(choose({ kept: names(36, 40), ranked: rankedOf(['t0', 't1']) })).toEqual(['t0', 't1']);
    expect(choose({ kept: names(34, 40), ranked: rankedOf(['t0', 't1']) })).toHaveLength(36);
  });

  it('never repeats a name, names a stranger, or goes past twice the budget', () => {
    const some = fc.uniqueArray(fc.constantFrom(...names(100)), { maxLength: 60 });
    fc.assert(
      fc.property(some, some, some, (kept, hints, order) => {
        const list = choose({ kept, hints, ranked: rankedOf(order) });
        expect(new Set(list).size).toBe(list.length);
        expect(list.every(name => [...kept, ...hints, ...order].includes(name))).toBe(true);
        expect(list.length).toBeLessThanOrEqual(36);
      }),
    );
  });
});
