import type { LocatedEdit } from '../located_edit';
import type { Location } from '../location';
import { indentBefore, sameSpacing, spacingBefore, type TokenText } from '../tokens';
import { collapseContextLines, withoutMarkers, withTrustedTokens } from './context_lines';
import { createIndentMap, type IndentMap, indentPairs, shiftIndent } from './indentation';
import { fileLineEnd } from './line_ends';
import { LostIndentation } from './lost_indentation';
import { endSpacing, indentBehind } from './region_end';
import {
  clipLine,
  escapesBreaks,
  inventsTrailingBlanks,
  isInString,
  lineEndAt,
  lineIndents,
  nearbyIndents,
  trailingBlanks,
  unescapeBreaks,
} from './spacing';
import { learnSpacing, type SpacingStyle } from './spacing_style';
import { isFullWidth, learnTypography, type TokenTypography } from './typography';

/**
 * Three-way merge of one place. Text that old and new share stays as the file has it, byte for byte; added text gets the file's
 * indentation, line ends and typography. Returns the replacement for [location.start, location.end).
 */
export function mergeRegion(input: LocatedEdit): string {
  return new Merger(collapseContextLines(input), withTrustedTokens(input.location)).merge();
}

class Merger {
  private readonly old: TokenText;
  private readonly file: TokenText;
  private readonly style: FileStyle;
  /** Old has indentation, so its depths are reliable. */
  private readonly indented: boolean;
  private readonly unescapesBreaks: boolean;
  private readonly parts: string[] = [];
  /** The line being written, and the last line end. */
  private currentLine = '';
  private lineEnd: string;
  /** [start, end) of a pending copy from the file, written before the next text. */
  private copied: [number, number] | undefined;

  constructor(
    private readonly input: LocatedEdit,
    trusted: Location,
  ) {
    const { location, view } = input;
    this.old = location.old;
    this.file = location.file;
    this.lineEnd = view.lineEndNear(location.start, location.end);
    this.style = new FileStyle(input, trusted);
    this.indented = location.old.lines.some(({ first }) => (indentBefore(location.old, first) ?? '') !== '');
    this.unescapesBreaks = location.escapesAreSpace === true && escapesBreaks(location);
  }

  merge(): string {
    const { next } = this.input;
    const count = next.tokens.length;
    /** Last token of new whose file counterpart is written or pending; undefined after a change. */
    let anchor: number | undefined = -1;
    for (let j = 0; j <= count; j++) {
      const oldIndex = this.oldIndexOf(j);
      if (!this.isUnchangedStep(j)) anchor = undefined;
      if (anchor === undefined) this.writeCopied();
      if (oldIndex === undefined) {
        this.write(this.spacing(j));
        this.write(this.style.typography(next, j, this.currentLine));
        continue;
      }
      const target = this.fileIndexOf(oldIndex);
      if (target === undefined) continue;
      if (anchor !== undefined) this.copy(this.fileIndexOf(this.oldIndexOf(anchor)!)!, target);
      else {
        this.write(this.spacing(j));
        if (j < count) this.write(this.file.tokens[target]!.text);
      }
      anchor = j;
    }
    this.writeCopied();
    return this.parts.join('');
  }

  /** Extends the pending copy from the end of token `from` to the end of token `to`. */
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

  /** Token index in old for token j of new. -1 and the token count stand for the edges; undefined for an added token. */
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

  /** Returns true when tokens j - 1 and j of new and the spacing between them are the same in old. */
  private isUnchangedStep(j: number): boolean {
    const left = this.oldIndexOf(j - 1);
    const right = this.oldIndexOf(j);
    if (left === undefined || right !== left + 1 || this.depthChange(j) !== 0) return false;
    return sameSpacing(this.old, right, this.input.next, j);
  }

  /** Returns the file text after token `from` up to the beginning of token `to`. */
  private fileText(from: number, to: number): string {
    const start = from < 0 ? this.file.from : this.file.tokens[from]!.end;
    const end = to >= this.file.tokens.length ? this.file.to : this.file.tokens[to]!.start;
    return this.file.source.slice(start, end);
  }

