import type { EditScript } from '../align/edit_script';
import { lineText, type TokenText } from '../tokens';
import { type IndentMap, indentBySyntax, lineDepths } from './indentation';
import { lineIndents } from './spacing';

export interface LostIndentationInput {
  old: TokenText;
  next: TokenText;
  file: TokenText;
  script: EditScript;
  indents: IndentMap;
}

/**
 * Derives the depth of lines from brackets and syntax when the model dropped all indentation. One instance serves one merge and
 * must see its lines in order.
 */
export class LostIndentation {
  /** True when neither old nor new is indented, although the file is or new has nested lines. */
  readonly applies: boolean;
  /** Levels by which each line of new is deeper than in old. */
  private readonly depthChanges: number[];
  /** The last continuation line, and the indentation to return to after it. */
  private deeperLine = -1;
  private returnTo: string | undefined;
  private inParentheses = false;

  constructor(private readonly input: LostIndentationInput) {
    const { old, next, file, script, indents } = input;
    this.applies =
      lineIndents(old).length === 0 &&
      lineIndents(next).length === 0 &&
      (indents.flattened || (lineIndents(file).length > 0 && new Set(lineDepths(next)).size > 1));
    this.depthChanges = this.applies ? compareDepths(old, next, script) : [];
  }

  /** Returns how many levels deeper a line of new is than in old. */
  depthChange(line: number): number {
    return this.depthChanges[line] ?? 0;
  }

  /** Returns the indentation of a line of new that follows the line `written`. */
  indentAfter(written: string, line: number): string {
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
}

/**
 * Returns, for every line that old and new share, how many levels deeper it is in new. All zero unless the depth is equal again
 * at the end: then the edit wraps or unwraps lines, otherwise it is part of a larger change.
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
