import { createIdSource } from '../../../../src/adapter/local/node/ids';

describe('id source', () => {
  it('creates unique ids that match the pattern and sort by time', () => {
    let now = 1_700_000_000_000;
    const ids = createIdSource({ now: () => now });
    const made: string[] = [];
    for (let i = 0; i < 1_000; i += 1) {
      now += 1;
      made.push(ids.next('run'));
    }
    expect(new Set(made).size).toBe(1_000);
    expect([...made].sort()).toEqual(made);
    for (const id of made) expect(id).toMatch(/^run_[0-9a-z]{26}$/);
  });

  it('creates ids that sort in the order of creation within a millisecond', () => {
    const ids = createIdSource({ now: () => 1_700_000_000_000 });
    const made = Array.from({ length: 3_000 }, () => ids.next('exe'));
    expect([...made].sort()).toEqual(made);
    expect(new Set(made).size).toBe(3_000);
  });

  it('does not go backwards with the wall clock', () => {
    const times = [2_000, 1_000];
    const ids = createIdSource({ now: () => times.shift() ?? 0 });
    const [first, second] = [ids.next('ses'), ids.next('ses')];
    expect(second.slice(0, 14)).toBe(first.slice(0, 14));
  });

  it('creates UUIDs', () => {
    expect(createIdSource({ now: () => 0 }).uuid()).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  });
});
