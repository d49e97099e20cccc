import type { PatchStrategy } from '../../../port/patch_engine';
import { alignLines, type LineAlignment } from '../align/line_alignment';
import { type ComparisonContext, compareLines, isComment, type LineComparison, matchTokens } from '../align/line_comparison';
import { isOtherBlockHead, isStale } from '../align/line_differences';
import type { Budget } from '../budget';
import type { LineMatch, Location } from '../location';
import { type Token, type TokenText, tokenize } from '../tokens';
import { acceptedLevel, isDominated, isPlausibleAlternative, sameTarget } from './acceptance';
import { CLOSE_LINES, type Diagonal, diagonalsByEqualLines, diagonalsBySimilarLine } from './diagonals';
import { alignElided, findMarkers } from './elided_middle';
import type { FileView } from './file_view';
import { foldText } from './fold';
import { LineTable, lineBounds } from './line_table';
import { widenToBoundaries } from './region';

/** Two places whose scores differ by less are ambiguous. */
const AMBIGUITY_MARGIN = 0.1;
const MAX_COMPARED_LINE = 2000;
/** A quotation of one line needs this many folded characters. */
const MIN_SINGLE_LINE = 18;

/**
 * Levels 8 (block_anchor) and 9 (context_aware): finds the place whose lines equal those of `search` except for typos,
 * reworded comments and a few missing or extra lines. Returns one location, several when the place is ambiguous, or none.
 */
export function findSimilar(view: FileView, search: string, budget: Budget): Location[] {
  const finder = new SimilarFinder(view, search, budget);
  return finder.find();
}

/** The level and line matches of an accepted alignment, and the first and last file line. */
interface AcceptedAlignment {
  strategy: PatchStrategy;
  lines: LineMatch[];
  first: number;
  last: number;
}

class SimilarFinder {
  private readonly old: TokenText;
  private readonly oldTable: LineTable;
  private readonly fileTable: LineTable;
  private readonly context: ComparisonContext;
  private readonly fileTokens = new Map<number, TokenText>();
  private readonly comparisons = new Map<number, LineComparison>();

  constructor(
    private readonly view: FileView,
    search: string,
    private readonly budget: Budget,
  ) {
    this.old = tokenize(search);
    this.oldTable = new LineTable(search, foldText(search));
    this.fileTable = new LineTable(view.content, view.folded());
    this.context = { budget, knowsWord: createWordCheck(view.content, budget) };
  }

  find(): Location[] {
    const { oldTable, fileTable, budget } = this;
    if (oldTable.count === 0 || oldTable.count !== this.old.lines.length || fileTable.count === 0) return [];
    if (oldTable.count === 1 && oldTable.length(0) < MIN_SINGLE_LINE) return [];
    const markers = findMarkers(oldTable, fileTable);
    if (markers.length > 0) return this.findElided(markers);
    const byLines = this.search(diagonalsByEqualLines(oldTable, fileTable, budget));
    return byLines.length > 0 ? byLines : this.search(diagonalsBySimilarLine(oldTable, fileTable, CLOSE_LINES));
  }

  private search(diagonals: readonly Diagonal[]): Location[] {
    const alignments: LineAlignment[] = [];
    for (const diagonal of diagonals) {
      for (const alignment of alignLines(this.alignmentInput(), diagonal)) {
        if (!alignments.some(known => sameTarget(known, alignment))) alignments.push(alignment);
      }
    }
    alignments.sort((a, b) => b.score - a.score);
    const [best, ...others] = alignments;
    if (!best) return [];
    const location = this.toLocation(best);
    if (!location) return [];
    const lines = this.toLines(best);
    const alternative = this.findAlternative(best, lines, others);
    if (alternative) return [location, alternative].sort((a, b) => a.start - b.start);
    const rivals = others
      .filter(
        alignment =>
          best.score - alignment.score < AMBIGUITY_MARGIN && hasOtherEdges(best, alignment) && !isDominated(lines, this.toLines(alignment)),
      )
      .map(alignment => this.toLocation(alignment))
      .filter(rival => rival !== undefined);
    return [location, ...rivals].sort((a, b) => a.start - b.start);
  }

  /** Finds another place that has a line which the best one lacks and fits as well, even if the edit could not be made there. */
  private findAlternative(best: LineAlignment, lines: readonly LineMatch[], others: readonly LineAlignment[]): Location | undefined {
    const other = others.find(alignment => hasOtherEdges(best, alignment) && isPlausibleAlternative(lines, this.toLines(alignment)));
    if (!other) return undefined;
    const first = other.targets.find(target => target >= 0)!;
    const last = other.targets.findLast(target => target >= 0)!;
    return this.build(other, { strategy: 'context_aware', lines: this.toLines(other), first, last });
  }

  private alignmentInput() {
    return {
      oldCount: this.oldTable.count,
      fileCount: this.fileTable.count,
      compare: (i: number, k: number) => this.compare(i, k).kind,
      budget: this.budget,
    };
  }

  private compare(i: number, k: number): LineComparison {
    const key = i * this.fileTable.count + k;
    const known = this.comparisons.get(key);
    if (known) return known;
    const comparison = this.computeComparison(i, k);
    this.comparisons.set(key, comparison);
    return comparison;
  }

