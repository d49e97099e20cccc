import type { Budget } from '../budget';
import { lineText, type TokenText } from '../tokens';
import { type AlignedPair, alignSequences } from './sequence_alignment';

/** What new_string keeps of old_string, token by token and line by line. */
export interface EditScript {
  /** For every token of new its token of old, or -1 when it is new. Rises strictly over the tokens that are kept. */
  newToOld: Int32Array;
  /** For every line of new the line of old it came from, equal or reworked, or -1. */
  linePartners: Int32Array;
}

/** Lines less alike than this are a removal and an insertion, not one line reworked. */
const MIN_LINE_SIMILARITY = 0.4;
/** Blocks with more line pairs than this are not searched for reworked lines. */
const PAIRING_LIMIT = 40_000;

/** Compares raw text, not folded text: whatever old and new spell differently is the edit that was asked for. */
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

/** Marks all tokens of two lines that are the same. */
function keepLine(old: TokenText, next: TokenText, [oldLine, newLine]: AlignedPair, to: { script: EditScript; budget: Budget }): void {
  to.script.linePartners[newLine] = oldLine;
  const { first, last } = old.lines[oldLine]!;
  const count = last - first + 1;
  to.budget.spend(2 * count);
  for (let i = 0; i < count; i++) to.script.newToOld[next.lines[newLine]!.first + i] = first + i;
}

/** Marks the equal tokens of two lines that belong together. */
function keepTokens(old: TokenText, next: TokenText, [oldLine, newLine]: AlignedPair, to: { script: EditScript; budget: Budget }): void {
  to.script.linePartners[newLine] = oldLine;
  const oldRange = old.lines[oldLine]!;
  const newRange = next.lines[newLine]!;
  for (const [a, b] of alignSequences(lineTokens(old, oldLine), lineTokens(next, newLine), to.budget)) {
    to.script.newToOld[newRange.first + b] = oldRange.first + a;
  }
}

/** Pairs lines of a changed block that are alike, in order, so that the total similarity is greatest. */
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
  /** Characters in all tokens. */
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

/** Shared characters in tokens over all characters, 0 to 1, order ignored. */
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