  /** Returns the spacing to write before token j of new, where new differs from old. */
  private spacing(j: number): string {
    const written = spacingBefore(this.input.next, j);
    const atEnd = j === this.input.next.tokens.length ? endSpacing(this.input) : undefined;
    if (atEnd !== undefined) return atEnd;
    const wanted = this.unescapesBreaks && written.includes('\\') && !isInString(this.currentLine) ? unescapeBreaks(written) : written;
    const left = this.oldIndexOf(j - 1);
    const right = this.oldIndexOf(j);
    const ownIndent = j === 0 && this.input.view.isLineStart(this.file.from) ? this.knownIndent(right, written) : undefined;
    if (ownIndent !== undefined) return ownIndent;
    const fromLeft = this.fileSpacingAfter(left, written);
    const fromRight = this.fileSpacingBefore(right, written);
    if (!wanted.includes('\n')) {
      const present = fromLeft ?? fromRight;
      return present === undefined || (present === '') !== (wanted === '') ? this.inlineSpacing(wanted, j) : present;
    }
    const between = [fromLeft, fromRight].find(text => text !== undefined && text.trim() !== '');
    if (between !== undefined) return between;
    const isInsertionEnd = left === undefined && right !== undefined && this.keptBefore(j) === right - 1;
    const shape = fromLeft ?? (isInsertionEnd ? undefined : fromRight);
    if (shape !== undefined && !shape.includes('\n')) return shape;
    const indentation = this.indent(wanted.slice(wanted.lastIndexOf('\n') + 1), j);
    const end = fromLeft === undefined ? fileLineEnd(this.input, j) : undefined;
    if (shape === undefined) return this.adaptBreaks(wanted, left, end) + indentation;
    if (end !== undefined) return end + shape.slice(shape.indexOf('\n') + 1, shape.lastIndexOf('\n') + 1) + indentation;
    const trailing = left === undefined ? '' : shape.slice(0, lineEndAt(shape));
    return trailing + shape.slice(lineEndAt(shape), shape.lastIndexOf('\n') + 1) + indentation;
  }

  private inlineSpacing(spacing: string, j: number): string {
    const { tokens } = this.input.next;
    if (j === 0) return this.indent(spacing, j);
    return j < tokens.length ? this.style.spacing({ left: this.shaped(j - 1), spacing, right: this.shaped(j) }) : spacing;
  }

  /** Returns token j of new, or its full-width form if that is written: full-width punctuation has its own spacing. */
  private shaped(j: number): string {
    const { next } = this.input;
    const spelled = this.style.typography(next, j, this.currentLine);
    return isFullWidth(spelled) ? spelled : next.tokens[j]!.text;
  }

  /** Returns the file's spacing after token `left` of old, including unquoted lines, if new keeps that spacing. */
  private fileSpacingAfter(left: number | undefined, wanted: string): string | undefined {
    if (left === undefined || left >= this.old.tokens.length || spacingBefore(this.old, left + 1) !== wanted) return undefined;
    const target = this.fileIndexOf(left);
    if (target === undefined) return undefined;
    return this.fileText(target, this.fileIndexOf(left + 1) ?? target + 1);
  }

  private fileSpacingBefore(right: number | undefined, wanted: string): string | undefined {
    if (right === undefined || right < 0 || spacingBefore(this.old, right) !== wanted) return undefined;
    const target = this.fileIndexOf(right);
    if (target === undefined) return undefined;
    return this.fileText(this.fileIndexOf(right - 1) ?? target - 1, target);
  }

  /** Returns the last token of old that new keeps before its token j. */
  private keptBefore(j: number): number {
    let k = j - 1;
    while (k >= 0 && this.oldIndexOf(k) === undefined) k--;
    return this.oldIndexOf(k)!;
  }

