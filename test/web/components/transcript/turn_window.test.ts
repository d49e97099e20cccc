/** Which turns of a long chat are in the document. */
import { areShown, findTurnsInView, toRows } from '../../../../web/src/components/transcript/turn_window';

const HEIGHTS = [100, 200, 300, 100, 50, 50, 400];
const turns = { count: HEIGHTS.length, heightOf: (index: number) => HEIGHTS[index] ?? 0 };

it('finds the turns within the margin of a view, up to both ends', () => {
  // Turn 3 stands 50 pixels below the top of a view of 100 pixels.
  const place = { index: 3, top: 50 };
  expect(findTurnsInView(turns, place, { height: 100, margin: 0 })).toEqual({ first: 2, last: 3 });
  expect(findTurnsInView(turns, place, { height: 100, margin: 60 })).toEqual({ first: 2, last: 4 });
  expect(findTurnsInView(turns, place, { height: 100, margin: 260 })).toEqual({ first: 1, last: 6 });
  expect(findTurnsInView(turns, place, { height: 100, margin: 9_000 })).toEqual({ first: 0, last: 6 });
  expect(findTurnsInView({ count: 0, heightOf: () => 0 }, { index: -1, top: 0 }, { height: 100, margin: 50 }).last).toBe(-1);
});

it('puts neighbouring turns that are not shown into one gap of their height', () => {
  const rows = toRows(turns, index => index === 2 || index === 6);
  expect(rows).toEqual([
    { first: 0, last: 1, gapHeight: 300 },
    { first: 2, last: 2 },
    { first: 3, last: 5, gapHeight: 200 },
    { first: 6, last: 6 },
  ]);
  expect(areShown(rows, { first: 2, last: 2 })).toBe(true);
  expect(areShown(rows, { first: 2, last: 3 })).toBe(false);
  expect(areShown(rows, { first: 6, last: 6 })).toBe(true);
});
