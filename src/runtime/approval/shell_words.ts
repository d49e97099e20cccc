/**
 * Splits a command line into its commands, well enough to recognise each of them. It is a heuristic, not a shell: encoded text, variables and
 * scripts in files can hide a command. When in doubt it returns a command too many.
 */
import { bodyOf, type Heredoc, readDelimiter } from './heredoc';

export interface SimpleCommand {
  /** Words without quotes; a redirection is a separate word, as in `>`, `/dev/null`. */
  words: string[];
  /** The command reads the output of another command. */
  isFed: boolean;
  /** The command follows a subshell or a substitution, like the redirection in `(ls) > files`. */
  isTail: boolean;
}

interface Scan {
  commands: SimpleCommand[];
  words: string[];
  word: string;
  hasWord: boolean;
  isFed: boolean;
  isTail: boolean;
  /** Quotes and substitutions around the current position, innermost last. */
  quotes: Quote[];
  isInBackticks: boolean;
  /** Index where a substitution ended: text that follows directly belongs to the same word. */
  gluedAt: number;
  /** Here-documents whose text begins on the next line. Absent: `<<` is ignored. */
  heredocs?: Heredoc[];
  /** The text may contain arithmetic, where `<<` begins no here-document. */
  mayCompute: boolean;
}

type Quote = 'none' | 'double' | 'substitution' | 'backticks' | 'group' | 'parameter' | 'heredoc';

/** Returns the commands in their order, with those in substitutions, subshells and pipes. O(n). */
export function splitCommands(line: string): SimpleCommand[] {
  return scanText(line, newScan('none', []));
}

const newScan = (quote: Quote, heredocs?: Heredoc[]): Scan => ({
  commands: [],
  words: [],
  word: '',
  hasWord: false,
  isFed: false,
  isTail: false,
  quotes: [quote],
  isInBackticks: false,
  gluedAt: -1,
  heredocs,
  mayCompute: false,
});

function scanText(line: string, scan: Scan): SimpleCommand[] {
  for (let i = 0; i < line.length; ) i = readOne(scan, line, i);
  endCommand(scan, false);
  return scan.commands;
}

/** Reads at index `i` and returns the next index. */
function readOne(scan: Scan, line: string, i: number): number {
  const character = line[i] as string;
  const quote = scan.quotes.at(-1);
  if (character === '\\') return readEscape(scan, line, i);
  if (character === '`') return toggleBackticks(scan, i);
  if (character === '$') return readDollar(scan, line, i);
  if (character === '"' && quote !== 'heredoc') return toggleDouble(scan, i);
  if (quote === 'double' || quote === 'heredoc') return addToWord(scan, character, i);
  if (character === "'") return readSingle(scan, line, i);
  if (quote === 'parameter') {
    if (character === '}') scan.quotes.pop();
    return addToWord(scan, character, i);
  }
  return readPlain(scan, line, i);
}

function readPlain(scan: Scan, line: string, i: number): number {
  const character = line[i] as string;
  if (character === '#' && !scan.hasWord && scan.gluedAt !== i && !scan.isInBackticks) return skipLine(line, i);
  if (character === '>' || character === '<' || (character === '&' && line[i + 1] === '>')) return readRedirection(scan, line, i);
  if (character === '\n') return readNewline(scan, line, i);
  if (/\s/.test(character)) return endWord(scan, i);
  if (/[;&|()]/.test(character)) return readOperator(scan, line, i);
  if (character === '[') scan.mayCompute = true;
  return addToWord(scan, character, i);
}

function addToWord(scan: Scan, text: string, i: number): number {
  scan.word += text;
  scan.hasWord = true;
  return i + 1;
}

function readEscape(scan: Scan, line: string, i: number): number {
  const next = line[i + 1] ?? '';
  if (next === '`' && scan.isInBackticks) endCommand(scan, false);
  else if (next !== '\n') addToWord(scan, next, i);
  // A backslash at the end of a line continues the line.
  else if (scan.gluedAt === i) scan.gluedAt = i + 2;
  return i + 2;
}

function toggleDouble(scan: Scan, i: number): number {
  if (scan.quotes.at(-1) === 'double') scan.quotes.pop();
  else scan.quotes.push('double');
  scan.hasWord = true;
  return i + 1;
}

/** Takes a quote without an end for a letter, so that the text after it is still split. */
function readSingle(scan: Scan, line: string, i: number): number {
  const end = line.indexOf("'", i + 1);
  if (end === -1) return addToWord(scan, "'", i);
  addToWord(scan, line.slice(i + 1, end), i);
  return end + 1;
}

/** The closing backtick ends everything that was opened since the opening one. */
function toggleBackticks(scan: Scan, i: number): number {
  endCommand(scan, false);
  if (scan.isInBackticks) {
    while (scan.quotes.pop() !== 'backticks');
    scan.gluedAt = i + 1;
    scan.isTail = true;
  } else scan.quotes.push('backticks');
  scan.isInBackticks = !scan.isInBackticks;
  return i + 1;
}

