/** Judges one answer. `edit` has content, expected, start and end of the true place in content. */
export function judge(edit, result) {
  if (result === undefined) return { outcome: 'refused' };
  if (result === edit.expected) return { outcome: 'exact', rightPlace: true };
  const rightPlace = changesOnlyWithin(edit, result);
  return { outcome: 'other', rightPlace, damage: !rightPlace || losesLines(edit, result) };
}

/** Everything before and after the quoted place is byte-identical. */
function changesOnlyWithin({ content, start, end }, result) {
  const tail = content.length - end;
  return result.length >= start + tail && result.startsWith(content.slice(0, start)) && result.endsWith(content.slice(end));
}

/** A line that the right answer keeps is gone, white space and typography aside. */
function losesLines({ content, expected, start, end }, result) {
  const grow = expected.length - content.length;
  const kept = countLines(content.slice(start, end));
  const wanted = countLines(expected.slice(start, end + grow));
  const present = countLines(result.slice(start, end + result.length - content.length));
  const everything = result.replace(/\s+/g, '').normalize('NFKC');
  for (const [line, count] of kept) {
    const need = Math.min(count, wanted.get(line) ?? 0);
    if ((present.get(line) ?? 0) < need && !everything.includes(line.normalize('NFKC'))) return true;
  }
  return false;
}

function countLines(text) {
  const counts = new Map();
  for (const line of text.split('\n')) {
    const key = line.replace(/\s+/g, '');
    if (key !== '') counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}
