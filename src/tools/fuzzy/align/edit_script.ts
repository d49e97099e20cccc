import type { Budget } from '../budget';
import { lineText, type TokenText } from '../tokens';
import { type AlignedPair, alignSequences } from './sequence_alignment';

/** The tokens and lines of old_string that new_string keeps. */
export interface EditScript {
  /** Token of old for each token of new, or -1 for an added one. The indexes that are not -1 increase strictly. */
  newToOld: Int32Array;
  /** Line of old that each line of new equals or modifies, or -1 for an added line. */
  linePartners: Int32Array;
}

/** Two lines below this similarity count as one removed and one added line, not as a modified one. */
const MIN_LINE_SIMILARITY = 0.4;
/** Changed blocks with more line pairs than this are not searched for modified lines. */
const PAIRING_LIMIT = 40_000;

/** Diffs lines, then the tokens of modified lines. Compares raw text, because a difference in typography may be the requested edit. */
export function computeEditScript(old: TokenText, next: TokenText, budget: Budget): EditScript {
  const script: EditScript = {
    newToOld: new Int32Array(next.tokens.length).fill(-1),
    linePartners: new Int32Array(next.lines.length).fill(-1),
  };
  const oldLines = old.lines.map((_, line) => lineText(old, line));
  const newLines = next.lines.map((_, line) => lineText(next, line));
  let previous: AlignedPair = [-1, -1];
  const anchors: AlignedPair[] = [...alignSequences(oldLines, newLines, budget), [oldLines.length, newLines.length]];
  for (const anchor of anchors) {
    for (const pair of pairReworkedLines(old, next, { from: previous, to: anchor, budget }))
      keepTokens(old, next, pair, { script, budget });
    if (anchor[0] < oldLines.length) keepLine(old, next, anchor, { script, budget });
    previous = anchor;
  }
  return script;
}

/** Records all tokens of two equal lines as kept. */
function keepLine(old: TokenText, next: TokenText, [oldLine, newLine]: AlignedPair, to: { script: EditScript; budget: Budget }): void {
  to.script.linePartners[newLine] = oldLine;
  const { first, last } = old.lines[oldLine]!;
  const count = last - first + 1;
  to.budget.spend(2 * count);
  for (let i = 0; i < count; i++) to.script.newToOld[next.lines[newLine]!.first + i] = first + i;
}

/** Records the equal tokens of a modified line as kept. */
function keepTokens(old: TokenText, next: TokenText, [oldLine, newLine]: AlignedPair, to: { script: EditScript; budget: Budget }): void {
  to.script.linePartners[newLine] = oldLine;
  const oldRange = old.lines[oldLine]!;
  const newRange = next.lines[newLine]!;
  for (const [a, b] of alignSequences(lineTokens(old, oldLine), lineTokens(next, newLine), to.budget)) {
    to.script.newToOld[newRange.first + b] = oldRange.first + a;
  }
}

/** Pairs similar lines of a changed block in order, maximising the total similarity. */
function pairReworkedLines(old: TokenText, next: TokenText, block: { from: AlignedPair; to: AlignedPair; budget: Budget }): AlignedPair[] {
  const rows = block.to[0] - block.from[0] - 1;
  const columns = block.to[1] - block.from[1] - 1;
  if (rows <= 0 || columns <= 0 || rows * columns > PAIRING_LIMIT) return [];
  const oldBags = Array.from({ length: rows }, (_, i) => toBag(lineTokens(old, block.from[0] + 1 + i)));
  const newBags = Array.from({ length: columns }, (_, j) => toBag(lineTokens(next, block.from[1] + 1 + j)));
  const width = columns + 1;
  const best = new Float64Array((rows + 1) * width);
  const alike = new Float64Array((rows + 1) * width);
  for (let i = rows - 1; i >= 0; i--) {
    for (let j = columns - 1; j >= 0; j--) {
      const at = i * width + j;
      const score = similarity(oldBags[i]!, newBags[j]!, block.budget);
      alike[at] = score >= MIN_LINE_SIMILARITY ? score : 0;
      best[at] = Math.max(best[at + width]!, best[at + 1]!, alike[at]! > 0 ? best[at + width + 1]! + alike[at]! : 0);
    }
  }
  const pairs: AlignedPair[] = [];
  for (let i = 0, j = 0; i < rows && j < columns; ) {
    const at = i * width + j;
    if (alike[at]! > 0 && best[at] === best[at + width + 1]! + alike[at]!) pairs.push([block.from[0] + 1 + i++, block.from[1] + 1 + j++]);
    else if (best[at] === best[at + width]) i++;
    else j++;
  }
  return pairs;
}

interface Bag {
  counts: ReadonlyMap<string, number>;
  /** Total length of all tokens. */
  size: number;
}

function toBag(tokens: readonly string[]): Bag {
  const counts = new Map<string, number>();
  let size = 0;
  for (const token of tokens) {
    counts.set(token, (counts.get(token) ?? 0) + 1);
    size += token.length;
  }
  return { counts, size };
}

/** Returns the Dice coefficient of two token bags, weighted by token length: 0 to 1, order ignored. */
function similarity(a: Bag, b: Bag, budget: Budget): number {
  budget.spend(b.counts.size);
  let shared = 0;
  for (const [token, count] of b.counts) shared += Math.min(count, a.counts.get(token) ?? 0) * token.length;
  return (2 * shared) / Math.max(1, a.size + b.size);
}

function lineTokens(view: TokenText, line: number): string[] {
  const { first, last } = view.lines[line]!;
  return view.tokens.slice(first, last + 1).map(token => token.text);
}
