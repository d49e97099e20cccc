import type { PatchStrategy } from '../../../port/patch_engine';
import { type ComparisonContext, compareLines, isComment, type LineComparison, matchTokens } from '../align/line_likeness';
import { isOtherHead, isStale } from '../align/line_style';
import type { Budget } from '../budget';
import type { LineMatch, Location } from '../location';
import { type Token, type TokenText, tokenize } from '../tokens';
import { findMarkers, layElided } from './elided_middle';
import type { FileView } from './file_view';
import { foldText } from './fold';
import { CLOSE_LINES, type Diagonal, diagonalsByEqualLines, diagonalsBySimilarLine } from './line_candidates';
import { findPaths, type LinePath } from './line_path';
import { LineTable, lineBounds } from './line_table';
import { isCounterpart, isDominated, judgePath, sameTarget } from './path_verdict';
import { withBoundaries } from './region';

/** Scores closer than this leave it open which place is meant. */
const RIVAL_MARGIN = 0.1;
const LONGEST_COMPARED_LINE = 2000;
/** A single line must have this many folded characters to be found by likeness. */
const SHORTEST_SINGLE_LINE = 18;

/**
 * Levels 8 (block_anchor) and 9 (context_aware): the place whose lines are those of `search` but for typos, reworded
 * comments and a few lines forgotten or invented. One location, or several when it is open which is meant, or none.
 */
export function findSimilar(view: FileView, search: string, budget: Budget): Location[] {
  const finder = new SimilarFinder(view, search, budget);
  return finder.find();
}

