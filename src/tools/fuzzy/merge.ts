import type { EditScript } from './edit_script';
import type { FileView } from './file_view';
import { type GapSpelling, learnGaps } from './gap_spelling';
import { createIndentMap, type IndentMap, indentBySyntax, indentPairs, lineDepths, shiftIndent } from './indentation';
import type { Location } from './location';
import { gapBefore, indentBefore, lineText, type TokenText } from './tokens';
import { learnSpelling, type TokenSpelling } from './typography';

export interface MergeInput {
  view: FileView;
  location: Location;
  next: TokenText;
  script: EditScript;
}

/**
 * The three-way write: what old and new share stays as the file has it, byte for byte; what only new has is written in
 * the file's indentation, line ends and typography. Returns the text for [location.start, location.end).
 */
export function mergeRegion(input: MergeInput): string {
  return new Merger(input).merge();
}

interface Learned {
  spelling: TokenSpelling;
  gaps: GapSpelling;
  indents: IndentMap;
}

class Merger {
  private readonly old: TokenText;
  private readonly file: TokenText;
  /** Learned from old and the file when text that only new has is written first. */
  private learned: Learned | undefined;
  private readonly dropsTrailing: boolean;
  private readonly unescapesBreaks: boolean;
  private readonly parts: string[] = [];
  /** The line being written, and the line end written last. */
  private currentLine = '';
  private depthChanges: number[] | undefined;
  private flat: boolean | undefined;
  /** The line of new that was indented deeper for once, and what to return to after it. */
  private deeperLine = -1;
  private returnTo: string | undefined;
  private inParentheses = false;
  private lineEnd: string;

  constructor(private readonly input: MergeInput) {
    const { location, view } = input;
    this.old = location.old;
    this.file = location.file;
    this.lineEnd = view.lineEndNear(location.start, location.end);
    this.dropsTrailing = inventsTrailingBlanks(location);
    this.unescapesBreaks = location.escapesAreSpace === true && escapesBreaks(location);
  }

  private habits(): Learned {
    const { location, next, view } = this.input;
    this.learned ??= {
      spelling: learnSpelling(location),
      gaps: learnGaps(location),
      indents: createIndentMap(indentPairs(this.old, this.file, location.oldToFile), {
        model: [...lineIndents(this.old), ...lineIndents(next)],
        file: [...lineIndents(this.file), ...nearbyIndents(view.content, location.start)],
      }),
    };
    return this.learned;
  }

  merge(): string {
    const { next } = this.input;
    const count = next.tokens.length;
    /** Last token of new whose file counterpart has been written, while everything after it is unchanged too. */
    let anchor: number | undefined = -1;
    for (let j = 0; j <= count; j++) {
      const oldIndex = this.oldIndexOf(j);
      if (j > 0 && !this.isUnchangedStep(j)) anchor = undefined;
      if (j === 0 && !this.isUnchangedStep(0)) anchor = undefined;
      if (oldIndex === undefined) {
        this.write(this.gap(j));
        this.write(this.habits().spelling(next, j, this.currentLine));
        continue;
      }
      const target = this.fileIndexOf(oldIndex);
      if (target === undefined) continue;
      if (anchor !== undefined) this.write(this.fileText(this.fileIndexOf(this.oldIndexOf(anchor)!)!, target));
      else this.write(this.gap(j));
      if (j < count) this.write(this.file.tokens[target]!.text);
      anchor = j;
    }
    return this.parts.join('');
  }

