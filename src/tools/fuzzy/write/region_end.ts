import type { LocatedEdit } from '../located_edit';
import type { Location } from '../location';
import { countBreaks, spacingBefore, type TokenText } from '../tokens';
import { placeOf } from './line_ends';
import { lineEndAt } from './spacing';

/**
 * Returns the white space to write behind the last token of new, where the file decides it; undefined where new does. The line behind the
 * quotation is not part of the edit, so its indentation stays, and so do the trailing blanks of a last line that old misquotes.
 */
export function endSpacing({ location, next, script }: LocatedEdit): string | undefined {
  const { old } = location;
  const present = endOf(location.file);
  if (location.strategy === 'exact' || next.lines.length === 0 || !endsLine(location, present)) return undefined;
  const quoted = endOf(old);
  const wanted = endOf(next);
  const [quotedBreaks, wantedBreaks] = [countBreaks(quoted), countBreaks(wanted)];
  const isSameLine = placeOf(script, next.lines.length - 1, old.lines.length) === old.lines.length - 1;
  if (quotedBreaks === 0 && wantedBreaks === 0) {
    if (isSameLine) return wanted === quoted || quoted !== present ? present : wanted;
    return wanted === quoted && quoted !== present ? '' : wanted;
  }
  if (quotedBreaks === wantedBreaks) return isSameLine ? present : present.slice(lineEndAt(present));
  if (wantedBreaks > 0) return undefined;
  // The line break that new lacks stays, unless removing it is the whole edit.
  return textOf(old) === textOf(next) ? undefined : present;
}

/** Returns the indentation of the line behind the quotation, where new has `indent` for it. */
export function indentBehind(location: Location, indent: string): string {
  const present = endOf(location.file);
  return location.strategy === 'exact' || !endsLine(location, present) ? indent : tailOf(location);
}

/** Returns the part of the region that belongs to the line behind the quotation: its indentation, as far as old quotes it. */
export function tailOf({ file }: Location): string {
  const present = endOf(file);
  return present.includes('\n') ? indentAfterBreak(present) : '';
}

/** Returns true when the region ends behind a line end, or before one. */
function endsLine({ file: { source, to } }: Location, present: string): boolean {
  return present.includes('\n') || to >= source.length || /^\r?\n/.test(source.slice(to, to + 2));
}

const indentAfterBreak = (spacing: string): string => spacing.slice(spacing.lastIndexOf('\n') + 1);

/** Returns the text from the first token to the last. */
const textOf = ({ source, tokens }: TokenText): string => source.slice(tokens[0]?.start, tokens.at(-1)?.end);

/** Returns the white space behind the last token. */
const endOf = (text: TokenText): string => spacingBefore(text, text.tokens.length);
