import type { Location } from '../location';
import { indentBefore, spacingBefore, type TokenText } from '../tokens';

/** Returns the index of the first line end in a spacing, carriage return included. */
export function lineEndAt(spacing: string): number {
  const newline = spacing.indexOf('\n');
  return newline > 0 && spacing[newline - 1] === '\r' ? newline - 1 : newline;
}

/** Returns the blanks before the first line end of a spacing, or undefined when it has none. */
export function trailingBlanks(spacing: string): string | undefined {
  return spacing.includes('\n') ? spacing.slice(0, lineEndAt(spacing)) : undefined;
}

/** Returns the indentation of all indented lines. */
export function lineIndents(view: TokenText): string[] {
  return view.lines.map(({ first }) => indentBefore(view, first) ?? '').filter(indent => indent !== '');
}

/** Returns the indentation of lines around an offset, for files whose matched lines are not indented. */
export function nearbyIndents(content: string, offset: number): string[] {
  const indents: string[] = [];
  for (const match of content.slice(Math.max(0, offset - 4000), offset + 4000).matchAll(/\n([ \t]+)[^\s*]/g)) indents.push(match[1]!);
  return indents;
}

/** Returns true when old has trailing blanks where the file has none, and nowhere the same ones. */
export function inventsTrailingBlanks(location: Location): boolean {
  let invented = 0;
  for (let i = 1; i < location.old.tokens.length; i++) {
    const target = location.oldToFile[i]!;
    const wanted = trailingBlanks(spacingBefore(location.old, i));
    if (wanted === undefined || wanted === '' || target < 1) continue;
    const present = trailingBlanks(spacingBefore(location.file, target));
    if (present === wanted) return false;
    if (present === '') invented++;
  }
  return invented > 0;
}

/** Returns true when old has \\n where the file has a line end. */
export function escapesBreaks({ old, file, oldToFile }: Location): boolean {
  return old.tokens.some((_, i) => spacingBefore(old, i).includes('\\n') && spacingBefore(file, oldToFile[i] ?? 0).includes('\n'));
}

/** Turns escaped line ends and tabs into real ones. */
export function unescapeBreaks(spacing: string): string {
  return spacing.replaceAll('\\n', '\n').replaceAll('\\t', '\t');
}

/** Returns true when a quote is open at the end of the text. */
export function isInString(line: string): boolean {
  return ['"', "'", '`'].some(quote => line.split(quote).length % 2 === 0);
}

/** Keeps only the start and the end of a very long line, to bound the cost of scanning it. */
export function clipLine(line: string): string {
  return line.length > 1024 ? line.slice(0, 256) + line.slice(-256) : line;
}