  private write(text: string): void {
    this.parts.push(text);
    const newline = text.lastIndexOf('\n');
    if (newline === -1) this.currentLine += text;
    else {
      this.currentLine = text.slice(newline + 1);
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
    return gapBefore(this.old, right) === gapBefore(this.input.next, j);
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
    if (!wanted.includes('\n')) return fromLeft ?? fromRight ?? this.inlineGap(wanted, j);
    const between = [fromLeft, fromRight].find(text => text !== undefined && text.trim() !== '');
    if (between !== undefined) return between;
    const isInsertionEnd = left === undefined && right !== undefined && this.keptBefore(j) === right - 1;
    const shape = fromLeft ?? (isInsertionEnd ? undefined : fromRight);
    if (shape !== undefined && !shape.includes('\n')) return shape;
    const indentation = this.indent(wanted.slice(wanted.lastIndexOf('\n') + 1), j);
    if (shape === undefined) return this.adaptBreaks(wanted, left) + indentation;
    const trailing = left === undefined ? '' : shape.slice(0, lineEndAt(shape));
    return trailing + shape.slice(lineEndAt(shape), shape.lastIndexOf('\n') + 1) + indentation;
  }

  private inlineGap(gap: string, j: number): string {
    const { tokens } = this.input.next;
    if (j === 0) return this.indent(gap, j);
    return j < tokens.length ? this.habits().gaps({ left: tokens[j - 1]!.text, gap, right: tokens[j]!.text }) : gap;
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
  private adaptBreaks(wanted: string, left: number | undefined): string {
    const pieces = wanted.slice(0, wanted.lastIndexOf('\n') + 1).split('\n');
    let trailing = this.dropsTrailing ? '' : pieces[0]!.replace(/\r$/, '');
    const target = left === undefined || left >= this.old.tokens.length ? undefined : this.fileIndexOf(left);
    if (target !== undefined && left !== undefined && lineTail(gapBefore(this.old, left + 1)) === lineTail(wanted)) {
      trailing = lineTail(gapBefore(this.file, target + 1)) ?? trailing;
    }
    const blanks = pieces.slice(1, -1).map(piece => (this.dropsTrailing ? '' : piece.replace(/\r$/, '')) + this.lineEnd);
    return trailing + this.lineEnd + blanks.join('');
  }

  /** Indentation in the file for a line of new that begins with token j and is indented with `indent`. */
  private indent(indent: string, j: number): string {
    const { next, script, location } = this.input;
    const token = next.tokens[j];
    if (!token) return indent;
    const right = this.oldIndexOf(j);
    const known = right === undefined ? undefined : this.knownIndent(right, indent);
    if (known !== undefined) return shiftIndent(known, this.depthChange(j), this.habits().indents.unit);
    if (j === 0 && gapBefore(this.old, 0) === indent) return indentBefore(location.file, 0) ?? '';
    if (this.isFlat()) return this.indentAfterOutput(next, j);
    const partner = script.linePartners[token.line] ?? -1;
    const partnerStart = partner >= 0 ? this.old.lines[partner]!.first : -1;
    const partnerIndent = partnerStart >= 0 ? this.knownIndent(partnerStart, indent) : undefined;
    if (partnerIndent !== undefined) return partnerIndent;
    return this.habits().indents.translate(indent);
  }

  /** The file's indentation of the line that token `oldIndex` begins, when new indents it as old does. */
  private knownIndent(oldIndex: number, indent: string): string | undefined {
    if (oldIndex >= this.old.tokens.length || indentBefore(this.old, oldIndex) !== indent) return undefined;
    const target = this.fileIndexOf(oldIndex);
    return target === undefined ? undefined : indentBefore(this.file, target);
  }

  /** How much deeper the line that token j begins is in new than in old; told by brackets where all indentation is lost. */
  private depthChange(j: number): number {
    const { next } = this.input;
    const line = next.tokens[j]?.line;
    if (line === undefined || next.lines[line]!.first !== j || !this.isFlat()) return 0;
    this.depthChanges ??= compareDepths(this.old, next, this.input.script);
    return this.depthChanges[line]!;
  }

  /** Neither old nor new has any indentation, although the file has and new has nested lines. */
  private isFlat(): boolean {
    this.flat ??=
      lineIndents(this.old).length === 0 &&
      lineIndents(this.input.next).length === 0 &&
      (this.habits().indents.flattened || (lineIndents(this.file).length > 0 && new Set(lineDepths(this.input.next)).size > 1));
    return this.flat;
  }

  private indentAfterOutput(next: TokenText, j: number): string {
    const text = this.currentLine;
    const indent = /^[ \t]*/.exec(text)?.[0] ?? '';
    const line = next.tokens[j]!.line;
    const returnTo = this.deeperLine === line - 1 ? this.returnTo : undefined;
    const depth = indentBySyntax(
      { indent, text, returnTo, inParentheses: this.inParentheses },
      lineText(next, line),
      this.habits().indents.unit,
    );
    this.deeperLine = depth.returnTo === undefined ? -1 : line;
    this.returnTo = depth.returnTo;
    this.inParentheses = /[(]$/.test(text.trimEnd()) || (this.inParentheses && !/^[)]/.test(lineText(next, line)));
    return depth.indent;
  }
}

/**
 * For every line of new that old has too, how much deeper it is nested. All zero unless the depth is the same again at the
 * end: then the edit wraps or unwraps lines, otherwise it is only part of a larger one.
 */
function compareDepths(old: TokenText, next: TokenText, script: EditScript): number[] {
  const [oldDepths, newDepths] = [lineDepths(old), lineDepths(next)];
  const changes = newDepths.map((depth, line) => {
    const partner = script.linePartners[line]!;
    const kept = partner >= 0 && lineText(next, line) === lineText(old, partner);
    return kept ? depth - oldDepths[partner]! : undefined;
  });
  const balanced = changes.findLast(change => change !== undefined) === 0;
  return changes.map(change => (balanced ? (change ?? 0) : 0));
}

/** Index of the line end in a gap, its carriage return included. */
function lineEndAt(gap: string): number {
  const newline = gap.indexOf('\n');
  return newline > 0 && gap[newline - 1] === '\r' ? newline - 1 : newline;
}

/** The blanks before the first line end of a gap, or undefined when it has none. */
function lineTail(gap: string): string | undefined {
  return gap.includes('\n') ? gap.slice(0, lineEndAt(gap)) : undefined;
}

function lineIndents(view: TokenText): string[] {
  return view.lines.map(({ first }) => indentBefore(view, first) ?? '').filter(indent => indent !== '');
}

/** Indentation of some lines around an offset, for files whose matched lines are not indented. */
function nearbyIndents(content: string, offset: number): string[] {
  const indents: string[] = [];
  for (const match of content.slice(Math.max(0, offset - 4000), offset + 4000).matchAll(/\n([ \t]+)[^\s*]/g)) indents.push(match[1]!);
  return indents;
}

/** Old ends lines in blanks where the file does not, and never the same. */
function inventsTrailingBlanks(location: Location): boolean {
  let invented = 0;
  for (let i = 1; i < location.old.tokens.length; i++) {
    const target = location.oldToFile[i]!;
    const wanted = lineTail(gapBefore(location.old, i));
    if (wanted === undefined || wanted === '' || target < 1) continue;
    const present = lineTail(gapBefore(location.file, target));
    if (present === wanted) return false;
    if (present === '') invented++;
  }
  return invented > 0;
}

/** Old writes \\n where the file has a line end. */
function escapesBreaks({ old, file, oldToFile }: Location): boolean {
  return old.tokens.some((_, i) => gapBefore(old, i).includes('\\n') && gapBefore(file, oldToFile[i] ?? 0).includes('\n'));
}

function unescapeBreaks(gap: string): string {
  return gap.replaceAll('\\n', '\n').replaceAll('\\t', '\t');
}

/** A quote is open at the end of this part of a line. */
function isInString(line: string): boolean {
  return ['"', "'", '`'].some(quote => line.split(quote).length % 2 === 0);
}
