import { differsInQuotesOnly } from '../align/line_differences';
import type { LocatedEdit } from '../located_edit';
import type { LineMatchKind } from '../location';
import { countBreaks, lineText, spacingBefore, type Token, type TokenText } from '../tokens';
import { mixesQuotes } from '../write/typography';

/**
 * A changed block: the lines of old between two lines that new keeps as they are (edges: -1 and the line count), and the
 * same two lines in new.
 */
interface ChangedBlock {
  before: number;
  after: number;
  newBefore: number;
  newAfter: number;
}

/** A line that the edit replaces must not be there in one of these forms. */
const OTHERWISE: ReadonlySet<LineMatchKind> = new Set<LineMatchKind>(['different', 'stale', 'restyled']);
/** A line that only gets another indentation must be there. */
const ELSEWHERE: ReadonlySet<LineMatchKind> = new Set<LineMatchKind>(['different', 'missing']);
const SHOWN = 160;
const ADVICE = 'Read these lines again and quote them exactly.';

/**
 * Why an edit must not be written over lines that old_string quotes inexactly, or undefined when it may. Everything the
 * edit changes must be in the file as quoted (typos and comment prose aside), with nothing unquoted in or beside it.
 */
export function findConflict(input: LocatedEdit): string | undefined {
  const blocks = listChangedBlocks(input);
  for (const [index, block] of blocks.entries()) {
    const problem = checkBlock(input, block, blocks[index + 1]);
    if (problem) return problem;
  }
  return undefined;
}

function listChangedBlocks({ location, next, script }: LocatedEdit): ChangedBlock[] {
  const { old } = location;
  const blocks: ChangedBlock[] = [];
  let before = -1;
  let previous = -1;
  for (let line = 0; line <= next.lines.length; line++) {
    const after = line === next.lines.length ? old.lines.length : script.linePartners[line]!;
    if (after < 0 || (line < next.lines.length && lineText(next, line) !== lineText(old, after))) continue;
    if (after !== before + 1 || line !== previous + 1 || lineSpacing(old, after) !== lineSpacing(next, line))
      blocks.push({ before, after, newBefore: previous, newAfter: line });
    before = after;
    previous = line;
  }
  return blocks;
}

function checkBlock(input: LocatedEdit, block: ChangedBlock, following: ChangedBlock | undefined): string | undefined {
  const { old, file, lines } = input.location;
  if (!lines) return undefined;
  /** A line that stays, but between two changes, must be there to tell the changes apart. */
  const end = following?.before === block.after ? block.after + 1 : block.after;
  for (let line = block.before + 1; line < end; line++) {
    const match = lines[line]!;
    if (match.kind === 'ambiguous') return severalPlaces(lineText(old, line));
    if (match.kind === 'elided') return `The edit changes lines that old_string leaves out. ${ADVICE}`;
    if (match.kind === 'missing')
      return `old_string quotes a line that the file does not have there: ${shown(lineText(old, line))}. ${ADVICE}`;
    const otherwise = OTHERWISE.has(match.kind) && !isHarmless(input, block, line);
    if (otherwise && (line < block.after || match.kind === 'different')) {
      return `The edit changes a line that reads otherwise in the file. Quoted: ${shown(lineText(old, line))} File: ${shown(lineText(file, match.fileLine))}. ${ADVICE}`;
    }
  }
  for (const line of [block.before, block.after]) {
    if (lines[line]?.kind === 'ambiguous') return severalPlaces(lineText(old, line));
  }
  if (isOpenBeside(input, block)) return `The edit writes beside lines that old_string leaves out, so that its place is open. ${ADVICE}`;
  const moved = findMoved(input, block);
  if (moved !== undefined) return `The edit moves a line that the file does not have there: ${shown(lineText(old, moved))}. ${ADVICE}`;
  const unquoted = findUnquoted(input, block);
  return unquoted === undefined
    ? undefined
    : `The file has a line in or beside the changed part that old_string does not quote: ${shown(lineText(file, unquoted))}. ${ADVICE}`;
}

/** A line beside the block that the file has not, or otherwise, and whose indentation, or space to its neighbour, changes. */
function findMoved({ location, next }: LocatedEdit, block: ChangedBlock): number | undefined {
  const { old, lines } = location;
  const isSpaceOnly = block.after === block.before + 1 && block.newAfter === block.newBefore + 1;
  const edges = [
    [block.before, block.newBefore],
    [block.after, block.newAfter],
  ] as const;
  const moved = edges.find(
    ([line, newLine]) =>
      ELSEWHERE.has(lines?.[line]?.kind ?? 'equal') && (isSpaceOnly || lineIndent(old, line) !== lineIndent(next, newLine)),
  );
  return moved?.[0];
}

