import type { EditScript } from '../align/edit_script';
import { isQuote } from '../align/line_differences';
import type { LocatedEdit } from '../located_edit';
import type { LineMatch, LineMatchKind, Location } from '../location';
import { lineText, type TokenText } from '../tokens';

/** A line of this kind has no token-by-token counterpart that could be trusted. */
const INEXACT_KINDS: ReadonlySet<LineMatchKind> = new Set<LineMatchKind>(['restyled', 'reworded', 'different', 'elided']);

/** A text in which some lines are one token each, and where every token of the full text is in it. */
interface Collapsed {
  text: TokenText;
  indexOf: Int32Array;
}

/**
 * The same edit with every line that the file has in other words, and that new keeps, seen as one token. Such a line is
 * kept or left out as a whole, so that the file's line stays byte for byte, whatever happens beside it.
 */
export function collapseContextLines(input: LocatedEdit): LocatedEdit {
  const { location, next, script } = input;
  const kept = contextLines(input, location.lines ?? []);
  if (kept.length === 0) return input;
  const old = collapse(location.old, new Map(kept.map(line => [line.old, line.old])));
  const file = collapse(location.file, new Map(kept.map(line => [line.from, line.to])));
  const whole = collapse(next, new Map(kept.map(line => [line.next, line.next])));
  const oldToFile = new Int32Array(old.text.tokens.length).fill(-1);
  location.oldToFile.forEach((target, i) => {
    if (target >= 0) oldToFile[old.indexOf[i]!] = file.indexOf[target]!;
  });
  for (const line of kept) oldToFile[startOf(old, location.old, line.old)] = startOf(file, location.file, line.from);
  const newToOld = new Int32Array(whole.text.tokens.length).fill(-1);
  script.newToOld.forEach((source, j) => {
    if (source >= 0) newToOld[whole.indexOf[j]!] = old.indexOf[source]!;
  });
  const collapsed: Location = { ...location, old: old.text, file: file.text, oldToFile };
  const collapsedScript: EditScript = { ...script, newToOld };
  return { ...input, location: collapsed, next: whole.text, script: collapsedScript };
}

/** Index in the collapsed text of the token that `line` of the full text begins with. */
function startOf(collapsed: Collapsed, full: TokenText, line: number): number {
  return collapsed.indexOf[full.lines[line]!.first]!;
}

/**
 * The location with no more counterparts than the file's spelling can be learned from: all tokens of lines that are
 * equal but for typos, and the quotes of lines in another style.
 */
export function withTrustedTokens(location: Location): Location {
  const { old, lines } = location;
  if (!lines?.some(line => INEXACT_KINDS.has(line.kind))) return location;
  const oldToFile = location.oldToFile.map((target, i) => {
    const kind = lines[old.tokens[i]!.line]!.kind;
    const isTrusted = !INEXACT_KINDS.has(kind) || (kind === 'restyled' && isQuote(old.tokens[i]!));
    return isTrusted ? target : -1;
  });
  return { ...location, oldToFile };
}

/** The counterparts of a collapsed location but for markers: their indentation says nothing about the file's. */
export function withoutMarkers({ old, oldToFile, lines }: Location): Int32Array {
  return lines ? oldToFile.map((target, i) => (lines[old.tokens[i]!.line]!.kind === 'elided' ? -1 : target)) : oldToFile;
}

/** A line of old and of new, and the lines [from, to] of the file that it stands for. */
interface ContextLine {
  old: number;
  next: number;
  from: number;
  to: number;
}

function contextLines({ location, next, script }: LocatedEdit, lines: readonly LineMatch[]): ContextLine[] {
  const kept: ContextLine[] = [];
  if (!lines.some(line => INEXACT_KINDS.has(line.kind))) return kept;
  script.linePartners.forEach((old, line) => {
    if (!INEXACT_KINDS.has(lines[old]?.kind ?? 'equal') || lineText(next, line) !== lineText(location.old, old)) return;
    const [from, to] = fileLinesOf(lines, old);
    if (from >= 0 && from <= to) kept.push({ old, next: line, from, to });
  });
  return kept;
}

/** The lines of the file that a line of old stands for: its own, or for a marker all between its neighbours. */
function fileLinesOf(lines: readonly LineMatch[], old: number): [number, number] {
  const { kind, fileLine } = lines[old]!;
  if (kind !== 'elided') return [fileLine, fileLine];
  const [before, after] = [lines[old - 1]?.fileLine ?? -1, lines[old + 1]?.fileLine ?? -1];
  return before < 0 || after < 0 ? [-1, -1] : [before + 1, after - 1];
}

/** `ranges` holds the first and the last line of every segment that is to be one token. */
function collapse(view: TokenText, ranges: ReadonlyMap<number, number>): Collapsed {
  const text: TokenText = { ...view, tokens: [], lines: [] };
  const indexOf = new Int32Array(view.tokens.length);
  for (let line = 0; line < view.lines.length; line++) {
    const { first } = view.lines[line]!;
    const lastLine = ranges.get(line) ?? line;
    const { last } = view.lines[lastLine]!;
    const start = text.tokens.length;
    const place = { line: text.lines.length };
    if (ranges.has(line)) {
      const [from, to] = [view.tokens[first]!.start, view.tokens[last]!.end];
      const whole = view.source.slice(from, to);
      text.tokens.push({ start: from, end: to, text: whole, key: whole, ...place });
      indexOf.fill(start, first, last + 1);
    } else {
      for (let i = first; i <= last; i++) indexOf[i] = text.tokens.push({ ...view.tokens[i]!, ...place }) - 1;
    }
    text.lines.push({ first: start, last: text.tokens.length - 1 });
    line = lastLine;
  }
  return { text, indexOf };
}
