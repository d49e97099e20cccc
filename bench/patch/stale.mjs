import { contextLines } from './context_lines.mjs';
import { ELIDED_EDITS } from './elided.mjs';

/** Quotations that are out of date: they have a value that the file no longer has. Same shape as MUST_REFUSE. */
export const STALE = {
  stale_number: edit => onLine(edit, 'changed', line => swap(line, /\b\d+(\.\d+)*\b/, value => String(Number.parseInt(value, 10) * 2 + 5))),
  stale_truth_value: edit =>
    onLine(edit, 'changed', line => swap(line, /\b(true|false)\b/, value => (value === 'true' ? 'false' : 'true'))),
  stale_string: edit =>
    onLine(edit, 'changed', line => swap(line, /(?<=(['"]))[\w./-]+(?=\1(?!:))/, value => (value === 'legacy' ? 'modern' : 'legacy'))),
  stale_number_in_context: edit => onLine(edit, 'context', line => swap(line, /\b\d+\b/, value => String(Number(value) + 3))),
  stale_string_in_context: edit =>
    onLine(edit, 'context', line => swap(line, /(?<=(['"]))[\w./-]+(?=\1(?!:))/, value => (value === 'legacy' ? 'modern' : 'legacy'))),
  other_head: edit => onLine(edit, 'context', line => renameHead(line)),
  twin_place: edit => twin(edit),
  twin_but_for_change: edit => replacedElsewhere(edit),
  ...ELIDED_EDITS,
};

/** Quotes another block: the line that names it has another name. */
function renameHead(line) {
  return /^\s*(?:export )?(?:async )?(?:function|class|interface|type|case) \w+.*[{:]$|^\s*(['"])[\w-]+\1: \{$/.test(line)
    ? line.replace(/\w+(?=[^\w]*(?:\(.*\) )?[{:]?[^\w]*$)/, 'somethingOther')
    : line;
}

function swap(line, pattern, change) {
  if (/^\s*(\/\/|\*|#|\/\*)/.test(line)) return line;
  return line.replace(pattern, value => change(value));
}

/** Changes a value on one line of the file only. */
function onLine(edit, kind, change) {
  const { oldLines, pairs } = contextLines(edit);
  const context = new Set(pairs.map(([i]) => i));
  const end = edit.old.endsWith('\n') ? '\n' : '';
  for (const [i, line] of oldLines.entries()) {
    if (context.has(i) !== (kind === 'context') || change(line) === line) continue;
    const present = oldLines.with(i, change(line)).join('\n') + end;
    const content = edit.content.slice(0, edit.start) + present + edit.content.slice(edit.end);
    return { content, old: edit.old, next: edit.next, skip: content.includes(edit.old) || content.includes(edit.next) };
  }
  return undefined;
}

/** Misquotes one context line while two places differ only in that line. */
function twin(edit) {
  const { oldLines, newLines, pairs } = contextLines(edit);
  const inner = pairs.filter(([i, j]) => i > 0 && i + 1 < oldLines.length && oldLines[i] === newLines[j] && oldLines[i].trim() !== '');
  if (inner.length === 0) return undefined;
  const [i, j] = inner[0];
  const indent = /^\s*/.exec(oldLines[i])[0];
  const other = oldLines.with(i, `${indent}registerEverything(context);`).join('\n');
  const line = `${indent}someOther.statement(instead);`;
  return { content: `${edit.content}\n${other}\n`, old: oldLines.with(i, line).join('\n'), next: newLines.with(j, line).join('\n') };
}

/** Leaves one similar place in the file: its context is as quoted, but the lines to change are different. */
function replacedElsewhere(edit) {
  const { oldLines } = contextLines(edit);
  const removed = oldLines.slice(edit.above, oldLines.length - edit.below);
  if (!removed.some(line => line.trim().length > 8)) return undefined;
  const end = edit.old.endsWith('\n') ? '\n' : '';
  const indent = /^\s*/.exec(removed[0])[0];
  const others = removed.map((_, k) => `${indent}applySomethingElse(step${k});`);
  const present = oldLines.toSpliced(edit.above, removed.length, ...others).join('\n') + end;
  const content = edit.content.slice(0, edit.start) + present + edit.content.slice(edit.end);
  return { content, old: edit.old, next: edit.next, skip: content.includes(edit.next) || content.includes(removed.join('\n')) };
}
