import { STALE } from './stale.mjs';

/** Quotations that an engine must refuse. Each function returns { content, old, next } or undefined. */
export const MUST_REFUSE = {
  duplicate_exact: edit => ({ content: `${edit.content}\n${edit.old}`, old: edit.old, next: edit.next }),
  duplicate_misquoted: edit => {
    const old = indentAll(edit.old);
    return old === edit.old ? undefined : { content: `${edit.content}\n${edit.old}`, old, next: indentAll(edit.next) };
  },
  number_changed: edit => onRemovedLine(edit, line => bump(line)),
  operator_changed: edit => onRemovedLine(edit, line => swapOperator(line)),
  identifier_changed: (edit, random) =>
    onRemovedLine(edit, line => rename(line, random, word => `${word}${random.pick(['2', 'New', 'Legacy', 'Async', 's'])}`)),
  identifier_replaced: (edit, random) => onRemovedLine(edit, line => rename(line, random, () => 'somethingElse')),
  replaced_line_missing: edit => withoutRemovedLine(edit),
  line_inside_block: edit => withLineInside(edit),
  already_applied: edit => ({ content: edit.expected, old: edit.old, next: edit.next, skip: edit.expected.includes(edit.old) }),
  already_applied_misquoted: edit => {
    const content = edit.expected;
    const old = indentAll(edit.old);
    return { content, old, next: indentAll(edit.next), skip: fold(content).includes(fold(old)) };
  },
  decoy_only: (edit, random) => decoy(edit, random),
  other_file: (edit, random, all) => {
    const other = random.pick(all);
    return other.file === edit.file || edit.content.includes(other.old) || fold(edit.content).includes(fold(other.old))
      ? undefined
      : { content: edit.content, old: other.old, next: other.next };
  },
  ...STALE,
};

function fold(text) {
  return text.replace(/\s+/g, '');
}

function indentAll(text) {
  return text.replace(/^(?=\S|[ \t]+\S)/gm, ' ').replace(/\n(?=.)/, '  \n');
}

/** Returns the indexes of old lines that new does not keep. */
function removedLines(edit) {
  const lines = edit.old.replace(/\n$/, '').split('\n');
  return Array.from({ length: lines.length - edit.above - edit.below }, (_, k) => edit.above + k).filter(i => lines[i].trim() !== '');
}

/** Changes one replaced line in the quotation only, so that the file differs from it. */
function onRemovedLine(edit, change) {
  const lines = edit.old.split('\n');
  for (const i of removedLines(edit)) {
    const line = change(lines[i]);
    if (line === undefined || line === lines[i]) continue;
    const old = lines.with(i, line).join('\n');
    return fold(edit.content).includes(fold(old)) || old === edit.next ? undefined : { content: edit.content, old, next: edit.next };
  }
  return undefined;
}

function bump(line) {
  return /\d/.test(line) ? line.replace(/\d+/, digits => String(Number(digits) + 1)) : undefined;
}

function swapOperator(line) {
  const swaps = [
    [/===/, '!=='],
    [/&&/, '||'],
    [/ \+ /, ' - '],
    [/ < /, ' <= '],
    [/!(?=\w)/, ''],
    [/ => /, ' = '],
    [/\?\?/, '||'],
  ];
  const swap = swaps.find(([pattern]) => pattern.test(line));
  return swap && line.replace(swap[0], swap[1]);
}

function rename(line, random, change) {
  if (/^\s*(\/\/|\*|#|\/\*)/.test(line)) return undefined;
  const words = [...line.matchAll(/\b[A-Za-z_]{4,}\b/g)];
  if (words.length === 0) return undefined;
  const word = random.pick(words);
  return line.slice(0, word.index) + change(word[0]) + line.slice(word.index + word[0].length);
}

function withoutRemovedLine(edit) {
  const removed = removedLines(edit);
  if (removed.length < 1 || edit.above + edit.below < 2) return undefined;
  const lines = edit.old.split('\n');
  const i = removed[removed.length >> 1];
  if (lines[i].trim().length < 4) return undefined;
  const content = edit.content.slice(0, edit.start) + lines.toSpliced(i, 1).join('\n') + edit.content.slice(edit.end);
  return { content, old: edit.old, next: edit.next, skip: content.includes(edit.next) };
}

function withLineInside(edit) {
  const removed = removedLines(edit);
  if (removed.length < 2) return undefined;
  const lines = edit.old.split('\n');
  const i = removed[1];
  const content =
    edit.content.slice(0, edit.start) + lines.toSpliced(i, 0, '  recordImportantState(context);').join('\n') + edit.content.slice(edit.end);
  return { content, old: edit.old, next: edit.next };
}

/** Replaces the quoted block in the file by a similar one with other names and numbers on at least two lines of code. */
function decoy(edit) {
  const lines = edit.old.split('\n');
  const names = [...new Set(edit.old.match(/\b[A-Za-z_]{5,}\b/g) ?? [])].filter((_, i) => i % 2 === 0);
  if (names.length < 2) return undefined;
  const other = lines
    .map(line =>
      line
        .replace(/\b[A-Za-z_]{5,}\b/g, word => (names.includes(word) ? `${word[0]}${[...word].reverse().join('')}` : word))
        .replace(/\d+/g, digits => String(Number(digits) + 7)),
    )
    .join('\n');
  const altered = other.split('\n').filter((line, i) => line !== lines[i] && !/^\s*(\/\/|\*|#|\/\*)/.test(line));
  if (altered.length < 2) return undefined;
  const content = edit.content.slice(0, edit.start) + other + edit.content.slice(edit.end);
  return { content, old: edit.old, next: edit.next, skip: content.includes(edit.next) };
}
