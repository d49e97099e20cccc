import type { Bilingual } from '../../../utils/bilingual';
import { differsInQuotesOnly } from '../align/line_differences';
import type { LocatedEdit } from '../located_edit';
import type { LineMatchKind } from '../location';
import { countBreaks, lineText, spacingBefore, type Token, type TokenText } from '../tokens';
import { mixesQuotes } from '../write/typography';

/**
 * A changed block: the lines of old and of new between two context lines. The context lines are excluded; at the edges they
 * are -1 and the line count.
 */
interface ChangedBlock {
  before: number;
  after: number;
  newBefore: number;
  newAfter: number;
}

/** Kinds that a replaced line must not have. */
const MISMATCHED: ReadonlySet<LineMatchKind> = new Set<LineMatchKind>(['different', 'stale', 'restyled']);
/** Kinds that a line with changed indentation must not have. */
const ABSENT: ReadonlySet<LineMatchKind> = new Set<LineMatchKind>(['different', 'missing']);
const MAX_SHOWN = 160;

/** Adds what to do next. */
const advise = (en: string, zhCN: string): Bilingual => ({
  en: `${en} Read these lines again and quote them exactly.`,
  'zh-CN': `${zhCN}请重新读取这些行并准确引用。`,
});

/**
 * Returns why an inexactly quoted edit conflicts with the file, or undefined. Every line that the edit changes must be in the
 * file as quoted (typos and comment wording aside), and the file must have no unquoted line in or next to the change.
 */
