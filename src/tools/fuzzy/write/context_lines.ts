import type { EditScript } from '../align/edit_script';
import { isQuote } from '../align/line_differences';
import type { LocatedEdit } from '../located_edit';
import type { LineMatch, LineMatchKind, Location } from '../location';
import { lineText, type TokenText } from '../tokens';

/** Lines of these kinds have no reliable token alignment. */
const INEXACT_KINDS: ReadonlySet<LineMatchKind> = new Set<LineMatchKind>(['restyled', 'reworded', 'different', 'elided']);

/** A text in which some lines are one token each. `indexOf` maps the tokens of the full text to its tokens. */
interface Collapsed {
  text: TokenText;
  indexOf: Int32Array;
}

/**
 * Turns every context line that the file has in other words into one token. The merge then keeps the file's line byte for byte
 * or drops it as a whole, whatever changes next to it.
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

/** Returns the collapsed index of the first token of `line`. */
function startOf(collapsed: Collapsed, full: TokenText, line: number): number {
  return collapsed.indexOf[full.lines[line]!.first]!;
}

/**
 * Removes unreliable token pairs from the alignment. Typography and spacing are learned from equal lines, lines with typos,
 * and the quotes of restyled lines.
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

/** Returns the alignment without markers for omitted lines: their indentation says nothing about the file's. */
export function withoutMarkers({ old, oldToFile, lines }: Location): Int32Array {
  return lines ? oldToFile.map((target, i) => (lines[old.tokens[i]!.line]!.kind === 'elided' ? -1 : target)) : oldToFile;
}

/** A context line in old and new, and the file lines [from, to] that it stands for. */
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

/** Returns the file lines that a line of old stands for. A marker stands for all lines between its neighbours. */
function fileLinesOf(lines: readonly LineMatch[], old: number): [number, number] {
  const { kind, fileLine } = lines[old]!;
  if (kind !== 'elided') return [fileLine, fileLine];
  const [before, after] = [lines[old - 1]?.fileLine ?? -1, lines[old + 1]?.fileLine ?? -1];
  return before < 0 || after < 0 ? [-1, -1] : [before + 1, after - 1];
}

/** Merges each range of lines into one token. `ranges` maps the first line of a range to its last. */
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
