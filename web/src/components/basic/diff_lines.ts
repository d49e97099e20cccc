/** Reads a unified diff for people. Pure. */

/** A line of a diff. `number`: of the new text, or of the old text for a removed line; absent when the diff does not say. */
export interface DiffLine {
  kind: 'added' | 'removed' | 'context' | 'gap';
  text: string;
  number?: number;
  /** The part that differs from the line in its place: start and end in `text`. */
  changed?: readonly [start: number, end: number];
}

const HUNK = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/;

/** Returns the lines, without the lines that name files and positions. A gap stands between parts of the file. */
export function readDiff(diff: string): DiffLine[] {
  const lines: DiffLine[] = [];
  let position: { before: number; after: number } | undefined;
  const all = diff.replace(/\n$/, '').split('\n');
  const firstHunk = all.findIndex(line => HUNK.test(line));
  for (const line of all.slice(Math.max(0, firstHunk))) {
    const [, before, after] = HUNK.exec(line) ?? [];
    if (before !== undefined) {
      if (position) lines.push({ kind: 'gap', text: '' });
      position = { before: Number(before), after: Number(after) };
      continue;
    }
    const kind = line.startsWith('+') ? 'added' : line.startsWith('-') ? 'removed' : 'context';
    const isNote = line.startsWith('\\');
    lines.push({ kind, text: line, number: isNote || !position ? undefined : kind === 'removed' ? position.before : position.after });
    if (!position || isNote) continue;
    if (kind !== 'added') position.before++;
    if (kind !== 'removed') position.after++;
  }
  return markChanges(lines);
}

/** Counts the added and removed lines. */
export function countChanges(diff: string): { added: number; removed: number } {
  const lines = readDiff(diff);
  const count = (kind: DiffLine['kind']) => lines.filter(line => line.kind === kind).length;
  return { added: count('added'), removed: count('removed') };
}

/** Marks what differs between each removed line and the added line in its place, when as many lines were added as removed, or some stand first. */
function markChanges(lines: DiffLine[]): DiffLine[] {
  const marked = [...lines];
  for (let start = 0; start < lines.length; start++) {
    if (lines[start]?.kind !== 'removed') continue;
    let middle = start;
    while (lines[middle]?.kind === 'removed') middle++;
    let end = middle;
    while (lines[end]?.kind === 'added') end++;
    for (let index = 0; index < Math.min(middle - start, end - middle); index++) markPair(marked, start + index, middle + index);
    start = end - 1;
  }
  return marked;
}

function markPair(lines: DiffLine[], removed: number, added: number): void {
  const [before, after] = [lines[removed], lines[added]];
  if (!before || !after) return;
  const [old, now] = [before.text.slice(1), after.text.slice(1)];
  const shorter = Math.min(old.length, now.length);
  let start = 0;
  while (start < shorter && old[start] === now[start]) start++;
  let end = 0;
  while (end < shorter - start && old.at(-1 - end) === now.at(-1 - end)) end++;
  // Whole words are easier to read. A line that shares less than a third is a new line.
  while (start > 0 && isInWord(old, start, now, start)) start--;
  while (end > 0 && isInWord(old, old.length - end, now, now.length - end)) end--;
  if ((start + end) * 3 < shorter) return;
  lines[removed] = { ...before, changed: [start + 1, before.text.length - end] };
  lines[added] = { ...after, changed: [start + 1, after.text.length - end] };
}

/** Returns true when one of the two texts has a word over the position. */
function isInWord(old: string, oldPosition: number, now: string, nowPosition: number): boolean {
  const isOver = (text: string, position: number) => /^\w\w$/.test(text.slice(position - 1, position + 1));
  return isOver(old, oldPosition) || isOver(now, nowPosition);
}
