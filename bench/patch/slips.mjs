import { changed, contextLines, isComment } from './context_lines.mjs';
import { ELIDED } from './elided.mjs';
import { hashText } from './random.mjs';

/** Misquotations from memory: other words, another style, an extra line, omitted lines. Same shape as MISQUOTES. */
export const SLIPS = {
  context_paraphrased: (edit, random) => onInnerLine(edit, random, line => paraphrase(line)),
  context_replaced: (edit, random) => onInnerLine(edit, random, line => replaceLine(line, random)),
  context_line_of_the_file: (edit, random) => onInnerLine(edit, random, line => otherLineOfFile(edit, line, random)),
  comment_reworded_anywhere: (edit, random) => onAnyLine(edit, random, line => rewordComment(line, random)),
  comment_word_case: (edit, random) => onAnyLine(edit, random, line => (isRemark(line) ? swapCase(line, random) : undefined)),
  extra_line_anywhere: (edit, random) => withExtraLine(edit, random, 'inside'),
  extra_line_at_edge: (edit, random) => withExtraLine(edit, random, 'edge'),
  quote_style: edit => onContext(edit, line => swapQuotes(line)),
  quote_style_everywhere: edit => changed(edit, { old: swapQuotes(edit.old), next: swapQuotes(edit.next) }),
  semicolon_lost: edit => onContext(edit, line => line.replace(/;(?=[ \t]*$)/, '')),
  semicolon_added: edit => onContext(edit, line => (isComment(line) ? line : line.replace(/(?<=[\w)'"\]])[ \t]*$/, ';'))),
  trailing_comma_lost: (edit, random) => onAnyLine(edit, random, line => line.replace(/,(?=[ \t]*$)/, '')),
  trailing_comma_added: (edit, random) => onAnyLine(edit, random, line => line.replace(/(?<=[\w)'"\]}])[ \t]*$/, ',')),
  typo_in_changed_line: (edit, random) => typoOnLine(edit, random, 'changed'),
  typo_in_context_line: (edit, random) => typoOnLine(edit, random, 'context'),
  trailing_blanks_in_file: edit => fileWithTrailingBlanks(edit, () => true),
  trailing_blanks_in_file_some: edit => fileWithTrailingBlanks(edit, line => hashText(line) % 2 === 0),
  line_ends_mixed: edit => mixLineEnds(edit, (_, i) => i % 3 !== 0),
  line_ends_half: edit => mixLineEnds(edit, (_, i, half) => i < half),
  overlapping_matches: edit => overlap(edit),
  ...ELIDED,
};

const end = text => (text.endsWith('\n') ? '\n' : '');

/** Returns the context lines that `accepts` as [index in old, index in next]. */
function usable(edit, accepts) {
  const { oldLines, newLines, pairs } = contextLines(edit);
  return pairs.filter(
    ([i, j]) => oldLines[i] !== undefined && oldLines[i] === newLines[j] && oldLines[i].trim() !== '' && accepts(i, oldLines),
  );
}

/** Changes one context line in old and new alike. */
function onOne(edit, random, change, accepts) {
  const { oldLines, newLines } = contextLines(edit);
  const candidates = usable(edit, accepts)
    .map(([i, j]) => [i, j, change(oldLines[i])])
    .filter(([i, , text]) => text !== undefined && text !== oldLines[i]);
  if (candidates.length === 0) return undefined;
  const [i, j, text] = random.pick(candidates);
  return changed(edit, {
    old: oldLines.with(i, text).join('\n') + end(edit.old),
    next: newLines.with(j, text).join('\n') + end(edit.next),
  });
}

const onAnyLine = (edit, random, change) => onOne(edit, random, change, () => true);

/** Returns true for a line between the first and the last non-blank line. */
function onInnerLine(edit, random, change) {
  return onOne(edit, random, change, (i, lines) => isWritten(lines.slice(0, i)) && isWritten(lines.slice(i + 1)));
}

function isWritten(lines) {
  return lines.some(line => line.trim() !== '');
}

/** Changes every context line in old and new alike. */
function onContext(edit, change) {
  const { oldLines, newLines } = contextLines(edit);
  for (const [i, j] of usable(edit, () => true)) {
    oldLines[i] = change(oldLines[i]);
    newLines[j] = oldLines[i];
  }
  return changed(edit, { old: oldLines.join('\n') + end(edit.old), next: newLines.join('\n') + end(edit.next) });
}

const SYNONYMS = ['value', 'entry', 'target', 'current', 'source', 'handle', 'context', 'record'];

/** Paraphrases a line: replaces some names, adds or removes a word. */
function paraphrase(line) {
  let names = 0;
  const text = line.replace(/\b[A-Za-z_]{4,}\b/g, word =>
    hashText(word) % 2 || names++ > 2 ? word : SYNONYMS[hashText(`${word}.`) % SYNONYMS.length],
  );
  if (text !== line) return text;
  return /\w \w/.test(line) ? line.replace(/(\w) (\w)/, '$1 much $2') : undefined;
}

const OTHER_LINES = [
  'const outcome = await this.manager.resolve(options);',
  'if (!isReady(state)) return;',
  "throw new Error('The request could not be read.');",
  'items.forEach(item => register(item));',
  'this.logger.debug(message, { attempt });',
  'name: formatName(user.first, user.last),',
];

function replaceLine(line, random) {
  const indent = /^\s*/.exec(line)[0];
  return isComment(line)
    ? `${indent}${/^(\/\/|\*|\/\*|#)/.exec(line.trim())[0]} See the notes on caching above.`
    : indent + random.pick(OTHER_LINES);
}

/** Returns a line from another place of the same file. */
function otherLineOfFile(edit, line, random) {
  const lines = edit.content.split('\n').filter(other => other.trim().length > 8 && other !== line && !edit.old.includes(other.trim()));
  return lines.length > 0 ? random.pick(lines) : undefined;
}

function isRemark(line) {
  return /^\s*(\/\/|\*|\/\*+|#) .*[A-Za-z]{3,}.*[A-Za-z]{3,}/.test(line);
}

const REMARKS = ['the caller is responsible for this', 'see above', 'note that this may be empty', 'handles the usual case first'];

function rewordComment(line, random) {
  if (!isRemark(line)) return undefined;
  const [, head, text] = /^(\s*(?:\/\/|\*|\/\*+|#) )(.*?)\r?$/.exec(line);
  const words = text.split(' ');
  switch (random.below(3)) {
    case 0:
      return (
        head +
        words.map(word => (/^[a-z]{4,}$/.test(word) && hashText(word) % 2 ? SYNONYMS[hashText(word) % SYNONYMS.length] : word)).join(' ')
      );
    case 1:
      return words.length > 3 ? head + words.filter((_, i) => i % 3 !== 1).join(' ') : undefined;
    default:
      return /[`@{}*<>]|\*\/$/.test(text) ? undefined : `${head}${random.pick(REMARKS)}`;
  }
}

function swapCase(line, random) {
  const words = [...line.matchAll(/\b[A-Za-z]{3,}\b/g)];
  const word = random.pick(words);
  if (!word) return undefined;
  const [first] = word[0];
  const flipped = first === first.toUpperCase() ? word[0].toLowerCase() : first.toUpperCase() + word[0].slice(1);
  return line.slice(0, word.index) + flipped + line.slice(word.index + word[0].length);
}

function withExtraLine(edit, random, where) {
  const { oldLines, newLines } = contextLines(edit);
  const spots = [];
  for (let i = 0; i <= edit.above; i++) spots.push([i, i]);
  for (let k = edit.below; k >= 0; k--) spots.push([oldLines.length - k, newLines.length - k]);
  const isEdge = i => !isWritten(oldLines.slice(0, i)) || !isWritten(oldLines.slice(i));
  const fitting = spots.filter(([i]) => isEdge(i) === (where === 'edge'));
  if (fitting.length === 0) return undefined;
  const [i, j] = random.pick(fitting);
  const text = replaceLine(oldLines[i] ?? oldLines[i - 1], random);
  return {
    old: oldLines.toSpliced(i, 0, text).join('\n') + end(edit.old),
    next: newLines.toSpliced(j, 0, text).join('\n') + end(edit.next),
  };
}

/** Swaps the quotes of a string literal that contains no quotes itself. */
function swapQuotes(text) {
  return text.replace(/'([^'"`\n\\]*)'|"([^'"`\n\\]*)"/g, (whole, single, double, at) => {
    if (/\w/.test(text.charAt(at - 1)) || /\w/.test(text.charAt(at + whole.length))) return whole;
    return single === undefined ? `'${double}'` : `"${single}"`;
  });
}

const NEIGHBOURS = { a: 's', e: 'r', i: 'o', o: 'p', t: 'y', n: 'm', s: 'd', r: 't', l: 'k', c: 'v', d: 'f', u: 'i' };

/** Makes one typo in a word of a line: two letters swapped, one lost, one doubled, or the neighbouring key. */
function typoOnLine(edit, random, kind) {
  const { oldLines, newLines } = contextLines(edit);
  const last = oldLines.length - edit.below;
  const candidates =
    kind === 'context' ? usable(edit, () => true) : oldLines.map((_, i) => [i, -1]).filter(([i]) => i >= edit.above && i < last);
  const pool = candidates.filter(([i]) => /\b[A-Za-z]{4,}\b/.test(oldLines[i] ?? ''));
  if (pool.length === 0) return undefined;
  const [i, j] = random.pick(pool);
  const word = random.pick([...oldLines[i].matchAll(/\b[A-Za-z]{4,}\b/g)]);
  const wrong = misspell(word[0], random);
  if (wrong === word[0] || edit.content.includes(wrong)) return undefined;
  const slip = line => line.slice(0, word.index) + wrong + line.slice(word.index + word[0].length);
  const everywhere = text => text.replace(new RegExp(`\\b${word[0]}\\b`, 'g'), wrong);
  const next =
    j >= 0
      ? newLines.with(j, slip(newLines[j]))
      : newLines.map((line, k) => (k < edit.above || k >= newLines.length - edit.below ? line : everywhere(line)));
  const old =
    j >= 0 ? oldLines.with(i, slip(oldLines[i])) : oldLines.map((line, k) => (k < edit.above || k >= last ? line : everywhere(line)));
  return changed(edit, { old: old.join('\n') + end(edit.old), next: next.join('\n') + end(edit.next) });
}

function misspell(word, random) {
  const at = 1 + random.below(word.length - 2);
  switch (random.below(4)) {
    case 0:
      return word.slice(0, at) + word[at + 1] + word[at] + word.slice(at + 2);
    case 1:
      return word.slice(0, at) + word.slice(at + 1);
    case 2:
      return word.slice(0, at) + word[at] + word.slice(at);
    default:
      return word.slice(0, at) + (NEIGHBOURS[word[at]] ?? word[at]) + word.slice(at + 1);
  }
}

/** Returns the line of old that line j of next replaces; undefined when the edit changes the number of lines. */
function placesOf({ oldLines, newLines }) {
  return oldLines.length === newLines.length ? newLines.map((_, j) => j) : undefined;
}

/** Returns the line of old that line j of next keeps as context, else undefined. For edits that may add lines. */
function keptPlaces(edit, { newLines, oldLines }) {
  const grow = newLines.length - oldLines.length;
  return newLines.map((_, j) => (j < edit.above ? j : j >= newLines.length - edit.below ? j - grow : -1));
}

/** Adds trailing blanks to quoted lines in the file. A replacement keeps those of the line it replaces; added lines have none. */
function fileWithTrailingBlanks(edit, chosen) {
  const lines = contextLines(edit);
  const isInsertion = lines.oldLines.length === edit.above + edit.below;
  const places = placesOf(lines) ?? (isInsertion ? keptPlaces(edit, lines) : undefined);
  if (!places) return undefined;
  const has = lines.oldLines.map(line => line.trim() !== '' && chosen(line));
  const blank = (line, i) => (has[i] && line.trim() !== '' ? `${line.trimEnd()}  ` : line);
  const old = lines.oldLines.map(blank).join('\n') + end(edit.old);
  const next = lines.newLines.map((line, j) => blank(line, places[j])).join('\n') + end(edit.next);
  if (old === edit.old) return undefined;
  const [head, tail] = [edit.content.slice(0, edit.start), edit.content.slice(edit.end)];
  return {
    content: head + old + tail,
    expected: head + next + tail,
    start: edit.start,
    end: edit.start + old.length,
    old: edit.old,
    next: edit.next,
  };
}

/** Gives some lines of the file CRLF. A replacement keeps the line end of the line it replaces; other cases are skipped. */
function mixLineEnds(edit, isReturn) {
  if (edit.content.includes('\r') || !edit.old.endsWith('\n') || !edit.next.endsWith('\n')) return undefined;
  const lines = contextLines(edit);
  const places = placesOf(lines);
  if (!places) return undefined;
  const head = edit.content.slice(0, edit.start).split('\n').slice(0, -1);
  const half = head.length + (lines.oldLines.length >> 1);
  const lineEnd = i => (isReturn('', i, half) ? '\r\n' : '\n');
  const glue = (texts, endOf) => texts.map((line, i) => line + endOf(i)).join('');
  const before = glue(head, lineEnd);
  const middle = glue(lines.oldLines, i => lineEnd(head.length + i));
  const expected = before + glue(lines.newLines, j => lineEnd(head.length + places[j])) + edit.content.slice(edit.end);
  const content = before + middle + edit.content.slice(edit.end);
  return { content, expected, start: before.length, end: before.length + middle.length, old: edit.old, next: edit.next };
}

/** Repeats a line three times, quotes two of them and removes one: every choice gives the same file. */
function overlap(edit) {
  const line = edit.old.split('\n').find(text => text.trim().length > 3);
  const lines = edit.content.split('\n');
  const at = lines.indexOf(line);
  if (at < 0 || lines.indexOf(line, at + 1) !== -1) return undefined;
  const content = lines.toSpliced(at, 0, line, line).join('\n');
  const start = lines.slice(0, at).join('\n').length + (at > 0 ? 1 : 0);
  const expected = lines.toSpliced(at, 0, line).join('\n');
  return { content, expected, start, end: start + 3 * (line.length + 1), old: `${line}\n${line}\n`, next: `${line}\n` };
}
