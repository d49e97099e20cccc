/** Decides which turns of a chat are in the document. A gap with the height of the others stands in their place. Pure. */
import type { Turn, TurnItem } from '../../state/view_types';

/** A turn and the pixels from the top of the view to its top; negative when it begins further up. */
export interface Place {
  index: number;
  top: number;
}

/** A row of the list: one turn, or a gap that stands for the turns from `first` to `last`. */
export interface Row {
  first: number;
  last: number;
  /** Pixels; undefined for a turn. */
  gapHeight?: number;
}

interface Range {
  first: number;
  last: number;
}

interface ViewSize {
  height: number;
  /** Pixels above and below the view whose turns belong to it. */
  margin: number;
}

/** All turns of the chat. */
interface Turns {
  count: number;
  /** Returns the pixels of a turn. */
  heightOf: (index: number) => number;
}

/** Returns the turns in the view when one of them stands at `place`. */
export function findTurnsInView({ count, heightOf }: Turns, { index, top }: Place, { height, margin }: ViewSize): Range {
  let first = index;
  for (let y = top; first > 0 && y > -margin; y -= heightOf(first)) first -= 1;
  let last = index;
  for (let y = top + heightOf(index); last < count - 1 && y < height + margin; y += heightOf(last)) last += 1;
  return { first, last };
}

/** Returns the rows of the list, in order. Neighbouring turns that are not shown share one gap. */
export function toRows({ count, heightOf }: Turns, isShown: (index: number) => boolean): Row[] {
  const rows: Row[] = [];
  let gap: Required<Row> | undefined;
  for (let index = 0; index < count; index += 1) {
    if (isShown(index)) {
      gap = undefined;
      rows.push({ first: index, last: index });
      continue;
    }
    if (!gap) {
      gap = { first: index, last: index, gapHeight: 0 };
      rows.push(gap);
    }
    gap.last = index;
    gap.gapHeight += heightOf(index);
  }
  return rows;
}

/** Returns true when every turn of the range is in the document. */
export const areShown = (rows: readonly Row[], { first, last }: Range): boolean =>
  !rows.some(row => row.gapHeight !== undefined && row.first <= last && row.last >= first);

/** Pixels of a message with its answer around their lines, of a line, and of a card. */
const FRAME = 120;
const LINE = 25;
const CARD = 48;
const CHARACTERS_OF_LINE = 80;

/** Returns about as many pixels as a turn is high that was not on the page yet. */
export function estimateHeight({ input, items }: Pick<Turn, 'input' | 'items'>): number {
  const heightOf = (item: TurnItem) => ('text' in item && item.kind !== 'reasoning' ? linesOf(item.text) * LINE : CARD);
  return items.reduce((sum, item) => sum + heightOf(item), FRAME + linesOf(input) * LINE);
}

const linesOf = (text: string): number => Math.ceil(text.length / CHARACTERS_OF_LINE);
