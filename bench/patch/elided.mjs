import { contextLines } from './context_lines.mjs';

/** Quotations with omitted lines: some lines further up or down, a marker line, then the lines around the change. */
export const ELIDED = {
  elided_with_dots: (edit, random) => elide(edit, random, () => '...'),
  elided_up_to_change: (edit, random) => elideUpToChange(edit, random),
  elided_with_comment: (edit, random) => elide(edit, random, indent => `${indent}${random.pick(COMMENTS)}`),
};

/** Like elide, but the marker replaces all context above a line that the edit replaces. */
function elideUpToChange(edit, random) {
  const { oldLines, newLines } = contextLines(edit);
  const [old, next] = [oldLines, newLines].map(lines => lines.slice(edit.above));
  if (oldLines.length === edit.above + edit.below || next[0] === undefined || newLines.length <= edit.above + edit.below) return undefined;
  const dropped = oldLines.slice(0, edit.above).join('\n').length + 1;
  const start = edit.above === 0 ? edit.start : edit.start + dropped;
  const end = edit.old.endsWith('\n') ? '\n' : '';
  const near = { ...edit, old: old.join('\n') + end, next: next.join('\n') + end, start, above: 0 };
  return edit.content.slice(start, edit.end) === near.old ? elide(near, random, () => '...', true) : undefined;
}

/** The edit changes the omitted lines, so nothing may be written. */
export const ELIDED_EDITS = {
  elided_change: (edit, random) => {
    const made = elide(edit, random, indent => `${indent}// ... existing code ...`);
    if (!made) return undefined;
    const marker = made.old.split('\n').find(line => line.includes('... existing code ...'));
    const lines = made.next.split('\n');
    const at = lines.indexOf(marker);
    return {
      content: edit.content,
      old: made.old,
      next: lines.toSpliced(at, 1, `${/^\s*/.exec(marker)[0]}replaced(everything);`).join('\n'),
    };
  },
  elided_insertion: (edit, random) => {
    const made = elide({ ...edit, next: edit.old }, random, indent => `${indent}// ... existing code ...`);
    if (!made) return undefined;
    const lines = made.old.split('\n');
    const at = lines.findIndex(line => line.includes('... existing code ...'));
    return { content: edit.content, old: made.old, next: lines.toSpliced(at + random.below(2), 0, 'inserted(somewhere);').join('\n') };
  },
};

const COMMENTS = ['// ... existing code ...', '// ...', '/* ... */', '# ...', '// ... rest of the code ...', '// ... (unchanged) ...'];

function elide(edit, random, marker, isAbove = random.below(2) === 0) {
  const lines = edit.content.split('\n');
  const first = edit.content.slice(0, edit.start).split('\n').length - 1;
  const count = edit.old.replace(/\n$/, '').split('\n').length;
  const skipped = 3 + random.below(20);
  const kept = 2 + random.below(2);
  const end = edit.old.endsWith('\n') ? '\n' : '';
  const above = first - skipped - kept;
  if (above >= 0 && isAbove) {
    const head = lines.slice(above, above + kept);
    return placed(edit, head) && joined(edit, `${head.join('\n')}\n${marker(indentOf(head))}\n`, '');
  }
  const below = first + count + skipped;
  const tail = lines.slice(below, below + kept);
  if (end === '' || tail.length < kept || !placed(edit, tail)) return undefined;
  return joined(edit, '', `${marker(indentOf(tail))}\n${tail.join('\n')}\n`);
}

/** Returns true when the far lines contain words and are unique in the file. */
function placed(edit, lines) {
  const text = lines.join('\n');
  return /\w{4}/.test(text) && lines.every(line => line.trim() !== '') && edit.content.split(text).length === 2;
}

function joined(edit, head, tail) {
  const old = head + edit.old + tail;
  const start = head === '' ? edit.start : edit.content.indexOf(head.slice(0, head.trimEnd().lastIndexOf('\n') + 1));
  const result = { content: edit.content, expected: edit.expected, old, next: head + edit.next + tail };
  return { ...result, start: Math.min(edit.start, Math.max(0, start)), end: edit.end };
}

function indentOf(lines) {
  return /^\s*/.exec(lines.at(-1))[0];
}