  /** Returns the line breaks of an added spacing in the file's style, without the indentation after them. */
  private adaptBreaks(wanted: string, left: number | undefined, end: string | undefined): string {
    const pieces = wanted.slice(0, wanted.lastIndexOf('\n') + 1).split('\n');
    let trailing = this.style.dropsTrailing ? '' : pieces[0]!.replace(/\r$/, '');
    const target = left === undefined || left >= this.old.tokens.length ? undefined : this.fileIndexOf(left);
    if (target !== undefined && left !== undefined && trailingBlanks(spacingBefore(this.old, left + 1)) === trailingBlanks(wanted)) {
      trailing = trailingBlanks(spacingBefore(this.file, target + 1)) ?? trailing;
    }
    const blanks = pieces.slice(1, -1).map(piece => (this.style.dropsTrailing ? '' : piece.replace(/\r$/, '')) + this.lineEnd);
    return (end ?? trailing + this.lineEnd) + blanks.join('');
  }

  /** Returns the file's indentation for a line of new that begins with token j and has `indent`. */
  private indent(indent: string, j: number): string {
    const { next, script, location } = this.input;
    const token = next.tokens[j];
    if (!token) return indentBehind(location, indent);
    const right = this.oldIndexOf(j);
    const known = this.knownIndent(right, indent);
    if (known !== undefined) {
      const levels = this.depthChange(j);
      return levels === 0 ? known : shiftIndent(known, levels, this.style.indents.unit);
    }
    if (j === 0 && spacingBefore(this.old, 0) === indent) return indentBefore(location.file, 0) ?? '';
    if (this.style.lostIndentation.applies) return this.style.lostIndentation.indentOf(token.line, this.currentLine);
    const partner = script.linePartners[token.line] ?? -1;
    const partnerStart = partner >= 0 ? this.old.lines[partner]!.first : -1;
    const partnerIndent = this.knownIndent(partnerStart, indent);
    if (partnerIndent !== undefined) return partnerIndent;
    return this.style.indents.translate(indent);
  }

  /** Returns the file's indentation of the line that begins with token `oldIndex`, if new does not change it. */
  private knownIndent(oldIndex: number | undefined, indent: string): string | undefined {
    if (oldIndex === undefined || oldIndex < 0 || oldIndex >= this.old.tokens.length || indentBefore(this.old, oldIndex) !== indent)
      return undefined;
    const target = this.fileIndexOf(oldIndex);
    return target === undefined ? undefined : indentBefore(this.file, target);
  }

  /** Returns how many levels deeper a line is in new than in old, when all indentation was lost. */
  private depthChange(j: number): number {
    const { next } = this.input;
    const line = next.tokens[j]?.line;
    if (line === undefined || next.lines[line]!.first !== j || this.indented) return 0;
    return this.style.lostIndentation.depthChange(line);
  }
}

/** The file's typography, spacing and indentation, learned on first use from the token alignment. */
class FileStyle {
  private knownTypography: TokenTypography | undefined;
  private knownSpacing: SpacingStyle | undefined;
  private knownIndents: IndentMap | undefined;
  private knownLostIndentation: LostIndentation | undefined;
  private knownTrailing: boolean | undefined;

  constructor(
    private readonly input: LocatedEdit,
    /** The location without unreliable token pairs. */
    private readonly trusted: Location,
  ) {}

  get typography(): TokenTypography {
    this.knownTypography ??= learnTypography(this.trusted);
    return this.knownTypography;
  }

  get spacing(): SpacingStyle {
    this.knownSpacing ??= learnSpacing(this.trusted);
    return this.knownSpacing;
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

  get lostIndentation(): LostIndentation {
    const { location, next, script } = this.input;
    this.knownLostIndentation ??= new LostIndentation({ ...location, next, script, indents: this.indents });
    return this.knownLostIndentation;
  }

  /** True when old has trailing blanks that the file never has. */
  get dropsTrailing(): boolean {
    this.knownTrailing ??= inventsTrailingBlanks(this.input.location);
    return this.knownTrailing;
  }
}
