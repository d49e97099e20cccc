import type { Location } from '../location';
import { gapBefore, indentBefore, sameGap, type TokenText } from '../tokens';
import { FlatText } from './flat_text';
import { type GapSpelling, learnGaps } from './gap_spelling';
import {
  clipLine,
  escapesBreaks,
  inventsTrailingBlanks,
  isInString,
  lineEndAt,
  lineIndents,
  lineTail,
  nearbyIndents,
  unescapeBreaks,
} from './gap_text';
import { createIndentMap, type IndentMap, indentPairs, shiftIndent } from './indentation';
import { collapseKeptLines, withoutMarkers, withTrustedTokens } from './kept_lines';
import { fileLineTail } from './line_tails';
import type { MergeInput } from './merge_input';
import { isFullWidth, learnSpelling, type TokenSpelling } from './typography';

/**
 * The three-way write: what old and new share stays as the file has it, byte for byte; what only new has is written in
 * the file's indentation, line ends and typography. Returns the text for [location.start, location.end).
 */
export function mergeRegion(input: MergeInput): string {
  return new Merger(collapseKeptLines(input), withTrustedTokens(input.location)).merge();
}

class Merger {
  private readonly old: TokenText;
  private readonly file: TokenText;
  private readonly habits: Habits;
  /** Old has some indentation, so that its depths can be trusted. */
  private readonly indented: boolean;
  private readonly unescapesBreaks: boolean;
  private readonly parts: string[] = [];
  /** The line being written, and the line end written last. */
  private currentLine = '';
  private lineEnd: string;
  /** [start, end) of the file that is to be written as it is, before anything else is. */
  private copied: [number, number] | undefined;

  constructor(
    private readonly input: MergeInput,
    trusted: Location,
  ) {
    const { location, view } = input;
    this.old = location.old;
    this.file = location.file;
    this.lineEnd = view.lineEndNear(location.start, location.end);
    this.habits = new Habits(input, trusted);
    this.indented = location.old.lines.some(({ first }) => (indentBefore(location.old, first) ?? '') !== '');
    this.unescapesBreaks = location.escapesAreSpace === true && escapesBreaks(location);
  }

  merge(): string {
    const { next } = this.input;
    const count = next.tokens.length;
    /** Last token of new whose file counterpart has been written, while everything after it is unchanged too. */
    let anchor: number | undefined = -1;
    for (let j = 0; j <= count; j++) {
      const oldIndex = this.oldIndexOf(j);
      if (!this.isUnchangedStep(j)) anchor = undefined;
      if (anchor === undefined) this.writeCopied();
      if (oldIndex === undefined) {
        this.write(this.gap(j));
        this.write(this.habits.spelling(next, j, this.currentLine));
        continue;
      }
      const target = this.fileIndexOf(oldIndex);
      if (target === undefined) continue;
      if (anchor !== undefined) this.copy(this.fileIndexOf(this.oldIndexOf(anchor)!)!, target);
      else {
        this.write(this.gap(j));
        if (j < count) this.write(this.file.tokens[target]!.text);
      }
      anchor = j;
    }
    this.writeCopied();
    return this.parts.join('');
  }

  /** Takes the file as it is from after token `from`, which has been written or copied, to the end of token `to`. */
  private copy(from: number, to: number): void {
    const { file } = this;
    const end = file.tokens[to]?.end ?? file.to;
    if (this.copied) this.copied[1] = end;
    else this.copied = [from < 0 ? file.from : file.tokens[from]!.end, end];
  }

  private writeCopied(): void {
    if (this.copied) this.write(this.file.source.slice(...this.copied));
    this.copied = undefined;
  }

  private write(text: string): void {
    this.parts.push(text);
    const newline = text.lastIndexOf('\n');
    if (newline === -1) this.currentLine = clipLine(this.currentLine + text);
    else {
      this.currentLine = clipLine(text.slice(newline + 1));
      this.lineEnd = text[newline - 1] === '\r' ? '\r\n' : '\n';
    }
  }

  /** Token index in old for token j of new; -1 and the token counts stand for the two edges. */
  private oldIndexOf(j: number): number | undefined {
    if (j < 0) return -1;
    if (j >= this.input.next.tokens.length) return this.old.tokens.length;
    const index = this.input.script.newToOld[j]!;
    return index >= 0 ? index : undefined;
  }

