import type { LocatedEdit } from '../located_edit';
import { indentBefore, lineText } from '../tokens';
import { indentBySyntax } from '../write/indentation';
import { changedBlock, placeOf } from '../write/line_ends';
import { isIndentationLost, opensBlock } from '../write/lost_indentation';

/** UTF-16 units before and behind the quotation that show whether the file is written in a language with brackets. */
const SURROUNDINGS = 4_000;
const COLON_BLOCK = /^([ \t]*)\S.*:[ \t]*\r?\n(?:[ \t]*\r?\n)*\1[ \t]/gm;
const BRACKET_BLOCK = /[{([][ \t]*\r?$/gm;

/**
 * Returns the first line that new adds at an unknown depth, or undefined. When old and new have lost their indentation, syntax tells the depth of an
 * added line as long as it explains the depths of the file's lines around it. In Python and YAML it often does not, and a guess would change what
 * the file means. With brackets it changes only its look.
 */
export function findUnknownDepth(edit: LocatedEdit): string | undefined {
  const { location, next, script } = edit;
  if (location.sameIndentation || !isIndentationLost({ ...location, next }) || !hasBlocksByColon(edit)) return undefined;
  for (let line = 0; line < next.lines.length; line++) {
    if (placeOf(script, line, location.old.lines.length) >= 0) continue;
    const run = changedBlock(script, line, location.old.lines.length).next;
    if (hasUnknownBlock(edit, run) || !isDepthExplained(edit, run)) return lineText(next, line);
    line = run.to - 1;
  }
  return undefined;
}

/** Returns true when more blocks around the quotation begin with a colon than with a bracket. */
function hasBlocksByColon({ view: { content }, location: { start, end } }: LocatedEdit): boolean {
  const text = content.slice(Math.max(0, start - SURROUNDINGS), end + SURROUNDINGS);
  return [...text.matchAll(COLON_BLOCK)].length > [...text.matchAll(BRACKET_BLOCK)].length;
}

/** Lines [from, to) of new. */
interface Run {
  from: number;
  to: number;
}

/** Returns true when an added line opens a block by a colon, unless exactly one line of the run follows: a further one may be inside or behind it. */
function hasUnknownBlock({ next }: LocatedEdit, { from, to }: Run): boolean {
  for (let line = from; line < to; line++) if (opensBlock(next, line)) return line !== to - 2;
  return false;
}

/** Returns true when syntax explains the depth of the file line behind the run by the file line before it. */
function isDepthExplained(edit: LocatedEdit, { from, to }: Run): boolean {
  const before = fileLine(edit, from - 1);
  const after = fileLine(edit, to);
  if (!before || !after) return true;
  const expected = indentBySyntax(before, after.text, '\t').indent.length - before.indent.length;
  return Math.sign(expected) === Math.sign(after.indent.length - before.indent.length);
}

/** Returns the file line of a line of new. */
function fileLine({ location, script }: LocatedEdit, line: number): { indent: string; text: string } | undefined {
  const partner = script.linePartners[line] ?? -1;
  const target = partner < 0 ? -1 : location.oldToFile[location.old.lines[partner]!.first]!;
  const token = location.file.tokens[target];
  const indent = token && indentBefore(location.file, target);
  return token && indent !== undefined ? { indent, text: lineText(location.file, token.line) } : undefined;
}
