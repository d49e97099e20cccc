/** Scores one result. `edit` has content, expected, and start and end of the right place in content. */
export function judge(edit, result) {
  if (result === undefined) return { outcome: 'refused' };
  if (result === edit.expected) return { outcome: 'exact', rightPlace: true };
  const rightPlace = changesOnlyWithin(edit, result);
  return { outcome: 'other', rightPlace, damage: !rightPlace || losesLines(edit, result) };
}

/** Returns true when everything before and after the quoted place is byte-identical. */
function changesOnlyWithin({ content, start, end }, result) {
  const tail = content.length - end;
  return result.length >= start + tail && result.startsWith(content.slice(0, start)) && result.endsWith(content.slice(end));
}

/** Returns true when a line that the expected result keeps is gone, white space and typography aside. */
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