function readDollar(scan: Scan, line: string, i: number): number {
  const next = line[i + 1];
  const isQuoted = /^(double|heredoc)$/.test(scan.quotes.at(-1) ?? '');
  if (next === "'" && !isQuoted) return readAnsi(scan, line, i + 2);
  if (next === '(' || (next === '{' && /[\s|]/.test(line[i + 2] ?? ''))) {
    endCommand(scan, false);
    if (next === '(') scan.quotes.push('substitution');
    return i + 2;
  }
  if (next === '{' && !isQuoted) scan.quotes.push('parameter');
  if (next !== '{' && next !== '$') return addToWord(scan, '$', i);
  addToWord(scan, `$${next}`, i);
  return i + 2;
}

/** Reads `$'...'`, where a backslash escapes a quote. */
function readAnsi(scan: Scan, line: string, from: number): number {
  const letters: string[] = [];
  let i = from;
  for (; i < line.length && line[i] !== "'"; i += 1) {
    if (line[i] !== '\\') letters.push(line[i] as string);
    else {
      const [code = '', hex, octal] = /^(?:x([\da-f]{1,2})|([0-7]{1,3}))/i.exec(line.slice(i + 1, i + 4)) ?? [];
      letters.push(code ? String.fromCharCode(hex ? Number.parseInt(hex, 16) : Number.parseInt(octal ?? '', 8)) : (line[i + 1] ?? ''));
      i += code.length || 1;
    }
  }
  addToWord(scan, letters.join(''), i);
  return i + 1;
}

function readRedirection(scan: Scan, line: string, i: number): number {
  // `2>` names a stream, not an argument.
  if (/^\d$/.test(scan.word)) scan.word = '';
  scan.hasWord = scan.word !== '';
  endWord(scan, i);
  let end = i + 1;
  while (/[<>&|]/.test(line[end] ?? '')) end += 1;
  const operator = line.slice(i, end);
  scan.words.push(operator.startsWith('<') ? '<' : operator.includes('>>') ? '>>' : '>');
  if (operator !== '<<' || !scan.heredocs) return end;
  const heredoc = readDelimiter(line, end);
  scan.heredocs.push({ ...heredoc, isUnsure: heredoc.isUnsure || scan.mayCompute });
  if (heredoc.delimiter !== undefined) scan.words.push(heredoc.delimiter);
  return heredoc.end;
}

function readOperator(scan: Scan, line: string, i: number): number {
  const character = line[i];
  const opened = character === '(' && (scan.hasWord || /[<>]/.test(line[i - 1] ?? '')) ? 'substitution' : 'group';
  endCommand(scan, character === '|');
  if (character === '(') {
    if (line[i + 1] === '(' || line[i - 1] === '(') scan.mayCompute = true;
    scan.quotes.push(opened);
  } else if (character === ')') {
    scan.isTail = true;
    const closed = scan.quotes.at(-1);
    if (closed === 'substitution') scan.gluedAt = i + 1;
    if (closed === 'substitution' || closed === 'group') scan.quotes.pop();
  }
  return i + 1;
}

/** Skips the text of here-documents. When the end of a text is uncertain, each of its lines is split like a command. */
function readNewline(scan: Scan, line: string, i: number): number {
  endCommand(scan, false);
  let next = i + 1;
  for (const heredoc of scan.heredocs?.splice(0) ?? []) {
    const body = bodyOf(line, next, heredoc);
    next = body.end;
    if (body.isUnsure) for (const text of body.text.split('\n')) addCommands(scan, scanText(text, newScan('none')));
    if (!heredoc.isQuoted) addCommands(scan, scanText(body.text, newScan('heredoc')));
  }
  return next;
}

function addCommands(scan: Scan, commands: readonly SimpleCommand[]): void {
  for (const command of commands) scan.commands.push(command);
}

function skipLine(line: string, i: number): number {
  const end = line.indexOf('\n', i);
  return end === -1 ? line.length : end;
}

function endWord(scan: Scan, i: number): number {
  if (scan.hasWord) scan.words.push(scan.word);
  scan.word = '';
  scan.hasWord = false;
  return i + 1;
}

function endCommand(scan: Scan, feedsNext: boolean): void {
  endWord(scan, 0);
  const { words, isFed, isTail } = scan;
  // Text of a here-document outside substitutions is no command.
  if (words.length > 0 && scan.quotes.at(-1) !== 'heredoc') scan.commands.push({ words, isFed, isTail });
  // In `a || b` the second bar ends an empty command, which feeds nothing.
  scan.isFed = feedsNext && words.length > 0;
  scan.isTail = false;
  scan.words = [];
}
