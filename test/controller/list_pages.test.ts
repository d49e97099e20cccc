import { listOrPageByNumber } from '../../src/controller/list_pages';

describe('pages of a log that goes on', () => {
  const lines = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => ({ n: from + i }));
  const pageOf = (log: { n: number }[], query: { limit?: string; cursor?: string }) => {
    const { data, nextCursor } = listOrPageByNumber(log, query, ({ n }) => n);
    return [data.map(({ n }) => n), nextCursor];
  };

  it.each([
    ['no new lines', lines(1, 6), [3, 4], '4'],
    ['the read lines are gone', lines(3, 9), [3, 4], '4'],
    ['lines behind the cursor are gone too', lines(5, 9), [5, 6], '6'],
    ['a filter leaves out lines', [{ n: 1 }, { n: 7 }, { n: 9 }], [7, 9], undefined],
    ['nothing follows', lines(1, 2), [], undefined],
  ])('the page behind line 2 skips no line that is still there: %s', (_, log, numbers, nextCursor) => {
    expect(pageOf(lines(1, 6), { limit: '2' })).toEqual([[1, 2], '2']);
    expect(pageOf(log, { limit: '2', cursor: '2' })).toEqual([numbers, nextCursor]);
  });

  it('is whole without limit, and refuses a cursor that no page gave', () => {
    expect(pageOf(lines(1, 200), {})).toEqual([lines(1, 200).map(({ n }) => n), undefined]);
    for (const cursor of ['0', '-1', 'x', '1.Mg', '']) expect(() => pageOf(lines(1, 2), { cursor })).toThrow('/cursor');
  });
});