  private fileIndexOf(oldIndex: number): number | undefined {
    if (oldIndex < 0) return -1;
    if (oldIndex >= this.old.tokens.length) return this.file.tokens.length;
    const index = this.input.location.oldToFile[oldIndex]!;
    return index >= 0 ? index : undefined;
  }

  /** Tokens j-1 and j of new, and the gap between them, stand just so in old. */
  private isUnchangedStep(j: number): boolean {
    const left = this.oldIndexOf(j - 1);
    const right = this.oldIndexOf(j);
    if (left === undefined || right !== left + 1 || this.depthChange(j) !== 0) return false;
    return sameGap(this.old, right, this.input.next, j);
  }

  /** File text after token `from` up to the beginning of token `to`. */
  private fileText(from: number, to: number): string {
    const start = from < 0 ? this.file.from : this.file.tokens[from]!.end;
    const end = to >= this.file.tokens.length ? this.file.to : this.file.tokens[to]!.start;
    return this.file.source.slice(start, end);
  }

  /** White space before token j of new where old and new differ. */
  private gap(j: number): string {
    const written = gapBefore(this.input.next, j);
    const wanted = this.unescapesBreaks && written.includes('\\') && !isInString(this.currentLine) ? unescapeBreaks(written) : written;
    const left = this.oldIndexOf(j - 1);
    const right = this.oldIndexOf(j);
    const fromLeft = this.fileGapAfter(left, written);
    const fromRight = this.fileGapBefore(right, written);
    if (!wanted.includes('\n')) {
      const present = fromLeft ?? fromRight;
      return present === undefined || (present === '') !== (wanted === '') ? this.inlineGap(wanted, j) : present;
    }
    const between = [fromLeft, fromRight].find(text => text !== undefined && text.trim() !== '');
    if (between !== undefined) return between;
    const isInsertionEnd = left === undefined && right !== undefined && this.keptBefore(j) === right - 1;
    const shape = fromLeft ?? (isInsertionEnd ? undefined : fromRight);
    if (shape !== undefined && !shape.includes('\n')) return shape;
    const indentation = this.indent(wanted.slice(wanted.lastIndexOf('\n') + 1), j);
    const end = fromLeft === undefined ? fileLineTail(this.input, j) : undefined;
    if (shape === undefined) return this.adaptBreaks(wanted, left, end) + indentation;
    if (end !== undefined) return end + shape.slice(shape.indexOf('\n') + 1, shape.lastIndexOf('\n') + 1) + indentation;
    const trailing = left === undefined ? '' : shape.slice(0, lineEndAt(shape));
    return trailing + shape.slice(lineEndAt(shape), shape.lastIndexOf('\n') + 1) + indentation;
  }

  private inlineGap(gap: string, j: number): string {
    const { tokens } = this.input.next;
    if (j === 0) return this.indent(gap, j);
    return j < tokens.length ? this.habits.gaps({ left: this.shaped(j - 1), gap, right: this.shaped(j) }) : gap;
  }

  /** Token j of new; where it will be full-width punctuation, as such: it has other gaps beside it than its ASCII form. */
  private shaped(j: number): string {
    const { next } = this.input;
    const spelled = this.habits.spelling(next, j, this.currentLine);
    return isFullWidth(spelled) ? spelled : next.tokens[j]!.text;
  }

  /** What the file has after kept token `left` of old, lines that old does not quote included, if new keeps that gap. */
  private fileGapAfter(left: number | undefined, wanted: string): string | undefined {
    if (left === undefined || left >= this.old.tokens.length || gapBefore(this.old, left + 1) !== wanted) return undefined;
    const target = this.fileIndexOf(left);
    if (target === undefined) return undefined;
    return this.fileText(target, this.fileIndexOf(left + 1) ?? target + 1);
  }

  private fileGapBefore(right: number | undefined, wanted: string): string | undefined {
    if (right === undefined || right < 0 || gapBefore(this.old, right) !== wanted) return undefined;
    const target = this.fileIndexOf(right);
    if (target === undefined) return undefined;
    return this.fileText(this.fileIndexOf(right - 1) ?? target - 1, target);
  }

  /** The last token of old that new keeps before its token j. */
  private keptBefore(j: number): number {
    let k = j - 1;
    while (k >= 0 && this.oldIndexOf(k) === undefined) k--;
    return this.oldIndexOf(k)!;
  }

