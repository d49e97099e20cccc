/** Quotations with a middle left out: some lines further up or down, a marker line, then the lines around the change. */
export const ELIDED = {
  elided_with_dots: (edit, random) => elide(edit, random, () => '...'),
  elided_with_comment: (edit, random) => elide(edit, random, indent => `${indent}${random.pick(COMMENTS)}`),
};

/** The edit lies where the quotation left lines out, so that nothing may be written. */
export const ELIDED_EDITS = {
  elided_change: (edit, random) => {
    const made = elide(edit, random, indent => `${indent}// ... existing code ...`);
    if (!made) return undefined;
    const marker = made.old.split('\n').find(line => line.includes('...'));
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

function elide(edit, random, marker) {
  const lines = edit.content.split('\n');
  const first = edit.content.slice(0, edit.start).split('\n').length - 1;
  const count = edit.old.replace(/\n$/, '').split('\n').length;
  const skipped = 3 + random.below(20);
  const kept = 2 + random.below(2);
  const end = edit.old.endsWith('\n') ? '\n' : '';
  const above = first - skipped - kept;
  if (above >= 0 && random.below(2) === 0) {
    const head = lines.slice(above, above + kept);
    return placed(edit, head, random) && joined(edit, `${head.join('\n')}\n${marker(indentOf(head))}\n`, '');
  }
  const below = first + count + skipped;
  const tail = lines.slice(below, below + kept);
  if (end === '' || tail.length < kept || !placed(edit, tail, random)) return undefined;
  return joined(edit, '', `${marker(indentOf(tail))}\n${tail.join('\n')}\n`);
}

/** The far lines have words and stand in the file once. */
function placed(edit, lines) {
  const text = lines.join('\n');
  return /\w{4}/.test(text) && lines.every(line => line.trim() !== '') && edit.content.split(text).length === 2;
}

function joined(edit, head, tail) {
  const old = head + edit.old + tail;
  const start = head === '' ? edit.start : edit.content.indexOf(head.slice(0, head.indexOf('\n')));
  const result = { content: edit.content, expected: edit.expected, old, next: head + edit.next + tail };
  return { ...result, start: Math.min(edit.start, Math.max(0, start)), end: edit.end };
}

function indentOf(lines) {
  return /^\s*/.exec(lines.at(-1))[0];
}
