/** Closes the marks that a growing text has opened, so that `**bold` shows bold before its end has come. */

const FENCE = /^ {0,3}(?:`{3,}|~{3,})/gm;
const HALF_LINK = /!?\[([^\]\n]*)\]\([^)\n]*$/;
const OPEN_EMPHASIS = /(?:^|[\s(])\*(?=[^\s*])[^*\n]*$/;

/** `text`: the last block, or a few blocks. Returns text that differs in its last paragraph alone. Open fences stay: the parser closes them. */
export function closeUnfinished(text: string): string {
  if ((text.match(FENCE)?.length ?? 0) % 2 === 1) return text;
  const start = text.lastIndexOf('\n\n') + 1;
  const head = text.slice(0, start);
  const tail = text.slice(start);
  const formula = /^\s*(\$\$|\\\[)(?!.*\1)/.exec(tail)?.[1];
  if (formula) return closeFormula(text, tail, formula);
  return head + closeMarks(tail.replace(HALF_LINK, '$1'));
}

function closeFormula(text: string, tail: string, open: string): string {
  const close = open === '$$' ? '$$' : '\\]';
  const isOpen = open === '$$' ? tail.split('$$').length % 2 === 0 : !tail.includes(close);
  return isOpen ? `${text}\n${close}` : text;
}

function closeMarks(tail: string): string {
  if (tail.split('`').length % 2 === 0) return `${tail}\``;
  const outside = tail.replace(/`[^`]*`/g, '');
  const emphasis = OPEN_EMPHASIS.test(outside.replaceAll('**', '')) ? '*' : '';
  return ['**', '~~'].reduce((closed, mark) => (outside.split(mark).length % 2 === 0 ? closeMark(closed, mark) : closed), tail + emphasis);
}

/** A mark that has just opened has nothing to show yet. */
function closeMark(text: string, mark: string): string {
  const trimmed = text.trimEnd();
  return trimmed.endsWith(mark) ? trimmed.slice(0, -mark.length) : trimmed + mark;
}
