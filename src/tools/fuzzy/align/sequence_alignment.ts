import type { Budget } from '../budget';

/** [index in a, index in b] of two aligned elements. Both increase strictly from pair to pair. */
export type AlignedPair = [number, number];

/** Pieces with a larger table stay unaligned. That is safe: their elements count as changed. */
const TABLE_LIMIT = 4_000_000;

/**
 * Aligns equal elements: common prefix and suffix, then elements that are unique on both sides (patience diff), then a
 * longest common subsequence of each remaining piece.
 */
export function alignSequences(a: readonly string[], b: readonly string[], budget: Budget): AlignedPair[] {
  budget.spend(a.length + b.length);
  const pairs: AlignedPair[] = [];
  const range = { aStart: 0, aEnd: a.length, bStart: 0, bEnd: b.length };
  while (range.aStart < range.aEnd && range.bStart < range.bEnd && a[range.aStart] === b[range.bStart]) {
    pairs.push([range.aStart++, range.bStart++]);
  }
  const tail: AlignedPair[] = [];
  while (range.aEnd > range.aStart && range.bEnd > range.bStart && a[range.aEnd - 1] === b[range.bEnd - 1]) {
    tail.push([--range.aEnd, --range.bEnd]);
  }
  if (range.aStart === range.aEnd || range.bStart === range.bEnd) return pairs.concat(tail.reverse());
  for (const piece of splitAtUniqueElements(a, b, range)) {
    alignByTable(a, b, piece, { pairs, budget });
    if (piece.anchor) pairs.push(piece.anchor);
  }
  return pairs.concat(tail.reverse());
}

interface Range {
  aStart: number;
  aEnd: number;
  bStart: number;
  bEnd: number;
}

interface Piece extends Range {
  /** The aligned pair right after this piece. Absent for the last piece. */
  anchor?: AlignedPair;
}

function splitAtUniqueElements(a: readonly string[], b: readonly string[], range: Range): Piece[] {
  const inB = uniquePositions(b, range.bStart, range.bEnd);
  const candidates: AlignedPair[] = [];
  for (const [element, position] of uniquePositions(a, range.aStart, range.aEnd)) {
    const other = inB.get(element);
    if (position >= 0 && other !== undefined && other >= 0) candidates.push([position, other]);
  }
  candidates.sort((left, right) => left[0] - right[0]);
  const pieces: Piece[] = [];
  let { aStart, bStart } = range;
  for (const anchor of longestRising(candidates)) {
    pieces.push({ aStart, aEnd: anchor[0], bStart, bEnd: anchor[1], anchor });
    aStart = anchor[0] + 1;
    bStart = anchor[1] + 1;
  }
  pieces.push({ aStart, aEnd: range.aEnd, bStart, bEnd: range.bEnd });
  return pieces;
}

/** Maps each element to its position, or to -1 when it is not unique. */
function uniquePositions(elements: readonly string[], start: number, end: number): Map<string, number> {
  const positions = new Map<string, number>();
  for (let i = start; i < end; i++) {
    const element = elements[i]!;
    positions.set(element, positions.has(element) ? -1 : i);
  }
  return positions;
}

/** Longest increasing subsequence by the second index, in n log n. */
function longestRising(candidates: readonly AlignedPair[]): AlignedPair[] {
  const tops: number[] = [];
  const previous: number[] = [];
  candidates.forEach(([, position], i) => {
    let low = 0;
    let high = tops.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (candidates[tops[middle]!]![1] < position) low = middle + 1;
      else high = middle;
    }
    previous[i] = low > 0 ? tops[low - 1]! : -1;
    tops[low] = i;
  });
  const rising: AlignedPair[] = [];
  for (let i = tops.at(-1) ?? -1; i >= 0; i = previous[i]!) rising.push(candidates[i]!);
  return rising.reverse();
}

function alignByTable(a: readonly string[], b: readonly string[], range: Range, out: { pairs: AlignedPair[]; budget: Budget }): void {
  const rows = range.aEnd - range.aStart;
  const columns = range.bEnd - range.bStart;
  if (rows === 0 || columns === 0 || rows * columns > TABLE_LIMIT) return;
  out.budget.spend(rows * columns);
  const width = columns + 1;
  const lengths = new Uint16Array((rows + 1) * width);
  for (let i = rows - 1; i >= 0; i--) {
    for (let j = columns - 1; j >= 0; j--) {
      const equal = a[range.aStart + i] === b[range.bStart + j];
      const at = i * width + j;
      lengths[at] = equal ? lengths[at + width + 1]! + 1 : Math.max(lengths[at + width]!, lengths[at + 1]!);
    }
  }
  let i = 0;
  let j = 0;
  while (i < rows && j < columns) {
    const at = i * width + j;
    if (a[range.aStart + i] === b[range.bStart + j]) out.pairs.push([range.aStart + i++, range.bStart + j++]);
    else if (lengths[at + width]! >= lengths[at + 1]!) i++;
    else j++;
  }
}
