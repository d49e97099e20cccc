/**
 * A command line taken apart into the commands in it, well enough to recognise what each of them is. It is a rule of thumb, not a shell: a
 * command that wants to hide (an encoded text, a variable, a script in a file) does.
 */

export interface SimpleCommand {
  /** Without quotes; a redirection is a word of its own, as in `>`, `/dev/null`. */
  words: string[];
  /** It reads what another command writes. */
  isFed: boolean;
}

interface Scan {
  commands: SimpleCommand[];
  words: string[];
  word: string;
  hasWord: boolean;
  isFed: boolean;
  /** Quotes around the text being read; a substitution begins anew inside them. */
  quotes: Quote[];
}

type Quote = 'none' | 'double' | 'substitution';

/** The commands in the order they stand, those in substitutions, subshells and pipes too. O(n). */
export function splitCommands(line: string): SimpleCommand[] {
  const scan: Scan = { commands: [], words: [], word: '', hasWord: false, isFed: false, quotes: ['none'] };
  for (let i = 0; i < line.length; ) i = readOne(scan, line, i);
  endCommand(scan, false);
  return scan.commands;
}

/** Reads what stands at `i` and returns where to go on. */
function readOne(scan: Scan, line: string, i: number): number {
  const character = line[i] as string;
  const isQuoted = scan.quotes.at(-1) === 'double';
  if (character === '\\') return readEscape(scan, line, i);
  if (character === '`' || (character === '$' && line[i + 1] === '(')) return openSubstitution(scan, character, i);
  if (character === '"') return toggleDouble(scan, i);
  if (isQuoted) return addToWord(scan, character, i);
  if (character === "'") return readSingle(scan, line, i);
  if (character === '#' && !scan.hasWord) return skipLine(line, i);
  if (character === '>' || character === '<') return readRedirection(scan, line, i);
  if (/\s/.test(character) && character !== '\n') return endWord(scan, i);
  if (/[;&|()\n]/.test(character)) return readOperator(scan, character, i);
  return addToWord(scan, character, i);
}

function addToWord(scan: Scan, text: string, i: number): number {
  scan.word += text;
  scan.hasWord = true;
  return i + 1;
}

function readEscape(scan: Scan, line: string, i: number): number {
  // A line that goes on in the next one.
  if (line[i + 1] !== '\n') addToWord(scan, line[i + 1] ?? '', i);
  return i + 2;
}

function toggleDouble(scan: Scan, i: number): number {
  if (scan.quotes.at(-1) === 'double') scan.quotes.pop();
  else scan.quotes.push('double');
  scan.hasWord = true;
  return i + 1;
}

/** A quote without an end is taken for a letter, so that what follows is looked at. */
function readSingle(scan: Scan, line: string, i: number): number {
  const end = line.indexOf("'", i + 1);
  if (end === -1) return addToWord(scan, "'", i);
  addToWord(scan, line.slice(i + 1, end), i);
  return end + 1;
}

/** Both `$(` and a backtick; the closing backtick begins one too, which changes nothing for who only looks for commands. */
function openSubstitution(scan: Scan, character: string, i: number): number {
  endCommand(scan, false);
  if (character === '`') return i + 1;
  scan.quotes.push('substitution');
  return i + 2;
}

function readRedirection(scan: Scan, line: string, i: number): number {
  // `2>` names a stream, not an argument.
  if (/^\d$/.test(scan.word)) scan.word = '';
  scan.hasWord = scan.word !== '';
  endWord(scan, i);
  let end = i + 1;
  while (/[<>&|]/.test(line[end] ?? '')) end += 1;
  scan.words.push(line[i] as string);
  return end;
}

function readOperator(scan: Scan, character: string, i: number): number {
  endCommand(scan, character === '|');
  // `)` closes a substitution as well as a subshell.
  if (character === ')' && scan.quotes.at(-1) === 'substitution') scan.quotes.pop();
  return i + 1;
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
  if (scan.words.length > 0) scan.commands.push({ words: scan.words, isFed: scan.isFed });
  // `a || b`: the second bar ends an empty command, and nothing is fed.
  scan.isFed = feedsNext && scan.words.length > 0;
  scan.words = [];
}