/** The line that the edit changes has other quotes and nothing else, and the new lines have one kind of quotes. */
function isHarmless({ location, next }: LocatedEdit, block: ChangedBlock, line: number): boolean {
  const { old, file } = location;
  const match = location.lines?.[line];
  if (match?.kind !== 'restyled') return false;
  if (!differsInQuotesOnly(lineTokens(old, line), lineTokens(file, match.fileLine))) return false;
  for (let k = block.newBefore + 1; k < block.newAfter; k++) if (mixesQuotes(next, k)) return false;
  return true;
}

function lineTokens(view: TokenText, line: number): Token[] {
  const { first, last } = view.lines[line]!;
  return view.tokens.slice(first, last + 1);
}

/** Between the change and a marker for lines left out there is no line that the edit keeps or reworks. */
function isOpenBeside({ location, next, script }: LocatedEdit, block: ChangedBlock): boolean {
  const { old, lines } = location;
  const isOpen = (marker: number, line: number, newLine: number): boolean =>
    lines?.[marker]?.kind === 'elided' &&
    (script.linePartners[newLine] !== line ||
      countBreaks(lineSpacing(old, Math.max(line, marker))) !== countBreaks(lineSpacing(next, newLine + (line < marker ? 1 : 0))));
  return isOpen(block.before, block.before + 1, block.newBefore + 1) || isOpen(block.after, block.after - 1, block.newAfter - 1);
}

function severalPlaces(line: string): string {
  return `The lines around the change stand in several places: ${shown(line)}. Quote them together with what lies between.`;
}

/** The first file line in or beside the block that no line of old stands for. Kept lines the file lacks are passed over. */
function findUnquoted(input: LocatedEdit, block: ChangedBlock): number | undefined {
  const { file } = input.location;
  const lines = input.location.lines ?? [];
  // A replaced line beside a marker has its place by itself.
  let first = lines[block.before]?.kind === 'elided' ? block.before + 1 : block.before;
  let last = lines[block.after]?.kind === 'elided' ? block.after - 1 : block.after;
  while (first >= 0 && lines[first]!.kind === 'missing') first--;
  while (last < lines.length && lines[last]!.kind === 'missing') last++;
  let line = first;
  let counterpart = first < 0 ? -1 : lines[first]!.fileLine;
  while (line < last) {
    let following = line + 1;
    while (following < last && lines[following]!.kind === 'missing') following++;
    const target = lines[following]?.fileLine ?? file.lines.length;
    const adjacent = following === line + 1;
    if (target !== counterpart + 1 && !(adjacent && isSetApart(input, block, { line, from: counterpart + 1, to: target })))
      return counterpart + 1;
    line = following;
    counterpart = target;
  }
  return undefined;
}

/**
 * Unquoted file lines [from, to) after old line `line` are out of the way when a blank line that old quotes, new keeps
 * and the file has stands between them and the change.
 */
function isSetApart(input: LocatedEdit, block: ChangedBlock, hole: { line: number; from: number; to: number }): boolean {
  const { old, file } = input.location;
  const quoted = lineSpacing(old, hole.line + 1);
  if (countBreaks(quoted) < 2) return false;
  const afterBlock = hole.line + 1 === block.after && lineSpacing(input.next, block.newAfter) === quoted;
  const beforeBlock = hole.line === block.before && lineSpacing(input.next, block.newBefore + 1) === quoted;
  if (afterBlock === beforeBlock) return false;
  return countBreaks(lineSpacing(file, afterBlock ? hole.from : hole.to)) >= 2;
}

/** The spacing before a line; after the last line for the line count. */
function lineSpacing(view: TokenText, line: number): string {
  return spacingBefore(view, view.lines[line]?.first ?? view.tokens.length);
}

function lineIndent(view: TokenText, line: number): string {
  const spacing = lineSpacing(view, line);
  return spacing.slice(spacing.lastIndexOf('\n') + 1);
}

function shown(text: string): string {
  return JSON.stringify(text.length > SHOWN ? `${text.slice(0, SHOWN)}...` : text);
}