  private computeComparison(i: number, k: number): LineComparison {
    const { oldTable, fileTable } = this;
    const different: LineComparison = { kind: 'different', partners: new Int32Array(0) };
    const [a, b] = [oldTable.length(i), fileTable.length(k)];
    if (Math.max(a, b) > MAX_COMPARED_LINE && oldTable.hashes[i] !== fileTable.hashes[k]) return different;
    if (Math.min(a, b) < 0.5 * Math.max(a, b)) return different;
    this.budget.spend(a + b);
    return compareLines(this.oldLine(i), this.fileLine(k), this.context);
  }

  private oldLine(i: number): Token[] {
    const { first, last } = this.old.lines[i]!;
    return this.old.tokens.slice(first, last + 1);
  }

  private fileLine(k: number): Token[] {
    const known = this.fileTokens.get(k);
    if (known) return known.tokens;
    const [start, end] = lineBounds(this.view, this.fileTable.sourceOffsets[k]!);
    const tokens = tokenize(this.view.content, start, end);
    this.fileTokens.set(k, tokens);
    return tokens.tokens;
  }

  /** Aligns a quotation with omitted lines. The quoted lines must be exact; the omitted ones stay as the file has them. */
  private findElided(markers: readonly number[]): Location[] {
    const alignment = alignElided(this.oldTable, this.fileTable, markers);
    if (!alignment) return [];
    const targets = [...alignment.targets];
    const [first, last] = [targets.find(target => target >= 0)!, targets.findLast(target => target >= 0)!];
    const lines = targets.map((target, i): LineMatch => {
      if (target < 0) return { kind: 'elided', fileLine: -1 };
      return { kind: alignment.ambiguous.has(i) ? 'ambiguous' : 'equal', fileLine: target - first };
    });
    const location = this.build({ targets: alignment.targets, score: 1 }, { strategy: 'block_anchor', lines, first, last });
    return location ? [location] : [];
  }

  /** Returns the location of an accepted alignment, else undefined. */
  private toLocation(alignment: LineAlignment): Location | undefined {
    const first = alignment.targets[0]!;
    const last = alignment.targets.at(-1)!;
    if (first < 0 || last < 0) return undefined;
    const lines = this.toLines(alignment);
    const lengths = lines.map((_, i) => this.oldTable.length(i));
    const strategy = acceptedLevel(lines, lengths);
    return strategy && this.build(alignment, { strategy, lines, first, last });
  }

  private build(alignment: LineAlignment, { strategy, lines, first, last }: AcceptedAlignment): Location | undefined {
    const start = lineBounds(this.view, this.fileTable.sourceOffsets[first]!)[0];
    const end = lineBounds(this.view, this.fileTable.sourceOffsets[last]!)[1];
    this.budget.spend(end - start);
    const core = tokenize(this.view.content, start, end);
    if (core.lines.length !== last - first + 1) return undefined;
    const region = widenToBoundaries(this.view, this.old, core);
    const file: TokenText = { ...core, from: region.start, to: region.end };
    const oldToFile = this.mapTokens(alignment, first, file);
    return {
      strategy,
      start: region.start,
      end: region.end,
      old: this.old,
      file,
      oldToFile,
      sameIndentation: false,
      lines,
      score: alignment.score,
    };
  }

  private toLines(alignment: LineAlignment): LineMatch[] {
    const first = alignment.targets[0]!;
    return [...alignment.targets].map((target, i) => {
      if (target < 0) return { kind: 'missing', fileLine: -1 };
      const { kind } = this.compare(i, target);
      const fileLine = target - first;
      if (kind !== 'different') return { kind, fileLine };
      const [old, file] = [this.oldLine(i), this.fileLine(target)];
      if (isComment(old) && isComment(file)) return { kind, fileLine, inComment: true };
      return { kind: isStale(old, file) || isOtherBlockHead(old, file) ? 'stale' : kind, fileLine };
    });
  }

  private mapTokens(alignment: LineAlignment, first: number, file: TokenText): Int32Array {
    const oldToFile = new Int32Array(this.old.tokens.length).fill(-1);
    alignment.targets.forEach((target, i) => {
      if (target < 0) return;
      const { kind, partners: known } = this.compare(i, target);
      const partners = kind === 'different' ? matchTokens(this.oldLine(i), this.fileLine(target), this.budget) : known;
      const oldStart = this.old.lines[i]!.first;
      const fileStart = file.lines[target - first]!.first;
      for (let t = 0; t < partners.length; t++) if (partners[t]! >= 0) oldToFile[oldStart + t] = fileStart + partners[t]!;
    });
    return oldToFile;
  }
}

function hasOtherEdges(best: LineAlignment, other: LineAlignment): boolean {
  return best.targets[0] !== other.targets[0] && best.targets.at(-1) !== other.targets.at(-1);
}

/** Returns a cached check whether the file contains a word on its own. */
function createWordCheck(content: string, budget: Budget): (word: string) => boolean {
  const known = new Map<string, boolean>();
  return word => {
    const remembered = known.get(word);
    if (remembered !== undefined) return remembered;
    budget.spend(Math.ceil(content.length / 16));
    const found = occursAsWord(content, word);
    known.set(word, found);
    return found;
  };
}

function occursAsWord(content: string, word: string): boolean {
  const wordUnit = /[\p{L}\p{N}_$]/u;
  for (let at = content.indexOf(word); at !== -1; at = content.indexOf(word, at + 1)) {
    if (!wordUnit.test(content.charAt(at - 1)) && !wordUnit.test(content.charAt(at + word.length))) return true;
  }
  return false;
}
