import type { Budget } from '../budget';
import type { LineTable } from './line_table';

/** A diagonal d says: line i of old stands at line i + d of the file. */
export type Diagonal = number;

const COMMON_LINE = 300;
const DIAGONALS = 24;
/** Diagonals with a smaller share of the best one's votes cannot come near it. */
const FEWEST_VOTES = 0.1;
const TRIGRAM_SLOTS = 1 << 14;
const LONGEST_LINE = 2000;

/** Diagonals that identical lines speak for, best first; a line speaks the louder the rarer it is. Linear in the file. */
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
    else if (list.length <= COMMON_LINE) list.push(k);
  }
  const votes = new Map<Diagonal, number>();
  for (const [hash, fileLines] of places) {
    if (fileLines.length > COMMON_LINE) continue;
    const lines = oldLines.get(hash) ?? [];
    budget.spend(fileLines.length * lines.length);
    for (const i of lines) for (const k of fileLines) votes.set(k - i, (votes.get(k - i) ?? 0) + 1 / fileLines.length);
  }
  const ranked = [...votes].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
  const least = FEWEST_VOTES * (ranked[0]?.[1] ?? 0);
  return ranked
    .filter(([, weight]) => weight >= least)
    .slice(0, DIAGONALS)
    .map(([diagonal]) => diagonal);
}

export interface SimilarLineOptions {
  /** Share of the longest line's letter triples that a file line must have. */
  share: number;
  /** How much longer or shorter a file line may be, as a share of the longest line. */
  lengthTolerance: number;
  /** With more file lines than this none is returned: too many look alike. */
  mostLines: number;
}

export const CLOSE_LINES: SimilarLineOptions = { share: 0.35, lengthTolerance: 0.2, mostLines: 40 };
export const REMOTE_LINES: SimilarLineOptions = { share: 0.25, lengthTolerance: 1, mostLines: Number.POSITIVE_INFINITY };

/** Diagonals of the file lines that look most like the longest line of old, by shared letter triples. Linear in the file. */
export function diagonalsBySimilarLine(old: LineTable, file: LineTable, options: SimilarLineOptions): Diagonal[] {
  let longest = 0;
  for (let i = 1; i < old.count; i++) {
    if (old.length(i) > old.length(longest) && old.length(i) <= LONGEST_LINE) longest = i;
  }
  const length = old.length(longest);
  if (length < 3 || length > LONGEST_LINE) return [];
  const wanted = trigrams(old, longest);
  const found: { line: number; shared: number }[] = [];
  for (let k = 0; k < file.count; k++) {
    if (Math.abs(file.length(k) - length) > options.lengthTolerance * length) continue;
    const shared = countShared(wanted, file, k);
    if (shared >= options.share * (length - 2)) found.push({ line: k, shared });
  }
  if (found.length > options.mostLines) return [];
  found.sort((a, b) => b.shared - a.shared || a.line - b.line);
  return found.slice(0, DIAGONALS).map(({ line }) => line - longest);
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
