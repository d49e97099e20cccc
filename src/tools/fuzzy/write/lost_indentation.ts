import type { EditScript } from '../align/edit_script';
import { indentBefore, lineText, type TokenText } from '../tokens';
import { type IndentMap, indentBySyntax, lineDepths, shiftIndent } from './indentation';
import { changedBlock, placeOf } from './line_ends';
import { lineIndents } from './spacing';

export interface LostIndentationInput {
  old: TokenText;
  next: TokenText;
  file: TokenText;
  oldToFile: Int32Array;
  script: EditScript;
  indents: IndentMap;
}

/**
 * Derives the depth of lines from brackets and syntax when the model dropped all indentation. One instance serves one merge and
 * must see its lines in order.
 */
export class LostIndentation {
  /** True when neither old nor new is indented, although the file has several depths or new has nested lines. */
  readonly applies: boolean;
  /** Levels by which each line of new is deeper than in old. */
  private readonly depthChanges: number[];
  /** The bracket depths of the lines of old and new. */
  private readonly oldDepths: number[];
  private readonly newDepths: number[];
  /** The last continuation line, and the indentation to return to after it. */
  private deeperLine = -1;
  private returnTo: string | undefined;
  private inParentheses = false;

  constructor(private readonly input: LostIndentationInput) {
    const { old, next, file, indents } = input;
    this.oldDepths = lineDepths(old);
    this.newDepths = lineDepths(next);
    this.applies =
      isIndentationLost(input) &&
      (indents.flattened || (lineIndents(file).length > 0 && (new Set(this.newDepths).size > 1 || this.addsBlock())));
    this.depthChanges = this.applies ? this.compareDepths() : [];
  }

  /** Returns true when new adds a line behind a line that ends with a colon. */
  private addsBlock(): boolean {
    const { next, script } = this.input;
    return next.lines.some((_, line) => script.linePartners[line]! < 0 && opensBlock(next, line - 1));
  }

  /** Returns how many levels deeper a line of new is than in old. */
  depthChange(line: number): number {
    return this.depthChanges[line] ?? 0;
  }

  /** Returns the indentation of a line of new that follows the line `written`: of the file line that it replaces, else by syntax. */
  indentOf(line: number, written: string): string {
    const bySyntax = this.indentAfter(line, written);
    return this.replacedIndent(line) ?? bySyntax;
  }

  /**
   * Returns the indentation of the file line that a line of new replaces, if the line before it begins the same in both texts. The first
   * line of a longer or shorter block replaces the first line of the old one.
   */
  private replacedIndent(line: number): string | undefined {
    const { old, next, file, oldToFile, indents } = this.input;
    const replaced = this.replacedLine(line);
    const target = replaced < 0 ? -1 : oldToFile[old.lines[replaced]!.first]!;
    const indent = target < 0 ? undefined : indentBefore(file, target);
    if (indent === undefined || headBefore(old, replaced) !== headBefore(next, line)) return undefined;
    return shiftIndent(indent, this.newDepths[line]! - this.oldDepths[replaced]!, indents.unit);
  }

  private replacedLine(line: number): number {
    const { old, script } = this.input;
    const place = placeOf(script, line, old.lines.length);
    if (place >= 0) return place;
    const block = changedBlock(script, line, old.lines.length);
    return line === block.next.from && block.old.from < block.old.to ? block.old.from : -1;
  }

  private indentAfter(line: number, written: string): string {
    const text = lineText(this.input.next, line);
    const indent = /^[ \t]*/.exec(written)?.[0] ?? '';
    const returnTo = this.deeperLine === line - 1 ? this.returnTo : undefined;
    const previous = { indent, text: written, returnTo, inParentheses: this.inParentheses };
    const depth = indentBySyntax(previous, text, this.input.indents.unit);
    this.deeperLine = depth.returnTo === undefined ? -1 : line;
    this.returnTo = depth.returnTo;
    this.inParentheses = written.trimEnd().endsWith('(') || (this.inParentheses && !text.startsWith(')'));
    return depth.indent;
  }

  /**
   * Returns, for every line that old and new share, how many levels deeper it is in new. All zero unless the depth is equal again
   * at the end: then the edit wraps or unwraps lines, otherwise it is part of a larger change.
   */
  private compareDepths(): number[] {
    const { old, next, script } = this.input;
    const changes = this.newDepths.map((depth, line) => {
      const partner = script.linePartners[line]!;
      const kept = partner >= 0 && lineText(next, line) === lineText(old, partner);
      return kept ? depth - this.oldDepths[partner]! : undefined;
    });
    const balanced = changes.findLast(change => change !== undefined) === 0;
    return changes.map(change => (balanced ? (change ?? 0) : 0));
  }
}

/** Returns true when neither old nor new is indented. */
export const isIndentationLost = ({ old, next }: { old: TokenText; next: TokenText }): boolean =>
  lineIndents(old).length === 0 && lineIndents(next).length === 0;

/** Returns true when the line ends with a colon, as the head of a block in Python does. */
export const opensBlock = (text: TokenText, line: number): boolean => line >= 0 && lineText(text, line).endsWith(':');

/** Returns what the line before `line` begins: a block by a colon, a comment of several lines, or nothing. */
function headBefore(text: TokenText, line: number): 'block' | 'comment' | undefined {
  if (line > 0 && /^\/\*(?!.*\*\/$)/s.test(lineText(text, line - 1))) return 'comment';
  return opensBlock(text, line - 1) ? 'block' : undefined;
}