export function findConflict(input: LocatedEdit): Bilingual | undefined {
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

function checkBlock(input: LocatedEdit, block: ChangedBlock, following: ChangedBlock | undefined): Bilingual | undefined {
  const { old, file, lines } = input.location;
  if (!lines) return undefined;
  // A context line between two changes is checked too, because it separates them.
  const end = following?.before === block.after ? block.after + 1 : block.after;
  for (let line = block.before + 1; line < end; line++) {
    const match = lines[line]!;
    if (match.kind === 'ambiguous') return describeAmbiguousContext(lineText(old, line));
    if (match.kind === 'elided') return advise('The edit changes lines that old_string omits.', '改动涉及 old_string 省略的行。');
    const quoted = shown(lineText(old, line));
    if (match.kind === 'missing')
      return advise(
        `old_string quotes a line that the file does not have there: ${quoted}.`,
        `old_string 引用了文件在该处没有的行：${quoted}。`,
      );
    const mismatched = MISMATCHED.has(match.kind) && !differsInQuoteStyle(input, block, line);
    if (mismatched && (line < block.after || match.kind === 'different')) {
      const present = shown(lineText(file, match.fileLine));
      return advise(
        `The edit changes a line that is different in the file. Quoted: ${quoted} File: ${present}.`,
        `要改的行与文件不同。引用：${quoted} 文件：${present}。`,
      );
    }
  }
  for (const line of [block.before, block.after]) {
    if (lines[line]?.kind === 'ambiguous') return describeAmbiguousContext(lineText(old, line));
  }
  return findNeighbourProblem(input, block);
}

/** Returns what is wrong with the lines next to the changed lines, or undefined. */
function findNeighbourProblem(input: LocatedEdit, block: ChangedBlock): Bilingual | undefined {
  const { old, file } = input.location;
  if (touchesElidedLines(input, block))
    return advise(
      'The edit writes next to lines that old_string omits, so its place is ambiguous.',
      '改动紧邻 old_string 省略的行，因此位置不明确。',
    );
  const moved = findMovedLine(input, block);
  if (moved !== undefined) {
    const line = shown(lineText(old, moved));
    return advise(`The edit moves a line that the file does not have there: ${line}.`, `改动移动了文件在该处没有的行：${line}。`);
  }
  const unquoted = findUnquotedLine(input, block);
  if (unquoted === undefined) return undefined;
  const line = shown(lineText(file, unquoted));
  return advise(
    `The file has a line in or next to the changed part that old_string does not quote: ${line}.`,
    `文件在改动之处或其紧邻处有 old_string 没有引用的行：${line}。`,
  );
}

/** Finds a context line next to the block that the file lacks or has otherwise, if the edit changes its indentation or spacing. */
function findMovedLine({ location, next }: LocatedEdit, block: ChangedBlock): number | undefined {
  const { old, lines } = location;
  const isSpaceOnly = block.after === block.before + 1 && block.newAfter === block.newBefore + 1;
  const edges = [
    [block.before, block.newBefore],
    [block.after, block.newAfter],
  ] as const;
  const moved = edges.find(
    ([line, newLine]) => ABSENT.has(lines?.[line]?.kind ?? 'equal') && (isSpaceOnly || lineIndent(old, line) !== lineIndent(next, newLine)),
  );
  return moved?.[0];
}

/** Returns true when the changed line differs only in the kind of quotes and each new line uses one kind. */
function differsInQuoteStyle({ location, next }: LocatedEdit, block: ChangedBlock, line: number): boolean {
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

/** Returns true when no kept or modified line separates the change from a marker for omitted lines. */
function touchesElidedLines({ location, next, script }: LocatedEdit, block: ChangedBlock): boolean {
  const { old, lines } = location;
  const touches = (marker: number, line: number, newLine: number): boolean =>
    lines?.[marker]?.kind === 'elided' &&
    (script.linePartners[newLine] !== line ||
      countBreaks(lineSpacing(old, Math.max(line, marker))) !== countBreaks(lineSpacing(next, newLine + (line < marker ? 1 : 0))));
  return touches(block.before, block.before + 1, block.newBefore + 1) || touches(block.after, block.after - 1, block.newAfter - 1);
}

function describeAmbiguousContext(line: string): Bilingual {
  return {
    en: `The lines around the change stand in several places: ${shown(line)}. Quote them together with the lines between them.`,
    'zh-CN': `改动前后的行出现在多处：${shown(line)}。请连同它们之间的行一起引用。`,
  };
}

/** Returns the first file line in or next to the block that old does not quote. Context lines that the file lacks are skipped. */
function findUnquotedLine(input: LocatedEdit, block: ChangedBlock): number | undefined {
  const { file } = input.location;
  const lines = input.location.lines ?? [];
  // A replaced line next to a marker has an exact place of its own.
  let first = lines[block.before]?.kind === 'elided' ? block.before + 1 : block.before;
  let last = lines[block.after]?.kind === 'elided' ? block.after - 1 : block.after;
  while (first >= 0 && lines[first]?.kind === 'missing') first--;
  while (last < lines.length && lines[last]?.kind === 'missing') last++;
  let line = first;
  let counterpart = lines[first]?.fileLine ?? -1;
  while (line < last) {
    let following = line + 1;
    while (following < last && lines[following]!.kind === 'missing') following++;
    const target = lines[following]?.fileLine ?? file.lines.length;
    const adjacent = following === line + 1;
    if (target !== counterpart + 1 && !(adjacent && isSeparatedByBlankLine(input, block, { line, from: counterpart + 1, to: target })))
      return counterpart + 1;
    line = following;
    counterpart = target;
  }
  return undefined;
}

/**
 * Returns true when a blank line separates the unquoted file lines [from, to) after old line `line` from the change. Old quotes
 * the blank line, new keeps it and the file has it.
 */
function isSeparatedByBlankLine(input: LocatedEdit, block: ChangedBlock, unquoted: { line: number; from: number; to: number }): boolean {
  const { old, file } = input.location;
  const quoted = lineSpacing(old, unquoted.line + 1);
  if (countBreaks(quoted) < 2) return false;
  const afterBlock = unquoted.line + 1 === block.after && lineSpacing(input.next, block.newAfter) === quoted;
  const beforeBlock = unquoted.line === block.before && lineSpacing(input.next, block.newBefore + 1) === quoted;
  if (afterBlock === beforeBlock) return false;
  return countBreaks(lineSpacing(file, afterBlock ? unquoted.from : unquoted.to)) >= 2;
}

/** Returns the spacing before a line; for the line count, the spacing after the last line. */
function lineSpacing(view: TokenText, line: number): string {
  return spacingBefore(view, view.lines[line]?.first ?? view.tokens.length);
}

function lineIndent(view: TokenText, line: number): string {
  const spacing = lineSpacing(view, line);
  return spacing.slice(spacing.lastIndexOf('\n') + 1);
}

function shown(text: string): string {
  return JSON.stringify(text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}...` : text);
}
