/** Misquotations of context lines. */

export function changed(edit, result) {
  return result.old === edit.old && result.content === undefined ? undefined : result;
}

export function isComment(line) {
  return /^\s*(\/\/|\*|\/\*|#)/.test(line);
}

/** Returns the context lines above and below the change as [index in old, index in next]. */
export function contextLines(edit) {
  const oldLines = edit.old.replace(/\n$/, '').split('\n');
  const newLines = edit.next.replace(/\n$/, '').split('\n');
  const pairs = [];
  for (let i = 0; i < edit.above; i++) pairs.push([i, i]);
  for (let i = edit.below; i > 0; i--) pairs.push([oldLines.length - i, newLines.length - i]);
  return { oldLines, newLines, pairs };
}

/** Changes one context line in old and new alike. With `inside`, the line is neither at an edge of the quotation nor next to the change. */
export function onContextLine(edit, random, change, inside = false) {
  const { oldLines, newLines, pairs } = contextLines(edit);
  const usable = pairs.filter(
    ([i]) =>
      oldLines[i]?.trim() !== '' &&
      i + 1 < oldLines.length &&
      change(oldLines[i]) !== undefined &&
      i + 1 !== edit.above &&
      (!inside || (i > 0 && oldLines.slice(i + 1).some(line => line.trim() !== ''))),
  );
  if (usable.length === 0) return undefined;
  const [i, j] = random.pick(usable);
  if (oldLines[i] !== newLines[j]) return undefined;
  const end = edit.old.endsWith('\n') ? '\n' : '';
  const text = change(oldLines[i]);
  oldLines[i] = text;
  newLines[j] = text;
  return changed(edit, { old: oldLines.join('\n') + end, next: newLines.join('\n') + end });
}

export function wrap(line) {
  const spaces = [...line.matchAll(/(?<=\S) (?=\S)/g)].map(match => match.index);
  const at = spaces[spaces.length >> 1];
  return at === undefined ? undefined : `${line.slice(0, at)}\n${/^\s*/.exec(line)[0]}  ${line.slice(at + 1)}`;
}

export function joinContext(edit, random) {
  const { oldLines, newLines, pairs } = contextLines(edit);
  const usable = pairs.filter(([i, j]) => {
    const isPair = pairs.some(([k, l]) => k === i + 1 && l === j + 1);
    return isPair && oldLines[i].trim() !== '' && oldLines[i + 1].trim() !== '' && !isComment(oldLines[i]);
  });
  if (usable.length === 0) return undefined;
  const [i, j] = random.pick(usable);
  const joined = `${oldLines[i].trimEnd()} ${oldLines[i + 1].trimStart()}`;
  oldLines.splice(i, 2, joined);
  newLines.splice(j, 2, joined);
  const end = edit.old.endsWith('\n') ? '\n' : '';
  return { old: oldLines.join('\n') + end, next: newLines.join('\n') + end };
}

/** Drops blank context lines that do not touch the change. */
export function loseContextBlanks(edit) {
  const { oldLines, newLines, pairs } = contextLines(edit);
  const gone = pairs.filter(
    ([i]) => oldLines[i]?.trim() === '' && i > 0 && i + 1 < oldLines.length && i + 1 !== edit.above && i !== oldLines.length - edit.below,
  );
  if (gone.length === 0) return undefined;
  for (const [i, j] of gone.reverse()) {
    oldLines.splice(i, 1);
    newLines.splice(j, 1);
  }
  const end = edit.old.endsWith('\n') ? '\n' : '';
  return { old: oldLines.join('\n') + end, next: newLines.join('\n') + end };
}

export function rewordComment(edit, random) {
  return onContextLine(edit, random, line => {
    if (!/^\s*(\/\/|\*) [A-Za-z ,.`']{20,}$/.test(line)) return undefined;
    return line
      .replace(/\bthe\b/g, 'this')
      .replace(/\bis\b/g, 'will be')
      .replace(/\b(\w{5,})\b(?=[^\w]*$)/, '$1 here')
      .replace(/\ba\b/g, 'one');
  });
}

export function forget(edit, random, count) {
  const { oldLines, newLines, pairs } = contextLines(edit);
  const inner = pairs.filter(
    ([i]) => i > 0 && i + 1 < oldLines.length && i + 1 !== edit.above && i !== oldLines.length - edit.below && oldLines[i].trim() !== '',
  );
  if (inner.length < count || oldLines.filter(line => line.trim() !== '').length < 4 + count) return undefined;
  const gone = [];
  while (gone.length < count) gone.push(inner.splice(random.below(inner.length), 1)[0]);
  gone.sort((a, b) => b[0] - a[0]);
  for (const [i, j] of gone) {
    oldLines.splice(i, 1);
    newLines.splice(j, 1);
  }
  const end = edit.old.endsWith('\n') ? '\n' : '';
  return { old: oldLines.join('\n') + end, next: newLines.join('\n') + end };
}
