/** Reads here-documents: text on the lines after a command, as in `<<END`. */

export interface Heredoc {
  /** Absent: the delimiter cannot be determined, and the text may extend to the end of the command line. */
  delimiter?: string;
  /** The shell replaces nothing in the text. */
  isQuoted: boolean;
  /** The lines of the text may be commands. */
  isUnsure: boolean;
  /** `<<-`: tabs may stand before the delimiter. */
  hasTabs: boolean;
}

const MAX_DELIMITER = 500;
const DELIMITER = /^(-?)[ \t]*((?:[^\s;&|()<>'"\\$`]|'[^'\n]*'|"[^"\n\\$`]*"|\\[^\n])+)(?=[\s;&|()<>]|$)/;

/** Reads the delimiter after `<<`, from index `from`. `end`: the index after it. */
export function readDelimiter(line: string, from: number): Heredoc & { end: number } {
  const match = DELIMITER.exec(line.slice(from, from + MAX_DELIMITER));
  if (!match || match[0].length === MAX_DELIMITER) return { isQuoted: false, isUnsure: true, hasTabs: false, end: from };
  const [all, dash, word = ''] = match;
  const delimiter = word.replace(/'([^']*)'|"([^"]*)"|\\(.)/g, (_, single, double, escaped) => single ?? double ?? escaped);
  return { delimiter, isQuoted: delimiter !== word, isUnsure: false, hasTabs: dash === '-', end: from + all.length };
}

/** Reads the text from index `from`. `end`: the index of the line after the delimiter. O(length of the text). */
export function bodyOf(line: string, from: number, heredoc: Heredoc): { text: string; end: number; isUnsure: boolean } {
  const { delimiter, hasTabs } = heredoc;
  let isUnsure = heredoc.isUnsure;
  for (let start = from; delimiter !== undefined && start < line.length; ) {
    const newline = line.indexOf('\n', start);
    const end = newline === -1 ? line.length : newline;
    let at = start;
    while (hasTabs && line[at] === '\t') at += 1;
    if (line.startsWith(delimiter, at)) {
      const isWhole = at + delimiter.length === end;
      if (isWhole) return { text: line.slice(from, start), end: Math.min(end + 1, line.length), isUnsure };
      // A bracket or backtick behind the delimiter may close a substitution; some shells then end the here-document.
      if (/[)`]/.test(line[at + delimiter.length] as string)) isUnsure = true;
    }
    start = end + 1;
  }
  return { text: line.slice(from), end: line.length, isUnsure: true };
}