/** The verdict on a path, and the file lines it begins and ends with. */
interface Verdict {
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
    if (oldTable.count === 1 && oldTable.length(0) < SHORTEST_SINGLE_LINE) return [];
    const markers = findMarkers(oldTable, fileTable);
    if (markers.length > 0) return this.findElided(markers);
    const byLines = this.search(diagonalsByEqualLines(oldTable, fileTable, budget));
    return byLines.length > 0 ? byLines : this.search(diagonalsBySimilarLine(oldTable, fileTable, CLOSE_LINES));
  }

  private search(diagonals: readonly Diagonal[]): Location[] {
    const paths: LinePath[] = [];
    for (const diagonal of diagonals) {
      for (const path of findPaths(this.pathInput(), diagonal)) {
        if (!paths.some(known => sameTarget(known, path))) paths.push(path);
      }
    }
    paths.sort((a, b) => b.score - a.score);
    const [best, ...others] = paths;
    if (!best) return [];
    const location = this.toLocation(best);
    if (!location) return [];
    const lines = this.toLines(best);
    const counterpart = this.findCounterpart(best, lines, others);
    if (counterpart) return [location, counterpart].sort((a, b) => a.start - b.start);
    const rivals = others
      .filter(path => best.score - path.score < RIVAL_MARGIN && isElsewhere(best, path) && !isDominated(lines, this.toLines(path)))
      .map(path => this.toLocation(path))
      .filter(rival => rival !== undefined);
    return [location, ...rivals].sort((a, b) => a.start - b.start);
  }

  /** Another place with a line that this one lacks, and as much of the rest, though the edit could not be made there. */
  private findCounterpart(best: LinePath, lines: readonly LineMatch[], others: readonly LinePath[]): Location | undefined {
    const other = others.find(path => isElsewhere(best, path) && isCounterpart(lines, this.toLines(path)));
    if (!other) return undefined;
    const first = other.targets.find(target => target >= 0)!;
    const last = other.targets.findLast(target => target >= 0)!;
    return this.build(other, { strategy: 'context_aware', lines: this.toLines(other), first, last });
  }

  private pathInput() {
    return {
      oldCount: this.oldTable.count,
      fileCount: this.fileTable.count,
      compare: (i: number, k: number) => this.compare(i, k).likeness,
      budget: this.budget,
    };
  }

  private compare(i: number, k: number): LineComparison {
    const key = i * this.fileTable.count + k;
    const known = this.comparisons.get(key);
    if (known) return known;
    const comparison = this.compareAfresh(i, k);
    this.comparisons.set(key, comparison);
    return comparison;
  }

  private compareAfresh(i: number, k: number): LineComparison {
    const { oldTable, fileTable } = this;
    const different: LineComparison = { likeness: 'different', partners: new Int32Array(0) };
    const [a, b] = [oldTable.length(i), fileTable.length(k)];
    if (Math.max(a, b) > LONGEST_COMPARED_LINE && oldTable.hashes[i] !== fileTable.hashes[k]) return different;
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

  /** The lines around a middle that was left out are quoted as they are; the middle stays as the file has it. */
  private findElided(markers: readonly number[]): Location[] {
    const path = layElided(this.oldTable, this.fileTable, markers);
    if (!path) return [];
    const targets = [...path.targets];
    const [first, last] = [targets.find(target => target >= 0)!, targets.findLast(target => target >= 0)!];
    const lines = targets.map((target, i): LineMatch => {
      if (target < 0) return { likeness: 'elided', fileLine: -1 };
      return { likeness: path.uncertain.has(i) ? 'uncertain' : 'equal', fileLine: target - first };
    });
    const location = this.build({ targets: path.targets, score: 1 }, { strategy: 'block_anchor', lines, first, last });
    return location ? [location] : [];
  }

  /** The location of an acceptable path, undefined for all others. */
  private toLocation(path: LinePath): Location | undefined {
    const first = path.targets[0]!;
    const last = path.targets.at(-1)!;
    if (first < 0 || last < 0) return undefined;
    const lines = this.toLines(path);
    const lengths = lines.map((_, i) => this.oldTable.length(i));
    const strategy = judgePath(lines, lengths);
    return strategy && this.build(path, { strategy, lines, first, last });
  }

  private build(path: LinePath, { strategy, lines, first, last }: Verdict): Location | undefined {
    const start = lineBounds(this.view, this.fileTable.sourceOffsets[first]!)[0];
    const end = lineBounds(this.view, this.fileTable.sourceOffsets[last]!)[1];
    this.budget.spend(end - start);
    const core = tokenize(this.view.content, start, end);
    if (core.lines.length !== last - first + 1) return undefined;
    const region = withBoundaries(this.view, this.old, core);
    const file: TokenText = { ...core, from: region.start, to: region.end };
    const oldToFile = this.mapTokens(path, first, file);
    return {
      strategy,
      start: region.start,
      end: region.end,
      old: this.old,
      file,
      oldToFile,
      sameIndentation: false,
      lines,
      score: path.score,
    };
  }

  private toLines(path: LinePath): LineMatch[] {
    const first = path.targets[0]!;
    return [...path.targets].map((target, i) => {
      if (target < 0) return { likeness: 'missing', fileLine: -1 };
      const { likeness } = this.compare(i, target);
      const fileLine = target - first;
      if (likeness !== 'different') return { likeness, fileLine };
      const [old, file] = [this.oldLine(i), this.fileLine(target)];
      if (isComment(old) && isComment(file)) return { likeness, fileLine, remark: true };
      return { likeness: isStale(old, file) || isOtherHead(old, file) ? 'stale' : likeness, fileLine };
    });
  }

  private mapTokens(path: LinePath, first: number, file: TokenText): Int32Array {
    const oldToFile = new Int32Array(this.old.tokens.length).fill(-1);
    path.targets.forEach((target, i) => {
      if (target < 0) return;
      const { likeness, partners: known } = this.compare(i, target);
      const partners = likeness === 'different' ? matchTokens(this.oldLine(i), this.fileLine(target), this.budget) : known;
      const oldStart = this.old.lines[i]!.first;
      const fileStart = file.lines[target - first]!.first;
      for (let t = 0; t < partners.length; t++) if (partners[t]! >= 0) oldToFile[oldStart + t] = fileStart + partners[t]!;
    });
    return oldToFile;
  }
}

function isElsewhere(best: LinePath, other: LinePath): boolean {
  return best.targets[0] !== other.targets[0] && best.targets.at(-1) !== other.targets.at(-1);
}

/** Whether a word stands in the file as a word of its own; remembered per word. */
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