  /** The line breaks of a gap that only new has, without the last line's indentation. */
  private adaptBreaks(wanted: string, left: number | undefined, end: string | undefined): string {
    const pieces = wanted.slice(0, wanted.lastIndexOf('\n') + 1).split('\n');
    let trailing = this.habits.dropsTrailing ? '' : pieces[0]!.replace(/\r$/, '');
    const target = left === undefined || left >= this.old.tokens.length ? undefined : this.fileIndexOf(left);
    if (target !== undefined && left !== undefined && lineTail(gapBefore(this.old, left + 1)) === lineTail(wanted)) {
      trailing = lineTail(gapBefore(this.file, target + 1)) ?? trailing;
    }
    const blanks = pieces.slice(1, -1).map(piece => (this.habits.dropsTrailing ? '' : piece.replace(/\r$/, '')) + this.lineEnd);
    return (end ?? trailing + this.lineEnd) + blanks.join('');
  }

  /** Indentation in the file for a line of new that begins with token j and is indented with `indent`. */
  private indent(indent: string, j: number): string {
    const { next, script, location } = this.input;
    const token = next.tokens[j];
    if (!token) return indent;
    const right = this.oldIndexOf(j);
    const known = right === undefined ? undefined : this.knownIndent(right, indent);
    if (known !== undefined) {
      const levels = this.depthChange(j);
      return levels === 0 ? known : shiftIndent(known, levels, this.habits.indents.unit);
    }
    if (j === 0 && gapBefore(this.old, 0) === indent) return indentBefore(location.file, 0) ?? '';
    if (this.habits.flat.applies) return this.habits.flat.indentAfter(this.currentLine, token.line);
    const partner = script.linePartners[token.line] ?? -1;
    const partnerStart = partner >= 0 ? this.old.lines[partner]!.first : -1;
    const partnerIndent = partnerStart >= 0 ? this.knownIndent(partnerStart, indent) : undefined;
    if (partnerIndent !== undefined) return partnerIndent;
    return this.habits.indents.translate(indent);
  }

  /** The file's indentation of the line that token `oldIndex` begins, when new indents it as old does. */
  private knownIndent(oldIndex: number, indent: string): string | undefined {
    if (oldIndex >= this.old.tokens.length || indentBefore(this.old, oldIndex) !== indent) return undefined;
    const target = this.fileIndexOf(oldIndex);
    return target === undefined ? undefined : indentBefore(this.file, target);
  }

  /** Levels by which the line that token j begins is deeper in new than in old, where indentation was lost. */
  private depthChange(j: number): number {
    const { next } = this.input;
    const line = next.tokens[j]?.line;
    if (line === undefined || next.lines[line]!.first !== j || this.indented) return 0;
    return this.habits.flat.depthChange(line);
  }
}

/** What the file does, learned from the tokens of old and their counterparts when it is first asked for. */
class Habits {
  private knownSpelling: TokenSpelling | undefined;
  private knownGaps: GapSpelling | undefined;
  private knownIndents: IndentMap | undefined;
  private knownFlat: FlatText | undefined;
  private knownTrailing: boolean | undefined;

  constructor(
    private readonly input: MergeInput,
    /** The location that the spelling is learned from. */
    private readonly trusted: Location,
  ) {}

  get spelling(): TokenSpelling {
    this.knownSpelling ??= learnSpelling(this.trusted);
    return this.knownSpelling;
  }

  get gaps(): GapSpelling {
    this.knownGaps ??= learnGaps(this.trusted);
    return this.knownGaps;
  }

  get indents(): IndentMap {
    const { location, next, view } = this.input;
    const { old, file } = location;
    this.knownIndents ??= createIndentMap(indentPairs(old, file, withoutMarkers(location)), () => ({
      model: [...lineIndents(old), ...lineIndents(next)],
      file: [...lineIndents(file), ...nearbyIndents(view.content, location.start)],
    }));
    return this.knownIndents;
  }

  get flat(): FlatText {
    const { location, next, script } = this.input;
    this.knownFlat ??= new FlatText({ old: location.old, next, file: location.file, script, indents: this.indents });
    return this.knownFlat;
  }

  /** The blanks that old has at the ends of lines are its own invention. */
  get dropsTrailing(): boolean {
    this.knownTrailing ??= inventsTrailingBlanks(this.input.location);
    return this.knownTrailing;
  }
}
