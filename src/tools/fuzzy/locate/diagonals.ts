import type { Budget } from '../budget';
import type { LineTable } from './line_table';

/** Diagonal d aligns line i of old with line i + d of the file. */
export type Diagonal = number;

const MAX_OCCURRENCES = 300;
const MAX_DIAGONALS = 24;
/** Diagonals below this share of the best one's votes are dropped. */
const MIN_VOTES = 0.1;
const TRIGRAM_SLOTS = 1 << 14;
const MAX_LINE = 2000;

/** Ranks diagonals by identical lines, best first. Rare lines have more weight. Linear in the file. */
export function diagonalsByEqualLines(old: LineTable, file: LineTable, budget: Budget): Diagonal[] {
  const oldLines = new Map<number, number[]>();
  for (let i = 0; i < old.count; i++) {
    const same = oldLines.get(old.hashes[i]!);
    if (same) same.push(i);
    else oldLines.set(old.hashes[i]!, [i]);
  }
  const places = new Map<number, number[]>();
  for (let k = 0; k < file.count; k++) {
    const hash = file.hashes[k]!;
    if (!oldLines.has(hash)) continue;
    const list = places.get(hash);
    if (!list) places.set(hash, [k]);
    else if (list.length <= MAX_OCCURRENCES) list.push(k);
  }
  const votes = new Map<Diagonal, number>();
  for (const [hash, fileLines] of places) {
    if (fileLines.length > MAX_OCCURRENCES) continue;
    const lines = oldLines.get(hash) ?? [];
    budget.spend(fileLines.length * lines.length);
    for (const i of lines) for (const k of fileLines) votes.set(k - i, (votes.get(k - i) ?? 0) + 1 / fileLines.length);
  }
  const ranked = [...votes].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
  const minVotes = MIN_VOTES * (ranked[0]?.[1] ?? 0);
  return ranked
    .filter(([, weight]) => weight >= minVotes)
    .slice(0, MAX_DIAGONALS)
    .map(([diagonal]) => diagonal);
}

export interface SimilarLineOptions {
  /** Share of the longest line's trigrams that a file line must contain. */
  share: number;
  /** Allowed difference in length, as a share of the longest line. */
  lengthTolerance: number;
  /** The most similar file lines. With more, none of them stands out, and the result is empty. */
  maxLines: number;
}

/** Options that find the place of an edit. */
export const CLOSE_LINES: SimilarLineOptions = { share: 0.35, lengthTolerance: 0.2, maxLines: 40 };
/** Options for hints about the nearest places. */
export const REMOTE_LINES: SimilarLineOptions = { share: 0.25, lengthTolerance: 1, maxLines: Number.POSITIVE_INFINITY };

/** Ranks diagonals by the trigrams that file lines share with the longest line of old. Linear in the file. */
export function diagonalsBySimilarLine(old: LineTable, file: LineTable, options: SimilarLineOptions): Diagonal[] {
  let longest = 0;
  for (let i = 1; i < old.count; i++) {
    if (old.length(i) > old.length(longest) && old.length(i) <= MAX_LINE) longest = i;
  }
  const length = old.length(longest);
  if (length < 3 || length > MAX_LINE) return [];
  const wanted = trigrams(old, longest);
  const found: { line: number; shared: number }[] = [];
  for (let k = 0; k < file.count; k++) {
    if (Math.abs(file.length(k) - length) > options.lengthTolerance * length) continue;
    const shared = countShared(wanted, file, k);
    if (shared >= options.share * (length - 2)) found.push({ line: k, shared });
  }
  if (found.length > options.maxLines) return [];
  found.sort((a, b) => b.shared - a.shared || a.line - b.line);
  return found.slice(0, MAX_DIAGONALS).map(({ line }) => line - longest);
}

function trigrams(table: LineTable, line: number): Uint8Array {
  const slots = new Uint8Array(TRIGRAM_SLOTS);
  const { text, start, end } = table.range(line);
  for (let i = start; i + 2 < end; i++) slots[slotAt(text, i)] = 1;
  return slots;
}

function countShared(wanted: Uint8Array, table: LineTable, line: number): number {
  const { text, start, end } = table.range(line);
  let shared = 0;
  for (let i = start; i + 2 < end; i++) shared += wanted[slotAt(text, i)]!;
  return shared;
}

function slotAt(text: string, at: number): number {
  const mixed = Math.imul(text.charCodeAt(at), 31) + Math.imul(text.charCodeAt(at + 1), 1009) + Math.imul(text.charCodeAt(at + 2), 9176);
  return mixed & (TRIGRAM_SLOTS - 1);
}
