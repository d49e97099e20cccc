import type { LineMatch } from './location';
import type { MergeInput } from './merge';
import { gapBefore, lineText } from './tokens';

/** A stretch between two kept tokens of old (edges: -1 and the token count) that the edit changes. */
interface Change {
  before: number;
  after: number;
  /** New text begins on the line of `before`, or ends on the line of `after`. */
  touchesBefore: boolean;
  touchesAfter: boolean;
}

const SHOWN = 160;

/**
 * Why an edit must not be written over lines that old_string quotes inexactly, or undefined when it may. Everything the
 * edit changes must be in the file as quoted (typos and comment prose aside), with nothing unquoted in or beside it.
 */
export function findConflict(input: MergeInput): string | undefined {
  for (const change of listChanges(input)) {
    const problem = checkChange(input, change);
    if (problem) return problem;
  }
  return undefined;
}

function listChanges({ location, next, script }: MergeInput): Change[] {
  const { old } = location;
  const changes: Change[] = [];
  let before = -1;
  let previous = -1;
  for (let j = 0; j <= next.tokens.length; j++) {
    const after = j === next.tokens.length ? old.tokens.length : script.newToOld[j]!;
    if (after < 0) continue;
    const gap = gapBefore(next, j);
    if (after !== before + 1 || j !== previous + 1 || gap !== gapBefore(old, after)) {
      const firstGap = gapBefore(next, previous + 1);
      changes.push({
        before,
        after,
        touchesBefore: before >= 0 && (!firstGap.includes('\n') || !gapBefore(old, before + 1).includes('\n')) && !isEnd(old.tokens.length, after, before),
        touchesAfter: after < old.tokens.length && (!gap.includes('\n') || !gapBefore(old, after).includes('\n')) && !(before < 0 && after === 0),
      });
    }
    before = after;
    previous = j;
  }
  return changes;
}

/** Only the white space after the last token changes. */
function isEnd(count: number, after: number, before: number): boolean {
  return after === count && before === count - 1;
}

function checkChange(input: MergeInput, change: Change): string | undefined {
  const { old, file, lines } = input.location;
  if (!lines) return undefined;
  const low = change.before < 0 ? -1 : old.tokens[change.before]!.line;
  const high = change.after >= old.tokens.length ? old.lines.length : old.tokens[change.after]!.line;
  for (let line = low; line <= high; line++) {
    const match = lines[line];
    if (!match) continue;
    const touched = (line > low && line < high) || (line === low && change.touchesBefore) || (line === high && change.touchesAfter);
    if (match.likeness === 'missing') return `old_string quotes a line that the file does not have there: ${shown(lineText(old, line))}. ${ADVICE}`;
    if (touched && match.likeness === 'different') {
      return `The edit changes a line that reads otherwise in the file. Quoted: ${shown(lineText(old, line))} File: ${shown(lineText(file, match.fileLine))}. ${ADVICE}`;
    }
  }
  const unquoted = findUnquoted(lines, low, high, file.lines.length);
  return unquoted === undefined ? undefined : `The file has a line in the changed part that old_string does not quote: ${shown(lineText(file, unquoted))}. ${ADVICE}`;
}

const ADVICE = 'Read these lines again and quote them exactly.';

/** The first file line from the counterpart of `low` to that of `high` that no line of old stands for. */
function findUnquoted(lines: readonly LineMatch[], low: number, high: number, fileLines: number): number | undefined {
  const counterpart = (line: number): number => (line < 0 ? -1 : (lines[line]?.fileLine ?? fileLines));
  for (let line = low; line < high; line++) {
    const expected = counterpart(line) + 1;
    if (counterpart(line + 1) !== expected) return expected;
  }
  return undefined;
}

function shown(text: string): string {
  return JSON.stringify(text.length > SHOWN ? `${text.slice(0, SHOWN)}...` : text);
}
