import type { LineMatch } from './location';
import type { MergeInput } from './merge';
import { gapBefore, lineText } from './tokens';

/** A changed block of old: the lines between two lines that new keeps as they are (edges: -1 and the line count). */
interface ChangedBlock {
  before: number;
  after: number;
}

const SHOWN = 160;
const ADVICE = 'Read these lines again and quote them exactly.';

/**
 * Why an edit must not be written over lines that old_string quotes inexactly, or undefined when it may. Everything the
 * edit changes must be in the file as quoted (typos and comment prose aside), with nothing unquoted in or beside it.
 */
export function findConflict(input: MergeInput): string | undefined {
  for (const block of listChangedBlocks(input)) {
    const problem = checkBlock(input, block);
    if (problem) return problem;
  }
  return undefined;
}

function listChangedBlocks({ location, next, script }: MergeInput): ChangedBlock[] {
  const { old } = location;
  const blocks: ChangedBlock[] = [];
  let before = -1;
  let previous = -1;
  for (let line = 0; line <= next.lines.length; line++) {
    const after = line === next.lines.length ? old.lines.length : script.linePartners[line]!;
    if (after < 0 || (line < next.lines.length && lineText(next, line) !== lineText(old, after))) continue;
    const oldGap = gapBefore(old, old.lines[after]?.first ?? old.tokens.length);
    const newGap = gapBefore(next, next.lines[line]?.first ?? next.tokens.length);
    if (after !== before + 1 || line !== previous + 1 || oldGap !== newGap) blocks.push({ before, after });
    before = after;
    previous = line;
  }
  return blocks;
}

function checkBlock({ location }: MergeInput, { before, after }: ChangedBlock): string | undefined {
  const { old, file, lines } = location;
  if (!lines) return undefined;
  for (let line = Math.max(0, before); line <= Math.min(after, old.lines.length - 1); line++) {
    const match = lines[line]!;
    if (match.likeness === 'missing') return `old_string quotes a line that the file does not have there: ${shown(lineText(old, line))}. ${ADVICE}`;
    if (match.likeness === 'different' && line > before && line < after) {
      return `The edit changes a line that reads otherwise in the file. Quoted: ${shown(lineText(old, line))} File: ${shown(lineText(file, match.fileLine))}. ${ADVICE}`;
    }
  }
  const unquoted = findUnquoted(lines, { before, after }, file.lines.length);
  return unquoted === undefined ? undefined : `The file has a line in or beside the changed part that old_string does not quote: ${shown(lineText(file, unquoted))}. ${ADVICE}`;
}

/** The first file line between the counterparts of the two kept lines that no line of old stands for. */
function findUnquoted(lines: readonly LineMatch[], { before, after }: ChangedBlock, fileLines: number): number | undefined {
  const counterpart = (line: number): number => (line < 0 ? -1 : (lines[line]?.fileLine ?? fileLines));
  for (let line = before; line < after; line++) {
    const expected = counterpart(line) + 1;
    if (counterpart(line + 1) !== expected) return expected;
  }
  return undefined;
}

function shown(text: string): string {
  return JSON.stringify(text.length > SHOWN ? `${text.slice(0, SHOWN)}...` : text);
}
