import type { Budget } from '../budget';
import type { ComparedLineKind } from '../location';

/**
 * Score of a pair of lines, and the cost of a line without a partner. A pair of different lines costs more than one skipped
 * line and less than two.
 */
const PAIR_SCORE: Readonly<Record<ComparedLineKind, number>> = {
  equal: 1,
  typo: 0.85,
  restyled: 0.85,
  reworded: 0.7,
  different: -0.5,
};
const SKIP_FILE = 0.25;
const SKIP_OLD = 0.4;
const HALF_BAND = 12;
const UNREACHED = -1e9;

/** An alignment of the lines of old with lines of the file. */
export interface LineAlignment {
  /** File line of each line of old, or -1. The lines that are not -1 increase strictly. */
  targets: Int32Array;
  /** Sum of pair scores minus skip costs, divided by the number of lines of old. A perfect match scores 1. */
  score: number;
}

/** Two texts as line counts and a comparison of their lines. */
export interface AlignmentInput {
  oldCount: number;
  fileCount: number;
  /** Compares line i of old with line k of the file. */
  compare(i: number, k: number): ComparedLineKind;
  budget: Budget;
}

/**
 * Banded global alignment (Needleman-Wunsch) around a diagonal. Returns the best alignment and the best one that begins and
 * ends at other file lines. File lines before the first pair and after the last one cost nothing.
 */
export function alignLines(input: AlignmentInput, diagonal: number): LineAlignment[] {
  const grid = fillGrid(input, diagonal);
  const best = bestEnd(grid, () => true);
  if (!best) return [];
  const alignment = traceBack(grid, best);
  const first = alignment.targets.find(target => target >= 0);
  const last = alignment.targets.findLast(target => target >= 0);
  const rival = bestEnd(grid, cell => grid.starts[cell.at] !== first && cell.column !== last);
  return rival ? [alignment, traceBack(grid, rival)] : [alignment];
}

interface Grid {
  input: AlignmentInput;
  diagonal: number;
  width: number;
  /** Best score of an alignment that ends with old line i at band column c, paired or skipped. */
  scores: Float64Array;
  /** 0: begin here, 1: pair, 2: skip the file line, 3: skip the old line. */
  moves: Uint8Array;
  /** File line of the first pair of that alignment. */
  starts: Int32Array;
}

const [BEGIN, PAIR, SKIP_FILE_LINE, SKIP_OLD_LINE] = [0, 1, 2, 3];

/** Fills cell (i, c): old line i at file line i + diagonal + c - HALF_BAND. Every alignment begins and ends with a pair. */
function fillGrid(input: AlignmentInput, diagonal: number): Grid {
  const width = 2 * HALF_BAND + 1;
  const size = input.oldCount * width;
  const grid: Grid = {
    input,
    diagonal,
    width,
    scores: new Float64Array(size).fill(UNREACHED),
    moves: new Uint8Array(size),
    starts: new Int32Array(size).fill(-1),
  };
  input.budget.spend(size);
  for (let i = 0; i < input.oldCount; i++) {
    for (let c = 0; c < width; c++) fillCell(grid, i, c);
  }
  return grid;
}

function fillCell(grid: Grid, i: number, c: number): void {
  const line = i + grid.diagonal + c - HALF_BAND;
  if (line < 0 || line >= grid.input.fileCount) return;
  const at = i * grid.width + c;
  const above = at - grid.width;
  const pair = PAIR_SCORE[grid.input.compare(i, line)];
  if (i === 0) improveCell(grid, at, { score: pair, move: BEGIN, start: line });
  else {
    improveCell(grid, at, { score: grid.scores[above]! + pair, move: PAIR, start: grid.starts[above]! });
    if (c + 1 < grid.width)
      improveCell(grid, at, { score: grid.scores[above + 1]! - SKIP_OLD, move: SKIP_OLD_LINE, start: grid.starts[above + 1]! });
  }
  if (c > 0) improveCell(grid, at, { score: grid.scores[at - 1]! - SKIP_FILE, move: SKIP_FILE_LINE, start: grid.starts[at - 1]! });
}

/** Stores the offer if its score is better than the cell's. */
function improveCell(grid: Grid, at: number, offer: { score: number; move: number; start: number }): void {
  if (offer.score <= grid.scores[at]! || offer.score < UNREACHED / 2) return;
  grid.scores[at] = offer.score;
  grid.moves[at] = offer.move;
  grid.starts[at] = offer.start;
}

interface EndCell {
  at: number;
  column: number;
}

function bestEnd(grid: Grid, accepts: (cell: EndCell) => boolean): EndCell | undefined {
  let best: EndCell | undefined;
  const i = grid.input.oldCount - 1;
  for (let c = 0; c < grid.width; c++) {
    const cell = { at: i * grid.width + c, column: i + grid.diagonal + c - HALF_BAND };
    if (grid.scores[cell.at]! <= UNREACHED / 2 || !accepts(cell)) continue;
    if (!best || grid.scores[cell.at]! > grid.scores[best.at]!) best = cell;
  }
  return best;
}

function traceBack(grid: Grid, end: EndCell): LineAlignment {
  const targets = new Int32Array(grid.input.oldCount).fill(-1);
  let at = end.at;
  for (;;) {
    const i = Math.floor(at / grid.width);
    const move = grid.moves[at]!;
    if (move === BEGIN || move === PAIR) targets[i] = i + grid.diagonal + (at % grid.width) - HALF_BAND;
    if (move === BEGIN) break;
    if (move === PAIR) at -= grid.width;
    else if (move === SKIP_FILE_LINE) at -= 1;
    else at -= grid.width - 1;
  }
  return { targets, score: grid.scores[end.at]! / grid.input.oldCount };
}
